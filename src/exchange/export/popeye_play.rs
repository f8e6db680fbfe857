//! Solutions as Popeye prints them: long moves, a line for each.

use crate::export::popeye::letter;
use cpz_check::analysis::ProblemPlay;
use cpz_rules::board::{Kind, Wing, square_name};
use cpz_rules::games::{
    Attack, ChessMove, Defence, NamedMove, Position, Status, Stipulation, after_in_sequence, after_move,
    legal_moves, status_of,
};

/// The trees of the keys of a mate or a selfmate.
pub(super) fn play_text(play: &ProblemPlay) -> String {
    let mut out = String::new();
    for tree in &play.keys {
        push_attack(&mut out, &play.position, &tree.key, 1, true);
        out.push('\n');
    }
    out
}

/// A solution that is a whole sequence on one line: `1.Re6-e3 Bd5-f7   2.Rg4-g7 Rd4-h4 #`.
pub(super) fn sequence_text(start: &Position, asked: Stipulation, moves: &[NamedMove]) -> Option<String> {
    let mut position = start.clone();
    let mut out = String::new();
    for (i, named) in moves.iter().enumerate() {
        match asked.number_of(i) {
            (number, false) => out.push_str(&format!("{}{number}.", if i > 0 { "   " } else { "" })),
            _ if i == 0 => out.push_str("1..."),
            _ => out.push(' '),
        }
        let mv = legal_moves(&position).into_iter().find(|mv| mv.uci() == named.uci)?;
        out.push_str(&long_name(&position, mv));
        position = after_in_sequence(&position, asked, mv, i);
    }
    Some(out)
}

/// Writes a move of the attacker on a line of its own, and below it what follows.
fn push_attack(out: &mut String, position: &Position, attack: &Attack, number: usize, is_key: bool) {
    let after = after_move(position, attack.mv);
    let indent = |depth: usize| " ".repeat(4 * depth);
    let depth = 2 * (number - 1);
    out.push_str(&format!("{}{number}.{}", indent(depth), long_name(position, attack.mv)));
    out.push_str(if is_key { " !" } else { "" });
    let is_last = status_of(&after) == Status::Checkmate;
    match attack.threats.as_slice() {
        _ if is_last => out.push('\n'),
        [] if attack.zugzwang => out.push_str(" zugzwang.\n"),
        [] => out.push('\n'),
        threats => {
            out.push_str(" threat:\n");
            let passed = Position { turn: position.turn, ..after.clone() };
            for threat in threats {
                let name = long_name(&passed, threat.mv);
                out.push_str(&format!("{}{}.{name}\n", indent(depth + 2), number + 1));
            }
        }
    }
    let meets_threat = |d: &&Defence| {
        d.answers.is_empty() || !d.answers.iter().any(|a| attack.threats.iter().any(|t| t.mv == a.mv))
    };
    for defence in attack.defences.iter().filter(meets_threat) {
        let next = after_move(&after, defence.mv);
        out.push_str(&format!("{}{number}...{}\n", indent(depth + 1), long_name(&after, defence.mv)));
        for answer in &defence.answers {
            push_attack(out, &next, answer, number + 1, false);
        }
    }
}

/// A move as Popeye prints it: `Rc6*c5`, `b7-b8=S`, `0-0`, `e5*d6 ep.`, each with ` +` or ` #`.
fn long_name(position: &Position, mv: ChessMove) -> String {
    let piece = position.board.at(mv.from);
    let kind = piece.map_or(Kind::Pawn, |p| p.kind);
    let after = after_move(position, mv);
    let sign = if position.board.at(mv.to).is_some() || mv.en_passant { '*' } else { '-' };
    let mut name = match mv.castling {
        Some(Wing::King) => "0-0".to_string(),
        Some(Wing::Queen) => "0-0-0".to_string(),
        None => {
            let letter = if kind == Kind::Pawn { String::new() } else { letter(kind).to_string() };
            format!("{letter}{}{sign}{}", square_name(mv.from, false), square_name(mv.to, false))
        }
    };
    if let Some(kind) = mv.promotion {
        name.push_str(&format!("={}", letter(kind)));
    }
    name.push_str(if mv.en_passant { " ep." } else { "" });
    name.push_str(match status_of(&after) {
        Status::Checkmate => " #",
        Status::Check => " +",
        Status::Stalemate | Status::None => "",
    });
    name
}
