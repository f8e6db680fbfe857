//! How often a fix gives a text back as it was before a slip.
//!
//! `CPZ_RECOVERY=NAME` prints the texts with that slip that no fix gives back.

use cpz::analysis::Defaults;
use cpz::ide::{apply, slip_fixes};

use super::judge::{findings, fixed, gives_back, lost_parts};
use super::slips::{LOSSES, Rng, SLIPS};
use super::{difference, good_texts};

/// Texts of each slip.
const TEXTS: usize = 8;
/// How many if these come out badly.
const MANY: usize = 60;

/// The least part of all texts that comes back, in percent.
const ALL: usize = 80;

/// The least part of the texts of one slip, in percent.
const EACH: usize = 50;

/// Slips of which less comes back, because they take away what nothing else in the text says.
const LOST: [&str; 3] = ["lost row", "lost word", "pasted half"];

/// What became of the texts with one slip.
#[derive(Default)]
struct Rate {
    /// Those with a finding.
    found: usize,
    /// Those whose findings have no fix.
    without_fix: usize,
    /// All fixes.
    fixes: usize,
    /// Those that one fix, or all safe ones together, gives back.
    back: usize,
}

/// The rate of one slip.
fn rate(texts: &[String], name: &str, slip: super::slips::Slip, wanted: usize, shows: bool) -> Rate {
    let mut rate = Rate::default();
    let mut rng = Rng::new(name.bytes().fold(7, |n: u64, b| n * 31 % 1_000_003 + u64::from(b)));
    for _ in 0..wanted * 10 {
        let Some(original) = rng.pick(texts) else { break };
        let Some(damaged) = slip(original, &mut rng).filter(|t| t != original) else { continue };
        let found = findings(&damaged);
        if found.is_empty() {
            continue;
        }
        rate.found += 1;
        let all: Vec<_> = found
            .iter()
            .flat_map(|f| {
                let slips = if f.fixes.iter().any(|fix| fix.safe) {
                    Vec::new()
                } else {
                    slip_fixes(&damaged, Defaults::default(), f)
                };
                for fix in slips.iter().filter(|fix| !fix.title.starts_with("remove")) {
                    let lost = lost_parts(&damaged, &apply(&damaged, &fix.edits));
                    assert!(lost.is_empty(), "{} takes away {lost:?} of\n{damaged}", fix.title);
                }
                f.fixes.iter().cloned().chain(slips)
            })
            .collect();
        rate.without_fix += usize::from(all.is_empty());
        rate.fixes += all.len();
        let mut afterwards = all.iter().map(|fix| apply(&damaged, &fix.edits)).chain([fixed(&damaged)]);
        let is_back = afterwards.any(|after| gives_back(original, &after));
        rate.back += usize::from(is_back);
        if shows && !is_back {
            let (from, to, new) = difference(original, &damaged);
            println!("=== {:?} -> {new:?}\n{damaged}", &original[from..to]);
            for f in &found {
                let slips = slip_fixes(&damaged, Defaults::default(), f);
                let titles: Vec<_> = f.fixes.iter().chain(&slips).map(|f| &f.title).collect();
                println!("  {:?} {:?} {} {titles:?}", &damaged[f.span.range()], f.code, f.message);
            }
        }
        if rate.found == wanted {
            break;
        }
    }
    rate
}

#[test]
fn fixes_give_back_what_a_slip_changed() {
    let texts = good_texts();
    let shown = std::env::var("CPZ_RECOVERY").ok();
    let (mut all, mut rare) = (Rate::default(), Vec::new());
    println!("{:30} {:>5} {:>7} {:>5} {:>5} {:>4}", "slip", "found", "no fix", "fixes", "back", "%");
    for &(name, slip) in SLIPS.iter().chain(LOSSES) {
        if shown.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        let rate = rate(&texts, name, slip, if shown.is_some() { MANY } else { TEXTS }, shown.is_some());
        let percent = |rate: &Rate| rate.back * 100 / rate.found.max(1);
        println!(
            "{name:30} {:5} {:7} {:5} {:5} {:4}",
            rate.found,
            rate.without_fix,
            rate.fixes,
            rate.back,
            percent(&rate)
        );
        let is_bad = |rate: &Rate| percent(rate) < EACH && rate.found > 0;
        // Few texts say little: where they come out badly, many decide.
        if is_bad(&rate) && !LOST.contains(&name) && is_bad(&self::rate(&texts, name, slip, MANY, false)) {
            rare.push(name);
        }
        all.found += rate.found;
        all.without_fix += rate.without_fix;
        all.fixes += rate.fixes;
        all.back += rate.back;
    }
    println!(
        "{:30} {:5} {:7} {:5} {:5} {:4}",
        "all",
        all.found,
        all.without_fix,
        all.fixes,
        all.back,
        all.back * 100 / all.found.max(1)
    );
    assert!(rare.is_empty(), "less than {EACH} % come back: {rare:?}");
    assert!(shown.is_some() || all.back * 100 >= all.found * ALL, "less than {ALL} % come back");
}
