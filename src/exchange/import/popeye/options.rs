//! The options of Popeye: what changes the output is left out, what changes the task is kept.

use crate::import::popeye::tokens::Tokens;
use crate::import::popeye::words::{OptionEffect, Words};
use crate::import::task::{Task, squares};

/// Reads the options that stand next.
pub(in crate::import) fn read_options(tokens: &mut Tokens<'_>, words: &Words, task: &mut Task) {
    while let Some((name, effect)) = words.option(tokens.peek()) {
        tokens.next();
        match effect {
            OptionEffect::Output(count) => {
                for _ in 0..count {
                    tokens.skip_number();
                }
            }
            OptionEffect::Task(count) => {
                let mut text = name.to_string();
                for _ in 0..count {
                    text = format!("{text} {}", tokens.next());
                }
                task.changes.push(("option", text));
            }
            OptionEffect::EnPassant | OptionEffect::NoCastling => {
                let found = squares(tokens.peek());
                if found.is_some() {
                    tokens.next();
                }
                let list = match effect {
                    OptionEffect::EnPassant => &mut task.en_passant,
                    _ => &mut task.no_castling,
                };
                match found {
                    Some(found) => list.extend(found),
                    None => task.changes.push(("option", format!("{name} without squares"))),
                }
            }
            OptionEffect::HalfDuplex => task.is_exchanged = true,
            OptionEffect::Duplex => task.is_duplex = true,
            OptionEffect::SetPlay => task.has_set_play = true,
        }
    }
}
