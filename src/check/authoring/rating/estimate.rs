//! The estimate: one number from 1 to 10.

use crate::authoring::rating::facts::Facts;
use crate::authoring::rating::logarithm::{bits, log2};
use crate::authoring::rating::problem::{KeyKind, ProblemFacts};
use cpz_rules::board::Kind;

/// An estimate of how hard a puzzle is: 1.0 to 10.0, in steps of a tenth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Estimate {
    /// Tenths, 10 to 100: whole numbers, so that comparisons are the same on every machine.
    tenths: u8,
}

/// The score that is in the middle of the scale.
const MIDDLE: f64 = 6.0;

impl Estimate {
    /// The estimate of some tenths; those beyond the scale are at its end.
    pub fn from_tenths(tenths: u8) -> Estimate {
        Estimate { tenths: tenths.clamp(10, 100) }
    }

    /// Tenths, 10 to 100.
    pub fn tenths(self) -> u8 {
        self.tenths
    }

    /// The estimate of a puzzle; `None` where it has no solution. `count` gives the number of pieces of a kind.
    pub(super) fn of(facts: &Facts, count: impl Fn(Kind) -> u32) -> Option<Estimate> {
        let score = match facts {
            Facts::Solitaire(facts) => {
                let pieces = f64::from(facts.steps + 1);
                let knights = f64::from(count(Kind::Knight));
                let royal = f64::from(count(Kind::King) + count(Kind::Queen));
                (facts.chance > 0.0)
                    .then(|| pieces - 2.0 + 0.4 * knights - 0.3 * royal + 0.2 * bits(facts.chance))
            }
            Facts::Problem(facts) => problem_score(facts),
            Facts::Captures { captures, longest } => {
                Some(0.7 * f64::from(*longest) + 0.5 * log2(f64::from((*captures).max(1))))
            }
            Facts::Status { reasons, .. } => Some(0.3 * f64::from(*reasons)),
        };
        score.map(Estimate::of_score)
    }

    /// Bends a score onto the scale: 0 is 1, [`MIDDLE`] is 5.5, and 10 is never quite reached.
    fn of_score(score: f64) -> Estimate {
        let square = score.max(0.0) * score.max(0.0);
        let value = 1.0 + 9.0 * square / (square + MIDDLE * MIDDLE);
        Estimate::from_tenths((value * 10.0 + 0.5) as u8)
    }
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.tenths / 10, self.tenths % 10)
    }
}

fn problem_score(facts: &ProblemFacts) -> Option<f64> {
    let key = facts.key?;
    let chance = facts.chance.filter(|&chance| chance > 0.0)?;
    let tries = f64::from(facts.tries.unwrap_or(0).min(5));
    let surprise = match key {
        KeyKind::Check => 0.0,
        KeyKind::Capture => 0.3,
        KeyKind::Quiet => 1.0,
        KeyKind::Sacrifice => 1.2,
    };
    Some(0.5 * bits(chance) + 0.2 * tries + surprise)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpz_rules::games::SolitaireFacts;
    use proptest::prelude::*;

    fn solitaire(steps: u32, chance: f64) -> Facts {
        Facts::Solitaire(SolitaireFacts {
            first_captures: 1,
            solving_captures: 1,
            earliest_trap: None,
            forced_steps: 0,
            steps,
            orders: Some(1),
            chance,
        })
    }

    fn problem(chance: f64, tries: u32, key: KeyKind) -> Facts {
        Facts::Problem(ProblemFacts {
            first_moves: 30,
            keys: 1,
            checks: 3,
            tries: Some(tries),
            key: Some(key),
            chance: Some(chance),
            length: "2".into(),
        })
    }

    proptest! {
        #[test]
        fn estimate_never_falls_when_random_play_gets_less_likely(
            a in 1e-12f64..1.0, b in 1e-12f64..1.0, steps in 1u32..20, tries in 0u32..9,
        ) {
            let (low, high) = (a.min(b), a.max(b));
            let none = |_| 0;
            prop_assert!(
                Estimate::of(&solitaire(steps, low), none) >= Estimate::of(&solitaire(steps, high), none)
            );
            prop_assert!(Estimate::of(&solitaire(steps, a), none) <= Estimate::of(&solitaire(steps + 1, a), none));
            for key in [KeyKind::Check, KeyKind::Capture, KeyKind::Quiet, KeyKind::Sacrifice] {
                prop_assert!(
                    Estimate::of(&problem(low, tries, key), none) >= Estimate::of(&problem(high, tries, key), none)
                );
            }
        }
    }

    #[test]
    fn scale_is_from_1_to_10() {
        assert_eq!(Estimate::of_score(-3.0).to_string(), "1.0");
        assert_eq!(Estimate::of_score(MIDDLE).to_string(), "5.5");
        assert_eq!(Estimate::of_score(1e9).to_string(), "10.0");
        assert_eq!(Estimate::of(&solitaire(3, 0.0), |_| 0), None);
    }
}
