//! How often each kind of piece comes.

use crate::authoring::generate::random::Random;
use cpz_rules::board::Kind;

/// The largest weight of a kind.
const MAX_WEIGHT: u32 = 1000;

/// A weight for each kind of piece: a piece is of a kind with the share of its weight in the sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindWeights {
    weights: Vec<(Kind, u32)>,
}

impl Default for KindWeights {
    /// The pieces of a set of chess, with fewer pawns.
    fn default() -> KindWeights {
        use Kind::{Bishop, King, Knight, Pawn, Queen, Rook};
        KindWeights { weights: vec![(King, 1), (Queen, 1), (Rook, 2), (Bishop, 2), (Knight, 2), (Pawn, 2)] }
    }
}

impl KindWeights {
    /// The pieces of draughts: one of six is a king.
    pub fn of_draughts() -> KindWeights {
        KindWeights { weights: vec![(Kind::King, 1), (Kind::Man, 5)] }
    }

    /// The pieces of chess on cubes besides the kings.
    pub fn of_cubes() -> KindWeights {
        use Kind::{Bishop, Knight, Queen, Rook};
        KindWeights { weights: vec![(Queen, 1), (Rook, 2), (Bishop, 2), (Knight, 2)] }
    }

    /// Reads `KQRBNP` and the like: letters, each with its weight behind it if that is not 1, as in `K1N3P2`.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn parse(text: &str) -> Result<KindWeights, String> {
        use Kind::{Bishop, King, Knight, Pawn, Queen, Rook};
        KindWeights::parse_of(text, &[King, Queen, Rook, Bishop, Knight, Pawn])
    }

    /// Reads the same for draughts: `M` and `K`.
    ///
    /// # Errors
    /// As [`KindWeights::parse`].
    pub fn parse_draughts(text: &str) -> Result<KindWeights, String> {
        KindWeights::parse_of(text, &[Kind::Man, Kind::King])
    }

    /// Reads the same for cubes: `Q`, `R`, `B` and `N`; each side has one king.
    ///
    /// # Errors
    /// As [`KindWeights::parse`].
    pub fn parse_cubes(text: &str) -> Result<KindWeights, String> {
        KindWeights::parse_of(text, &[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight])
    }

    fn parse_of(text: &str, known: &[Kind]) -> Result<KindWeights, String> {
        let mut weights: Vec<(Kind, u32)> = Vec::new();
        let mut chars = text.chars().filter(|c| !matches!(c, ',' | ' ')).peekable();
        while let Some(c) = chars.next() {
            let kind = Kind::from_letter(c).filter(|kind| known.contains(kind));
            let kind = kind.ok_or_else(|| format!("`{c}` is no piece: {}", letters(known)))?;
            let mut digits = String::new();
            while let Some(digit) = chars.next_if(|c| matches!(c, '0'..='9' | ':')) {
                digits.extend((digit != ':').then_some(digit));
            }
            let weight = if digits.is_empty() { Some(1) } else { digits.parse().ok() };
            let weight = weight.filter(|&weight| weight <= MAX_WEIGHT);
            let weight = weight.ok_or_else(|| format!("the weight of {c} is 0 to {MAX_WEIGHT}"))?;
            match weights.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, known)) => *known += weight,
                None => weights.push((kind, weight)),
            }
        }
        weights.retain(|&(_, weight)| weight > 0);
        if weights.is_empty() {
            return Err(format!("name kinds of pieces: {}, such as `{}`", letters(known), example(known)));
        }
        // The same set in another order makes the same puzzles.
        weights.sort();
        Ok(KindWeights { weights })
    }

    /// A random kind; `None` if all of them are refused.
    pub(super) fn pick(&self, random: &mut Random, takes: impl Fn(Kind) -> bool) -> Option<Kind> {
        let fits = || self.weights.iter().filter(|(kind, _)| takes(*kind));
        let sum: u32 = fits().map(|(_, weight)| weight).sum();
        let mut at = random.below(sum as usize) as u32;
        let mut found = None;
        for &(kind, weight) in fits() {
            found = Some(kind);
            if at < weight {
                break;
            }
            at -= weight;
        }
        found
    }
}

/// `K, Q or R`.
fn letters(kinds: &[Kind]) -> String {
    let letters: Vec<String> = kinds.iter().map(|kind| kind.letter().to_string()).collect();
    match letters.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
        None => String::new(),
    }
}

/// All kinds, the first of them three times as often.
fn example(kinds: &[Kind]) -> String {
    let mut letters: String = kinds.iter().map(|kind| kind.letter()).collect();
    letters.insert(1, '3');
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_stand_behind_their_letters() {
        let of = |text: &str| KindWeights::parse(text).map(|kinds| kinds.weights);
        assert_eq!(of("n3K"), Ok(vec![(Kind::King, 1), (Kind::Knight, 3)]));
        assert_eq!(of("K,N:3"), of("KNNN"));
        assert_eq!(of("P0R"), Ok(vec![(Kind::Rook, 1)]));
        for wrong in ["", "P0", "X", "M", "K1001", "3K"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
