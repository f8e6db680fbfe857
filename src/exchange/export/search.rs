//! How far an export searches for answers.

use cpz_check::analysis::{BUDGET_USED_UP, Outcome};
use cpz_rules::games::Answer;
use cpz_text::diagnostic::{Code, Finding};

/// The node of the position itself: a move and a status are looked at, nothing is looked for.
const ONE_LOOK: u64 = 1;

/// The node budget of a search that an editor shows with a collection. It decides captures and short mates.
const SHORT: u64 = 1000;

/// Said in place of an answer that is left out because it needs more nodes.
pub(super) const NEEDS_SEARCH: &str = "this needs a longer search; export with `--solve`";

/// How far an export searches for answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The user did not ask for searches, so there are none, and the export is as fast as reading the puzzles. Whether a move is
    /// legal, or a position mate, is checked all the same.
    Unasked,
    /// Each search has a few nodes, so that an editor shows at once what is easy.
    Short,
    /// At most this many nodes for each search.
    Full(u64),
}

impl Search {
    /// The node budget of one search.
    pub fn nodes(self) -> u64 {
        match self {
            Search::Unasked => ONE_LOOK,
            Search::Short => SHORT,
            Search::Full(nodes) => nodes,
        }
    }

    /// Whether `--solve` would search further.
    pub(super) fn is_short(self) -> bool {
        !matches!(self, Search::Full(_))
    }

    /// Whether an answer is not known, or not whole, only because the search was short.
    pub(super) fn is_too_short_for(self, outcome: &Outcome) -> bool {
        self.is_short()
            && match outcome {
                Outcome::Undecided(_) => true,
                Outcome::Answer(Answer::Keys { complete, .. }) => !complete,
                Outcome::Answer(Answer::Sequences { complete, is_cut, .. }) => !complete && !is_cut,
                Outcome::Answer(Answer::Count { count, .. }) => count.is_none(),
                Outcome::Answer(_) | Outcome::Error(_) | Outcome::NotAsked(_) => false,
            }
    }

    /// Whether what a finding says comes of a short search alone.
    pub(super) fn is_too_short_for_finding(self, finding: &Finding, outcome: &Outcome) -> bool {
        let is_cut = matches!(outcome, Outcome::Answer(Answer::Sequences { is_cut: true, .. }));
        self.is_short() && finding.code == Code::Undecided && !is_cut
    }

    /// A message, with what helps where a search was short.
    pub(super) fn explained(self, message: &str) -> String {
        match self {
            // What the short search found so far is of no use.
            Search::Unasked | Search::Short => match message.split_once(BUDGET_USED_UP) {
                Some((before, _)) => format!("{before}{NEEDS_SEARCH}"),
                None => message.into(),
            },
            Search::Full(_) => message.into(),
        }
    }
}
