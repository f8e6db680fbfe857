//! Findings with their places and messages, by the part of the analysis that finds them.

mod binding;
mod comparison;
mod conditions;
mod draughts_lines;
mod duplicates;
mod marks;
mod parser;
mod stipulations;
mod twins;
