//! The puzzles of one collection: how they were analysed, and what each is recognised by.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use cpz_check::analysis::{
    Config, Defaults, FileReport, Options, PuzzleReport, analyse, bind_one, canonical_form, link,
    parse_in_parts, position_of, puzzles, report_of,
};
use cpz_check::parallel::*;
use cpz_rules::board::Board;
use cpz_rules::games::Position;
use cpz_text::diagnostic::{Code, Finding, LineIndex, Span};
use cpz_text::syntax::{GameId, Puzzle, TokenKind, Tree};

/// The node budget of the first search, in which most puzzles are decided. Only those that have changed are searched further.
const QUICK: u64 = 10_000;

/// A file of a collection.
pub struct DiffFile<'a> {
    /// Its path in the output.
    pub path: &'a str,
    /// Its name in its collection: files of two collections with the same name are versions of one file.
    pub key: &'a str,
    /// Its text.
    pub text: &'a str,
    /// The configuration that applies.
    pub config: &'a Arc<Config>,
}

impl DiffFile<'_> {
    /// The file as people are told it: below the folders that are compared, or else its path.
    fn shown_path(&self) -> &str {
        if self.key.is_empty() { self.path } else { self.key }
    }
}

/// A collection that was analysed.
pub(super) struct Side<'a> {
    pub files: &'a [DiffFile<'a>],
    pub trees: Vec<Tree>,
    pub indexes: Vec<LineIndex>,
    pub reports: Vec<FileReport>,
    /// The puzzles of all files, in order.
    pub items: Vec<Item>,
    nodes: Option<u64>,
}

/// What a puzzle is recognised by.
pub(super) struct Item {
    /// The index of its file.
    pub file: usize,
    /// Its index in the file.
    pub index: usize,
    pub game: Option<GameId>,
    pub id: Option<String>,
    pub name: Option<String>,
    /// A hash of its tokens that are neither white space nor comments.
    pub tokens: u64,
    /// Equal for puzzles that are the same, turned or not.
    pub canonical: Option<String>,
    /// A hash of its game and its board, equal for boards that differ by a symmetry.
    pub board_hash: Option<u64>,
    pub position: Option<Position>,
}

impl Item {
    pub fn board(&self) -> Option<&Board> {
        self.position.as_ref().map(|position| &position.board)
    }
}

impl<'a> Side<'a> {
    /// Analyses files with a small budget. `nodes` is the budget of later searches, instead of those of the configurations.
    pub fn read(files: &'a [DiffFile<'a>], nodes: Option<u64>) -> Side<'a> {
        let one = |file: &DiffFile<'_>| {
            let tree = parse_in_parts(file.text.to_string());
            let budget = nodes.unwrap_or(file.config.nodes()).min(QUICK);
            let report = analyse(&tree, &options(file.config, budget));
            let items: Vec<Item> = items(&tree, file, &report);
            (tree, report, items)
        };
        let analysed: Vec<(Tree, FileReport, Vec<Item>)> = files.par_iter().map(one).collect();
        let indexes = files.iter().map(|file| LineIndex::new(file.text)).collect();
        let mut side =
            Side { files, trees: Vec::new(), indexes, reports: Vec::new(), items: Vec::new(), nodes };
        for (file, (tree, report, items)) in analysed.into_iter().enumerate() {
            side.trees.push(tree);
            side.reports.push(report);
            side.items.extend(items.into_iter().map(|item| Item { file, ..item }));
        }
        side
    }

    /// Searches the puzzles at these places of `items` again with the full budget, if the first search was too short.
    pub fn search_further(&mut self, changed: &[bool]) {
        let at = |item: &Item| (item.file, item.index);
        let undecided: Vec<(usize, usize)> = self
            .items
            .iter()
            .zip(changed)
            .filter(|(_, changed)| **changed)
            .map(|(item, _)| at(item))
            .filter(|&(file, index)| self.reports[file].puzzles[index].hit_budget)
            .collect();
        let mut of_file: Vec<Vec<(Puzzle<'_>, Defaults)>> = self.trees.iter().map(|_| Vec::new()).collect();
        for &(file, _) in &undecided {
            if of_file[file].is_empty() {
                of_file[file] = puzzles(&self.trees[file], self.files[file].config.settings).collect();
            }
        }
        let again = |&(file, index): &(usize, usize)| {
            let config = self.files[file].config;
            let options = options(config, self.nodes.unwrap_or(config.nodes()));
            let &(puzzle, defaults) = of_file[file].get(index)?;
            Some(report_of(puzzle, defaults, &options))
        };
        let found: Vec<Option<PuzzleReport>> = undecided.par_iter().map(again).collect();
        for ((file, index), report) in undecided.into_iter().zip(found) {
            let Some(mut report) = report else { continue };
            let old = &mut self.reports[file].puzzles[index];
            // Names are compared in the whole file.
            let names = old.findings.iter().filter(|finding| finding.code == Code::DuplicateName);
            report.findings.extend(names.cloned().collect::<Vec<Finding>>());
            *old = report;
        }
    }

    /// Finds duplicates, and applies `allow`.
    pub fn link(&mut self) {
        let (files, indexes) = (self.files, &self.indexes);
        let describe = |file: usize, span: Span| {
            format!("{}:{}", files[file].shown_path(), indexes[file].line(span.start) + 1)
        };
        let mut reports: Vec<&mut FileReport> = self.reports.iter_mut().collect();
        link(&mut reports, describe);
    }
}

fn options(config: &Arc<Config>, nodes: u64) -> Options {
    Options { nodes, answers: true, ..Options::new(config.clone()) }
}

/// The puzzles of a file, as if it were the first.
fn items(tree: &Tree, file: &DiffFile<'_>, report: &FileReport) -> Vec<Item> {
    let all = puzzles(tree, file.config.settings).zip(&report.puzzles).enumerate();
    let item = |(index, ((puzzle, defaults), report)): (usize, ((Puzzle<'_>, Defaults), &PuzzleReport))| {
        let bound = bind_one(puzzle, defaults);
        let position = bound.as_ref().and_then(position_of);
        let board_hash = bound.as_ref().zip(position.as_ref()).map(|(bound, position)| {
            let mut hasher = DefaultHasher::new();
            (bound.id, canonical_form(bound.game, position)).hash(&mut hasher);
            hasher.finish()
        });
        let mut hasher = DefaultHasher::new();
        let tokens = puzzle.node().tokens();
        for token in tokens.filter(|t| !matches!(t.kind(), TokenKind::Space | TokenKind::Comment)) {
            token.text().hash(&mut hasher);
        }
        Item {
            file: 0,
            index,
            game: puzzle.game(),
            id: report.id_in(file.text).map(|id| id.trim().to_string()),
            name: report.name_in(file.text).map(str::trim).filter(|n| !n.is_empty()).map(String::from),
            tokens: hasher.finish(),
            canonical: report.canonical(),
            board_hash,
            position,
        }
    };
    all.map(item).collect()
}
