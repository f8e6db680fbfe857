//! The words of sheets and books in five languages.

use cpz_check::authoring::FirstMove;
use cpz_rules::board::{Colour, Kind, square_name};
use cpz_rules::games::{Goal, Play, ProblemKind, Status, Stipulation};

/// A language of sheets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English
    #[default]
    English,
    /// German
    German,
    /// French
    French,
    /// Russian
    Russian,
    /// Spanish
    Spanish,
}

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

impl Language {
    /// All of them.
    pub const ALL: [Language; 5] =
        [Language::English, Language::German, Language::French, Language::Russian, Language::Spanish];

    /// The language of a tag such as `de-CH`; English for others.
    pub fn from_tag(tag: &str) -> Language {
        let primary = tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        Language::ALL.into_iter().find(|language| language.code() == primary).unwrap_or_default()
    }

    /// The tag, such as `de`, which is the word on the command line.
    pub fn code(self) -> &'static str {
        self.words().code
    }

    /// The words.
    pub fn words(self) -> &'static Words {
        &WORDS[self as usize]
    }
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

/// A text with a capital at its start.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

const WORDS: [Words; 5] = [
    Words {
        code: "en",
        pieces: ["K", "Q", "R", "B", "N"],
        pawn: "P",
        colours: ["w", "b"],
        to_move: ["White to move:", "Black to move:"],
        sides: ["White", "Black"],
        solve: "capture until one piece is left",
        count: "how many solutions are there?",
        line: "find the best line",
        legal_move: "is {} legal?",
        legal_moves: "which of these moves are legal: {}?",
        status: "checkmate, check, stalemate or none of them?",
        capture: "what can be captured?",
        studies: ["win", "draw"],
        plays: [
            "{}",
            "self{}",
            "reflex{}",
            "semi-reflex{}",
            "help{}",
            "help-self{}",
            "series-{}",
            "series-help{}",
            "series-self{}",
        ],
        play_names: [
            "self play",
            "reflex play",
            "semi-reflex play",
            "help play",
            "help-self play",
            "series play",
            "series help play",
            "series self play",
        ],
        goals: ["mate", "stalemate", "check", "capture", "reach {}"],
        in_moves: "{} in {} {}",
        moves: ["", "", ""],
        solutions: "Solutions",
        solution: "Solution",
        hints: "Hints",
        hint: "Hint",
        difficulty: "Difficulty",
        graded_hints: [
            "{} begins",
            "pieces that can begin: {}",
            "the first move goes to {}",
            "the first move: {}",
        ],
        puzzles: ["puzzle", "puzzles", "puzzles"],
        undecided: "not worked out: the search was too long",
        unsolved: "cpz does not solve problems of this kind",
        faulty: "not worked out: there is an error in the puzzle",
        no_solution: "no solution",
        solved_already: "solved already",
        legal: "legal",
        illegal: "illegal",
        statuses: ["checkmate", "check", "stalemate", "none of them"],
        no_capture: "nothing can be captured",
        one_solution: "1 solution",
        many_solutions: "{} solutions",
        distinct: "{} distinct",
        at_least: "at least",
        more: "and {} more",
        threat: "threat:",
        zugzwang: "zugzwang",
        set_play: "set play:",
        begins: ["White begins", "Black begins"],
        duplex: "duplex",
        half_duplex: "half-duplex",
        zero_position: "zeroposition",
        draughts_king: "king",
    },
    Words {
        code: "de",
        pieces: ["K", "D", "T", "L", "S"],
        pawn: "B",
        colours: ["w", "s"],
        to_move: ["Weiß am Zug:", "Schwarz am Zug:"],
        sides: ["Weiß", "Schwarz"],
        solve: "schlage, bis nur ein Stein übrig ist",
        count: "wie viele Lösungen gibt es?",
        line: "finde die beste Zugfolge",
        legal_move: "ist {} erlaubt?",
        legal_moves: "welche dieser Züge sind erlaubt: {}?",
        status: "matt, Schach, patt oder nichts davon?",
        capture: "was kann geschlagen werden?",
        studies: ["Gewinn", "Remis"],
        plays: [
            "{}",
            "Selbst{}",
            "Reflex{}",
            "Semireflex{}",
            "Hilfs{}",
            "Hilfsselbst{}",
            "Serienzug{}",
            "Serienzughilfs{}",
            "Serienzugselbst{}",
        ],
        play_names: [
            "Selbstspiel",
            "Reflexspiel",
            "Semireflexspiel",
            "Hilfsspiel",
            "Hilfsselbstspiel",
            "Serienspiel",
            "Serienhilfsspiel",
            "Serienselbstspiel",
        ],
        goals: ["Matt", "Patt", "Schach", "Schlag", "Ankunft auf {}"],
        in_moves: "{} in {} {}",
        moves: ["Zug", "Zügen", "Zügen"],
        solutions: "Lösungen",
        solution: "Lösung",
        hints: "Hinweise",
        hint: "Hinweis",
        difficulty: "Schwierigkeit",
        graded_hints: [
            "{} beginnt",
            "Figuren, die beginnen können: {}",
            "der erste Zug geht nach {}",
            "der erste Zug: {}",
        ],
        puzzles: ["Aufgabe", "Aufgaben", "Aufgaben"],
        undecided: "nicht ausgerechnet: die Suche war zu lang",
        unsolved: "cpz löst solche Aufgaben nicht",
        faulty: "nicht ausgerechnet: in der Aufgabe ist ein Fehler",
        no_solution: "keine Lösung",
        solved_already: "schon gelöst",
        legal: "erlaubt",
        illegal: "nicht erlaubt",
        statuses: ["matt", "Schach", "patt", "nichts davon"],
        no_capture: "nichts kann geschlagen werden",
        one_solution: "1 Lösung",
        many_solutions: "{} Lösungen",
        distinct: "{} verschiedene",
        at_least: "mindestens",
        more: "und {} weitere",
        threat: "Drohung:",
        zugzwang: "Zugzwang",
        set_play: "Satzspiel:",
        begins: ["Weiß beginnt", "Schwarz beginnt"],
        duplex: "Duplex",
        half_duplex: "Halbduplex",
        zero_position: "Nullstellung",
        draughts_king: "Dame",
    },
    Words {
        code: "fr",
        pieces: ["R", "D", "T", "F", "C"],
        pawn: "P",
        colours: ["b", "n"],
        to_move: ["Les Blancs jouent :", "Les Noirs jouent :"],
        sides: ["Blancs", "Noirs"],
        solve: "prenez jusqu’à ce qu’il ne reste qu’une pièce",
        count: "combien de solutions y a-t-il ?",
        line: "trouvez la meilleure suite",
        legal_move: "le coup {} est-il légal ?",
        legal_moves: "lesquels de ces coups sont légaux : {} ?",
        status: "mat, échec, pat ou rien de cela ?",
        capture: "que peut-on prendre ?",
        studies: ["gain", "nulle"],
        plays: [
            "{}",
            "{} inverse",
            "{} réflexe",
            "{} semi-réflexe",
            "{} aidé",
            "{} aidé-inverse",
            "{} de série",
            "{} aidé de série",
            "{} inverse de série",
        ],
        play_names: [
            "jeu inverse",
            "jeu réflexe",
            "jeu semi-réflexe",
            "jeu aidé",
            "jeu aidé-inverse",
            "jeu de série",
            "jeu aidé de série",
            "jeu inverse de série",
        ],
        goals: ["mat", "pat", "échec", "capture", "arrivée en {}"],
        in_moves: "{} en {} {}",
        moves: ["coup", "coups", "coups"],
        solutions: "Solutions",
        solution: "Solution",
        hints: "Indices",
        hint: "Indice",
        difficulty: "Difficulté",
        graded_hints: [
            "{} commence",
            "pièces qui peuvent commencer : {}",
            "le premier coup va en {}",
            "le premier coup : {}",
        ],
        puzzles: ["problème", "problèmes", "problèmes"],
        undecided: "non résolu : la recherche était trop longue",
        unsolved: "cpz ne résout pas les problèmes de ce genre",
        faulty: "non résolu : il y a une erreur dans l’exercice",
        no_solution: "pas de solution",
        solved_already: "déjà résolu",
        legal: "légal",
        illegal: "illégal",
        statuses: ["mat", "échec", "pat", "rien de cela"],
        no_capture: "aucune prise possible",
        one_solution: "1 solution",
        many_solutions: "{} solutions",
        distinct: "{} distinctes",
        at_least: "au moins",
        more: "et {} de plus",
        threat: "menace :",
        zugzwang: "blocus",
        set_play: "jeu apparent :",
        begins: ["les Blancs commencent", "les Noirs commencent"],
        duplex: "duplex",
        half_duplex: "demi-duplex",
        zero_position: "position zéro",
        draughts_king: "dame",
    },
    Words {
        code: "ru",
        pieces: ["Кр", "Ф", "Л", "С", "К"],
        pawn: "п",
        colours: ["б", "ч"],
        to_move: ["Ход белых:", "Ход чёрных:"],
        sides: ["Белые", "Чёрные"],
        solve: "бейте, пока не останется одна фигура",
        count: "сколько решений?",
        line: "найдите лучшее продолжение",
        legal_move: "возможен ли ход {}?",
        legal_moves: "какие из этих ходов возможны: {}?",
        status: "мат, шах, пат или ничего из этого?",
        capture: "что можно побить?",
        studies: ["выигрыш", "ничья"],
        plays: [
            "{}",
            "обратный {}",
            "рефлексный {}",
            "семирефлексный {}",
            "кооперативный {}",
            "кооперативно-обратный {}",
            "серийный {}",
            "серийный кооперативный {}",
            "серийный обратный {}",
        ],
        play_names: [
            "обратная игра",
            "рефлексная игра",
            "семирефлексная игра",
            "кооперативная игра",
            "кооперативно-обратная игра",
            "серийная игра",
            "серийная кооперативная игра",
            "серийная обратная игра",
        ],
        goals: ["мат", "пат", "шах", "взятие", "приход на {}"],
        in_moves: "{} в {} {}",
        moves: ["ход", "хода", "ходов"],
        solutions: "Решения",
        solution: "Решение",
        hints: "Подсказки",
        hint: "Подсказка",
        difficulty: "Сложность",
        graded_hints: [
            "начинает {}",
            "фигур, которые могут начать: {}",
            "первый ход на {}",
            "первый ход: {}",
        ],
        puzzles: ["задача", "задачи", "задач"],
        undecided: "не решено: поиск был слишком долгим",
        unsolved: "cpz не решает таких задач",
        faulty: "не решено: в задаче есть ошибка",
        no_solution: "решения нет",
        solved_already: "уже решено",
        legal: "возможен",
        illegal: "невозможен",
        statuses: ["мат", "шах", "пат", "ничего из этого"],
        no_capture: "побить нечего",
        one_solution: "1 решение",
        many_solutions: "решений: {}",
        distinct: "различных: {}",
        at_least: "не менее:",
        more: "и ещё {}",
        threat: "угроза:",
        zugzwang: "цугцванг",
        set_play: "иллюзорная игра:",
        begins: ["начинают белые", "начинают чёрные"],
        duplex: "дуплекс",
        half_duplex: "полудуплекс",
        zero_position: "нулевая позиция",
        draughts_king: "дамка",
    },
    Words {
        code: "es",
        pieces: ["R", "D", "T", "A", "C"],
        pawn: "P",
        colours: ["b", "n"],
        to_move: ["Juegan blancas:", "Juegan negras:"],
        sides: ["Blancas", "Negras"],
        solve: "captura hasta que quede una sola pieza",
        count: "¿cuántas soluciones hay?",
        line: "encuentra la mejor línea",
        legal_move: "¿es legal {}?",
        legal_moves: "¿cuáles de estas jugadas son legales: {}?",
        status: "¿jaque mate, jaque, ahogado o nada de eso?",
        capture: "¿qué se puede capturar?",
        studies: ["ganan", "tablas"],
        plays: [
            "{}",
            "{} inverso",
            "{} reflejo",
            "{} semirreflejo",
            "{} ayudado",
            "{} ayudado inverso",
            "{} en serie",
            "{} ayudado en serie",
            "{} inverso en serie",
        ],
        play_names: [
            "juego inverso",
            "juego reflejo",
            "juego semirreflejo",
            "juego ayudado",
            "juego ayudado inverso",
            "juego en serie",
            "juego ayudado en serie",
            "juego inverso en serie",
        ],
        goals: ["mate", "ahogado", "jaque", "captura", "llegada a {}"],
        in_moves: "{} en {} {}",
        moves: ["jugada", "jugadas", "jugadas"],
        solutions: "Soluciones",
        solution: "Solución",
        hints: "Pistas",
        hint: "Pista",
        difficulty: "Dificultad",
        graded_hints: [
            "empieza {}",
            "piezas que pueden empezar: {}",
            "la primera jugada va a {}",
            "la primera jugada: {}",
        ],
        puzzles: ["problema", "problemas", "problemas"],
        undecided: "sin resolver: la búsqueda era demasiado larga",
        unsolved: "cpz no resuelve problemas de este tipo",
        faulty: "sin resolver: hay un error en el ejercicio",
        no_solution: "sin solución",
        solved_already: "ya resuelto",
        legal: "legal",
        illegal: "ilegal",
        statuses: ["jaque mate", "jaque", "ahogado", "nada de eso"],
        no_capture: "no se puede capturar nada",
        one_solution: "1 solución",
        many_solutions: "{} soluciones",
        distinct: "{} distintas",
        at_least: "al menos",
        more: "y {} más",
        threat: "amenaza:",
        zugzwang: "zugzwang",
        set_play: "juego aparente:",
        begins: ["empiezan las blancas", "empiezan las negras"],
        duplex: "dúplex",
        half_duplex: "medio dúplex",
        zero_position: "posición cero",
        draughts_king: "dama",
    },
];
