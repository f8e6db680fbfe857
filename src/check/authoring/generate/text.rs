//! New puzzles as text, formatted as `cpz fmt` formats them.

use crate::authoring::generate::GeneratedPuzzle;
use cpz_rules::board::{Colour, Notation, Style, Target, write, write_placement};
use cpz_rules::games::{Dialect, game};
use cpz_text::syntax::GameId;

/// The numbers of puzzles are below this: the longest has eight digits.
const NUMBERS: u64 = 100_000_000;

/// New puzzles of a game as text, one after the other. `query` is what they ask, `unique` whether they say that they are;
/// their names say what they ask and have the number of their position.
pub fn puzzle_texts(id: GameId, puzzles: &[GeneratedPuzzle], query: &str, unique: bool) -> String {
    let mut out = String::new();
    for (i, puzzle) in puzzles.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        let mut lines = vec![board(id, puzzle)];
        if puzzle.position.dialect != Dialect::Default {
            lines.push(format!("rules {}", puzzle.position.dialect.word()));
        }
        let number = number(&lines, query);
        lines.extend(unique.then(|| "unique".to_string()));
        lines.push(format!("difficulty {}", puzzle.estimate));
        lines.push(query.to_string());
        let head = format!("{} \"{}, no. {number}\" {{", id.word(), title(id, query));
        out.push_str(&format!("{head}\n  {}\n}}\n", lines.join("\n  ")));
    }
    out
}

/// What a puzzle is, for its name: `Mate in 2`.
fn title(id: GameId, query: &str) -> String {
    match id {
        GameId::Solitaire => "Solitaire".into(),
        GameId::Chess3d => "Cube".into(),
        GameId::Draughts => "Draughts".into(),
        GameId::Chess => query[..1].to_uppercase() + &query[1..],
    }
}

/// The number of a puzzle, which its position, its rules and its question give it: two runs make two puzzles of one name only
/// where they make the same puzzle, whatever their seeds and options. FNV-1a with 64 bits.
fn number(position: &[String], query: &str) -> u64 {
    let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let bytes = position.iter().flat_map(|line| line.bytes()).chain(query.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, add) % NUMBERS
}

fn board(id: GameId, puzzle: &GeneratedPuzzle) -> String {
    let (board, turn) = (&puzzle.position.board, puzzle.position.turn);
    let format = game(id).format();
    if format.notation == Notation::Fen {
        let side = if turn == Colour::White { 'w' } else { 'b' };
        return format!("board {} {side} - - 0 1", write_placement(board, format));
    }
    let style = Style { origin: format.origin, turn, line: "\n    ".into(), spread: true, empty: None };
    format!("board{}", write(board, format, Target::Text, &style).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Options, Severities, analyse, bind_all, link, position_of};
    use crate::authoring::{
        CubeOptions, DraughtsOptions, KindWeights, KnownPositions, MateOptions, Plan, SolitaireOptions,
        Wanted, generate_puzzles, rate,
    };
    use cpz_rules::board::{Kind, Size};
    use cpz_rules::games::{Budget, ProblemKind, Stipulation, find_keys};
    use cpz_text::diagnostic::Severity;
    use cpz_text::syntax::parse;
    use proptest::prelude::*;

    /// The findings of a text that are errors or warnings.
    fn trouble(text: &str) -> Vec<String> {
        let mut report = analyse(&parse(text), &Options::default());
        link(&mut [&mut report], |_, _| String::new());
        let severities = Severities::default();
        let bad = report.unordered().filter(|(f, _)| severities.shown(f) < Severity::Hint);
        bad.map(|(f, _)| format!("{}: {}", f.code.name(), f.message)).collect()
    }

    const FIRST_OF_SEED_1: &str = r#"solitaire "Solitaire, no. 14085109" {
  board
    . . . .
    . . P .
    . . . R
    B R . K
  rules ranger
  unique
  difficulty 3.1
  solve
}

solitaire "Solitaire, no. 19474673" {
  board
    . . N .
    P . . N
    B K . .
    . . . .
  rules ranger
  unique
  difficulty 3.9
  solve
}
"#;

    const FIRST_CAPTURES_OF_SEED_1: &str = r#"draughts "Draughts, no. 39186122" {
  board
    . . . . . . . b
    . . . . . . . .
    . . . . . . . w
    . . . . . . B .
    . . . . . . . b
    . . b . B . . .
    . . . . . . . .
    . . . . . . . .
  difficulty 2.0
  capture
}

draughts "Draughts, no. 3995383" {
  board
    . . . . . . . .
    . . . . . . . .
    . . . b . . . b
    . . . . . . . .
    . . . b . . . w
    . . . . . . . .
    . . . . . B . .
    . . . . . . w .
  difficulty 2.0
  capture
}
"#;

    const FIRST_CUBES_OF_SEED_1: &str = r#"chess3d "Cube, no. 36195835" {
  board
    ###
    ###
    Kq#

    ###
    ###
    ##k

    ###
    ###
    ###
  difficulty 2.5
  mate
}

chess3d "Cube, no. 68032126" {
  board
    ###
    #k#
    ###

    ###
    b##
    ###

    q##
    ###
    K##
  difficulty 2.8
  mate
}
"#;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn boards_are_sound_new_and_as_wanted(
            seed in any::<u64>(), pieces in 2u32..7, w in 3u8..6, h in 3u8..6,
            dialect in prop::sample::select(Dialect::ALL.to_vec()), unique in any::<bool>(),
        ) {
            let options = SolitaireOptions {
                pieces, size: Size::flat(w, h), dialect, unique, kinds: KindWeights::parse("K2Q1R1N2P").unwrap(),
            };
            let wanted = Wanted { count: 6, difficulty: None, seed };
            let budget = Budget::new(20_000_000, None);
            let known = || KnownPositions::of(GameId::Solitaire);
            let made = generate_puzzles(&options, &wanted, known(), &budget);
            let again = generate_puzzles(&options, &wanted, known(), &Budget::new(20_000_000, None));
            prop_assert_eq!(&made.puzzles, &again.puzzles);
            let text = puzzle_texts(GameId::Solitaire, &made.puzzles, "solve", unique);
            prop_assert_eq!(trouble(&text), Vec::<String>::new());
            let tree = parse(text.as_str());
            for ((bound, _), puzzle) in bind_all(&tree, Default::default()).iter().zip(&made.puzzles) {
                prop_assert_eq!(position_of(bound), Some(puzzle.position.clone()));
                prop_assert_eq!(puzzle.position.board.count() as u32, pieces);
                let kinds = puzzle.position.board.cells.iter().flatten();
                prop_assert!(kinds.clone().all(|p| p.kind != Kind::Bishop));
                prop_assert_eq!(rate(bound, &Options::default()).unwrap().estimate, Some(puzzle.estimate));
            }
            // What is known is not made again.
            let mut first = known();
            made.puzzles.iter().for_each(|p| { first.insert(&p.position, dialect); });
            let others = generate_puzzles(&options, &Wanted { count: 2, ..wanted }, first, &Budget::new(2_000_000, None));
            for other in &others.puzzles {
                prop_assert!(!made.puzzles.contains(other));
            }
        }
    }

    #[test]
    fn puzzles_of_a_seed_never_change() {
        let options = SolitaireOptions {
            pieces: 5,
            size: Size::flat(4, 4),
            dialect: Dialect::Ranger,
            unique: true,
            kinds: KindWeights::default(),
        };
        let budget = Budget::new(1_000_000, None);
        let made = generate_puzzles(
            &options,
            &Wanted { count: 2, difficulty: None, seed: 1 },
            KnownPositions::of(GameId::Solitaire),
            &budget,
        );
        let text = puzzle_texts(GameId::Solitaire, &made.puzzles, "solve", true);
        assert_eq!(text, FIRST_OF_SEED_1);
    }

    #[test]
    fn captures_and_cubes_of_a_seed_never_change() {
        let captures = Plan::captures(DraughtsOptions::new(None, None, KindWeights::of_draughts()));
        let cubes = Plan::cubes(CubeOptions::new(None, None, KindWeights::of_cubes()));
        for (plan, expected) in [(captures, FIRST_CAPTURES_OF_SEED_1), (cubes, FIRST_CUBES_OF_SEED_1)] {
            let plan = plan.expect("right options");
            let wanted = Wanted { count: 2, difficulty: None, seed: 1 };
            let (_, text) =
                plan.make(&wanted, KnownPositions::of(plan.game), &Budget::new(100_000_000, None));
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn puzzles_of_other_runs_have_other_names() {
        let names = |pieces: u32, seed: u64| -> Vec<String> {
            let options = SolitaireOptions {
                pieces,
                size: Size::flat(4, 4),
                dialect: Dialect::Default,
                unique: false,
                kinds: KindWeights::default(),
            };
            let plan = Plan::solitaire(options).expect("right options");
            let wanted = Wanted { count: 5, difficulty: None, seed };
            let known = KnownPositions::of(GameId::Solitaire);
            let (_, text) = plan.make(&wanted, known, &Budget::new(1_000_000, None));
            text.lines().filter(|line| line.starts_with("solitaire")).map(String::from).collect()
        };
        let mut all = [names(4, 1), names(5, 1), names(4, 2)].concat();
        assert_eq!(names(4, 1), all[..5]);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 15, "{all:?}");
    }

    #[test]
    fn mates_have_one_key_and_no_shorter_mate() {
        let tree = parse(
            "chess { board 8/8/8/8/8/2k5/8/K2Q3R w - - 0 1 } chess { board 7k/8/5K2/6Q1/8/8/5P2/8 w - - 0 1 }",
        );
        let from = bind_all(&tree, Default::default()).iter().filter_map(|(b, _)| position_of(b)).collect();
        let options = MateOptions { moves: 2, from, pieces: None };
        let wanted = Wanted { count: 3, difficulty: None, seed: 7 };
        let budget = Budget::new(200_000_000, None);
        let made = generate_puzzles(&options, &wanted, KnownPositions::of(GameId::Chess), &budget);
        assert_eq!(made.puzzles.len(), 3);
        let asked = Stipulation::new(ProblemKind::MATE, 4);
        for puzzle in &made.puzzles {
            let found = find_keys(&puzzle.position, asked, &Budget::new(u64::MAX, None)).unwrap();
            assert!(matches!(found.keys[..], [key] if key.mates == 2), "{found:?}");
        }
        let text = puzzle_texts(GameId::Chess, &made.puzzles, "mate in 2", false);
        assert_eq!(trouble(&text), Vec::<String>::new());
    }
}
