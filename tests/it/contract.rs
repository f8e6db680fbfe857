//! The contract, case by case. The cases are data: see `fixtures/contract` and, for how to read
//! them, `common/fixture.rs`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::harness::fixture;

fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/contract")
}

/// Runs every case of a file and reports all that fail.
fn group(name: &str) {
    let cases = fixture::read(&home().join(format!("{name}.txt")));
    let failures: Vec<String> =
        cases.iter().map(fixture::Case::failures).filter(|failure| !failure.is_empty()).collect();
    assert!(
        failures.is_empty(),
        "{} of {} cases of {name}.txt fail\n\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

/// One test for each file, so that they run side by side.
macro_rules! groups {
    ($($name:ident)*) => {
        $(#[test] fn $name() { group(stringify!($name)); })*

        /// A file that no test reads would pass for ever.
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
