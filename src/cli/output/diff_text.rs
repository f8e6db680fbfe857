//! The differences of two collections for people.

use std::io::{self, Write};

use crate::cli::out::{Out, one_line};
use cpz_exchange::{
    Change, Diff, FindingsDiff, PuzzleDiff, comments_in_words, diff_in_words, finding_in_words,
    summary_in_words, two_boards,
};

const BOLD: &str = "\x1b[1m";
const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";
const RESET: &str = "\x1b[0m";

/// Prints at most `max` puzzles, and how many there are.
pub(crate) fn print(diff: &Diff, max: usize, out: &mut Out) -> io::Result<()> {
    for puzzle in diff.puzzles.iter().take(max) {
        print_puzzle(puzzle, out)?;
    }
    for file in &diff.files {
        writeln!(out.stdout, "{BOLD}{}{RESET}", one_line(file.shown_path()))?;
        for sentence in comments_in_words(&file.comments) {
            writeln!(out.stdout, "  {}", one_line(&sentence))?;
        }
        print_findings(&file.findings, out)?;
        writeln!(out.stdout)?;
    }
    if let Some(more @ 1..) = diff.puzzles.len().checked_sub(max) {
        writeln!(out.stdout, "and {more} more\n")?;
    }
    writeln!(out.stdout, "{}", summary_in_words(&diff.summary))
}

fn print_puzzle(puzzle: &PuzzleDiff, out: &mut Out) -> io::Result<()> {
    let Some(place) = puzzle.place() else { return Ok(()) };
    let (colour, sign) = match puzzle.change {
        Change::Added => (GREEN, "added "),
        Change::Removed => (RED, "removed "),
        Change::Changed => ("", ""),
    };
    let name = place.name.as_ref().map_or(String::new(), |name| format!(" \"{}\"", one_line(name)));
    let (path, game) = (one_line(place.shown_path()), one_line(&place.game));
    writeln!(out.stdout, "{colour}{sign}{BOLD}{path}:{} {game}{name}{RESET}", place.line)?;
    for sentence in diff_in_words(puzzle) {
        writeln!(out.stdout, "  {}", one_line(&sentence))?;
    }
    print_findings(&puzzle.findings, out)?;
    if let Some(board) = &puzzle.board {
        for line in two_boards(board.old.as_ref(), board.new.as_ref()).lines() {
            writeln!(out.stdout, "    {line}")?;
        }
    }
    writeln!(out.stdout)
}

fn print_findings(findings: &FindingsDiff, out: &mut Out) -> io::Result<()> {
    for finding in &findings.came {
        writeln!(out.stdout, "  {RED}new:{RESET} {}", one_line(&finding_in_words(finding)))?;
    }
    for finding in &findings.gone {
        writeln!(out.stdout, "  {GREEN}gone:{RESET} {}", one_line(&finding_in_words(finding)))?;
    }
    Ok(())
}
