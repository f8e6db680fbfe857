//! `cpz generate`

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::analysis::{DEFAULT_NODES, position_of, problem_of};
use crate::authoring::{
    Generated, KnownPositions, Maker, MateOptions, SolitaireOptions, Wanted, generate_puzzles, puzzle_texts,
};
use crate::board::Size;
use crate::cli::args::{Generate, GeneratedGame};
use crate::cli::common_args::Paths;
use crate::cli::new_file::write_new;
use crate::cli::out::{DONE, FAILED, FOUND, Out, plural, report_error};
use crate::cli::selection::Collection;
use crate::exchange::import::{Format, detect};
use crate::games::{Budget, Dialect, Position};
use crate::syntax::GameId;
use crate::workspace::{is_collection, walk};

/// The bytes at the beginning of a list by which its format is recognised.
const HEAD: u64 = 1 << 16;

/// Makes new puzzles.
pub fn run(args: &Generate, out: &mut Out) -> io::Result<u8> {
    let plan = match Plan::of(args) {
        Ok(plan) => plan,
        Err(why) => {
            report_error("generate", &why);
            return Ok(FAILED);
        }
    };
    // What cannot be written is said before the search.
    if args.output.as_deref().is_some_and(|path: &Path| path.symlink_metadata().is_ok()) {
        report_error(
            &name(args),
            "not written: there is a file or a folder of this name already; choose another one",
        );
        return Ok(FAILED);
    }
    let collection = collection(args);
    if collection.as_ref().is_some_and(|collection| collection.failed) {
        return Ok(FAILED);
    }
    let known = known_positions(collection.as_ref(), &plan);
    let wanted = Wanted {
        count: args.count,
        difficulty: args.difficulty.map(|range| (range.least, range.most)),
        seed: args.seed,
    };
    let nodes = args.budget.budget.unwrap_or(DEFAULT_NODES).saturating_mul(args.count.max(1) as u64);
    let generated = generate_puzzles(plan.maker.as_ref(), &wanted, known, &Budget::new(nodes, None));
    let text = puzzle_texts(plan.game, &generated.puzzles, &plan.query, args.unique, args.seed, 1);
    if generated.puzzles.is_empty() {
        tell(args, &generated);
        return Ok(FOUND);
    }
    match &args.output {
        None => out.stdout.write_all(text.as_bytes())?,
        Some(path) => {
            if let Err(why) = write_new(path, text.as_bytes(), false) {
                report_error(&name(args), &why);
                return Ok(FAILED);
            }
        }
    }
    out.stdout.flush()?;
    tell(args, &generated);
    Ok(if generated.puzzles.len() < args.count { FOUND } else { DONE })
}

/// What is made.
struct Plan {
    game: GameId,
    maker: Box<dyn Maker>,
    dialect: Dialect,
    /// The query of each puzzle.
    query: String,
}

impl Plan {
    fn of(args: &Generate) -> Result<Plan, String> {
        match args.game {
            GeneratedGame::Solitaire => solitaire_plan(args),
            GeneratedGame::Chess => mate_plan(args),
        }
    }
}

fn solitaire_plan(args: &Generate) -> Result<Plan, String> {
    if args.mate.is_some() || args.from.is_some() {
        return Err("`--mate` and `--from` are for chess".into());
    }
    let size = args.size.unwrap_or(Size::flat(4, 4));
    let pieces = args.pieces.unwrap_or(6);
    if pieces as usize > size.cells() {
        return Err(format!("{pieces} pieces do not stand on a board of {size}"));
    }
    let dialect = args.rules.map_or(Dialect::Default, |rules| rules.0);
    let kinds = args.kinds.clone().unwrap_or_default();
    let options = SolitaireOptions { pieces, size, dialect, kinds, unique: args.unique };
    Ok(Plan { game: GameId::Solitaire, maker: Box::new(options), dialect, query: "solve".into() })
}

fn mate_plan(args: &Generate) -> Result<Plan, String> {
    if args.size.is_some() || args.kinds.is_some() || args.rules.is_some() || args.unique {
        return Err(
            "`--size`, `--kinds`, `--rules` and `--unique` are for solitaire; mates always have one key"
                .into(),
        );
    }
    let (Some(moves), Some(list)) = (args.mate, &args.from) else {
        return Err("chess needs `--mate N` and `--from LIST`, a file with positions to change".into());
    };
    let from = positions_of(list)?;
    if from.is_empty() {
        return Err(format!("there is no position of chess in {list}"));
    }
    let options = MateOptions { moves, from, pieces: args.pieces };
    let query = format!("mate in {moves}");
    Ok(Plan { game: GameId::Chess, maker: Box::new(options), dialect: Dialect::Default, query })
}

/// The positions of chess in a collection or in a file of another program.
fn positions_of(list: &str) -> Result<Vec<Position>, String> {
    let path = Path::new(list);
    let format = match path.is_dir() || is_collection(path) {
        true => None,
        false => Some(format_of(path).map_err(|why| format!("{list}: {why}"))?),
    };
    let paths = Paths { paths: vec![list.to_string()], no_config: false };
    let collection = Collection::read_as(&paths, format);
    if collection.failed {
        return Err(format!("{list} cannot be read"));
    }
    let mut positions = Vec::new();
    for chosen in collection.puzzles() {
        let Some(bound) = chosen.entry.bound.as_ref().filter(|bound| bound.id == GameId::Chess) else {
            continue;
        };
        let problem = bound.puzzle.queries().find_map(|query| problem_of(bound, query));
        positions.extend(problem.map(|(position, _)| position).or_else(|| position_of(bound)));
    }
    Ok(positions)
}

fn format_of(path: &Path) -> Result<Format, String> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.map_err(|error| format!("cannot be read: {error}"))?;
    let format = detect(&path.to_string_lossy(), &String::from_utf8_lossy(&head));
    format.ok_or_else(|| "this is no format that cpz knows; `cpz import --help` lists them".into())
}

/// The collection that the new puzzles must differ from: the paths, or else what is in the current folder.
fn collection(args: &Generate) -> Option<Collection> {
    let is_here = || !walk(Path::new(".")).0.is_empty();
    let is_wanted = !args.paths.paths.is_empty() || is_here();
    is_wanted.then(|| Collection::read(&args.paths))
}

fn known_positions(collection: Option<&Collection>, plan: &Plan) -> KnownPositions {
    let mut known = KnownPositions::of(plan.game);
    for chosen in collection.iter().flat_map(|collection| collection.puzzles()) {
        let bound = chosen.entry.bound.as_ref().filter(|bound| bound.id == plan.game);
        if let Some(position) = bound.and_then(position_of) {
            known.insert(&position, plan.dialect);
        }
    }
    known
}

fn name(args: &Generate) -> String {
    args.output.as_deref().map(|path: &Path| path.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Says on standard error what was written, and what is missing.
fn tell(args: &Generate, generated: &Generated) {
    let found = generated.puzzles.len();
    let mut stderr = anstream::stderr();
    if args.output.as_ref().is_some_and(|_: &PathBuf| found > 0) {
        let _ = writeln!(stderr, "cpz: {}: {} written", name(args), plural(found, "puzzle", "puzzles"));
    }
    if found < args.count {
        let puzzles = plural(args.count, "puzzle", "puzzles");
        let _ = writeln!(
            stderr,
            "cpz: found {found} of {puzzles} before the search used up its budget; ask for easier ones, or add `--budget`"
        );
    }
}
