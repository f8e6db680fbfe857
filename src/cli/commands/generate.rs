//! `cpz generate`

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::cli::args::{Generate, GeneratedGame};
use crate::cli::common_args::Paths;
use crate::cli::new_file::write_new;
use crate::cli::out::{DONE, FAILED, FOUND, Out, plural, report_error};
use crate::cli::selection::Collection;
use cpz_check::analysis::DEFAULT_NODES;
use cpz_check::authoring::{
    CubeOptions, DraughtsOptions, Generated, KindWeights, KnownPositions, MateOptions, Plan, PlanOption,
    SolitaireOptions, Wanted, check_plan_options, chess_positions, side_of,
};
use cpz_exchange::import::{Format, detect};
use cpz_rules::board::Size;
use cpz_rules::games::{Budget, Dialect, Position};
use cpz_server::workspace::{is_collection, walk};

/// The bytes at the beginning of a list by which its format is recognised.
const HEAD: u64 = 1 << 16;

/// Makes new puzzles.
pub fn run(args: &Generate, out: &mut Out) -> io::Result<u8> {
    let plan = match plan_of(args) {
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
    let (generated, text) = plan.make(&wanted, known, &Budget::new(nodes, None));
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

fn plan_of(args: &Generate) -> Result<Plan, String> {
    check_plan_options(
        args.game.id(),
        &[
            (PlanOption::Size, "--size", args.size.is_some()),
            (PlanOption::Rules, "--rules", args.rules.is_some()),
            (PlanOption::Kinds, "--kinds", args.kinds.is_some()),
            (PlanOption::Unique, "--unique", args.unique),
            (PlanOption::Captures, "--captures", args.captures.is_some()),
            (PlanOption::Mate, "--mate", args.mate.is_some()),
            (PlanOption::Positions, "--from", args.from.is_some()),
        ],
    )?;
    match args.game {
        GeneratedGame::Solitaire => solitaire_plan(args),
        GeneratedGame::Chess => mate_plan(args),
        GeneratedGame::Draughts => draughts_plan(args),
        GeneratedGame::Chess3d => cube_plan(args),
    }
}

fn solitaire_plan(args: &Generate) -> Result<Plan, String> {
    let kinds = args.kinds.as_deref().map(KindWeights::parse).transpose()?;
    Plan::solitaire(SolitaireOptions {
        pieces: args.pieces.unwrap_or(6),
        size: args.size.unwrap_or(Size::flat(4, 4)),
        dialect: args.rules.map_or(Dialect::Default, |rules| rules.0),
        kinds: kinds.unwrap_or_default(),
        unique: args.unique,
    })
}

fn draughts_plan(args: &Generate) -> Result<Plan, String> {
    let kinds = args.kinds.as_deref().map(KindWeights::parse_draughts).transpose()?;
    let kinds = kinds.unwrap_or_else(KindWeights::of_draughts);
    Plan::captures(DraughtsOptions::new(args.pieces, args.captures, kinds))
}

fn cube_plan(args: &Generate) -> Result<Plan, String> {
    let kinds = args.kinds.as_deref().map(KindWeights::parse_cubes).transpose()?;
    let side = args.size.map(side_of).transpose()?;
    Plan::cubes(CubeOptions::new(side, args.pieces, kinds.unwrap_or_else(KindWeights::of_cubes)))
}

fn mate_plan(args: &Generate) -> Result<Plan, String> {
    let (Some(moves), Some(list)) = (args.mate, &args.from) else {
        return Err("chess needs `--mate N` and `--from LIST`, a file with positions to change".into());
    };
    let from = positions_of(list)?;
    if from.is_empty() {
        return Err(format!("there is no position of chess in {list}"));
    }
    Ok(Plan::mates(MateOptions { moves, from, pieces: args.pieces }))
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
    let puzzles = collection.puzzles();
    Ok(chess_positions(puzzles.iter().filter_map(|chosen| chosen.entry.bound.as_ref())))
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
    let puzzles: Vec<_> = collection.iter().flat_map(|collection| collection.puzzles()).collect();
    plan.known(puzzles.iter().filter_map(|chosen| chosen.entry.bound.as_ref()))
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
        let why = match generated.is_exhausted {
            true => "; there seem to be no others like these",
            false => " before the search used up its budget; ask for easier ones, or add `--budget`",
        };
        let _ = writeln!(stderr, "cpz: found {found} of {puzzles}{why}");
    }
}
