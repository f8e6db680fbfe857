//! Duals: second continuations of the attacker after the key, in variations of full length.

use cpz_rules::games::{Attack, Defence, Position, SolutionTree, after_move, san};

/// The most duals that are named.
const MAX_DUALS: usize = 6;

/// The duals of a solution: `1...Kd5 2.Qd6# or 2.Qe5#`. A choice among moves that are threatened anyway is none, nor is
/// one in a line that is shorter than the problem.
pub(super) fn duals(position: &Position, tree: &SolutionTree, moves: u8) -> Vec<String> {
    let mut found = Vec::new();
    if tree.key.mates == moves {
        search(position, &tree.key, 1, "", &mut found);
    }
    found
}

/// Searches below a move of the attacker that needs all moves that are left. `line` is what leads to it.
fn search(position: &Position, attack: &Attack, number: usize, line: &str, found: &mut Vec<String>) {
    let after = after_move(position, attack.mv);
    let is_threat = |a: &Attack| attack.threats.iter().any(|t| t.mv == a.mv);
    let is_full = |d: &&Defence| d.mates > 0 && d.mates + 1 == attack.mates;
    for defence in attack.defences.iter().filter(is_full) {
        if found.len() == MAX_DUALS {
            return;
        }
        let next = after_move(&after, defence.mv);
        let line = format!("{line}{number}...{}", san(&after, defence.mv));
        let answers: Vec<&Attack> = defence.answers.iter().filter(|a| a.mates == defence.mates).collect();
        if answers.iter().filter(|a| !is_threat(a)).count() > 1 {
            let names: Vec<String> =
                answers.iter().map(|a| format!("{}.{}", number + 1, san(&next, a.mv))).collect();
            found.push(format!("{line} {}", names.join(" or ")));
            continue;
        }
        if let [only] = answers[..] {
            let line = format!("{line} {}.{} ", number + 1, san(&next, only.mv));
            search(&next, only, number + 1, &line, found);
        }
    }
}
