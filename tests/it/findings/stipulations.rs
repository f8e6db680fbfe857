//! Findings about stipulations, twins and conditions (contract: stipulations).

use crate::harness::{folder, run};
use cpz::analysis::{Options, Outcome, allow, analyse};
use cpz::diagnostic::{Code, Finding, Severity, Span};
use cpz::games::Answer;
use cpz::ide::{AnswerStyle, answer_in_words, apply};
use cpz::syntax::parse;

/// Bernt Müller and Rolf Wiehagen's twins, Broodings 2009: the answers hold as they are printed.
pub(super) const ZILAHI: &str = r#"chess {
  board 8/8/Kp3p2/p1B1pP2/1r1NPpq1/1rk2p2/1p1p4/1B6 b
  helpmate in 2 => "1.Rb4-c4 Bc5-b4 + 2.a5*b4 Sd4-b5 #"
  twin b: b4 to f3 => "1.b6*c5 Ka6*a5 2.c5-c4 Sd4-e2 #"
  twin c: from b, exchange c3 f4 => "1.e5*d4 Bc5*b6 2.Kf4-e5 Bb6-c7 #"
  twin d: from c, exchange d2 e4 => "1.Rf3-g3 Sd4-f3 2.e4*f3 Bc5-e3 #"
}
"#;

pub(super) fn findings(text: &str) -> Vec<Finding> {
    let mut report = analyse(&parse(text), &Options::default());
    allow(&mut report);
    report.findings().into_iter().map(|(f, _)| f.clone()).collect()
}

/// The answers to all queries, as hints show them.
pub(super) fn answers(text: &str) -> Vec<String> {
    let report = analyse(&parse(text), &Options { answers: true, ..Options::default() });
    let show = |outcome: &Outcome| match outcome {
        Outcome::Answer(answer) => answer_in_words(answer, AnswerStyle::Short(None)),
        Outcome::Undecided(why) | Outcome::Error(why) => why.clone(),
        Outcome::NotAsked(why) => (*why).to_string(),
    };
    report.puzzles.iter().flat_map(|puzzle| &puzzle.queries).map(|query| show(&query.outcome)).collect()
}

/// The code of the only finding, its text in the source, and its message.
pub(super) fn only(text: &str) -> (Code, String, String) {
    let found = findings(text);
    assert_eq!(found.len(), 1, "{text}\n{found:#?}");
    (found[0].code, text[found[0].span.range()].to_string(), found[0].message.clone())
}

/// Who can reach the goal in reflex play must do so.
#[test]
fn a_reply_that_reflex_play_forbids_is_wrong() {
    for (board, wrong, message) in [
        ("8/5KP1/6qk/8/8/8/8/8\n r#1", "\"1. Kg8 $Kg5\"", "1...Kg5 is not allowed: black can give mate"),
        (
            "4k3/4q1p1/2qKN3/2n3P1/8/8/8/8\n semi-r#1",
            "\"1. Ke5 $Nd3+\"",
            "1...Nd3+ is not allowed: black can give mate",
        ),
    ] {
        let text = format!("chess {{ board {board} => {}\n}}\n", wrong.replace('$', ""));
        let (code, place, said) = only(&text);
        assert_eq!(code, Code::WrongSolution);
        assert!(wrong.contains(&format!("${place}")), "{place}");
        assert!(said.starts_with(message), "{said}");
        let mate = said.rsplit_once("1...").expect("the move that it must make").1;
        let right = text.replace(&place, mate);
        assert_eq!(findings(&right), [], "{right}");
    }
}

/// Magazines and databases print the reply that is forced behind the last help move, and behind a series.
#[test]
fn the_forced_reply_behind_a_line_may_be_written() {
    for right in [
        "4kNK1/2B4Q/1N6/8/q4q2/8/8/8\n hs#1.5 => [\"1...Qa1 2. Qf7+ Qxf7#\", \"1...Qad4 2. Qf7+ Qxf7#\"]",
        "4kNK1/2B4Q/1N6/8/q4q2/8/8/8\n hs#1.5 => [\"1...Qa1 2. Qf7+\", \"1...Qad4 2. Qf7+ Qxf7#\"]",
        "8/8/8/8/8/kp6/p7/K5Q1\n ser-s#1 => \"1. Qg4 b2#\"",
    ] {
        let text = format!("chess {{ board {right}\n}}\n");
        assert_eq!(findings(&text), [], "{text}");
    }
}

#[test]
fn numbers_behind_a_short_form_say_how_many_keys_are_meant() {
    let text = |asked: &str| format!("chess {{ board 8/P7/8/8/8/1K6/8/k7\n {asked}\n}}\n");
    assert_eq!(findings(&text("#2 2.1")), []);
    assert_eq!(only(&text("#2\n solutions two")).0, Code::InvalidValue);
    let (code, _, message) = only(&text("#2 3.3"));
    assert_eq!(code, Code::WrongAnswer);
    assert!(
        message.starts_with("`3.3` is said, so 9 keys are intended, but the problem has 2 keys"),
        "{message}"
    );
}

#[test]
fn numbers_of_continuations_are_at_most_those_of_the_plies() {
    let text = |counts: &str| {
        format!(
            "chess {{\n board 8/8/5n2/1N1Rrk2/8/3KB3/8/8\n h#2 {counts} => \"1. Nxd5 Ke2 2. Ke4 Nd6#\"\n}}\n"
        )
    };
    for counts in ["1.1", "1.1.1.1"] {
        assert_eq!(findings(&text(counts)), [], "{counts}");
    }
    let (code, place, message) = only(&text("1.1.1.1.1"));
    assert_eq!(code, Code::InvalidValue);
    assert_eq!(
        (place.as_str(), message.as_str()),
        ("1.1.1.1.1", "these are 5 numbers, but a solution has 4 plies")
    );
}

#[test]
fn what_is_written_behind_a_diagram_that_is_not_asked_is_told() {
    let text = |items: &str| format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q b zeroposition\n {items}\n}}\n");
    for (items, at, message) in [
        (
            "h#1 => \"rubbish\"\n twin a: remove h1 => none",
            "\"rubbish\"",
            "this is not checked, since the diagram is not asked",
        ),
        ("h#1", "zeroposition", "the diagram is not asked, and there is no twin that is"),
    ] {
        let (text, found) = (text(items), findings(&text(items)));
        let [one] = &found[..] else { panic!("{found:#?}") };
        assert!(one.message.starts_with(message) && text[one.span.range()] == *at, "{found:#?}");
        assert_eq!(one.severity, Some(Severity::Warning));
    }
}

#[test]
fn each_text_of_set_play_is_checked_by_itself() {
    let text = |play: &str| {
        format!("chess {{ board kbK5/pp6/1P6/8/8/8/8/R7\n #2* => Ra6\n set-play => {play}\n}}\n")
    };
    for (play, at, code) in [
        (r#"["2... Bc7 2. Rxa7#", "1... Bd6 2. Rxa7#"]"#, "2...", Code::WrongSolution),
        (r#"["1... Bc7 2. Rxa7#", "2... Bd6 2. Rxa7#"]"#, "2...", Code::WrongSolution),
        (r#"["1... Bc7 2. Rxa7#", "1... Bd6 2. Rxb1#"]"#, "Rxb1#", Code::WrongSolution),
        (r#""1... Bc7""#, r#""1... Bc7""#, Code::MissingVariation),
    ] {
        let text = text(play);
        let found = findings(&text);
        let [one] = &found[..] else { panic!("{found:#?}") };
        assert_eq!((one.code, one.span), (code, Span::new(one.span.start, one.span.start + at.len() as u32)));
        assert!(text[one.span.start as usize..].starts_with(at), "{found:#?}");
        // No fix touches a string that is right.
        assert!(one.fixes.iter().all(|fix| !apply(&text, &fix.edits).contains("2... Bd6 2. Rxa7#\"]")));
    }
    assert!(findings(&text(r#"["1... Bc7 2. Rxa7#", "1... Bd6 2. Rxa7#"]"#)).is_empty());
}

#[test]
fn a_count_behind_a_short_form_asks_for_as_many_solutions_as_the_property() {
    let text = |asked: &str| {
        format!("chess {{ board 8/R3p3/5k2/8/6B1/5K2/8/b7\n {asked} => \"1. Kf7 Be6+ 2. Ke8 Ra8#\"\n}}\n")
    };
    for asked in ["h#2 2.1.1.1", "solutions 2.1.1.1 h#2", "solutions 2 h#2"] {
        let found = findings(&text(asked));
        assert!(
            matches!(&found[..], [one] if one.message == "1 solution not written: 1. Kg5 Ra5+ 2. Kh4 Rh5#"),
            "{asked}: {found:#?}"
        );
    }
}

#[test]
fn nothing_is_judged_of_a_puzzle_with_a_condition() {
    let text = "chess { board kbK5/pp6/1P6/8/8/8/8/R7 condition \"Circe\"\n #2 mate move Ra5 => illegal line => Ra5 Ra5\n}\n";
    let found = findings(text);
    assert!(matches!(&found[..], [one] if one.code == Code::UnsupportedCondition), "{found:#?}");
    let w = folder(&[("a.cpz", text)]);
    let why = "the problem has a condition that is not solved";
    for command in ["hint", "rate"] {
        let ran = run(w.path(), &[command, "a.cpz"]).exits(1);
        assert!(ran.stdout.contains(why), "{}", ran.stdout);
    }
    let solved = run(w.path(), &["solve", "a.cpz"]).exits(1);
    assert_eq!(solved.stdout.matches(why).count(), 4, "{}", solved.stdout);
    let repaired = run(w.path(), &["repair", "a.cpz"]).exits(0);
    assert!(repaired.stdout.starts_with("0 puzzles with a solution to find"), "{}", repaired.stdout);
}

#[test]
fn duplex_and_set_play_have_answers_of_their_own() {
    let text = "chess { board 8/8/8/8/8/2K5/7Q/k7 b
        h#1.5
        duplex
    }
    chess { board 8/8/8/8/8/1K6/8/k6Q b half-duplex h#1 }
    chess { board 8/8/8/8/8/2K5/7Q/k7 b h#2 set-play }
    chess { board 8/8/8/8/8/1K6/8/k6Q b zeroposition h#1 twin a: h1 to h2, b3 to c3 }
    ";
    let found = answers(text);
    assert_eq!(found[2], "no helpmate in 1", "White begins, and nothing mates it");
    assert_eq!(found[4], "8 solutions");
    assert_eq!(found[5], "the diagram itself is not asked, only its twins");
    assert_eq!(found[6], "1. Kb1 Qb2#");
}

#[test]
fn continuations_are_counted_at_each_ply() {
    let text = |counts: &str| {
        ZILAHI
            .lines()
            .take(3)
            .collect::<Vec<_>>()
            .join("\n")
            .replace("mate in 2", &format!("mate in 2 {counts}"))
            + "\n}\n"
    };
    assert_eq!(findings(&text("1.1.1.1")), []);
    assert_eq!(findings(&text("").replace("  helpmate", "  solutions 1.1.1.1\n  helpmate")), []);
    for (counts, message) in [
        ("2.1.1.1", "1 continuation at the first ply, but 2 are intended: 1.Rc4"),
        ("1.1.2.1", "1 continuation after 1. Rc4 Bb4+, but 2 are intended: 2.axb4"),
    ] {
        let (code, place, found) = only(&text(counts));
        assert_eq!((code, found.as_str()), (Code::WrongAnswer, message));
        assert_eq!(place, format!("helpmate in 2 {counts}"));
    }
    let cooked = "chess { board 8/8/8/8/8/2K5/8/k6Q b h#2 1.1.1.1 }";
    let (code, _, message) = only(cooked);
    assert_eq!(code, Code::Cook);
    assert!(message.starts_with("17 continuations after 1. Ka2, but 1 is intended: 1...Kc4, "), "{message}");
}

#[test]
fn what_is_not_solved_is_said_once_and_never_compared() {
    let board = "board 8/8/8/8/8/1K6/8/k6Q b";
    for (items, code, place) in [
        ("h##2 => \"1. Ka2 Qb1\"", Code::UnsupportedStipulation, "h##2"),
        ("pser-h#5", Code::UnsupportedStipulation, "pser-h#5"),
        ("r+2", Code::UnsupportedStipulation, "r+2"),
        ("condition \"Circe\" h#2 => \"1. Ka2 Qb1 2. Ka3 Qb3#\"", Code::UnsupportedCondition, "\"Circe\""),
        ("helpmote in 2 => none", Code::UnknownKeyword, "helpmote"),
        ("helpmote in 2", Code::UnknownKeyword, "helpmote"),
        ("helpmote in 2 => \"1. Ka2 Qb2#\"", Code::UnknownKeyword, "helpmote"),
        ("hsr#3", Code::UnknownKeyword, "hsr#3"),
        ("hsr#3 => \"1. Ka2 Qb2#\"", Code::UnknownKeyword, "hsr#3"),
        ("helpmate in two", Code::Syntax, "helpmate in two"),
        ("h#0", Code::InvalidValue, "0"),
        ("h#2.3", Code::InvalidValue, "2.3"),
        ("r#2.5", Code::InvalidValue, "2.5"),
        ("ser-h#31", Code::InvalidValue, "31"),
        ("hze5", Code::Syntax, "hze5"),
        ("hz2", Code::Syntax, "hz2"),
    ] {
        // Two puzzles with one board, whose queries cannot be read, are not the same puzzle.
        let one = format!("chess {{ {board} {items} }}\n");
        let found = findings(&format!("{one}{one}"));
        let codes: Vec<Code> = found.iter().map(|f| f.code).collect();
        if codes != [code, code] {
            let (only_code, at, message) = only(&one);
            assert_eq!((only_code, at.as_str()), (code, place), "{items}: {message}");
        }
        assert!(!codes.contains(&Code::DuplicatePuzzle), "{items}: {found:#?}");
    }
}

#[test]
fn kinds_are_read_however_their_words_are_joined() {
    for (written, right) in [
        ("self stalemate in 2", "selfstalemate in 2"),
        ("Semi-reflexmate in 2", "semireflexmate in 2"),
        ("series help mate in 3", "serieshelpmate in 3"),
        ("help-self-mate in 2", "helpselfmate in 2"),
        ("ser h#3", "ser-h#3"),
        ("serh=3", "ser-h=3"),
        ("h #2", "h#2"),
        ("s =3", "s=3"),
        ("semi r#2", "semi-r#2"),
        ("H=2", "h=2"),
        ("reflexmate 2", "reflexmate in 2"),
    ] {
        let text = format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q b\n {written} => none\n}}\n");
        let found: Vec<Finding> = findings(&text).into_iter().filter(|f| f.code == Code::Syntax).collect();
        assert_eq!(found.len(), 1, "{written}: {found:#?}");
        let after = apply(&text, &found[0].fixes[0].edits);
        assert_eq!(after, text.replace(written, right), "{written}");
    }
}

#[test]
fn shorter_series_are_enough() {
    let (code, place, message) = only("chess { board 8/8/8/8/8/k1K5/8/7R w\n ser-#3\n}\n");
    assert_eq!((code, place.as_str()), (Code::ShortSolution, "3"), "{message}");
}

/// Queries with their set play, and what is answered.
const SET_PLAY: &[(&str, &str)] = &[
    // Thomas Rayner Dawson, Teplitz-Schönauer Anzeiger 1932.
    ("board 8/R7/p7/k7/8/2K5/8/8 h#2", "1... Kc4 2. Ka4 Rxa6#"),
    ("board 8/8/2K5/8/k7/8/1Q6/8 mate in 2", "1... Ka5 2. Qa3#/Qb5#"),
    ("board 8/8/8/8/8/2k5/2q4P/K7 s#1", "1... Qb2#"),
    ("board 8/8/8/8/8/2k5/2q4P/K7 r#2", "1... Qb2#"),
    ("board k7/8/1K6/8/8/8/8/5R2 ser-h#2", "1... Rf8#"),
];

#[test]
fn set_play_is_answered_where_a_star_or_a_query_asks() {
    for (problem, due) in SET_PLAY {
        let asked = answers(&format!("chess {{ {problem} set-play }}"));
        assert_eq!(asked[1], *due, "{problem}");
        for star in [" *", "*"] {
            let starred = format!("chess {{ {problem}{star} }}");
            let report = analyse(&parse(&starred), &Options { answers: true, ..Options::default() });
            assert!(report.findings().iter().all(|(found, _)| found.code != Code::Syntax), "{starred}");
            let found = report.puzzles[0].queries[0].set_play.as_deref();
            let Some(Outcome::Answer(answer)) = found else { panic!("{starred}: {found:?}") };
            assert_eq!(answer_in_words(answer, AnswerStyle::Short(None)), *due, "{starred}");
        }
    }
}

#[test]
fn there_is_no_set_play_while_the_side_to_move_is_in_check() {
    let text = "chess { board 1k6/8/K7/8/2N5/8/7B/8 h#1* }";
    let report = analyse(&parse(text), &Options { answers: true, ..Options::default() });
    let found = report.puzzles[0].queries[0].set_play.as_deref();
    let Some(Outcome::Answer(Answer::Sequences { solutions, complete: true, .. })) = found else {
        panic!("{found:?}")
    };
    assert!(solutions.is_empty(), "{solutions:?}");
}

#[test]
fn written_set_play_is_compared() {
    let written = |answer: &str| {
        format!("chess {{ board 8/8/2K5/8/k7/8/1Q6/8\n #2 => Kc5\n set-play => {answer}\n}}\n")
    };
    for holds in ["\"1... Ka5 2. Qa3#/Qb5#\"", "\"1...Ka5 2.Qb5#\"", "\"1...~ 2.Qb5#\""] {
        assert_eq!(findings(&written(holds)), [], "{holds}");
    }
    for (wrong, place, message) in [
        ("\"1...Ka5 2.Qb4#\"", "Qb4#", "set play: 2.Qb4+ does not mate"),
        ("none", "none", "set play: there is an answer to 1...Ka5"),
        ("Kc5", "Kc5", "set play: it begins with a move of black, as in `1...Kd5 2.Qd4#`"),
        ("\" Ka5 2.Qb5#\"", "Ka5", "set play: it begins with a move of black, as in `1...Kd5 2.Qd4#`"),
    ] {
        let (_, at, found) = only(&written(wrong));
        assert_eq!(
            (at.as_str(), &found[..message.len().min(found.len())]),
            (place, message),
            "{wrong}: {found}"
        );
    }
    for (text, place, message) in [
        (
            "chess { board k7/8/1K6/8/8/8/8/5R2 ser-#2 => \"1. Ka6 2. Rf8#\" set-play }",
            "set-play",
            "a series of one side",
        ),
        ("chess { board 7k/8/8/8/8/1K6/8/7R h#1 => none set-play }", "set-play", "set play: there is none"),
    ] {
        let all = findings(text);
        let last = all.last().expect("a finding");
        assert_eq!(&text[last.span.range()], place);
        assert!(last.message.starts_with(message), "{}", last.message);
    }
}

#[test]
fn a_list_of_solutions_is_cut_and_says_so() {
    // Kings alone and a rook have thousands of ways to mate together.
    let text = "chess { board 7k/8/5K2/8/8/8/8/6R1 h#2.5 }";
    let read = |toml: &str| cpz::analysis::config::read_config(toml).expect("a configuration");
    let found = |toml: &str| {
        let options = Options { answers: true, ..Options::new(read(toml).into()) };
        let report = analyse(&parse(text), &options);
        let Outcome::Answer(answer) = &report.puzzles[0].queries[0].outcome else { panic!("no answer") };
        let cpz::games::Answer::Sequences { solutions, complete, .. } = answer else {
            panic!("no solutions")
        };
        let findings = report.findings().into_iter().map(|(f, _)| (f.code, f.message.clone()));
        (solutions.len(), *complete, findings.collect::<Vec<_>>())
    };
    // A shorter helpmate is the worse fault, and the only one that is shown.
    let (count, is_complete, findings) = found("max-solutions = 7");
    let [(Code::Cook, message), (Code::ShortSolution, _)] = findings.as_slice() else {
        panic!("{findings:?}")
    };
    assert_eq!((count, is_complete), (7, false));
    assert!(
        message.starts_with("`helpmate in 2.5` has more than 7 solutions; the others are not listed"),
        "{message}"
    );
    let (all, is_complete, findings) = found("");
    assert!(all > 7 && is_complete && findings.last().is_some_and(|f| f.0 == Code::ShortSolution), "{all}");
    let (count, is_complete, _) = found(&format!("max-solutions = {all}"));
    assert_eq!((count, is_complete), (all, true), "exactly as many as are listed");
}

/// A study with a solution.
fn study(solution: &str) -> String {
    format!("chess {{ board 8/8/8/7p/8/8/P7/K6k w - - win => \"{solution}\" }}")
}

#[test]
fn variations_of_a_study_are_replayed() {
    for solution in [
        "1. a4 (1. a3? h5-h4 (1... Kg1) (1... Kg2 2. a4)) 1... h4 2. a5 h3 (2... Kg2 3. a6) 3. a6",
        "1. a4 ( 1. a3 ) ( 1. Kb1 h4 2. a4 ) h4",
        "1. a4 h4 (1... Kg1) 1-0",
    ] {
        assert_eq!(findings(&study(solution)), [], "{solution}");
    }
}

#[test]
fn variation_of_a_study_that_fails_is_marked() {
    for (solution, marked, message) in [
        ("1. a4 (1. a3 h3) 1... h4", "h3", "step 2 fails: "),
        ("1. a4 (1. a3 h4 (1... Kh3)) 1... h4", "Kh3", "step 2 fails: "),
        ("1. a4 h4 (2... Kg1)", "2...", "this is move 1, not move 2"),
        ("1. a4 (1. a3# h4) 1... h4", "#", ""),
        ("(1. a3) 1. a4", "(", "a variation stands behind the move that it replaces"),
        ("1. a4 (1. a3", "(", "this variation is not closed"),
        ("1. a4) h4", ")", "no variation is open here"),
    ] {
        let (_, place, found) = only(&study(solution));
        assert_eq!(place, marked, "{solution}: {found}");
        assert!(found.contains(message), "{solution}: {found}");
    }
    // Behind the end of the variation the line goes on.
    assert_eq!(findings(&study("1. a4 (1. a3 h3) 1... h3")).len(), 2);
    // A `line` is one line.
    assert_eq!(only("chess { board 8/8/8/7p/8/8/P7/K6k w - - line => \"1. a4 (1. a3) h4\" }").1, "(1.");
}

#[test]
fn set_play_in_two_words_is_one_finding() {
    let text = "chess {\n board 8/8/2K5/8/k7/8/1Q6/8\n #2 => Kc5\n set play => \"1... Ka5 2. Qb5#\"\n}\n";
    let found = findings(text);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(&text[found[0].span.range()], "set play");
    let fixed = apply(text, &found[0].fixes[0].edits);
    assert!(fixed.contains(" set-play => ") && findings(&fixed).is_empty(), "{fixed}");
}

#[test]
fn a_star_behind_an_arrival_asks_for_set_play() {
    for asked in ["hzf8 2*", "hzf8 2 *", "hz2* f8", "hzf82*"] {
        let text = format!("chess {{ solutions 30 board 8/8/8/8/8/5k2/8/5K1R {asked} }}");
        assert_eq!(findings(&text), [], "{asked}");
    }
}

#[test]
fn exact_lengths_are_named() {
    let (code, _, message) = only("chess { board 8/8/8/8/8/5k2/8/5K1R exact-#2 }");
    assert_eq!(code, Code::UnsupportedStipulation);
    assert!(
        message.starts_with("mate in direct play, in exactly this number of moves, is kept"),
        "{message}"
    );
}

#[test]
fn wrong_steps_are_reported_where_the_search_is_undecided() {
    const SHORT: &str = "8/8/5n2/1N1Rrk2/8/3KB3/8/8";
    const LONG: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    for (board, written, expected) in [
        (SHORT, "h#2 => \"1. Nxd5 Ke2 2. Ke4 Nd6#\"", "undecided"),
        (SHORT, "h#2 => none", "undecided"),
        (SHORT, "h#2 => \"1. Nxd5 Ke2 2. Ke4 ⟦Na8#⟧\"", "wrong-solution"),
        (SHORT, "h#2 => \"1. ⟦Nxd5Ke2⟧ 2. Ke4 Nd6#\"", "invalid-value"),
        (SHORT, "h#2 => \"1. Nxd5 ⟦Ke2⟧\"", "wrong-solution"),
        (SHORT, "h#2 => \"1. Nxd5⟦#⟧ Ke2 2. Ke4 Nd6#\"", "undecided wrong-mark"),
        (SHORT, "#3 => ⟦Na8⟧", "wrong-solution"),
        (LONG, "mate in 12 => \"1. Bb5 a6 2. Bxc6\"", "undecided"),
        (LONG, "mate in 12 => \"1. Bb5 a6 2. ⟦Ke8⟧\"", "wrong-solution"),
        (LONG, "mate in 12 => \"1. Bb5 (1. ⟦Ke8⟧) 1... a6\"", "wrong-solution"),
        (LONG, "mate in 12 => \"1. Bb5⟦#⟧ a6\"", "undecided wrong-mark"),
        (LONG, "selfmate in 6 => \"1. Bb5 a6 2. ⟦Ke8⟧\"", "wrong-solution"),
        (LONG, "reflexmate in 5 => \"1. Bb5 a6 2. ⟦Ke8⟧\"", "wrong-solution"),
        (LONG, "helpmate in 6 => \"1. a6 Bb5 2. ⟦Ke4⟧\"", "wrong-solution"),
    ] {
        // An `allow` for what was not looked for is not unused.
        let allowed = if expected.contains("undecided") { "allow cook" } else { "" };
        let text = format!("chess {{\n board {board}\n {allowed}\n {written}\n}}\n");
        let (start, end) = (text.find('⟦'), text.find('⟧'));
        let plain = text.replace(['⟦', '⟧'], "");
        let mut report = analyse(&parse(plain), &Options { nodes: 1000, ..Options::default() });
        allow(&mut report);
        let found: Vec<&Finding> = report.findings().into_iter().map(|(finding, _)| finding).collect();
        let codes: Vec<&str> = found.iter().map(|finding| finding.code.name()).collect();
        assert_eq!(codes.join(" "), expected, "{written}: {found:#?}");
        if let (Some(start), Some(end)) = (start, end) {
            let place = found.last().map(|finding| finding.span.range());
            assert_eq!(place, Some(start..end - '⟦'.len_utf8()), "{written}");
        }
    }
}

#[test]
fn a_yes_behind_a_property_without_value_is_one_finding() {
    for (written, after) in [
        ("half-duplex yes", Some("half-duplex")),
        ("half-duplex TRUE", Some("half-duplex")),
        ("half-duplex on", Some("half-duplex")),
        ("half-duplex no", None),
    ] {
        let text = format!("chess {{ board 8/8/8/8/8/1K6/8/k6Q b\n {written}\n h#1 => none\n}}\n");
        let found: Vec<Finding> = findings(&text).into_iter().filter(|f| f.code == Code::Syntax).collect();
        let [finding] = &found[..] else { panic!("{written}: {found:#?}") };
        assert_eq!(Some(&text[finding.span.range()]), written.split(' ').nth(1));
        let fixed = finding.fixes.first().map(|fix| apply(&text, &fix.edits));
        assert_eq!(fixed, after.map(|after| text.replace(written, after)), "{written}");
    }
}

#[test]
fn a_cook_has_both_fixes_however_the_answer_is_written() {
    let helpmate = "board 8/R3p3/5k2/8/6B1/5K2/8/b7";
    let mate = "board 7k/8/6K1/8/8/8/8/RR6";
    let first = "1. Kf7 Be6+ 2. Ke8 Ra8#";
    for (board, query) in [
        (helpmate, format!("h#2 => \"{first}\"")),
        (helpmate, format!("h#2 => [\"{first}\"]")),
        (helpmate, format!("h#2 => [\"{first}\",]")),
        (helpmate, format!("h#2 => {first}")),
        (helpmate, format!("h#2 => \"{first}\" // So it was printed.\n")),
        (helpmate, "h#2 => \"1. Kf7 Be6+\n2. Ke8 Ra8#\"".to_string()),
        (helpmate, "h#2 1.1.1.1".to_string()),
        (helpmate, format!("h#2 1.1.1.1 => \"{first}\"")),
        (helpmate, format!("solutions 1.1.1.1 h#2 => \"{first}\"")),
        (mate, "#1 => \"1.Ra1-a8 #\"".to_string()),
        (mate, "#1 => \"1. Ra8# {good}\"".to_string()),
        (mate, "#1 => Ra8#".to_string()),
    ] {
        let text = format!("chess {{\n {board} {query}\n}}\n");
        let found = findings(&text);
        assert!(found.len() == 1 && found[0].code == Code::Cook, "{query}\n{found:#?}");
        let is_over_lines = query.contains("+\n");
        let count = if is_over_lines {
            0
        } else if query.contains("1.1.1") {
            1
        } else {
            2
        };
        assert_eq!(found[0].fixes.len(), count, "{query}\n{:#?}", found[0].fixes);
        for fix in &found[0].fixes {
            let fixed = apply(&text, &fix.edits);
            assert_eq!(findings(&fixed), [], "{query}\n{fixed}");
            // Nothing that is written is lost, but keys that are nothing else, and the number of solutions.
            let written =
                query.split_once("=> ").map_or("", |(_, answer)| answer.trim_matches(['[', ']', ',', '\n']));
            assert!(
                !fix.safe
                    && (fixed.contains(written)
                        || fixed.contains(&format!("\"{first}\""))
                        || query == "#1 => Ra8#"),
                "{fixed}"
            );
        }
    }
}

#[test]
fn why_a_key_fails_that_ends_the_play_is_true() {
    let corner = "board 7k/5K2/8/6Q1/8/8/8/8";
    for (board, query, reason) in [
        ("board 6k1/5ppp/8/8/8/8/8/R5K1", "s#2 => Ra8#", "the other side is mated"),
        ("board 6k1/5ppp/8/8/8/8/8/R5K1", "r#2 => Ra8#", "the other side is mated"),
        (corner, "=2 => Qg7#", "the other side is mated"),
        (corner, "x2 => Qg7#", "the other side is mated"),
        (corner, "s=2 => Qg7#", "the other side is mated"),
        (corner, "#2 => Qg6", "the other side has no move and is not mated"),
    ] {
        let found = findings(&format!("chess {{ {board} {query} }}\n"));
        let wrong: Vec<_> = found.iter().filter(|found| found.code == Code::WrongAnswer).collect();
        assert!(
            wrong.len() == 1 && wrong[0].message.ends_with(&format!(": {reason}")),
            "{query}\n{found:#?}"
        );
    }
}

#[test]
fn half_of_a_duplex_says_itself_who_begins() {
    let begins = |more: &str| format!("chess {{ {more} board 8/R3p3/5k2/8/6B1/5K2/8/b7 h#2 }}\n");
    for (more, is_told) in
        [("turn white", true), ("turn white half-duplex", false), ("turn black half-duplex", false)]
    {
        let is_turn = |found: &Finding| found.code == Code::HelpmateTurn;
        assert_eq!(findings(&begins(more)).iter().any(is_turn), is_told, "{more}");
    }
}
