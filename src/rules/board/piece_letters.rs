//! The letters of pieces in other languages. A text is recognised as a whole, never letter by letter: the French `R` is a
//! king, and the German `B` a pawn.

use crate::board::model::Kind;

/// A language with letters of its own for the pieces of chess.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// Its English name.
    pub name: &'static str,
    /// The letters of king, queen, rook, bishop, knight and pawn, as they are shown.
    pub shown: &'static str,
    /// The pieces of the letters. All begin with a capital; for black pieces boards have them in lower case.
    pub letters: &'static [(&'static str, Kind)],
}

/// The Russian king, the only piece of two letters.
pub const RUSSIAN_KING: &str = "Кр";

macro_rules! letters {
    ($k:literal $q:literal $r:literal $b:literal $n:literal $p:literal) => {
        &[
            ($k, Kind::King),
            ($q, Kind::Queen),
            ($r, Kind::Rook),
            ($b, Kind::Bishop),
            ($n, Kind::Knight),
            ($p, Kind::Pawn),
        ]
    };
}

/// The languages that are recognised. Russian is here twice: where a king is one letter, it is `К`, as is the knight of
/// other boards. The English of Popeye has `S` for the knight.
static LANGUAGES: [Language; 9] = [
    Language { name: "German", shown: "K D T L S B", letters: letters!("K" "D" "T" "L" "S" "B") },
    Language { name: "French", shown: "R D T F C P", letters: letters!("R" "D" "T" "F" "C" "P") },
    Language { name: "Spanish", shown: "R D T A C P", letters: letters!("R" "D" "T" "A" "C" "P") },
    Language { name: "Italian", shown: "R D T A C P", letters: letters!("R" "D" "T" "A" "C" "P") },
    Language { name: "Dutch", shown: "K D T L P O", letters: letters!("K" "D" "T" "L" "P" "O") },
    Language { name: "Polish", shown: "K H W G S P", letters: letters!("K" "H" "W" "G" "S" "P") },
    Language {
        name: "Russian", shown: "Кр Ф Л С К П", letters: letters!("Кр" "Ф" "Л" "С" "К" "П")
    },
    Language {
        name: "Russian",
        shown: "К Ф Л С П",
        letters: &[
            ("К", Kind::King),
            ("Ф", Kind::Queen),
            ("Л", Kind::Rook),
            ("С", Kind::Bishop),
            ("П", Kind::Pawn),
        ],
    },
    Language { name: "Popeye's", shown: "K Q R B S P", letters: letters!("K" "Q" "R" "B" "S" "P") },
];

impl Language {
    /// The piece of a letter, in either case.
    pub fn kind(&self, letter: &str) -> Option<Kind> {
        let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
        let same = |l: &str| match (l.len() == letter.len(), l.len() < 3) {
            // Nearly all letters are one character.
            (true, true) => {
                let (a, b) = (l.chars().next(), letter.chars().next());
                a == b || a.is_some_and(|a| a.to_lowercase().eq(b))
            }
            (equal, _) => equal && lower(l) == lower(letter),
        };
        self.letters.iter().find(|(l, _)| same(l)).map(|&(_, kind)| kind)
    }
}

/// The languages that have all of these letters, which are in either case. English is not among them.
pub fn languages_of<'a>(letters: impl Iterator<Item = &'a str> + Clone) -> Vec<&'static Language> {
    LANGUAGES.iter().filter(|language| letters.clone().all(|l| language.kind(l).is_some())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(letters: &[&str]) -> Vec<&'static str> {
        languages_of(letters.iter().copied()).into_iter().map(|l| l.name).collect()
    }

    #[test]
    fn languages_are_those_that_have_all_letters() {
        assert_eq!(names(&["K", "d", "T", "l", "S", "b"]), ["German"]);
        assert_eq!(names(&["R", "D", "t", "F"]), ["French"]);
        assert_eq!(names(&["R", "D", "T", "A"]), ["Spanish", "Italian"]);
        assert_eq!(names(&["кр", "Кр", "К", "л"]), ["Russian"]);
        assert_eq!(names(&["К", "л"]), ["Russian", "Russian"]);
        assert_eq!(names(&["K", "D", "Q"]), [""; 0]);
    }
}
