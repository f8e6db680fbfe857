//! The words of a language, and what is put together of them.

use cpz_check::authoring::FirstMove;
use cpz_rules::board::{Colour, Kind, square_name};
use cpz_rules::games::{Goal, Play, ProblemKind, Status, Stipulation};

/// The words of a language. Messages contain `{}` where something is put in.
pub struct Words {
    /// The tag of the language in HTML.
    pub code: &'static str,
    /// The letters of king, queen, rook, bishop and knight.
    pub pieces: [&'static str; 5],
    /// The letter of a pawn, where composers write one.
    pub pawn: &'static str,
    /// The letters of White and Black before those of pieces.
    pub colours: [&'static str; 2],
    /// The side to move, White and Black, before what is asked.
    pub to_move: [&'static str; 2],
    /// The sides.
    pub sides: [&'static str; 2],
    pub solve: &'static str,
    pub count: &'static str,
    pub line: &'static str,
    pub legal_move: &'static str,
    /// The question about several moves.
    pub legal_moves: &'static str,
    pub status: &'static str,
    pub capture: &'static str,
    /// What is asked in a study: a win, a draw.
    pub studies: [&'static str; 2],
    /// The kinds of play in the order of [`Play::ALL`]; `{}` is mate or stalemate.
    pub plays: [&'static str; 9],
    /// All kinds of play but the direct one, by themselves.
    pub play_names: [&'static str; 8],
    /// All goals; `{}` is the square that a man arrives on.
    pub goals: [&'static str; 5],
    /// A play with its number of moves and their word.
    pub in_moves: &'static str,
    /// The word behind the number of moves: for one, for two to four, for more.
    pub moves: [&'static str; 3],
    pub solutions: &'static str,
    pub solution: &'static str,
    pub hints: &'static str,
    pub hint: &'static str,
    pub difficulty: &'static str,
    /// Hints: the piece that begins, how many pieces can, the target, the move.
    pub graded_hints: [&'static str; 4],
    /// One puzzle, two to four, more.
    pub puzzles: [&'static str; 3],
    pub undecided: &'static str,
    /// The problem has a condition or a stipulation that is kept and not solved.
    pub unsolved: &'static str,
    /// The question cannot be answered, because of an error that is told in English alone.
    pub faulty: &'static str,
    pub no_solution: &'static str,
    pub solved_already: &'static str,
    pub legal: &'static str,
    pub illegal: &'static str,
    /// Checkmate, check, stalemate and none of them.
    pub statuses: [&'static str; 4],
    pub no_capture: &'static str,
    /// How many solutions; one is a case of its own.
    pub one_solution: &'static str,
    pub many_solutions: &'static str,
    pub distinct: &'static str,
    pub at_least: &'static str,
    pub more: &'static str,
    pub threat: &'static str,
    pub zugzwang: &'static str,
    pub set_play: &'static str,
    /// Below a diagram: White begins, Black begins, where the kind of problem says another side.
    pub begins: [&'static str; 2],
    pub duplex: &'static str,
    pub half_duplex: &'static str,
    pub zero_position: &'static str,
    /// A king of draughts.
    pub draughts_king: &'static str,
}

impl Words {
    /// `mate in 2` with the words for the number of moves.
    pub fn problem(&self, stipulation: Stipulation) -> String {
        let ProblemKind { play, goal } = stipulation.kind;
        let square = stipulation.square.map(|square| square_name(square, false)).unwrap_or_default();
        let goal = self.goals[goal as usize].replace("{}", &square);
        // Only mates and stalemates have a word of their own for each kind of play.
        let has_word = matches!(stipulation.kind.goal, Goal::Mate | Goal::Stalemate);
        let (asked, kind_of_play) = match (play, self.plays[play as usize]) {
            (Play::Direct, _) => (goal, String::new()),
            (_, word) if has_word => (word.replace("{}", &goal.to_lowercase()), String::new()),
            (play, _) => (goal, format!(", {}", self.play_names[play as usize - 1])),
        };
        let number = stipulation.length().replace(".5", "½");
        let moves = match (stipulation.plies % 2, stipulation.plies / 2) {
            (0, 1) => self.moves[0],
            (0, 2..=4) | (1, 1..=4) => self.moves[1],
            // Russian counts by the last digit.
            (0, n) if n > 20 && n % 10 == 1 && self.code == "ru" => self.moves[0],
            (0, n) if n > 20 && (2..=4).contains(&(n % 10)) => self.moves[1],
            _ => self.moves[2],
        };
        self.in_moves
            .replacen("{}", &asked, 1)
            .replacen("{}", &number, 1)
            .replacen("{}", moves, 1)
            .trim_end()
            .to_string()
            + &kind_of_play
    }

    /// A number of puzzles.
    pub fn count_of_puzzles(&self, n: usize) -> String {
        let word = match (n % 10, n % 100) {
            (1, rest) if rest != 11 => self.puzzles[0],
            (2..=4, rest) if !(12..=14).contains(&rest) => self.puzzles[1],
            _ => self.puzzles[2],
        };
        // Only Russian counts by the last digit.
        let word = if self.code != "ru" && n != 1 { self.puzzles[2] } else { word };
        format!("{n} {word}")
    }

    /// A side.
    pub fn side(&self, colour: Colour) -> &'static str {
        self.sides[usize::from(colour == Colour::Black)]
    }

    /// What is asked, behind the side that is to move if the game has sides.
    pub fn asked(&self, turn: Option<Colour>, question: &str) -> String {
        match turn {
            Some(colour) => format!("{} {question}", self.to_move[usize::from(colour == Colour::Black)]),
            None => capitalised(question),
        }
    }

    /// The status of a side.
    pub fn status_of(&self, status: Status) -> &'static str {
        self.statuses[status as usize]
    }

    /// The hints of all grades.
    pub fn hints_of(&self, first: &FirstMove) -> [String; 3] {
        let [begins, can_begin, target, mv] = self.graded_hints;
        let from = format!("{}{}", self.letter(first.piece.kind), square_name(first.from, false));
        let piece = match first.can_begin {
            1 => begins.replace("{}", &from),
            n => can_begin.replace("{}", &n.to_string()),
        };
        let to = target.replace("{}", &square_name(first.to, false));
        [piece, to, mv.replace("{}", &self.moves(&first.text))].map(|text| capitalised(&text))
    }

    /// The letter of a piece; pawns and men have none.
    pub fn letter(&self, kind: Kind) -> &'static str {
        self.pieces.get(kind as usize - 1).copied().unwrap_or("")
    }

    /// The signs of a twin, `b) wKa6→b6`, with the letters of this language.
    pub fn signs(&self, text: &str) -> String {
        let with_sides =
            |text: &str| text.replace("white begins", self.begins[0]).replace("black begins", self.begins[1]);
        if self.code == "en" {
            return with_sides(text);
        }
        let letter = |c: char| match c {
            'P' => Some(self.pawn),
            'S' => Some(self.pieces[4]),
            c => "KQRB".find(c).map(|index| self.pieces[index]),
        };
        let colour = |c: char| "wb".find(c).map(|index| self.colours[index]);
        let word = |word: &str| {
            let chars: Vec<char> = word.chars().collect();
            let mut out = String::new();
            for (i, &c) in chars.iter().enumerate() {
                let before = i.checked_sub(1).map(|i| chars[i]);
                let after = chars.get(i + 1).copied();
                let begins = before.is_none_or(|b| !b.is_alphanumeric());
                let of_colour =
                    begins && after.is_none_or(|a| !a.is_alphanumeric() && a != ')' || letter(a).is_some());
                match (colour(c).filter(|_| of_colour), letter(c)) {
                    (Some(colour), _) => out.push_str(colour),
                    (None, Some(letter)) => out.push_str(letter),
                    (None, None) => out.push(c),
                }
            }
            out
        };
        // A colour is told by the letter behind it, so the sides come last.
        with_sides(&text.split(' ').map(word).collect::<Vec<_>>().join(" "))
    }

    /// Moves in English notation with the letters of this language. A letter counts as one of a piece where a move can
    /// begin with it, or behind the sign of a promotion.
    pub fn moves(&self, text: &str) -> String {
        if self.code == "en" {
            return text.to_string();
        }
        let letters: Vec<char> = text.chars().collect();
        let mut out = String::with_capacity(text.len());
        for (i, &c) in letters.iter().enumerate() {
            let before = i.checked_sub(1).map(|i| letters[i]);
            let after = letters.get(i + 1).copied();
            let begins = before.is_none_or(|b| !b.is_alphanumeric())
                && after.is_some_and(|a| matches!(a, 'a'..='h' | '1'..='8' | 'x'));
            let index = "KQRBN".chars().position(|letter| letter == c);
            match index.filter(|_| begins || before == Some('=')) {
                Some(index) => out.push_str(self.pieces[index]),
                None => out.push(c),
            }
        }
        out
    }
}

/// A text with a capital at its start, or behind the sign that a question of Spanish begins with.
fn capitalised(text: &str) -> String {
    let behind = text.trim_start_matches('¿');
    let mut letters = behind.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    text[..text.len() - behind.len()].chars().chain(first).chain(letters).collect()
}
