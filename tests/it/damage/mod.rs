//! No fix destroys what a person wrote: good files are damaged by realistic slips, and every offered fix is applied
//! alone, as an editor does, and all safe ones together, as `check --fix` does.
//!
//! `CPZ_DAMAGE=100000` tests so many damaged files, from `CPZ_DAMAGE_FIRST` on; `CPZ_DAMAGE_SEED=n` prints everything about
//! one of them.

mod judge;
mod recovery;
mod slips;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cpz::syntax::parse;
use judge::{Violation, findings, judge_fix, judge_fix_all};
use slips::{Rng, SLIPS};

/// A damaged file.
struct Case {
    original: String,
    damaged: String,
    /// The names of its slips.
    slips: Vec<&'static str>,
}

/// The clean texts among the examples, the fixtures and what importers write, and each of their puzzles by itself.
fn good_texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    for file in files(&root.join("examples/collection")) {
        let tree = parse(file.as_str());
        let spans: Vec<_> = tree.puzzles().map(|p| p.described_from()..p.span().end).collect();
        texts.extend(spans.into_iter().map(|s| format!("{}\n", &file[s.start as usize..s.end as usize])));
    }
    for file in files(&root.join("tests/fixtures/contract")) {
        let cases = file.split("\n=== ").skip(1).filter_map(|case| case.split_once('\n'));
        texts.extend(cases.filter_map(|(_, c)| c.split("\n--- ").next()).map(|c| format!("{c}\n")));
    }
    // What the importers write, puzzle by puzzle.
    for file in files(&root.join("tests/fixtures/import"))
        .iter()
        .filter(|f| parse(f.as_str()).puzzles().next().is_some())
    {
        texts.extend(file.split_inclusive("\n}\n").map(String::from));
    }
    texts
        .retain(|t| t.len() < 1500 && parse(t.as_str()).puzzles().next().is_some() && findings(t).is_empty());
    texts
}

fn files(folder: &Path) -> Vec<String> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths.into_iter().map(|p| fs::read_to_string(p).expect("a text")).collect()
}

/// A file of one to three good texts with one to three slips. Each slip by itself causes a finding: what a slip changes
/// without one, no fix can bring back.
fn damage(texts: &[String], seed: u64) -> Option<Case> {
    let mut rng = Rng::new(seed);
    let mut original = rng.pick(texts)?.clone();
    for _ in 0..[0, 0, 0, 1, 2][rng.below(5)] {
        let more = rng.pick(texts)?;
        if !starts_with_property(more) {
            original = format!("{original}\n{more}");
        }
    }
    if original.len() > 2500 || !findings(&original).is_empty() {
        return None;
    }
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    let mut slips = Vec::new();
    for _ in 0..[1, 1, 2, 2, 3][rng.below(5)] {
        let &(name, slip) = rng.pick(SLIPS)?;
        let Some(slipped) = slip(&original, &mut rng).filter(|t| *t != original) else { continue };
        let edit = difference(&original, &slipped);
        let apart = |e: &(usize, usize, String)| edit.1 < e.0 || e.1 < edit.0;
        if edits.iter().all(apart) && !findings(&slipped).is_empty() {
            edits.push(edit);
            slips.push(name);
        }
    }
    edits.sort_by(|a, b| b.cmp(a));
    let mut damaged = original.clone();
    edits.iter().for_each(|(from, to, new)| damaged.replace_range(from..to, new));
    (!edits.is_empty()).then_some(Case { original, damaged, slips })
}

fn starts_with_property(text: &str) -> bool {
    parse(text).root().children().any(|n| n.kind() == cpz::syntax::NodeKind::Property)
}

/// The range of `old` that differs from `new`, and what is there in `new`.
fn difference(old: &str, new: &str) -> (usize, usize, String) {
    let same = |pair: &((usize, char), char)| pair.0.1 == pair.1;
    let start =
        old.char_indices().zip(new.chars()).take_while(same).map(|((i, c), _)| i + c.len_utf8()).last();
    let start = start.unwrap_or(0);
    let (a, b) = (&old[start..], &new[start..]);
    let tail =
        a.char_indices().rev().zip(b.chars().rev()).take_while(same).map(|((i, _), _)| a.len() - i).last();
    let tail = tail.unwrap_or(0);
    (start, old.len() - tail, new[start..new.len() - tail].to_string())
}

/// What was found in some cases.
#[derive(Default)]
struct Tally {
    cases: usize,
    fixes: usize,
    safe: usize,
    /// The cases that violate a rule in each way, and an example.
    violations: BTreeMap<String, (Vec<u64>, String)>,
}

impl Tally {
    fn add(&mut self, seed: u64, case: &Case, violation: Violation) {
        let Violation { rule, title, details } = violation;
        let example = || {
            let Case { original, damaged, slips } = case;
            let findings: String = findings(damaged)
                .iter()
                .map(|f| format!("  {:?} {:?} {}\n", f.span, f.code, f.message))
                .collect();
            format!(
                "CPZ_DAMAGE_SEED={seed} {slips:?}\n{title}: {details}\n-- original\n{original}-- damaged\n{damaged}{findings}"
            )
        };
        let kind = title.split('`').step_by(2).collect::<Vec<_>>().join("…");
        let entry =
            self.violations.entry(format!("{rule}: {kind}")).or_insert_with(|| (Vec::new(), example()));
        entry.0.push(seed);
    }

    fn merge(&mut self, other: Tally) {
        self.cases += other.cases;
        self.fixes += other.fixes;
        self.safe += other.safe;
        for (kind, (seeds, example)) in other.violations {
            self.violations.entry(kind).or_insert((Vec::new(), example)).0.extend(seeds);
        }
    }

    fn judge(&mut self, texts: &[String], seed: u64) {
        let Some(case) = damage(texts, seed) else { return };
        // Together these two leave a board of the right size, which is another puzzle and has no finding.
        let has = |slip: &str| case.slips.iter().any(|name| name.starts_with(slip));
        if has("lost row") && (has("doubled line") || has("doubled row")) {
            return;
        }
        self.cases += 1;
        for finding in findings(&case.damaged) {
            for fix in &finding.fixes {
                self.fixes += 1;
                self.safe += usize::from(fix.safe);
                for violation in judge_fix(&case.original, &case.damaged, case.slips.len(), &finding, fix) {
                    self.add(seed, &case, violation);
                }
            }
        }
        for violation in judge_fix_all(&case.original, &case.damaged, case.slips.len()) {
            self.add(seed, &case, violation);
        }
    }
}

fn run(seeds: std::ops::Range<u64>) -> Tally {
    let texts = good_texts();
    assert!(texts.len() > 200, "{} good texts", texts.len());
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let mut all = Tally::default();
    std::thread::scope(|scope| {
        let worker = |first: u64| {
            let (texts, seeds) = (&texts, seeds.clone());
            scope.spawn(move || {
                let mut tally = Tally::default();
                seeds.skip(first as usize).step_by(threads as usize).for_each(|s| tally.judge(texts, s));
                tally
            })
        };
        let workers: Vec<_> = (0..threads).map(worker).collect();
        workers.into_iter().for_each(|w| all.merge(w.join().expect("a tally")));
    });
    all
}

#[test]
fn no_fix_destroys_what_was_written() {
    let number = |name| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let first = number("CPZ_DAMAGE_FIRST").unwrap_or(0);
    let tally = match number("CPZ_DAMAGE_SEED") {
        Some(seed) => run(seed..seed + 1),
        None => run(first..first + number("CPZ_DAMAGE").unwrap_or(3000)),
    };
    let report = report(&tally);
    println!("{report}");
    assert!(tally.cases > 0 && tally.violations.is_empty(), "see above");
}

fn report(tally: &Tally) -> String {
    let Tally { cases, fixes, safe, violations } = tally;
    let total: usize = violations.values().map(|v| v.0.len()).sum();
    let mut report =
        format!("{cases} damaged texts, {fixes} fixes, {safe} of them safe: {total} violations\n");
    let mut kinds: Vec<_> = violations.iter().collect();
    kinds.sort_by_key(|(_, (seeds, _))| std::cmp::Reverse(seeds.len()));
    kinds.iter().for_each(|(kind, (seeds, _))| report += &format!("{:6} {kind} {seeds:?}\n", seeds.len()));
    kinds.iter().for_each(|(kind, (_, example))| report += &format!("\n=== {kind}\n{example}"));
    report
}
