//! Slips in brackets, braces, quotes and commas: what follows from one is not told beside it.

use crate::one_finding::{check, findings};
use cpz::analysis::Severities;
use cpz::diagnostic::{Finding, Severity};

/// Clean puzzles with lists, quotes and braces.
const STRUCTURED: [&str; 7] = [
    "solitaire { board [[0, 5, 3, 0], [4, 0, 0, 0], [5, 0, 0, 4], [0, 0, 6, 0]] solve }\n",
    "chess { board [['B','K',6,1], ['B','Q',6,2], ['W','K',8,1]] mate }\n",
    "chess {\n  board [[\"K\",\"e1\"], [\"R\",\"h1\"], [\"k\",\"e8\"]]\n  move [\"W\",\"R\",8,2] => True\n}\n",
    "draughts { board [[\"W\",\"K\",1,1], [\"B\",\"M\",3,3]] capture }\n",
    "chess3d \"Mate\" {\n  board [###,n##,#rr],[#b#,###,###],[###,###,bRK]\n  mate => true\n}\n",
    "solitaire { board . . . . . B . . R P . . . . . N solve => [[[3,0],[1,1]], [[0,1],[1,1]], [[1,1],[1,2]]] }\n",
    "chess \"x\" {\n  board 5K2/3q4/6k1/3R4/8/7Q/8/8\n  selfmate in 2\n}\n",
];

#[test]
fn one_sign_too_few_too_many_or_wrong_is_one_error() {
    let is_error = |f: &&Finding| Severities::default().shown(f) == Severity::Error;
    let errors = |text: &str| findings(text).iter().filter(is_error).count();
    let (mut slips, mut several) = (0, Vec::new());
    for clean in STRUCTURED {
        assert_eq!(errors(clean), 0, "{clean}");
        for (at, c) in clean.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            let neighbours: &[&str] = match c {
                '[' => &["p", "{"],
                ',' => &[".", "m", ";"],
                '"' => &["'", "2"],
                '{' => &["["],
                '}' => &["]"],
                _ => &[],
            };
            let doubled = format!("{c}{c}");
            let replaced = neighbours.iter().copied().chain(["", &doubled]);
            for instead in replaced {
                let text = format!("{}{instead}{}", &clean[..at], &clean[at + c.len_utf8()..]);
                slips += 1;
                several.extend((errors(&text) > 1).then_some(text));
            }
        }
    }
    // A brace in a list ends the puzzle; few other slips are told twice.
    assert!(several.len() * 100 < slips * 4, "{} of {slips}:\n{}", several.len(), several.join(""));
}

#[test]
fn a_word_among_numbers_is_one_finding() {
    for (before, after) in [("[4, 0,", "[4. 0,"), ("3, 0]", "3; 0]"), ("0, 6", "0, =6"), ("], [5", "] [x, 5")]
    {
        let text = STRUCTURED[0].replace(before, after);
        let found = findings(&text);
        assert!(
            matches!(&found[..], [one] if one.message.contains("is among numbers")),
            "{text}\n{found:#?}"
        );
    }
    check(&STRUCTURED[0].replace("[4, 0,", "[4. 0,"), &STRUCTURED[0].replace("[4, 0,", "[4 0,"));
}

#[test]
fn a_bracket_takes_the_place_of_a_brace() {
    for clean in [STRUCTURED[1], STRUCTURED[6]] {
        check(&clean.replace('{', "["), clean);
        check(&clean.replace('}', "]"), clean);
        let (first, second) = (clean.replace('}', "]"), STRUCTURED[3]);
        check(&format!("{first}{second}"), &format!("{clean}{second}"));
    }
}
