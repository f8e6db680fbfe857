//! A rating in words, for the terminal and for hovers.

use crate::authoring::rating::problem::{ProblemFacts, key_words};
use crate::authoring::rating::{Facts, Rating};
use cpz_rules::games::{SolitaireFacts, Status};

/// A rating in a few lines: the estimate, then what is exact.
pub fn rating_in_words(rating: &Rating) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(rating.estimate.map(|estimate| format!("difficulty about {estimate} of 10")));
    let pieces = number(rating.pieces.into(), "piece", "pieces");
    match &rating.facts {
        Facts::Solitaire(facts) => solitaire(facts, &pieces, &mut lines),
        Facts::Problem(facts) => problem(facts, &pieces, &mut lines),
        Facts::Captures { captures: 0, .. } => lines.push(format!("{pieces}, no capture")),
        Facts::Captures { captures, longest } => lines.push(format!(
            "{pieces}, {}, the largest takes {longest}",
            number(u128::from(*captures), "complete capture", "complete captures")
        )),
        Facts::Status { status, reasons } => {
            let status = if *status == Status::None { "no check" } else { status.word() };
            let reasons = number(u128::from(*reasons), "reason", "reasons");
            lines.push(format!("{pieces}, {status}, {reasons}"));
        }
    }
    if let Some(bits) = rating.facts.bits() {
        let chance = rating.facts.chance().unwrap_or(1.0);
        lines.push(match chance == 1.0 {
            true => "every way of playing solves it".into(),
            false => format!("random play solves it once in {} ({bits:.1} bits)", tries_needed(chance)),
        });
    }
    lines
}

fn number(n: u128, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// About how often one has to try: `3.5`, `420`, `12,000`.
fn tries_needed(chance: f64) -> String {
    let tries = 1.0 / chance;
    if tries < 10.0 {
        return format!("{tries:.1}").trim_end_matches(".0").to_string();
    }
    if tries >= 1e15 {
        return format!("{tries:.1e}");
    }
    let digits = format!("{tries:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn solitaire(facts: &SolitaireFacts, pieces: &str, lines: &mut Vec<String>) {
    if facts.steps == 0 {
        return lines.push(format!("{pieces}, solved already"));
    }
    let first = number(facts.first_captures.into(), "first capture", "first captures");
    if facts.chance == 0.0 {
        return lines.push(format!("{pieces}, {first}, no solution"));
    }
    let keeps = if facts.solving_captures == 1 { "keeps" } else { "keep" };
    lines.push(format!("{pieces}, {first}, {} of them {keeps} it solvable", facts.solving_captures));
    let trap = match facts.earliest_trap {
        None => "no capture can lose it".to_string(),
        Some(step) => format!("the earliest trap is at step {step}"),
    };
    let orders = match facts.orders {
        Some(orders) => number(orders, "order", "orders"),
        None => "more orders than can be counted".into(),
    };
    lines.push(format!("{trap}, {} of {} steps forced, {orders}", facts.forced_steps, facts.steps));
}

fn problem(facts: &ProblemFacts, pieces: &str, lines: &mut Vec<String>) {
    let first = number(facts.first_moves.into(), "first move", "first moves");
    let checks = number(facts.checks.into(), "check", "checks");
    lines.push(format!("{pieces}, {first}, {checks} among them"));
    let keys = match facts.key {
        None => "no solution".into(),
        Some(key) => {
            let keys = number(facts.keys.into(), "solution", "solutions");
            format!("{keys}, the key: {}", key_words(key))
        }
    };
    let tries = facts.tries.map(|n| format!(", {}", number(n.into(), "try", "tries")));
    let moves = if facts.length == "1" { "move" } else { "moves" };
    lines.push(format!("{} {moves}, {keys}{}", facts.length, tries.unwrap_or_default()));
    if facts.key.is_some() && facts.chance.is_none() {
        lines.push("the whole solution is too long for an estimate".into());
    }
}
