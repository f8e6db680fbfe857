//! The repairs of puzzles, for people.

use std::io::{self, Write};

use crate::cli::out::{Out, one_line, plural};
use crate::cli::selection::Chosen;
use cpz_check::repair::Aim;
use cpz_ide::{Proposal, Proposals, board_text, why_no_proposals};

/// Prints at most `max` repairs of each puzzle that has any or needs one, and at the end how many puzzles there are.
pub struct TextPrinter {
    aim: Aim,
    max: usize,
    puzzles: usize,
    unsound: usize,
    /// The puzzles of which it is not known.
    undecided: usize,
    /// The puzzles that are not what they are meant to be, or can be smaller.
    printed: usize,
}

impl TextPrinter {
    /// A printer that has printed nothing yet.
    pub fn new(aim: Aim, max: usize) -> TextPrinter {
        TextPrinter { aim, max, puzzles: 0, unsound: 0, undecided: 0, printed: 0 }
    }

    /// Prints the repairs of a puzzle, if there is anything to say about it.
    pub fn puzzle(&mut self, chosen: &Chosen<'_>, proposals: &Proposals, out: &mut Out) -> io::Result<()> {
        let (is_sound, found) = (proposals.is_sound == Some(true), proposals.found.len());
        let reduces = matches!(self.aim, Aim::Shorter | Aim::Minimal);
        self.puzzles += 1;
        self.unsound += usize::from(proposals.is_sound == Some(false));
        self.undecided += usize::from(proposals.is_sound.is_none());
        if is_sound && (!reduces || found == 0) {
            return Ok(());
        }
        self.printed += 1;
        let name = chosen.entry.name.map_or(String::new(), |name| format!(" \"{}\"", one_line(name)));
        let game = chosen.entry.puzzle.game().map_or("?", |game| game.word());
        writeln!(out.stdout, "{}:{} {game}{name}", one_line(&chosen.input.path), chosen.line())?;
        writeln!(out.stdout, "  {}", summary(proposals, self.aim))?;
        for (index, proposal) in proposals.found.iter().take(self.max).enumerate() {
            write_proposal(chosen, index + 1, proposal, out)?;
        }
        if let Some(more) = found.checked_sub(self.max).filter(|&more| more > 0) {
            writeln!(out.stdout, "  and {more} more; `--max 0` prints all")?;
        }
        writeln!(out.stdout)
    }

    /// Prints how many puzzles there are.
    pub fn end(&self, out: &mut Out) -> io::Result<()> {
        let puzzles = plural(self.puzzles, "puzzle", "puzzles");
        let (unsound, undecided) = (self.unsound, self.undecided);
        let sound = self.puzzles - self.printed;
        let mut counts = match self.aim {
            Aim::Sound => format!("{sound} sound, {unsound} not"),
            Aim::Unique => format!("{sound} with one only, {unsound} not"),
            Aim::Shorter | Aim::Minimal => {
                format!("{} can be smaller, {unsound} not sound", self.printed - unsound - undecided)
            }
        };
        if undecided > 0 {
            counts += &format!(", {undecided} undecided");
        }
        writeln!(out.stdout, "{puzzles} with a solution to find: {counts}")
    }
}

/// What was found, in a sentence.
fn summary(proposals: &Proposals, aim: Aim) -> String {
    let found = proposals.found.len();
    let changes = if proposals.changes == 2 { "two changes" } else { "one change" };
    let but = match proposals.complete {
        true => "",
        false if proposals.changes == 2 => "; there may be more",
        false => "; the search used up its budget, so there may be more",
    };
    match aim {
        _ if found == 0 => {
            // The command has an option for it; an editor has not.
            let option = match (proposals.complete, proposals.is_sound) {
                (true, _) => "",
                (false, None) => "; a larger `--budget` may decide it",
                (false, Some(_)) => "; a larger `--budget` may find one",
            };
            format!("{}{option}", why_no_proposals(proposals, aim))
        }
        Aim::Shorter => {
            format!("{} as sound{but}", plural(found, "smaller puzzle is", "smaller puzzles are"))
        }
        Aim::Minimal => format!("{} not needed{but}", plural(found, "piece is", "pieces are")),
        Aim::Sound => {
            format!("{} sound, by {changes}{but}", plural(found, "repair makes it", "repairs make it"))
        }
        Aim::Unique => {
            format!("{} it one solution, by {changes}{but}", plural(found, "repair leaves", "repairs leave"))
        }
    }
}

fn write_proposal(chosen: &Chosen<'_>, number: usize, proposal: &Proposal, out: &mut Out) -> io::Result<()> {
    writeln!(out.stdout, "  {number}. {}", proposal.words)?;
    writeln!(out.stdout, "     solution: {}", one_line(&proposal.solution))?;
    if proposal.rewrites_answer {
        writeln!(out.stdout, "     the written answer has to be replaced")?;
    }
    if let Some(bound) = &chosen.entry.bound {
        let board = board_text(&proposal.repair.board, bound.game.format());
        board.lines().try_for_each(|line| writeln!(out.stdout, "       {line}"))?;
    }
    Ok(())
}
