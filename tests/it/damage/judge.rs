//! What no fix may do.
//!
//! 1. *Kept*: no comment, query, answer or board of the damaged text is gone, and no word of an edit is gone, except that
//!    one word takes the place of one word. A fix whose title names its condition may replace what it names, and a legal
//!    move may take the place of an illegal one.
//! 2. *Untouched*: a safe fix changes no word that the original has as well, but for the mark of a move.
//! 3. *Same or marked*: afterwards the text reads as the original does, or has a finding. Not demanded of a fix whose
//!    title names its condition, since the damage may be where the condition says that it is not, nor of a legal move,
//!    since the damage may be in the board, nor of the mark of a move for the same reason, nor of each of several fixes between which a finding makes the author choose,
//!    if one of them is right.
//! 4. *No more errors*: the number of errors does not rise, except by errors that were hidden: in a puzzle that had a
//!    syntax error or an unreadable board nothing is computed, and what the parser skipped is not read at all. `slips` is
//!    the number of slips: where two met, an error about braces may be told in another place.
//! 5. *Inside*: a safe fix changes only the words that its finding marks, and the white space beside it, and the same word where the
//!    finding says "here too". A fix whose title names the puzzle changes all of it.

use std::collections::BTreeMap;

use cpz::analysis::{Defaults, Options, analyse, bound_at, position_of};
use cpz::diagnostic::{Code, Finding, Fix, Severity, Span};
use cpz::ide::{apply, keeps_all_else, safe_fixes};
use cpz::syntax::{NodeKind, TokenKind, Tree, edit_distance, lookalike, parse};

/// A rule that a fix breaks.
pub struct Violation {
    pub rule: &'static str,
    pub title: String,
    pub details: String,
}

/// The findings of a text other than hints, with a small budget.
pub fn findings(text: &str) -> Vec<Finding> {
    let options = Options { nodes: 3000, ..Options::default() };
    let report = analyse(&parse(text), &options);
    let severities = &report.severities;
    let all = report.findings().into_iter().map(|(f, _)| f);
    all.filter(|f| severities.shown(f) != Severity::Hint).cloned().collect()
}

/// A multiset of words.
type Bag = BTreeMap<String, usize>;

fn bag(words: impl Iterator<Item = String>) -> Bag {
    let mut bag = Bag::new();
    words.for_each(|w| *bag.entry(w).or_default() += 1);
    bag
}

/// What `a` has more often than `b`.
fn without(a: &Bag, b: &Bag) -> Vec<String> {
    let more = a.iter().filter(|(w, n)| b.get(*w).unwrap_or(&0) < *n);
    more.map(|(w, _)| w.clone()).collect()
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{AD}' | '\u{2060}'..='\u{2064}')
}

/// The words of a text, without the marks around them.
fn words(text: &str) -> Vec<String> {
    let marks = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || "[](){},;:\"'“”„‘’«»=>".contains(c)
            || ('\u{FF01}'..='\u{FF5E}').contains(&c) && !c.is_alphanumeric()
    };
    let arrow = |w: &str| w.chars().all(|c| "-–—→⇒⟹⟶:".contains(c));
    text.split(marks).filter(|w| !arrow(w)).map(|w| w.replace(is_invisible, "")).collect()
}

/// The letters of a text in lower case, look-alike ones as the Latin ones that they look like.
fn letters(text: &str) -> Bag {
    let letters = text.chars().filter(|c| c.is_alphanumeric()).map(|c| lookalike(c).unwrap_or(c));
    bag(letters.map(|c| c.to_lowercase().to_string()))
}

/// The comments, queries, answers and boards of a text, each with its number.
fn parts(tree: &Tree) -> Bag {
    let comments = tree.tokens().filter(|t| t.kind() == TokenKind::Comment);
    let mut parts = bag(comments.map(|t| t.text().trim_end().to_string()));
    let mut nodes = vec![tree.root()];
    while let Some(node) = nodes.pop() {
        nodes.extend(node.children());
        let part = match node.kind() {
            NodeKind::Query => "query",
            NodeKind::Answer => "answer",
            NodeKind::Board => "board",
            _ => continue,
        };
        *parts.entry(part.into()).or_default() += 1;
    }
    parts
}

/// How a text reads: what each puzzle asks and says of which position, without the marks.
fn reading(text: &str) -> Vec<String> {
    let tree = parse(text);
    let straight = |text: &str| text.replace(['“', '”', '"', '(', ')'], "").replace(['‘', '’'], "'");
    let content = |node: cpz::syntax::Node<'_>| {
        use TokenKind::{Comma, LBracket, RBracket, UnclosedLBracket};
        let mark = |k: TokenKind| matches!(k, Comma | LBracket | RBracket | UnclosedLBracket);
        let tokens = node.tokens().filter(|t| !t.kind().is_trivia() && !mark(t.kind()));
        let contents = tokens.map(|t| t.content().0.split_whitespace().collect::<Vec<_>>().join(" "));
        straight(&contents.collect::<Vec<_>>().join(" ").to_lowercase())
    };
    let puzzle = |puzzle: cpz::syntax::Puzzle<'_>| {
        let bound = bound_at(&tree, Defaults::default(), puzzle.span().start);
        let position = bound.as_ref().and_then(|(bound, _)| position_of(bound));
        let name = straight(puzzle.name().map_or("", |t| t.content().0));
        let cells =
            position.map(|p| format!("{:?} {:?} {:?} {:?}", p.board.size, p.board.cells, p.turn, p.dialect));
        let cells =
            cells.map(|c| c.replace("Piece { colour: ", "").replace("kind: ", "").replace("None", "."));
        let items = puzzle.node().children().filter(|n| n.kind() != NodeKind::Board).map(content);
        let items: Vec<String> = items.chain([format!("name {name}")]).collect();
        let game = puzzle.game();
        items.into_iter().map(move |item| format!("{item} of {game:?} {cells:?}")).collect::<Vec<_>>()
    };
    let defaults = tree.root().children().filter(|n| n.kind() == NodeKind::Property).map(content);
    let defaults: Vec<String> = defaults.collect();
    tree.puzzles().flat_map(puzzle).chain(defaults).collect()
}

/// Whether nothing is computed where such a finding is.
fn hides(code: Code) -> bool {
    (code as usize) <= Code::TooManyKings as usize || code == Code::InvalidValue
}

/// The ranges that were not read, or not computed.
fn hidden(text: &str, findings: &[Finding]) -> Vec<Span> {
    let tree = parse(text);
    let mut hidden: Vec<Span> = Vec::new();
    let mut nodes = vec![tree.root()];
    while let Some(node) = nodes.pop() {
        nodes.extend(node.children());
        if node.kind() == NodeKind::Error {
            hidden.push(node.span());
        }
    }
    let open = |k| matches!(k, TokenKind::UnclosedString | TokenKind::UnclosedRemark | TokenKind::Comment);
    hidden.extend(tree.tokens().filter(|t| open(t.kind())).map(|t| t.span()));
    // Behind a wrong number or move the moves of a solution are not read.
    let is_hiding = |f: &Finding| {
        let ends_reading = ["the move here has the number", " fails: ", "move is illegal: "];
        hides(f.code) || f.code == Code::WrongSolution && ends_reading.iter().any(|m| f.message.contains(m))
    };
    let broken = |span: Span| {
        findings.iter().any(|f| is_hiding(f) && f.span.start <= span.end && span.start <= f.span.end)
    };
    hidden.extend(tree.puzzles().map(|p| p.span()).filter(|&s| broken(s)));
    hidden
}

fn errors(findings: &[Finding]) -> Vec<&Finding> {
    let severities = cpz::analysis::Severities::default();
    findings.iter().filter(|f| severities.shown(f) == Severity::Error).collect()
}

/// The rules that a fix breaks.
pub fn judge_fix(
    original: &str,
    damaged: &str,
    slips: usize,
    finding: &Finding,
    fix: &Fix,
) -> Vec<Violation> {
    let after = apply(damaged, &fix.edits);
    let mut found = Vec::new();
    let mut violation = |rule, details: String| {
        let details = format!("{details}\n-- after\n{after}");
        found.push(Violation { rule, title: fix.title.clone(), details });
    };
    let (mut removed, mut inserted) = (String::new(), String::new());
    for edit in &fix.edits {
        removed += &format!("{} ", &damaged[edit.span.range()]);
        inserted += &format!("{} ", edit.text);
    }
    // A legal move in the place of an illegal one, of a query or of a solution.
    let is_illegal = finding.code == Code::IllegalMove
        || finding.code == Code::WrongSolution
            && (finding.message.contains(" fails: ") || finding.message.contains("move is illegal: "));
    let is_other_move = is_illegal && matches!(&fix.edits[..], [e] if is_begun_by(finding.span, e.span));
    let is_property = matches!(finding.code, Code::NotForThisGame | Code::UnusedAllow)
        || finding.message.contains("given twice");
    if fix.is_conditional() {
        if fix.safe {
            violation("0 a conditional fix is safe", String::new());
        }
    } else if !is_property {
        let gone = without(&letters(&removed), &letters(&inserted));
        let torn: String = words(&removed).concat();
        let (old, new) = (words(&removed), words(&inserted));
        let are_near = |(old, new): (&String, &String)| edit_distance(old, new) < 3;
        let one_for_one = new.len() == 1 && edit_distance(&torn, inserted.trim()) < 3
            || old.len() == new.len() && old.iter().zip(&new).all(are_near)
            || [&removed, &inserted].iter().all(|text| text.split_whitespace().count() == 1)
            || is_other_move && words(&removed).len() == words(&inserted).len();
        if !gone.is_empty() && !one_for_one {
            violation("1 kept: words", format!("{gone:?}"));
        }
        // What the damage has added is not the author's.
        let was = parts(&parse(original));
        let here = parts(&parse(damaged)).into_iter();
        let here = here.map(|(part, n)| (part.clone(), n.min(*was.get(&part).unwrap_or(&0)))).collect();
        let gone = without(&here, &parts(&parse(after.as_str())));
        if !gone.is_empty() {
            violation("1 kept: parts", format!("{gone:?}"));
        }
    }
    // An edit is of whole words: of a mark, of the move with it.
    let tree = parse(damaged);
    let touched = tree.tokens().map(|t| t.span());
    let touched = touched.filter(|t| t.start < finding.span.end && finding.span.start < t.end);
    let marked = touched.fold(finding.span, Span::cover);
    let is_inside = |e: &cpz::diagnostic::Edit| {
        let (start, end) = (e.span.start.min(marked.start), e.span.end.max(marked.end));
        let around = [start..marked.start, marked.end..end];
        around.iter().all(|r| damaged[r.start as usize..r.end as usize].trim().is_empty())
    };
    // One finding stands for all quotes of a puzzle.
    let is_of_puzzle = fix.title.ends_with("of this puzzle with straight ones");
    // One finding stands for the same word in several places.
    let word = &damaged[finding.span.range()];
    let is_same_word = |e: &cpz::diagnostic::Edit| {
        let here = finding.related.iter().any(|r| r.span == e.span) || finding.related.len() >= 8;
        here && &damaged[e.span.range()] == word
    };
    if fix.safe && !is_of_puzzle && !fix.edits.iter().all(|e| is_inside(e) || is_same_word(e)) {
        violation("5 inside", format!("{:?}, the finding is at {:?}", fix.edits, finding.span));
    }
    // What is put together stays.
    let dense = |text: &str| text.split_whitespace().collect::<String>();
    if fix.safe && !is_mark(finding) && dense(&removed) != dense(&inserted) {
        let was = bag(words(original).into_iter());
        let (gone, came) = (bag(words(&removed).into_iter()), bag(words(&inserted).into_iter()));
        // What the damage has added is not the author's.
        let now = bag(words(damaged).into_iter());
        let added = |w: &String| now.get(w).unwrap_or(&0).saturating_sub(*was.get(w).unwrap_or(&0));
        let touched: Vec<_> =
            without(&gone, &came).into_iter().filter(|w| was.contains_key(w) && gone[w] > added(w)).collect();
        if !touched.is_empty() {
            violation("2 untouched", format!("{touched:?}"));
        }
    }
    let asks =
        fix.is_conditional() || is_other_move || is_mark(finding) || is_choice(original, damaged, finding);
    judge_result(original, damaged, &after, asks, slips, &mut violation);
    found
}

/// Whether a finding is about the mark of a move. A mark says nothing that the board does not say, so it is corrected unasked,
/// though the damage may be in the board.
fn is_mark(finding: &Finding) -> bool {
    finding.code == Code::WrongMark
}

/// Whether a span begins with another one: a mark behind a move stays.
fn is_begun_by(span: Span, first: Span) -> bool {
    first.start == span.start && first.end <= span.end
}

/// Whether a finding asks which of several fixes is meant, and one of them is right.
fn is_choice(original: &str, damaged: &str, finding: &Finding) -> bool {
    let was = bag(reading(original).into_iter());
    let reads = |fix: &Fix| without(&was, &bag(reading(&apply(damaged, &fix.edits)).into_iter())).is_empty();
    finding.fixes.len() > 1 && finding.fixes.iter().all(|f| !f.safe) && finding.fixes.iter().any(reads)
}

fn judge_result(
    original: &str,
    damaged: &str,
    after: &str,
    conditional: bool,
    slips: usize,
    violation: &mut impl FnMut(&'static str, String),
) {
    let (before, now) = (findings(damaged), findings(after));
    if !conditional && now.is_empty() {
        let (was, is) = (reading(original), reading(after));
        // What a slip has added may be there as well.
        let (was, is) = (bag(was.into_iter()), bag(is.into_iter()));
        let lost = without(&was, &is);
        if !lost.is_empty() {
            violation("3 same or marked", format!("{lost:#?}\n{:#?}", without(&is, &was)));
        }
    }
    let more = errors(&now).len() > errors(&before).len();
    if more {
        let hidden = hidden(damaged, &before);
        let same = |f: &&Finding| before.iter().any(|b| b.code == f.code && b.message == f.message);
        let at = |f: &Finding| f.span.start as i64 - (after.len() as i64 - damaged.len() as i64).max(0);
        let bare = |f: &&Finding| {
            let text = &after[f.span.range()];
            let near = |h: &&Span| at(f) <= i64::from(h.end) && i64::from(h.start) <= i64::from(f.span.start);
            hidden.iter().any(|h| near(&h) && (f.code != Code::Syntax || !text.is_empty()))
        };
        // Where two slips met, what is wrong with the braces may be told in another place, and an invisible character in a
        // board shows once its word is one.
        let is_structure = |f: &Finding| {
            let m = &f.message;
            slips > 1
                && (m.starts_with("this brace of")
                    || m.ends_with("inside a puzzle")
                    || m.ends_with("closes nothing")
                    || m.starts_with("an invisible character"))
        };
        let new: Vec<String> = errors(&now)
            .into_iter()
            .filter(|f| !same(f) && !is_structure(f) && (f.code == Code::Syntax || !bare(f)))
            .map(|f| format!("{:?} {}", f.code, f.message))
            .collect();
        if !new.is_empty() {
            violation(
                "4 more errors",
                format!("{} -> {}: {new:#?}", errors(&before).len(), errors(&now).len()),
            );
        }
    }
}

/// Whether a fixed text asks and says all that the original does, and nothing else that is wrong. What a slip has added may
/// stay where it is no mistake any more.
pub fn gives_back(original: &str, fixed: &str) -> bool {
    let (was, is) = (bag(reading(original).into_iter()), bag(reading(fixed).into_iter()));
    was == is || without(&was, &is).is_empty() && findings(fixed).is_empty()
}

/// The boards, queries and answers of a text that an edit takes away. A comment may be ended, or cut by what it swallowed.
pub fn lost_parts(before: &str, after: &str) -> Vec<String> {
    let lost = without(&parts(&parse(before)), &parts(&parse(after)));
    lost.into_iter().filter(|part| !part.starts_with("//")).collect()
}

/// The text after all safe fixes, as `check --fix` applies them.
pub fn fixed(damaged: &str) -> String {
    fixed_in_rounds(damaged).pop().expect("a text")
}

/// The text, and what it is after each round of safe fixes.
fn fixed_in_rounds(damaged: &str) -> Vec<String> {
    let mut texts = vec![damaged.to_string()];
    for _ in 0..10 {
        let before = texts[texts.len() - 1].clone();
        let mut text = before.clone();
        let fixes = safe_fixes(findings(&text).iter());
        for edits in fixes.iter().rev() {
            let new = apply(&text, edits);
            if keeps_all_else(&text, edits, &new) {
                text = new;
            }
        }
        if text == before {
            break;
        }
        texts.push(text);
    }
    texts
}

/// The rules that all safe fixes together break.
pub fn judge_fix_all(original: &str, damaged: &str, slips: usize) -> Vec<Violation> {
    let rounds = fixed_in_rounds(damaged);
    let text = rounds[rounds.len() - 1].clone();
    let mut found = Vec::new();
    if text != damaged {
        let mut violation = |rule, details: String| {
            let details = format!("{details}\n-- after\n{text}");
            found.push(Violation { rule, title: "check --fix".into(), details });
        };
        let (was, before, after) = (
            bag(words(original).into_iter()),
            bag(words(damaged).into_iter()),
            bag(words(&text).into_iter()),
        );
        let both = before.iter().filter_map(|(w, n)| Some((w.clone(), *n.min(was.get(w)?))));
        let gone = without(&both.collect(), &after);
        let asks = rounds.iter().any(|text| findings(text).iter().any(is_mark));
        if !gone.is_empty() && !asks {
            violation("2 untouched", format!("{gone:?}"));
        }
        judge_result(original, damaged, &text, asks, slips, &mut violation);
    }
    found
}
