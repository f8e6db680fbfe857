//! Code lenses: where they stand is told at once, and what they say when they are shown.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use crate::analysis::{Outcome, puzzle_at, puzzles_in};
use crate::diagnostic::{Span, visible};
use crate::games::Answer;
use crate::ide;
use crate::server::handlers::features::{At, COMMANDS, RequestContext, board};
use crate::syntax::Verb;

/// The most puzzles with lenses in one file: lenses have no range, so all of a file are asked at once.
const MOST_LENSES: usize = 5000;

/// What a lens is about.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) enum LensKind {
    Puzzle,
    Query,
    Insert,
    InsertAll,
    Next,
}

/// What a lens carries until it is resolved.
#[derive(Serialize, Deserialize)]
pub(crate) struct LensData {
    kind: LensKind,
    #[serde(flatten)]
    pub at: At,
}

impl RequestContext<'_> {
    /// Where lenses are: what they say is worked out when they are shown.
    pub fn lenses(&self) -> Vec<lsp::CodeLens> {
        let (mut lenses, mut count, mut offered) = (Vec::new(), 0, false);
        for stretch in self.stretches() {
            count += stretch.add_lenses(MOST_LENSES - count, &mut offered, &mut lenses);
            if count >= MOST_LENSES {
                break;
            }
        }
        lenses
    }

    /// Adds those of some puzzles, and says how many these are.
    fn add_lenses(&self, most: usize, offered: &mut bool, lenses: &mut Vec<lsp::CodeLens>) -> usize {
        let tree = self.tree();
        let all = puzzles_in(tree, self.base(), Span::new(0, tree.text().len() as u32), most);
        let count = all.len();
        for (puzzle, settings) in all {
            if self.cancelled() {
                break;
            }
            let head = puzzle.head();
            lenses.push(self.lens(head, LensKind::Puzzle, head.start));
            // What is not known yet may have something to insert; what is known tells.
            let report = self.quick(puzzle, settings);
            let inserts = |offset: u32| {
                let query = report.as_ref().map(|r| (r, ide::query_at(r, offset)));
                let known = query.map(|(r, q)| {
                    let answer = q.and_then(|q| ide::insert_answer(tree.text(), q, r)).filter(|_| !r.broken);
                    (answer.is_some(), q.is_some_and(|q| ide::next_move(q).is_some()))
                });
                known.unwrap_or((true, true))
            };
            let mut open = false;
            for query in puzzle.queries() {
                let asked = query.asked();
                lenses.push(self.lens(asked, LensKind::Query, asked.start));
                let (answer, next) = inserts(asked.start);
                if query.has_arrow() || !answer {
                    continue;
                }
                open = true;
                lenses.push(self.lens(asked, LensKind::Insert, asked.start));
                if next && matches!(query.verb(), Some(Verb::Solve | Verb::Capture)) {
                    lenses.push(self.lens(asked, LensKind::Next, asked.start));
                }
            }
            if open && !*offered {
                // It is one for the whole file.
                *offered = true;
                lenses.push(self.lens(head, LensKind::InsertAll, head.start));
            }
        }
        count
    }

    fn lens(&self, span: Span, kind: LensKind, offset: u32) -> lsp::CodeLens {
        let at = At {
            uri: self.snapshot.uri.clone(),
            version: self.snapshot.version,
            position: self.position(offset),
        };
        let data = serde_json::to_value(LensData { kind, at }).ok();
        lsp::CodeLens { range: self.range(span), command: None, data }
    }

    /// What a lens says and does; of a text that is another by now it says that it waits.
    pub fn resolve(&self, lens: &lsp::CodeLens, data: &LensData) -> lsp::CodeLens {
        let mut lens = lens.clone();
        let offset = self.offset(data.at.position);
        let tree = self.tree();
        let arguments = serde_json::to_value(&data.at).ok().map(|a| vec![a]);
        let command = |title: String, command: &str| lsp::Command {
            title: visible(&title).into_owned(),
            command: command.to_string(),
            arguments: if command.is_empty() { None } else { arguments.clone() },
        };
        let severities = &self.snapshot.config.severities;
        let current = self.snapshot.version == data.at.version;
        let found = puzzle_at(tree, self.base(), offset).filter(|_| current);
        let report = found.and_then(|(puzzle, settings)| {
            if !matches!(data.kind, LensKind::Puzzle | LensKind::Query) {
                return None;
            }
            // A search that is under way for the text's findings ends in a call to ask again.
            let comes = self.session.agreed().refresh_lenses && self.snapshot.is_searched();
            let report = match comes {
                true => self.quick(puzzle, settings)?,
                false => self.whole(puzzle, settings),
            };
            Some((report, board(puzzle, settings)))
        });
        lens.command = Some(match (data.kind, report) {
            (LensKind::Puzzle, Some((report, _))) => command(ide::puzzle_state(&report, severities), ""),
            (LensKind::Query, Some((report, board))) => {
                let query = ide::query_at(&report, offset);
                let state = query
                    .map_or_else(String::new, |q| ide::query_state(q, &report, board.as_ref(), severities));
                command(state, "")
            }
            (LensKind::Puzzle | LensKind::Query, None) => command("…".into(), ""),
            (LensKind::Insert, _) => {
                let solves = tree.text()[offset as usize..].starts_with("solve");
                let none = || {
                    let report = found.and_then(|(puzzle, settings)| self.quick(puzzle, settings))?;
                    let query = ide::query_at(&report, offset)?;
                    matches!(query.outcome, Outcome::Answer(Answer::Solve(None))).then_some(())
                };
                let what = match solves {
                    true if none().is_some() => "Insert `none`",
                    true => "Insert solution",
                    false => "Insert verdict",
                };
                command(what.into(), COMMANDS[0])
            }
            (LensKind::InsertAll, _) => command("Insert all answers in the file".into(), COMMANDS[1]),
            (LensKind::Next, _) => command("Show the next move".into(), COMMANDS[2]),
        });
        lens
    }
}
