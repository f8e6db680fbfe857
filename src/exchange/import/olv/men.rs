//! The men of an entry, and the words that tell a fairy problem.

use crate::import::popeye::two_men;
use crate::import::task::{Task, squares};
use crate::import::yaml::Yaml;
use cpz_rules::board::{Colour, Kind, Piece};

/// Puts the men of `algebraic` on the board.
///
/// # Errors
/// Why they cannot stand on a board of chess.
pub(super) fn read_men(algebraic: &Yaml, task: &mut Task) -> Result<(), String> {
    let Yaml::Map(colours) = algebraic else {
        return Err("`algebraic` does not list white and black men".to_string());
    };
    for (name, men) in colours {
        let colour = match name.as_str() {
            "white" => Colour::White,
            "black" => Colour::Black,
            _ if men.parts().is_empty() => continue,
            "neutral" => return Err("it has neutral men, which a board of chess does not".to_string()),
            _ => return Err(format!("`{name}` is no colour of men")),
        };
        let men = men.parts().join(" ");
        for man in men.split([' ', ',', '\n', '\t']).filter(|man| !man.is_empty()) {
            read_man(man, colour, task)?;
        }
    }
    match task.board.count() {
        0 => Err("it has no men".to_string()),
        _ => Ok(()),
    }
}

/// One more than the bytes that the name of a man may have. No program has names of more than two letters.
const MAX_NAME: usize = 9;

fn read_man(man: &str, colour: Colour, task: &mut Task) -> Result<(), String> {
    let split = |at: usize| Some((man.get(..at)?, squares(man.get(at..)?)?));
    let Some((name, squares)) = (1..man.len().min(MAX_NAME)).find_map(split) else {
        return Err(format!("`{man}` is no man on a square, such as `Sb1`"));
    };
    let kind = match name.to_ascii_uppercase().as_str() {
        "K" => Kind::King,
        "Q" => Kind::Queen,
        "R" => Kind::Rook,
        "B" => Kind::Bishop,
        "S" => Kind::Knight,
        "P" => Kind::Pawn,
        "N" => return Err(format!("it has fairy men: `{man}` is a nightrider, knights are `S`")),
        _ => return Err(format!("it has fairy men: `{man}`")),
    };
    for square in squares {
        if task.at(square).is_some() {
            return Err(two_men(square));
        }
        task.put(square, Some(Piece::new(colour, kind)));
    }
    Ok(())
}

/// What a solution prints in brackets that no move of chess does: `[+wBc1]`.
pub(super) fn fairy_effect(solution: &str) -> Option<&str> {
    let begins = |&(_, rest): &(usize, &str)| rest[1..].starts_with(['+', '-']) || rest.starts_with("[f");
    let starts = solution.match_indices('[').map(|(at, _)| (at, &solution[at..]));
    let (_, rest) = starts.into_iter().find(begins)?;
    let end = rest.find(']')?;
    rest.get(..=end).filter(|effect| effect.len() > 4 && effect.len() < 20)
}
