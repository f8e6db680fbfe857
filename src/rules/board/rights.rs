//! Castling rights and the en passant square: what a position owes to the moves before it.

use std::fmt;

use crate::board::coordinates::square_from_words;
use crate::board::model::{Colour, Size, Square};
use cpz_text::diagnostic::Span;

/// The wing that a king castles to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wing {
    /// `O-O`: the king goes to the g-file, the rook comes from the h-file.
    King,
    /// `O-O-O`: the king goes to the c-file, the rook comes from the a-file.
    Queen,
}

impl Wing {
    /// `kingside` or `queenside`.
    pub fn name(self) -> &'static str {
        ["kingside", "queenside"][self as usize]
    }

    /// The squares where the rook begins, where the king ends and where the rook ends, as files from 0.
    pub fn files(self) -> (u8, u8, u8) {
        [(7, 6, 5), (0, 2, 3)][self as usize]
    }
}

/// The file on which a king castles.
pub const KING_FILE: u8 = 4;

/// The rank of the pieces of a colour at the start, from 0.
pub fn home_rank(colour: Colour) -> u8 {
    if colour == Colour::White { 0 } else { 7 }
}

/// The castling rights of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Castling(u8);

impl Castling {
    /// Each right with its letter, in the order of a FEN.
    pub const EACH: [(Colour, Wing, char); 4] = [
        (Colour::White, Wing::King, 'K'),
        (Colour::White, Wing::Queen, 'Q'),
        (Colour::Black, Wing::King, 'k'),
        (Colour::Black, Wing::Queen, 'q'),
    ];
    /// No right.
    pub const NONE: Castling = Castling(0);
    /// Every right.
    pub const ALL: Castling = Castling(15);
    /// The bit of a right with a rook that does not stand in a corner, as Chess960 has them.
    const OTHER_FILE: u8 = 16;

    fn bit(colour: Colour, wing: Wing) -> u8 {
        1 << (2 * colour as u8 + wing as u8)
    }

    /// Whether a side may castle to a wing.
    pub fn has(self, colour: Colour, wing: Wing) -> bool {
        self.0 & Castling::bit(colour, wing) != 0
    }

    /// These rights and one more.
    #[must_use]
    pub fn with(self, colour: Colour, wing: Wing) -> Castling {
        Castling(self.0 | Castling::bit(colour, wing))
    }

    /// These rights without one.
    #[must_use]
    pub fn without(self, colour: Colour, wing: Wing) -> Castling {
        Castling(self.0 & !Castling::bit(colour, wing))
    }

    /// Whether a rook of another file than a and h is named, as Chess960 does.
    pub fn names_other_file(self) -> bool {
        self.0 & Castling::OTHER_FILE != 0
    }

    /// Reads `-` or letters of `KQkq` in any order. The letters of files that Chess960 uses are read too.
    pub fn parse(text: &str) -> Option<Castling> {
        if matches!(text, "-" | "–" | "—" | "−") {
            return Some(Castling::NONE);
        }
        let mut rights = Castling::NONE;
        for c in text.chars() {
            let right = match c {
                'H' => 'K',
                'A' => 'Q',
                'h' => 'k',
                'a' => 'q',
                c => c,
            };
            match (Castling::EACH.into_iter().find(|e| e.2 == right), c.to_ascii_lowercase()) {
                (Some((colour, wing, _)), _) => rights = rights.with(colour, wing),
                (None, 'b'..='g') => rights.0 |= Castling::OTHER_FILE,
                _ => return None,
            }
        }
        (!text.is_empty()).then_some(rights)
    }
}

impl fmt::Display for Castling {
    /// The field of a FEN: `KQkq` or a part of it, `-` for none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String = Castling::EACH.iter().filter(|e| self.has(e.0, e.1)).map(|e| e.2).collect();
        f.write_str(if letters.is_empty() { "-" } else { &letters })
    }
}

/// The rights of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rights {
    /// Who may castle to which wing.
    pub castling: Castling,
    /// The square that a pawn has just passed over with a double step.
    pub en_passant: Option<Square>,
}

/// Rights as a text gives them, each with its place; nothing where the text does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrittenRights {
    /// The castling rights.
    pub castling: Option<(Castling, Span)>,
    /// The en passant square; `Some((None, _))` where the text says that there is none.
    pub en_passant: Option<(Option<Square>, Span)>,
}

impl WrittenRights {
    /// These rights, and the other ones where these do not say.
    #[must_use]
    pub fn or(self, other: WrittenRights) -> WrittenRights {
        WrittenRights {
            castling: self.castling.or(other.castling),
            en_passant: self.en_passant.or(other.en_passant),
        }
    }

    /// The rights, none where the text does not say.
    pub fn values(self) -> Rights {
        Rights {
            castling: self.castling.map_or(Castling::NONE, |c| c.0),
            en_passant: self.en_passant.and_then(|e| e.0),
        }
    }

    /// The same at other places.
    #[must_use]
    pub fn at(self, place: Span) -> WrittenRights {
        WrittenRights {
            castling: self.castling.map(|c| (c.0, place)),
            en_passant: self.en_passant.map(|e| (e.0, place)),
        }
    }
}

/// Reads an en passant square, or `-` for none. Whether a pawn can have passed over it is for the rules to say.
pub fn read_en_passant(text: &str) -> Option<Option<Square>> {
    if matches!(text, "-" | "–" | "—" | "−") {
        return Some(None);
    }
    square_from_words(text, Size::flat(8, 8)).map(Some)
}
