//! Findings about conditions (contract: stipulations, 4).

use super::stipulations::{answers, findings, only};
use cpz::diagnostic::Code;
use cpz::ide::apply;

#[test]
fn a_condition_of_a_file_is_one_of_the_puzzles_that_it_fits() {
    let puzzles = "solitaire { board ...N.....R....B. solve => none }\nchess { board kbK5/pp6/1P6/8/8/8/8/R7 #2 => Ra5 }\n";
    let text = format!("condition \"Circe\"\n{puzzles}");
    let codes: Vec<Code> = findings(&text).iter().map(|found| found.code).collect();
    assert!(codes.contains(&Code::UnsupportedCondition) && codes.len() == 2, "{:#?}", findings(&text));
    assert_eq!(answers(&text)[1], "the problem has a condition that is not solved");
    // What is above a condition is solved.
    let answers = answers(&format!("{puzzles}condition \"Circe\"\n"));
    assert_ne!(answers[1], "the problem has a condition that is not solved");
    for word in ["half-duplex", "zeroposition"] {
        let text = format!("{word}\nchess {{ board kbK5/pp6/1P6/8/8/8/8/R7 #2 => Ra6 }}\n");
        let (code, place, message) = only(&text);
        let due = format!("`{word}` is about one puzzle: write it in its braces");
        assert_eq!((code, place.as_str(), message), (Code::InvalidValue, word, due));
    }
}

#[test]
fn a_condition_is_one_finding_whatever_is_written() {
    let kept = "kept and not solved; cpz solves problems under the rules of chess without conditions";
    for (written, place, message, fixed) in [
        ("\"Circe\"", "Circe", "the condition Circe is {}", None),
        ("\"White Maximummer; Madrasi RexInclusive\"", "White Maximummer; Madrasi RexInclusive", "", None),
        (
            "\"Cirse\"",
            "Cirse",
            "`Cirse` is no condition that cpz knows; did you mean `Circe`? If not, it is {}",
            Some("\"Circe\""),
        ),
        ("\"Circe; Madrassi\"", "Madrassi", "", Some("\"Circe; Madrasi\"")),
        ("\"Fooble\"", "Fooble", "`Fooble` is no condition that cpz knows; it is {}", None),
        ("5", "5", "`5` is no condition that cpz knows; it is {}", None),
        ("-", "-", "", None),
        ("\" \"", "\" \"", "this `condition` is empty", None),
        ("\"\"", "\"\"", "this `condition` is empty", None),
        ("[Circe, \"Madrasi\"]", "[Circe, \"Madrasi\"]", "", Some("\"Circe; Madrasi\"")),
        ("[\"Circe\"]", "[\"Circe\"]", "", Some("\"Circe\"")),
        (
            "[]",
            "[]",
            "`condition` takes one text in quotes, with semicolons between several conditions",
            None,
        ),
    ] {
        let text = format!("chess {{ condition {written} board kbK5/pp6/1P6/8/8/8/8/R7 #2 => Ra5 }}\n");
        // The same under the rules of chess is another puzzle.
        let all = format!("{text}chess {{ board kbK5/pp6/1P6/8/8/8/8/R7 #2 => Ra6 }}\n");
        let found = findings(&all);
        assert_eq!(found.len(), 1, "{written}\n{found:#?}");
        assert_eq!(&all[found[0].span.range()], place, "{written}");
        assert!(
            message.is_empty() || found[0].message == message.replace("{}", kept),
            "{}",
            found[0].message
        );
        let fixes: Vec<String> = found[0].fixes.iter().map(|fix| apply(&text, &fix.edits)).collect();
        let due: Vec<String> = fixed.iter().map(|fixed| text.replace(written, fixed)).collect();
        assert_eq!(fixes, due, "{written}");
        assert_eq!(answers(&text), ["the problem has a condition that is not solved"], "{written}");
    }
}
