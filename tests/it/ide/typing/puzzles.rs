//! Seeded puzzles as people type them: all games, formats of boards, queries and answers.
//!
//! They need not be right: a person also types illegal moves and wrong answers.

/// How many puzzles are typed.
pub const PUZZLES: u64 = 300;

/// The puzzle of a number, without indentation: typing leaves that to the editor.
pub fn puzzle(number: u64) -> String {
    let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678);
    // All games take turns.
    let game = ["solitaire", "chess", "chess3d", "draughts"][(number % 4) as usize];
    let mut lines = Vec::new();
    if random.chance(4) {
        lines.push(random.pick(&[
            "// Solve it: count the moves, not the mate.",
            "//board 1",
            "// Don't \"turn\" (yet) {",
        ]));
    }
    let one_line = random.chance(8);
    let name = random.pick(&[
        "",
        "\"My chess mate\" ",
        "'Corner' ",
        "\"Capture the rook\" ",
        "\"Don't count on it\" ",
        "\"solve\" ",
        "\"Évening 5\" ",
    ]);
    lines.push(format!("{game} {name}{{"));
    let mut items = Vec::new();
    if random.chance(3) {
        items.push(property(&mut random, game, one_line));
    }
    let (origin, board) = board(&mut random, game, one_line);
    items.extend(origin);
    items.push(board);
    for _ in 0..random.below(3) {
        items.push(property(&mut random, game, one_line));
    }
    for _ in 0..=random.below(2) {
        items.push(query(&mut random, game, one_line));
    }
    if random.chance(5) && !one_line {
        items.push("// to be continued: solve, count".to_string());
    }
    items.push("}".to_string());
    match one_line {
        true => {
            let head = lines.pop().unwrap_or_default();
            lines.push(head + " " + &items.join(" "));
        }
        false => lines.extend(items),
    }
    lines.join("\n") + "\n"
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    /// True in one of `n` cases.
    fn chance(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick(&mut self, all: &[&str]) -> String {
        all[self.below(all.len() as u64) as usize].to_string()
    }
}

fn property(random: &mut Random, game: &str, one_line: bool) -> String {
    let own: &[&str] = match game {
        "solitaire" => &["rules solo", "rules ranger", "rules default", "unique", "unique true", "origin 0"],
        "chess" => &["turn black", "turn white", "turn w", "turn b", "castling KQ", "en-passant e3"],
        "chess3d" => &["turn black", "size 3", "turn b"],
        _ => &["turn black", "turn w", "origin 1"],
    };
    if random.chance(2) {
        return random.pick(own);
    }
    let any = random.pick(&[
        "note \"Count on the mate: solve it, then move\"",
        "note 'What is typed (by hand) is what stands'",
        "author \"R. Note\"",
        "hint 'Capture the rook first'",
        "id evening-5",
        "difficulty 3",
        "x-themes [pin, fork]",
        "x-motif mate-in-two",
        "source https://example.org/board?turn=black",
        "tags mate",
        "tags count, solve-it",
        "tags [mate, \"board\"]",
        "allow unsolvable",
        "allow illegal-move // for now",
        "allow duplicate-puzzle duplicate-name",
    ]);
    // A comment would swallow the rest of the line.
    if one_line { any.split(" //").next().unwrap_or_default().to_string() } else { any }
}

/// A side of a square board.
fn side(random: &mut Random, game: &str) -> usize {
    match game {
        "solitaire" if random.chance(5) => 3 + random.below(4) as usize,
        "solitaire" => 4,
        "chess3d" => 3,
        _ => 8,
    }
}

/// The cells of a board, row by row from the top, `.` where there is no piece.
fn cells(random: &mut Random, game: &str, side: usize) -> Vec<char> {
    let pieces: Vec<char> = match game {
        "solitaire" => "KQRBNP".chars().collect(),
        "chess" => "KkQqRrBbNnPp".chars().collect(),
        "chess3d" => "KkQqRrBbNn".chars().collect(),
        _ => "wwwbbWB".chars().collect(),
    };
    let count = if game == "chess3d" { side * side * side } else { side * side };
    let mut all = vec!['.'; count];
    for (i, &piece) in pieces.iter().cycle().take(3 + random.below(7) as usize).enumerate() {
        let at = random.below(count as u64) as usize;
        let dark = (at % 8 + at / 8) % 2 == 1;
        let stays = i < 2 || game == "solitaire" || random.chance(2);
        if stays && (game != "draughts" || dark) {
            all[at] = piece;
        }
    }
    all
}

/// A board, and the properties that it needs.
fn board(random: &mut Random, game: &str, one_line: bool) -> (Option<String>, String) {
    let side = side(random, game);
    let cells = cells(random, game, side);
    let rows: Vec<String> = cells.chunks(side).map(|row| row.iter().collect()).collect();
    let lines_between = if one_line { " " } else { "\n" };
    let spaced = |row: &String| row.chars().map(String::from).collect::<Vec<_>>().join(" ");
    let text = match random.below(12) {
        0..=2 => format!("board\n{}", rows.iter().map(spaced).collect::<Vec<_>>().join("\n")),
        3 => format!("board\n{}", rows.join("\n")),
        4 if game == "solitaire" => format!("board {}", rows.concat()),
        5 => format!("board \"{}\"", rows.join(" ")),
        6 => format!("board \"\n{}\n\"", rows.join("\n")),
        7 if game == "chess" => {
            format!("board {} {} - - 0 1", fen(&rows), random.pick(&["w", "b"]))
        }
        8 if game == "chess" => format!("board \"{}\"", fen(&rows)),
        7 | 8 if game == "draughts" => "board \"W:WKa1,c1:Bc3,e5\"".to_string(),
        9 => {
            let quote = random.pick(&["'", "\""]);
            let row = |row: &String| {
                let cells: Vec<String> = row.chars().map(|c| format!("{quote}{c}{quote}")).collect();
                format!("[{}]", cells.join(","))
            };
            let rows: Vec<String> = rows.iter().map(row).collect();
            format!("board [{}]", rows.join(&format!(",{lines_between}")))
        }
        10 if game == "chess3d" => {
            let levels: Vec<String> = rows.chunks(side).map(|rows| format!("[{}]", rows.join(","))).collect();
            format!("board {}", levels.join(&format!(",{lines_between}")).replace('.', "#"))
        }
        10 => numbers(&rows, lines_between),
        _ => return (Some(format!("size {side}")), coordinates(random, game, &rows, lines_between)),
    };
    let text = if one_line { text.replace('\n', " ") } else { text };
    (None, text)
}

fn fen(rows: &[String]) -> String {
    let row = |row: &String| {
        let mut text = String::new();
        for c in row.chars() {
            match (c, text.chars().last().and_then(|c| c.to_digit(10))) {
                ('.', Some(n)) => {
                    text.pop();
                    text.push_str(&(n + 1).to_string());
                }
                ('.', None) => text.push('1'),
                _ => text.push(c),
            }
        }
        text
    };
    rows.iter().map(row).collect::<Vec<_>>().join("/")
}

/// The number of a chess piece, 0 for an empty square.
fn number_of(c: char) -> i32 {
    "KQRBNP".find(c.to_ascii_uppercase()).map_or(0, |i| i as i32 + 1)
}

/// A matrix of numbers, black negative.
fn numbers(rows: &[String], between: &str) -> String {
    let number = |c: char| match c {
        'w' | 'W' => 1,
        c if c.is_ascii_lowercase() => -number_of(c),
        c => number_of(c),
    };
    let row = |row: &String| {
        let cells: Vec<String> = row.chars().map(|c| number(c).to_string()).collect();
        format!("[{}]", cells.join(","))
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!("board [{between}{}{between}]", rows.join(&format!(",{between}")))
}

fn coordinates(random: &mut Random, game: &str, rows: &[String], between: &str) -> String {
    let quote = random.pick(&["'", "\"", ""]);
    let (named, side) = (random.chance(2), rows[0].len());
    let mut entries = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        for (x, c) in row.chars().enumerate().filter(|(_, c)| *c != '.') {
            let y = side - 1 - i % side;
            let origin = usize::from(game != "solitaire");
            let square = match (game, named) {
                ("chess3d", _) => format!("{},{},{}", x + 1, y + 1, side - i / side),
                (_, true) => format!("{quote}{}{}{quote}", (b'a' + x as u8) as char, y + 1),
                _ => format!("{},{}", x + origin, y + origin),
            };
            let colour = if c.is_ascii_uppercase() || c == 'w' { "W" } else { "B" };
            let kind = match c {
                'w' | 'b' if game == "draughts" => 'M',
                'W' | 'B' if game == "draughts" => 'K',
                c => c.to_ascii_uppercase(),
            };
            entries.push(match game {
                "solitaire" => format!("[{square}, {quote}{kind}{quote}]"),
                _ => format!("[{quote}{colour}{quote},{quote}{kind}{quote},{square}]"),
            });
        }
    }
    let open = if random.chance(3) { between } else { "" };
    format!("board [{open}{}{open}]", entries.join(&format!(",{between}")))
}

fn query(random: &mut Random, game: &str, one_line: bool) -> String {
    let remark = match random.below(6) {
        0 => " (the rook doesn't reach it, \"solve\")",
        1 => " // count on it",
        _ => "",
    };
    let remark = if one_line && remark.contains("//") { "" } else { remark };
    let query = match game {
        "solitaire" => random.pick(&[
            "solve",
            "count",
            "solve => none",
            "count => 2",
            "count => 204",
            "solve => [[[3,0], [1,1]], [[0,1], [1,1]], [[1,1], [1,2]]]",
            "solve => [[3,0],[1,1]], [[0,1],[1,1]]",
            "solve => [\n[[3,0], [1,1]],\n[[0,1], [1,1]]\n]",
            "solve =>\n[[[d1, b2], [a2, b2]]]",
        ]),
        "chess" if random.chance(4) => {
            random.pick(&["mate", "mate => checkmate", "mate => check", "mate => True"])
        }
        "chess" => {
            let answer = random.pick(&["", "", " => legal", " => illegal", " => True", " => false"]);
            format!("move {}{answer}", chess_move(random))
        }
        "chess3d" => {
            random.pick(&["mate", "mate => none", "mate => check", "mate => stalemate", "mate => true"])
        }
        _ => random.pick(&[
            "capture",
            "capture => none",
            "capture => [[1,1],[4,4],[8,8]]",
            "capture => [\n[[1,1],[4,4]],\n[[4,4],[8,8]]\n]",
            "capture => [[3,3,\"directly\"], [5,5,\"after\"]]",
            "capture => [a1, d4, g7]",
        ]),
    };
    let query = if one_line { query.replace('\n', " ") } else { query };
    let has_answer = query.contains("=>");
    if remark.starts_with(" (") && !has_answer { query } else { query + remark }
}

fn chess_move(random: &mut Random) -> String {
    let square = |random: &mut Random| {
        let (x, y) = (random.below(8) as u8, random.below(8) as u8);
        format!("{}{}", (b'a' + x) as char, y + 1)
    };
    let to = square(random);
    match random.below(8) {
        0 | 1 => format!("{}{to}", random.pick(&["N", "B", "R", "Q", "K"])),
        2 => format!("{}x{to}", random.pick(&["N", "B", "R", "Q", "K", "e", "b"])),
        3 => to,
        4 => format!("{}{to}", square(random)),
        5 => format!("{}{}{to}+", random.pick(&["N", "R", "Q"]), random.pick(&["a", "e", "1", "d2"])),
        6 => random.pick(&["e8=Q", "exd8=N+", "e7e8q", "O-O", "O-O-O", "e4", "Nf6", "d1xb2"]),
        _ => {
            let quote = random.pick(&["\"", "'", ""]);
            let (colour, kind) = (random.pick(&["W", "B"]), random.pick(&["K", "R", "N"]));
            let (x, y) = (1 + random.below(8), 1 + random.below(8));
            format!("[{quote}{colour}{quote},{quote}{kind}{quote},{x},{y}]")
        }
    }
}
