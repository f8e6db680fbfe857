//! Texts of other formats between the puzzles: PGN, PDN, EPD, FEN, CSV, Popeye, YAML, JSON. Each is one finding.

use crate::diagnostic::{Fix, Span};
use crate::syntax::keywords::{Item, Keyword};
use crate::syntax::lexer::TokenKind as T;
use crate::syntax::limits::MAX_PASTED;
use crate::syntax::parser::Parser;
use crate::syntax::tree::NodeKind;

/// How far a text is read to recognise its format.
const LOOK_AHEAD: usize = 4096;

/// A format of other programs.
#[derive(Clone, Copy, PartialEq)]
enum Foreign {
    Pgn,
    Pdn,
    Popeye,
    Yaml,
    Csv,
    Json,
    /// Lines that begin with a FEN.
    Positions,
}

impl Parser<'_> {
    /// Skips a text of another format, with one finding. False if there is none here.
    pub(super) fn foreign(&mut self) -> bool {
        let Some(format) = self.at_foreign() else { return false };
        let node = self.start(NodeKind::Error);
        let start = self.starts[self.pos];
        let rest = &self.text[start as usize..];
        let length = match format {
            Foreign::Positions => positions_end(rest),
            Foreign::Json => json_end(rest),
            _ => block_end(rest),
        };
        let end = start + length as u32;
        while self.peek().is_some() && self.starts[self.pos] < end {
            self.bump();
        }
        let span = Span::new(start, self.starts[self.end]);
        let block = &self.text[span.range()];
        self.error(span, description(format, block));
        self.foreign.push(span);
        self.finish(node);
        true
    }

    /// The format of the text that begins at the next token.
    fn at_foreign(&mut self) -> Option<Foreign> {
        let kind = self.peek()?;
        let rest = &self.text[self.starts[self.pos] as usize..];
        if kind == T::LBrace || kind == T::LBracket || kind == T::UnclosedLBracket {
            if begins_json(rest) {
                return Some(Foreign::Json);
            }
            return games(rest).or_else(|| below_comments(rest));
        }
        if kind != T::Word {
            return None;
        }
        let word = self.word();
        // Keywords are the most frequent words here, and no format begins with one.
        match word.as_bytes()[0] {
            b'#' | b';' | b'%' => below_comments(rest),
            b'1' if word.starts_with("1.") => Some(Foreign::Pgn),
            _ if is_position(word) => Some(Foreign::Positions),
            // Popeye has no braces, and what is behind a puzzle is read without what is before it.
            _ if begins_popeye(word) && head(rest).split('}').next().is_some_and(places_men) => {
                Some(Foreign::Popeye)
            }
            b'a'..=b'z' if !word.ends_with(':') => {
                (self.second() == Some(T::Comma) && csv_row(rest)).then_some(Foreign::Csv)
            }
            _ if self.second() == Some(T::Comma) => csv_row(rest).then_some(Foreign::Csv),
            _ if word == "---" || word.ends_with(':') => {
                let head = head(rest);
                let is_problem = head.contains("algebraic:") || head.contains("stipulation:");
                is_problem.then_some(Foreign::Yaml)
            }
            _ => None,
        }
    }

    /// Skips the operations of an EPD line behind its position, with one finding.
    pub(super) fn epd_operations(&mut self) {
        if !(self.at(T::Word) && self.on_same_line() && is_epd_opcode(self.word())) {
            return;
        }
        // `id` is a property too.
        let start = self.starts[self.pos] as usize;
        let line = &self.text[start..];
        let line = &line[..line.find(['\n', '\r', '}']).unwrap_or(line.len())];
        let line = line.trim_end();
        let Some((operations, behind)) = line.rsplit_once(';') else { return };
        // A question behind the last of them is one.
        let first = behind.split_whitespace().next().and_then(Keyword::from_word);
        let line = if matches!(first, Some(Keyword::Item(Item::Query(_)))) {
            &line[..=operations.len()]
        } else {
            line
        };
        let node = self.start(NodeKind::Error);
        let end = (start + line.len()) as u32;
        while self.peek().is_some() && self.starts[self.pos] < end {
            self.bump();
        }
        let span = Span::new(start as u32, self.starts[self.end]);
        let closes = self.text[span.end as usize..].trim_start_matches([' ', '\t']).starts_with('}');
        let fix = (!closes).then(|| Fix::new("keep them as a comment", Span::at(span.start), "// ", false));
        self.error(span, EPD_OPERATIONS).fixes.extend(fix);
        self.foreign.push(span);
        self.finish(node);
    }

    /// Takes the address of a page at the place of a board: one finding, with the position that it may have in it, as those of
    /// Lichess. Returns whether it was here.
    pub(super) fn address(&mut self) -> bool {
        if !self.at(T::Word) || !self.word().contains("://") {
            return false;
        }
        let (node, span) = (self.start(NodeKind::Error), self.span_of(self.pos));
        let fix = position_in_address(self.word())
            .map(|fen| Fix::new("write the position that it has", span, fen, false));
        self.bump();
        self.finish(node);
        self.error(span, "this is the address of a page, not a board").fixes.extend(fix);
        self.foreign.push(span);
        true
    }
}

/// The finding for the operations of an EPD line.
pub const EPD_OPERATIONS: &str = "these are operations of an EPD line, which cpz does not read; write questions such as \
                                  `mate` or `line` instead";

/// Whether a word is the name of an operation of EPD.
pub fn is_epd_opcode(word: &str) -> bool {
    matches!(
        word,
        "acd"
            | "acn"
            | "acs"
            | "am"
            | "bm"
            | "c0"
            | "c1"
            | "c2"
            | "c9"
            | "ce"
            | "dm"
            | "draw_accept"
            | "eco"
            | "fmvn"
            | "hmvc"
            | "id"
            | "nic"
            | "noop"
            | "pm"
            | "pv"
            | "rc"
            | "sm"
            | "tcgs"
            | "v0"
    )
}

/// The beginning of a text.
fn head(text: &str) -> &str {
    let mut end = text.len().min(LOOK_AHEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The format of a text that begins with the tags of a game.
fn games(text: &str) -> Option<Foreign> {
    let is_draughts =
        |text: &str| ["[GameType", "[FEN \"W:", "[FEN \"B:"].iter().any(|tag| text.contains(tag));
    tag_pair(text).then(|| if is_draughts(head(text)) { Foreign::Pdn } else { Foreign::Pgn })
}

/// The format of games or positions with comments above them: lines, or a text in braces.
fn below_comments(text: &str) -> Option<Foreign> {
    let mut rest = head(text);
    loop {
        rest = rest.trim_start();
        let length = match *rest.as_bytes().first()? {
            // What is behind a brace that closes may be in another segment, so it decides about nothing in front of it.
            b'#' | b';' | b'%' => {
                rest.find(['\n', '\r', '}']).filter(|&end| !rest[end..].starts_with('}'))?
            }
            b'{' => {
                rest.find('}').filter(|&end| !rest[1..end].contains('{') && !rest[..end].contains("board"))?
                    + 1
            }
            _ => break,
        };
        rest = &rest[length..];
    }
    let is_position = rest.split_whitespace().next().is_some_and(is_position);
    games(rest).or_else(|| is_position.then_some(Foreign::Positions))
}

/// Whether a text begins with a tag of PGN or PDN: `[Event "…"]`.
fn tag_pair(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('[') else { return false };
    let inner = inner.trim_start_matches(' ');
    let name = inner.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    inner.starts_with(|c: char| c.is_ascii_uppercase())
        && name > 1
        && inner[name..].starts_with([' ', '\t'])
        && inner[name..].trim_start().starts_with('"')
}

/// Whether a word begins an input of Popeye, in English, German or French: the whole word, or its first letters.
fn begins_popeye(word: &str) -> bool {
    is_cut_from(word, &["beginproblem", "anfangproblem", "debutprobleme"])
}

/// Whether a text has a word of Popeye that places men.
fn places_men(text: &str) -> bool {
    // The English word is no short form of `forsyth`.
    let is_for = |word: &str| word.eq_ignore_ascii_case("for");
    text.split_whitespace().any(|word| !is_for(word) && is_cut_from(word, &["pieces", "steine", "forsyth"]))
}

/// Whether a word is one of some whole words, or at least three of its first letters, in any case.
fn is_cut_from(word: &str, whole: &[&str]) -> bool {
    let word = word.as_bytes();
    // The first letter rejects nearly all words at once.
    let begins = |whole: &&str| {
        let whole = whole.as_bytes();
        word[0].eq_ignore_ascii_case(&whole[0])
            && whole.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    word.len() > 2 && whole.iter().any(begins)
}

/// The FEN in an address such as `https://lichess.org/analysis/4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1`.
fn position_in_address(address: &str) -> Option<String> {
    let path = address.split(['?', '#']).next()?.replace("%20", "_");
    let parts: Vec<&str> = path.split('/').collect();
    let mut fens = parts.windows(8).map(|ranks| ranks.join("/").replace('_', " "));
    fens.find(|fen| fen.split(' ').next().is_some_and(is_position))
}

/// Whether a word is the placement of a FEN of chess.
fn is_position(word: &str) -> bool {
    word.len() >= 15
        && word.bytes().filter(|&b| b == b'/').count() == 7
        && !word.contains("//")
        && word.bytes().all(|b| b"12345678/KQRBNPkqrbnp".contains(&b))
}

/// Whether a line is one of Lichess' collection, or its head.
fn csv_row(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let mut columns = line.split(',').map(|c| c.trim().trim_matches('"'));
    let (first, second) = (columns.next().unwrap_or_default(), columns.next().unwrap_or_default());
    first.eq_ignore_ascii_case("puzzleid") && second.eq_ignore_ascii_case("fen")
        || second.split(' ').next().is_some_and(is_position)
}

/// Whether a line opens a puzzle.
fn opens_puzzle(line: &str) -> bool {
    let line = line.trim_start();
    let word = line.split([' ', '\t', '{', '"', '\'']).next().unwrap_or_default();
    matches!(Keyword::from_word(word), Some(Keyword::Game(_)))
        && line[word.len()..].trim_start().starts_with(['{', '"', '\''])
}

/// The length of a foreign text: up to the line that opens a puzzle, and the comments above that.
fn block_end(text: &str) -> usize {
    let (mut offset, mut end) = (0, 0);
    for line in text.split_inclusive(['\n', '\r']) {
        if offset > 0 && opens_puzzle(line) {
            return end;
        }
        offset += line.len();
        let line = line.trim();
        if !line.is_empty() && !line.starts_with("//") {
            end = offset;
        }
    }
    end
}

/// Whether a text begins with a name of JSON and its colon, in the brackets of an object or of a list of objects.
fn begins_json(text: &str) -> bool {
    let text = text.strip_prefix('[').unwrap_or(text).trim_start();
    let name = text.strip_prefix('{').and_then(|inner| inner.trim_start().strip_prefix('"'));
    name.and_then(|name| name.split_once('"'))
        .is_some_and(|(name, rest)| !name.contains(['\n', '\r']) && rest.trim_start().starts_with(':'))
}

/// The length of JSON: up to the bracket that closes its last value. One value may stand on each line.
fn json_end(text: &str) -> usize {
    let (mut depth, mut is_quoted, mut is_escaped, mut end) = (0_usize, false, false, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' if depth > 0 => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                end = if depth == 0 { at + 1 } else { end };
            }
            _ if depth > 0 || byte.is_ascii_whitespace() || byte == b',' => {}
            _ => break,
        }
    }
    if end == 0 { block_end(text) } else { end }
}

/// The length of a list of positions.
fn positions_end(text: &str) -> usize {
    let (mut offset, mut end) = (0, 0);
    for line in text.split_inclusive(['\n', '\r']) {
        let start = offset + line.len() - line.trim_start().len();
        offset += line.len();
        let line = line.trim();
        let first = line.split_whitespace().next().unwrap_or_default();
        if is_position(first) {
            let own = part_of_position(line);
            if own == line.len() {
                end = offset;
                continue;
            }
            if own > 0 {
                end = start + own;
            }
            break;
        }
        if !(line.is_empty() || line.starts_with(['#', ';', '%']) && !line.contains('}')) {
            break;
        }
    }
    // Of a line that has a puzzle behind it, or the end of one, the position is foreign.
    if end == 0 { fields_end(text) } else { end }
}

/// How much of a line belongs to the position that it begins with: all of it if its braces belong to a name or a comment, which
/// are in quotes or close on the line, and no puzzle opens; otherwise nothing, or what reaches to the first brace that closes. What
/// is behind that brace may be in another segment, so it decides about nothing in front of it.
fn part_of_position(line: &str) -> usize {
    let opens = |part: &str| part.match_indices([' ', '\t']).any(|(at, _)| opens_puzzle(&part[at..]));
    let (mut depth, mut is_quoted, mut closed) = (0, false, 0);
    for (at, c) in line.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            '{' if !is_quoted => depth += 1,
            '}' if !is_quoted => {
                depth -= 1;
                if depth < 0 {
                    break;
                }
                if depth == 0 && closed == 0 {
                    closed = at + 1;
                }
            }
            _ => {}
        }
    }
    match depth == 0 && !opens(line) {
        true => line.len(),
        false if opens(&line[..closed]) => 0,
        false => closed,
    }
}

/// The length of a FEN that a text begins with, and of its fields on the same line.
fn fields_end(text: &str) -> usize {
    const FIELDS: [fn(&str) -> bool; 6] = [
        is_position,
        |word| matches!(word, "w" | "b"),
        |word| word == "-" || word.len() < 5 && word.bytes().all(|b| b"KQkqABCDEFGHabcdefgh".contains(&b)),
        |word| word == "-" || word.len() == 2 && word.ends_with(['3', '6']),
        |word| word.bytes().all(|b| b.is_ascii_digit()),
        |word| word.bytes().all(|b| b.is_ascii_digit()),
    ];
    let mut end = 0;
    for is_field in FIELDS {
        let rest = text[end..].trim_start_matches([' ', '\t']);
        let word =
            rest.split(|c: char| c.is_whitespace() || matches!(c, '{' | '}')).next().unwrap_or_default();
        if word.is_empty() || !is_field(word) {
            break;
        }
        end = text.len() - rest.len() + word.len();
    }
    // What is foreign is never empty: the parser goes on behind it.
    if end == 0 { text.find(char::is_whitespace).unwrap_or(text.len()) } else { end }
}

/// The message for a text of another format. It promises a fix only where a puzzle can be made of the text.
fn description(format: Foreign, block: &str) -> String {
    let several = |mark: &str| block.matches(mark).count() > 1;
    let has_any = |marks: &[&str]| marks.iter().any(|mark| block.contains(mark));
    let what = match format {
        Foreign::Pgn if several("[Event ") => "these are PGN games",
        Foreign::Pgn => "this is a PGN game",
        Foreign::Pdn if several("[Event ") => "these are PDN games of draughts",
        Foreign::Pdn => "this is a PDN game of draughts",
        Foreign::Popeye => "this is an input of Popeye",
        Foreign::Yaml => "these are problems of Olive or YACPDB (YAML)",
        Foreign::Csv => "these are puzzles of Lichess (CSV)",
        Foreign::Json => "this is JSON",
        Foreign::Positions => positions(block),
    };
    let lacks = match format {
        Foreign::Pgn | Foreign::Pdn if !block.to_ascii_uppercase().contains("FEN \"") => {
            "it has no `FEN` tag, so it begins with the first move of a game and is no puzzle"
        }
        Foreign::Json if !has_any(&["\"board\"", "\"fen\"", "\"FEN\"", "\"algebraic\""]) => {
            "cpz reads puzzles in its own form, and there is no board in this text"
        }
        _ => {
            let who = match block.len() > MAX_PASTED {
                true => "`cpz import` makes",
                false => "a quick fix in the editor, or `cpz import`, makes",
            };
            return format!("{what}; cpz reads puzzles in its own form: {who} puzzles of this text");
        }
    };
    format!("{what}; {lacks}")
}

/// What lines of FEN or EPD are. EPD has operations, which end with `;`.
fn positions(block: &str) -> &'static str {
    let mut lines =
        block.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';', '%']));
    let several = lines.clone().count() > 1;
    match (lines.any(|line| line.contains(';')), several) {
        (true, true) => "these are positions in EPD",
        (true, false) => "this is a position in EPD",
        (false, true) => "these are positions in FEN",
        (false, false) => "this is a position in FEN",
    }
}
