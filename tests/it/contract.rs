//! The contract, case by case. The cases are data: see `fixtures/contract` and, for how to read
//! them, `tests/harness/fixture.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::harness::fixture::{self, Outcome};
use crate::harness::{blessing, selected};

fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/contract")
}

/// Runs the selected cases of a file and reports all that fail, or rewrites them.
fn group(name: &str) {
    let path = home().join(format!("{name}.txt"));
    let text = fs::read_to_string(&path).expect("a fixture file");
    let cases = fixture::read(&text);
    let outcomes: Vec<(usize, Outcome)> = cases
        .iter()
        .enumerate()
        .filter(|(_, case)| selected(&case.title))
        .map(|(n, case)| (n, case.run()))
        .collect();
    if outcomes.len() < cases.len() {
        println!("{name}.txt: {} of {} cases are selected", outcomes.len(), cases.len());
    }
    let failures: Vec<&str> =
        outcomes.iter().map(|(_, o)| o.failure.as_str()).filter(|failure| !failure.is_empty()).collect();
    let blessed = fixture::blessed(&text, &outcomes);
    if failures.is_empty() {
        assert_eq!(blessed, text, "blessing a file that passes changes nothing");
    } else if blessing() {
        fs::write(&path, blessed).expect("the fixtures are written");
    } else {
        panic!(
            "{} of {} cases of {name}.txt fail\n\n{}",
            failures.len(),
            outcomes.len(),
            failures.join("\n")
        );
    }
}

/// One test for each file, so that they run side by side.
macro_rules! groups {
    ($($name:ident)*) => {
        $(#[test] fn $name() { group(stringify!($name)); })*

        /// A fixture file without a test would never be checked.
        #[test]
        fn every_fixture_file_has_a_test() {
            let named: BTreeSet<String> = [$(concat!(stringify!($name), ".txt")),*]
                .into_iter()
                .map(str::to_owned)
                .collect();
            let there: BTreeSet<String> = std::fs::read_dir(home())
                .expect("the fixtures")
                .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
                .collect();
            assert_eq!(named, there);
        }
    };
}

groups! {
    grammar
    reasons
    mended
    boards_solitaire
    boards_chess
    boards_chess3d
    boards_draughts
    rules_solitaire
    rules_chess
    rules_chess3d
    rules_draughts
    oracle_solitaire
    oracle_chess
    oracle_chess3d
    oracle_draughts
    answers
    diagnostics
    duplicates
    positions
    sources
}

#[test]
fn blessing_rewrites_only_what_fails() {
    let text = "Free text.\n\n=== right\nsolitaire { board ...N.....R....B. solve }\n--- check\n\n\n\
        === wrong\nsolitaire { board ⟦X⟧..N.....R....B. ⟦solv⟧ }\n--- check\n\
        error unknown-piece = 1\nerror too-many-kings\n\n--- answers\n\n=== last\n\
        solitaire { board ...N.....R....B. count }\n--- check\n--- answers\n 2";
    let outcomes: Vec<_> = fixture::read(text).iter().map(fixture::Case::run).enumerate().collect();
    assert_eq!(outcomes.iter().filter(|(_, o)| !o.failure.is_empty()).count(), 2);
    let after = fixture::blessed(text, &outcomes);
    assert!(after.starts_with(&text[..text.find("error too-many-kings").expect("it is there")]), "{after}");
    assert!(
        after.contains("= 1\nerror unknown-keyword = 2 ~ ") && !after.contains("error too-many-kings"),
        "{after}"
    );
    let outcomes: Vec<_> = fixture::read(&after).iter().map(fixture::Case::run).enumerate().collect();
    let failures: String = outcomes.iter().map(|(_, o)| o.failure.as_str()).collect();
    assert_eq!(failures, "");
    assert_eq!(fixture::blessed(&after, &outcomes), after);
}
