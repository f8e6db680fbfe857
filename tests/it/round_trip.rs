//! Chess problems come back from Popeye, Olive and JSON with everything that they ask, or cpz says what it leaves out.

use cpz::syntax::ProblemKind;

use crate::checks::exports::{
    PROBLEM_FORMATS as FORMATS, comes_back, export, formats_of, import, nothing_is_invented, single_puzzles,
};
use crate::harness::examples::examples;

#[test]
fn problems_of_the_examples_come_back() {
    let (mut whole, mut all) = (0, 0);
    for (_, text) in examples() {
        for puzzle in single_puzzles(&text) {
            for format in FORMATS {
                let found = comes_back(&puzzle, format);
                all += usize::from(found.is_some());
                whole += usize::from(found == Some(true));
            }
        }
    }
    assert!(all > 300 && whole * 10 > all * 9, "{whole} of {all} came back whole");
}

/// Numbers that depend on the first one alone.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Placements of few men; on the first two a king may castle, on the last one in its mirror.
const BOARDS: [&str; 5] = [
    "8/8/8/8/8/p4k2/7p/R3K2R",
    "r3k3/7P/8/4K3/8/8/1Q6/8",
    "7k/5K2/8/6Q1/8/8/p7/8",
    "8/8/8/8/1n6/k1K5/p7/1R6",
    "3k3r/8/8/8/8/8/8/3K3R",
];

/// Changes that can be made of each of these boards, and the last that no format has words for.
const CHANGES: [&str; 9] = [
    "rotate 90",
    "swap colours",
    "mirror a1 h1",
    "add black bishop d7, add white pawn g4",
    "add black pawn c6",
    "add white knight g4, rotate 180",
    "helpmate in 2",
    "stalemate in 2",
    "turn black, add white pawn g4",
];

/// A stipulation: mostly one that is solved.
fn stipulation(numbers: &mut Numbers) -> String {
    if numbers.below(6) == 0 {
        return numbers.one(&["h##2", "==2", "pser-h#3", "ser-ze52", "r+2", "sct3", "h#=2.5"]).to_string();
    }
    let kinds: Vec<ProblemKind> = ProblemKind::all().collect();
    let kind = numbers.one(&kinds);
    let square = if kind.short().ends_with('z') { "e5" } else { "" };
    let half = kind.short().starts_with('h') && numbers.below(3) == 0;
    format!("{}{square}{}", kind.short(), if half { "2.5" } else { numbers.one(&["1", "2"]) })
}

/// A problem with some of everything.
fn problem(numbers: &mut Numbers) -> String {
    let mut text = String::from("chess {\n");
    let is_zero = numbers.below(5) == 0;
    let mut line = |is_there: bool, words: String| {
        if is_there {
            text.push_str(&format!("  {words}\n"));
        }
    };
    line(numbers.below(5) == 0, "condition \"Circe\"".into());
    line(numbers.below(8) == 0, "half-duplex".into());
    line(is_zero, "zeroposition".into());
    line(numbers.below(4) == 0, format!("solutions {}", numbers.one(&["2", "3", "2.1.1"])));
    let side = numbers.one(&["", " w", " b", " w KQkq -", " b - -"]);
    line(true, format!("board \"{}{side}\"", numbers.one(&BOARDS)));
    let asked = stipulation(numbers);
    let is_long_help = asked.starts_with("h") && !asked.starts_with("hs") && !asked.contains(['1']);
    line(true, format!("{asked}{}", numbers.one(&["", "", "*", " *"])));
    line(is_long_help && !is_zero && numbers.below(3) == 0, "set-play".into());
    let duplex = numbers.below(5);
    line(duplex == 0 && !is_zero, "duplex".into());
    let twins = if is_zero { 1 + numbers.below(2) } else { numbers.below(3) };
    let mut before = 0;
    for index in 0..twins {
        let letter = char::from(if is_zero { b'a' } else { b'b' } + index as u8);
        // Each twin adds a man of its own, so that no two are the same.
        let own = format!("add white pawn {}6", char::from(b'f' + index as u8));
        let from = match index {
            1 if numbers.below(2) == 0 => format!("from {}, ", char::from(letter as u8 - 1)),
            _ => String::new(),
        };
        before = numbers.below(if before == 8 { 8 } else { CHANGES.len() });
        line(true, format!("twin {letter}: {from}{own}, {}", CHANGES[before]));
        // Of all twins, of none, or of some.
        line(duplex == 0 && numbers.below(4) > 0 || duplex == 1 && is_zero, "duplex".into());
    }
    text + "}\n"
}

#[test]
fn problems_with_everything_come_back() {
    let (mut whole, mut all, mut numbers) = (0, 0, Numbers(2024));
    for _ in 0..400 {
        let text = problem(&mut numbers);
        for format in FORMATS {
            let found = comes_back(&text, format);
            all += usize::from(found.is_some());
            whole += usize::from(found == Some(true));
        }
    }
    assert!(all > 600 && whole * 2 > all, "{whole} of {all} came back whole");
}

/// Puzzles that are easily read as something else.
const MORE: [&str; 33] = [
    "chess { author [\"Theodor Steudel\", \"Günter Glaß\"] source [\"A paper, 1932\", \"A book\"] note \"n1\" note \"n2\"
       board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 mate in 1 => Ra8# }",
    "chess { tags [series-movers] board 8/7p/p7/8/3k4/Q1p1p1B1/r7/4K1b1
       ser-h#4 => \"1. Kd3 2. Kc2 3. Kb1 4. Ka1 Qc1#\"
       twin b: remove a2 => \"1. Kd5 2. Kc6 3. Kb7 4. Ka8 Qxa6#\" }",
    "chess { tags [patrol] board kbK5/pp6/1P6/8/8/8/8/R7 w mate in 2 => Ra6 }",
    "chess \"A rook wins\" { author \"Vladimir Bron\" source \"Shakhmaty v SSSR, 1932\" board 8/8/8/8/8/1k6/2R5/K7 w
       win => \"1. Rc8 Kb4 2. Rc7\" }",
    "chess { board 7K/8/k1P5/7p/8/8/8/8 w draw => \"1. Kg7 h4 2. Kf6\" }",
    "chess { board r3k3/8/5n2/8/8/8/8/4K3 w q - 0 1 draw => \"1. Kd1 O-O-O+\" }",
    "chess { board 8/8/8/8/8/8/8/k1K5 turn black helpmate in 2 => none }",
    "chess { board 8/8/8/8/8/8/8/k1K5 w mate in 2 => none }",
    "chess \"A & B;\" { author \"Ann Able;\" board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8# }",
    "chess { id odd-1 board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8# }",
    "chess \"Draw\" { id odd-2 note \"a draw\" board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w h+1.5 }",
    "chess { board b2k4/3r4/8/2P5/2q5/8/N4K2/8\n h#2 *\n}",
    "chess { board b2k4/3r4/8/2P5/2q5/8/N4K2/8\n h#2\n set-play\n}",
    "chess { board b2k4/3r4/8/2P5/2q5/8/N4K2/8\n h#2
       twin b: knight for c5, substitute bishop knight\n twin c: from b, remove c4\n twin d: remove d7\n}",
    "chess { solutions 2.1.1.1 board 6n1/2K5/4N3/8/1p1q4/8/N7/4k3\n #=2\n}",
    "chess { board b2k4/3r4/8/2P5/2q5/8/N4K2/8\n condition \"Madrasi\"\n win => \"1. c6\"\n}",
    "chess { board \"8/8/8/8/8/2k5/8/K6r b - - 3 44\" note \"a\" note \"b\" line => \"1... Kb3#\" move Kb3 move Kb4 }",
    "chess { castling Kq en-passant d6 board \"r...k... ........ ........ ...pP... ........ ........ ........ ....K..R\" move exd6 => legal }",
    // Texts that seem to ask something, or to end something.
    "chess \"Mate in 3\" { author \"Win\" note \"Mate in 2\" source \"Mate in 3 moves\" board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w line => \"1. Ra8#\" }",
    "chess \"Mate in 2\" { note \"White to move\" board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8# }",
    "chess \"Mate in 2\" { board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 }",
    "chess { condition \"Circe stipulation h#3 option maxsol 1\" board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w #2 }",
    "chess { condition \"Circe, Madrasi\" board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w #2 }",
    "chess { x-award \"1st Prize, A tourney\" id 5 board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8# }",
    "chess { x-whiteelo 2700 x-eco A00 x-annotator me x-round 3 x-result \"0-1\" x-termination \"mate in 2\"
       board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w line => \"1. Ra7\" }",
    "chess { x-result 1-0 x-list [a, b] x-Event x x-site x x-eco ? board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8# }",
    "chess \"same\" { id same board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 mate in 1 => Ra8# }",
    "chess \"; z\" { board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 mate in 1 => Ra8# }",
    "solitaire \"w\" { board K.Q. .... .... .... solve }",
    "solitaire \"b KQ\" { id x board K.Q. .... .... ...R solve }",
    "draughts \"a\" { author \"X\" source \"Y\" id d1 difficulty 3 x-round 2 x-result 2-0 note \"n1\" note \"n2\"
       board \"B:Wa1,Kc3:Bd4,Ke7\" capture => d4:b2 }",
    "draughts { author [\"X\", \"Y\"] board \"W:Wc3:Bd4,f6\" capture => [[4,4,\"directly\"],[6,6,\"after\"]] }",
    "draughts { board \"W:Wc3,g3:Bd4,h4,b4\" capture => c3:e5 }",
];

#[test]
fn what_comes_back_was_there_and_what_does_not_is_told() {
    let collection =
        examples().into_iter().filter(|(path, _)| path.parent().is_some_and(|f| f.ends_with("collection")));
    let examples: Vec<String> = collection.flat_map(|(_, text)| single_puzzles(&text)).collect();
    let mut compared = 0;
    for text in MORE.into_iter().chain(examples.iter().map(String::as_str)) {
        let game = text.split_whitespace().next().unwrap_or_default();
        for format in formats_of(game).iter().chain(&["json"]) {
            nothing_is_invented(text, format);
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared} puzzles in formats");
}

#[test]
fn what_a_format_has_no_form_for_is_told() {
    let mate = "board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w mate in 1 => Ra8#";
    let line = "board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w line";
    let (parted, given) = ("parts at its semicolon", "given names come first");
    for (game, text, format, told) in [
        ("chess", format!("source \"Times; London\" {mate}"), "pgn", parted),
        ("chess", format!("author \"Able; Bold\" {mate}"), "pgn", parted),
        ("chess", format!("source \"Times; London\" {mate}"), "olv", parted),
        ("chess", format!("author \"Loyd, Samuel\" {mate}"), "olv", given),
        ("draughts", "source \"A &amp; B; C\" board \"W:Wa1:Bb2\" capture".to_string(), "pdn", parted),
        ("draughts", "author \"&amp; null\" board \"W:Wa1:Bb2\" capture".to_string(), "pdn", parted),
        ("chess", format!("source \"a\u{1}b\" {mate}"), "pgn", "control character"),
        ("chess", line.to_string(), "epd", "question `line`"),
        ("chess", format!("{line} => \"1. Rj8\""), "pgn", "answer as a comment"),
        (
            "draughts",
            "board [[\"W\",\"K\",1,1], [\"B\",\"K\",8,8]] line".to_string(),
            "pdn",
            "question `line`",
        ),
    ] {
        let (_, notes) = export(&format!("{game} {{ {text} }}"), format);
        assert!(notes.iter().any(|note| note.contains(told)), "{format} {text}: {notes:?}");
    }
    for format in ["pgn", "olv"] {
        let text = format!("chess {{ source [\"Times\", \"London\"] author \"Samuel Loyd\" {mate} }}");
        assert_eq!(export(&text, format).1, [""; 0], "{format}");
    }
}

#[test]
fn answers_of_twins_come_back_from_olive() {
    let three = "board 8/8/5n2/1N1Rrk2/8/3KB3/8/8 helpmate in 2";
    for text in [
        // Nothing is solved under a condition, or for a stipulation that cpz only knows.
        "chess { condition \"Circe\" board k7/2Q5/8/8/8/7p/7P/7K #2 => Qb6 twin b: h3 to h4 => Qd7 }"
            .to_string(),
        format!(
            "chess {{ {} h##2 => \"1. Nxd5 Ke2 2. Ke4 Nd6##\" twin b: e3 to f2 => \"1. Rxd5+ Nd4+ 2. Ke5 Bg3##\" }}",
            three.replace(" helpmate in 2", "")
        ),
        // The first twin has no answer, and letters stand in any order.
        format!("chess {{ {three} twin b: e3 to g3 twin c: e3 to f2 => \"1. Rxd5+ Nd4+ 2. Ke5 Bg3#\" }}"),
        format!(
            "chess {{ {three} => \"1. Nxd5 Ke2 2. Ke4 Nd6#\" twin c: e3 to f2 => \"1. Rxd5+ Nd4+ 2. Ke5 Bg3#\" twin b: e3 to g3 }}"
        ),
    ] {
        let (exported, _) = export(&text, "olv");
        let answers = text.matches("=>").count();
        let imported = import(&exported, "olv");
        assert_eq!(imported.matches("=>").count(), answers, "{exported}\n{imported}");
        assert!(comes_back(&text, "olv").is_some(), "{exported}");
    }
}

#[test]
fn answers_of_a_duplex_come_back_from_olive() {
    let benko = "board K4k2/1Q1r4/8/8/1b6/8/8/8 h#2";
    let (own, other) = ("\"1. Rf7 Qh1 2. Be7 Qh8#\"", "\"1. Kb8 Ba5 2. Kc8 Rd8#\"");
    let both = "[\"1. Qb6 Bc5 2. Qb5 Ra7#\", \"1. Qc6 Bc5 2. Qb5 Ra7#\"]";
    for text in [
        format!("chess {{ {benko} => {own} duplex => {other} }}"),
        // One side alone.
        format!("chess {{ {benko} => {own} duplex }}"),
        format!("chess {{ {benko} duplex => {other} }}"),
        format!("chess {{ {benko} => {own} duplex => {other} twin b: a8 to a6 => {own} duplex => {both} }}"),
        "chess { board 6k1/3pR3/6B1/1n2PP2/1pp2N2/b7/2rP4/K7 #2 => Bh7+ duplex => Rc1+ }".to_string(),
        "chess { board kr6/1R6/8/8/8/8/8/5K2 ser-#6 => \"1. Ke2 2. Kd3 3. Kc4 4. Kb5 5. Ka6 6. Ra7#\"
           duplex => \"1. Kxb7 2. Kc6 3. Kd5 4. Ke4 5. Kf3 6. Rb1#\" }"
            .to_string(),
        "chess { board 5k1K/5P2/5r2/8/8/8/8/8 w #2 => none duplex => Rh6# }".to_string(),
    ] {
        let (exported, notes) = export(&text, "olv");
        let imported = import(&exported, "olv");
        assert_eq!(imported.matches("=>").count(), text.matches("=>").count(), "{exported}\n{imported}");
        assert!(!notes.iter().any(|note| note.contains("answer")), "{notes:?}");
        assert!(comes_back(&text, "olv").is_some(), "{exported}");
    }
}
