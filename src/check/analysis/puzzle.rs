//! One puzzle by itself: its findings and its answers.

use crate::analysis::base_query::twin_in_front;
use crate::analysis::binding::{Binding, Bound, DECISIVE, bind};
use crate::analysis::defaults::Defaults;
use crate::analysis::duplicates::{board_hash, identity_of};
use crate::analysis::file_report::{Options, Outcome, PuzzleReport, QueryReport, ask_about, id_of};
use crate::analysis::verbs::{self, ParsedQuery, QueryEvaluator};
use cpz_rules::board::{Board, Colour};
use cpz_rules::games::Position;
use cpz_text::diagnostic::{Code, Finding, Fix, Severity, Span};
use cpz_text::syntax::{
    GameId, Node, NodeKind, ProblemKind, Property, Puzzle, Query, Token, TokenKind, Tree, Value, Verb,
};

/// The findings and answers of one puzzle by itself, with the parser's errors in it.
pub fn report_of(puzzle: Puzzle<'_>, defaults: Defaults, options: &Options) -> PuzzleReport {
    let mut report = analyse_puzzle(puzzle, defaults, options);
    report.add_syntax_errors(puzzle);
    report
}

/// The same without the parser's errors.
pub(super) fn analyse_puzzle(puzzle: Puzzle<'_>, defaults: Defaults, options: &Options) -> PuzzleReport {
    let Binding { bound, allows, findings } = bind(puzzle, defaults);
    let (id, id_hash) = id_of(puzzle);
    let mut report = PuzzleReport {
        name: puzzle.name().map(|t| t.span()),
        id,
        id_hash,
        game: puzzle.game(),
        notation: defaults.notation,
        file_allows: defaults.allows,
        asked: puzzle.queries().count() as u32,
        allows,
        findings,
        ..PuzzleReport::empty(puzzle.span(), puzzle.head())
    };
    let Some(bound) = bound else {
        if options.answers {
            let failed = |query| QueryReport::failed(query, "the game is unknown");
            report.queries = puzzle.queries().filter_map(failed).collect();
        }
        return report;
    };
    report.origin = bound.origin;
    let queries: Vec<ParsedQuery<'_>> =
        puzzle.queries().filter_map(|q| ParsedQuery::read(q, &bound)).collect();
    let position = bound.position();
    report.findings.extend(bound.board_findings().cloned());
    let position = position.and_then(|position| {
        validate(&bound, &position, &queries, report.head, &mut report.findings)?;
        Ok(position)
    });
    let mut named_wrongly = Vec::new();
    if let Ok(position) = &position
        && bound.id == GameId::Chess
    {
        named_wrongly = men_named_wrongly(puzzle, &queries, &position.board);
        report.findings.extend(verbs::wrong_letters(puzzle));
    }
    report.unreadable = position.is_err();
    let mut evaluator = position.map(|p| QueryEvaluator::new(&bound, p, options));
    if bound.has_condition() {
        // Under other rules the position may well be possible.
        report.findings.retain(|f| !matches!(f.code, Code::ImpossiblePosition | Code::TooManyPieces));
    }
    if bound.zero_position {
        report_zero_position(puzzle, &mut report.findings);
    }
    for query in &queries {
        if let Some(reason) = not_asked(&bound, query) {
            let unasked = QueryReport::without_answer(query.query, reason);
            report.queries.extend(unasked.filter(|_| options.answers));
            continue;
        }
        let evaluated = report_query(&bound, query, &mut evaluator, &mut report.findings);
        report.queries.extend(evaluated.filter(|_| options.answers));
    }
    report.names_others = !named_wrongly.is_empty();
    ask_about(&mut report.findings, &named_wrongly);
    report.findings.append(&mut named_wrongly);
    if let Ok(mut evaluator) = evaluator {
        let is_ambiguous = bound.has_unreadable_dependency();
        if let Some(at) = bound.settings.unique.filter(|_| !is_ambiguous) {
            verbs::check_unique(&mut evaluator, at);
        }
        verbs::report_vain_stars(&mut evaluator);
        report.findings.append(&mut evaluator.findings);
        // A mark may be right, and the board wrong.
        if report.findings.iter().any(|finding| finding.code == Code::ImpossiblePosition) {
            let marks = report.findings.iter_mut().filter(|finding| finding.code == Code::WrongMark);
            marks.flat_map(|finding| &mut finding.fixes).for_each(|fix| fix.safe = false);
        }
        (report.hit_budget, report.nodes) = (evaluator.hit_budget, evaluator.nodes);
        if options.hints {
            report.board_hash = board_hash(&bound, &evaluator.position);
        }
        let identity = || identity_of(&bound, &evaluator.position, &queries);
        // What cannot be read, or is not solved, is not compared: two puzzles may differ in just that.
        let is_read = !bound.has_condition()
            && queries.iter().all(|parsed| parsed.question.is_ok() && !is_guessed(parsed.query))
            && !queries.iter().any(is_unwritten_study)
            && puzzle.queries().count() == queries.len()
            && !puzzle.node().children().any(|node| node.kind() == NodeKind::Error);
        report.identity = (!is_ambiguous && is_read).then(identity);
    }
    for finding in &mut report.findings {
        finding.fixes.retain(|fix| keeps_comments(puzzle.node().tree(), fix));
    }
    // There may be millions of reports.
    report.findings.shrink_to_fit();
    report
}

/// Whether each comment that a fix replaces is in one of its new texts.
fn keeps_comments(tree: &Tree, fix: &Fix) -> bool {
    fix.edits.iter().all(|edit| {
        let inside = |c: &Token<'_>| edit.span.start <= c.span().start && c.span().end <= edit.span.end;
        let comments = tree.tokens_in(edit.span).filter(|t| t.kind() == TokenKind::Comment).filter(inside);
        comments.map(|c| c.text().trim_end()).all(|c| fix.edits.iter().any(|e| e.text.contains(c)))
    })
}

/// Findings for the men that twins as composers write them name where others stand.
fn men_named_wrongly(puzzle: Puzzle<'_>, queries: &[ParsedQuery<'_>], board: &Board) -> Vec<Finding> {
    let tree = puzzle.node().tree();
    let unread = queries.iter().filter(|parsed| parsed.verb == Verb::Twin && parsed.question.is_err());
    let is_torn = |node: &Node<'_>| node.kind() == NodeKind::Error;
    let children = (!tree.errors().is_empty()).then(|| puzzle.node().children());
    let torn = children.into_iter().flatten().filter(is_torn).map(|node| node.span());
    let spans = unread.map(|parsed| parsed.query.asked()).chain(torn);
    let asked = spans.flat_map(|span| asked_parts(tree.text(), span));
    // What begins with a number is the moves of a solution without its arrow.
    let asked = asked.filter(|span| !tree.text()[span.range()].starts_with(|c: char| c.is_ascii_digit()));
    asked.flat_map(|span| verbs::wrong_men(&tree.text()[span.range()], span, board)).collect()
}

/// The parts of a span, line by line, that ask: those before an arrow or a text in quotes, behind which the moves of a solution stand.
fn asked_parts(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let mut start = span.start;
    text[span.range()].split_inclusive('\n').map(move |line| {
        let asked = line.find(['"', '\'']).into_iter().chain(line.find("=>")).min().unwrap_or(line.len());
        let part = Span::new(start, start + asked as u32);
        start += line.len() as u32;
        part
    })
}

/// Whether a query is a study without the solution that is replayed: it is kept and not solved.
fn is_unwritten_study(parsed: &ParsedQuery<'_>) -> bool {
    matches!(parsed.verb, Verb::Win | Verb::Draw) && parsed.query.answer().is_none()
}

/// What is reported of a query that is not answered though it can be read.
fn not_asked(bound: &Bound<'_>, parsed: &ParsedQuery<'_>) -> Option<Outcome> {
    let why = bound.why_not_asked(parsed.query)?;
    Some(if bound.has_condition() { Outcome::Error(why.into()) } else { Outcome::NotAsked(why) })
}

/// Warnings about a diagram that is not asked: what is written behind a question about it is not checked, and without a twin
/// nothing is asked.
fn report_zero_position(puzzle: Puzzle<'_>, findings: &mut Vec<Finding>) {
    let Some(zero) = puzzle.properties().find(|own| own.name() == Some(Property::ZeroPosition)) else {
        return;
    };
    let warn = |span: Span, message: &str| {
        Finding::new(Code::InvalidValue, span, message).severity(Severity::Warning)
    };
    let of_diagram = |verb| matches!(verb, Verb::Problem(_) | Verb::SetPlay | Verb::Duplex);
    let is_of_diagram =
        |query: &Query<'_>| query.verb().is_some_and(of_diagram) && twin_in_front(*query, puzzle).is_none();
    for query in puzzle.queries().filter(is_of_diagram) {
        let message = "this is not checked, since the diagram is not asked; write it behind a twin";
        match query.answer() {
            Some(answer) => findings.push(warn(answer.span(), message)),
            // The question itself says what is asked of the twins.
            None if query.verb().is_some_and(|verb| verb.problem().is_some()) => {}
            None => {
                let message = "this asks nothing, since the diagram is not asked; write it behind a twin";
                findings.push(warn(query.asked(), message));
            }
        }
    }
    if !puzzle.queries().any(|query| query.verb() == Some(Verb::Twin)) {
        findings.push(warn(zero.span(), "the diagram is not asked, and there is no twin that is"));
    }
}

/// Evaluates a query, or reports why it cannot be evaluated. The findings of an evaluation stay in the evaluator.
fn report_query<'t>(
    bound: &Bound<'t>,
    parsed: &ParsedQuery<'t>,
    evaluator: &mut Result<QueryEvaluator<'_, 't>, String>,
    findings: &mut Vec<Finding>,
) -> Option<QueryReport> {
    let query = parsed.query;
    if !bound.game.verbs().contains(&parsed.verb) {
        let finding = not_for_this_game(bound, parsed);
        let report = QueryReport::failed(query, &finding.message);
        findings.push(finding);
        return report;
    }
    let question = match &parsed.question {
        Ok(question) => question,
        Err(wrong) => {
            findings.extend(wrong.iter().filter(|f| !bound.is_guess(f)).cloned());
            let reason = wrong.first().map(|f| f.message.as_str());
            return QueryReport::failed(query, reason.unwrap_or(parsed.rules().missing_argument()));
        }
    };
    let reason = match (evaluator, unreadable_dependency(bound, parsed)) {
        (Ok(evaluator), None) => {
            let before = evaluator.findings.len();
            let report = verbs::evaluate_query(evaluator, query, question);
            if is_guessed(query) {
                evaluator.findings.truncate(before);
            }
            keep_torn_answer(bound.puzzle, query, &mut evaluator.findings[before..]);
            keep_marks_of_answer(query, &mut evaluator.findings[before..]);
            return Some(report);
        }
        (Err(no_position), _) => no_position.clone(),
        (_, dependency) => dependency.unwrap_or_default(),
    };
    findings.extend(query.answer().and_then(|a| verbs::unreadable_word(a, parsed.verb)));
    QueryReport::failed(query, &reason)
}

/// Whether the word of a query is misspelt, or all that it asks is a mistake, as in `helpmate in 2,5`, so that what it asks is a
/// guess: no finding follows from it.
fn is_guessed(query: Query<'_>) -> bool {
    let (asked, errors) = (query.asked(), query.node().tree().errors());
    let first = errors.partition_point(|e| e.span.start < asked.start);
    let is_guess = |e: &Finding| {
        e.code == Code::UnknownKeyword
            || e.code == Code::Syntax && e.span.start == asked.start && asked.end <= e.span.end
    };
    errors[first..].iter().take_while(|e| e.span.start < asked.end).any(is_guess)
}

/// Removes the fixes that write another answer, where a syntax error touches the query or stands between it and the next
/// item: the answer may go on behind it, and only a part of it would be replaced.
fn keep_torn_answer(puzzle: Puzzle<'_>, query: Query<'_>, findings: &mut [Finding]) {
    let errors = puzzle.node().tree().errors();
    if errors.is_empty() || findings.is_empty() {
        return;
    }
    let span = query.span();
    let mut behind = puzzle.node().children().filter(|n| n.kind() != NodeKind::Error);
    let next = behind.find(|n| n.span().start >= span.end).map_or(puzzle.span().end, |n| n.span().start);
    let first = errors.partition_point(|e| e.span.start < span.start);
    if errors.get(first).is_none_or(|e| e.span.start >= next) {
        return;
    }
    let writes_answer = |fix: &Fix| {
        fix.is_conditional() && fix.edits.iter().any(|e| span.start <= e.span.start && e.span.end <= next)
    };
    findings.iter_mut().for_each(|f| f.fixes.retain(|fix| !writes_answer(fix)));
}

/// Leaves it to the author to correct the marks of moves in a written answer: the board may be wrong instead.
fn keep_marks_of_answer(query: Query<'_>, findings: &mut [Finding]) {
    if query.verb() != Some(Verb::Move) {
        let marks = findings.iter_mut().filter(|finding| finding.code == Code::WrongMark);
        marks.flat_map(|finding| &mut finding.fixes).for_each(|fix| fix.safe = false);
    }
}

/// Why a query is not evaluated: a property that it depends on cannot be read, or its position is ambiguous.
fn unreadable_dependency(bound: &Bound<'_>, parsed: &ParsedQuery<'_>) -> Option<String> {
    let (query, rules) = (parsed.query, parsed.rules());
    let is_listed = |value: Option<Value<'_>>| matches!(value, Some(Value::Lists(_)));
    // Squares in numbers depend on the origin, and so does an answer in squares, which is shown in numbers.
    let in_squares = || rules.answers_in_squares() || is_listed(query.argument());
    let depends_on = |&name: &Property| {
        bound.settings.unread.has(name)
            && match name {
                Property::Turn => !rules.names_side(query),
                Property::Origin => bound.board_has_coordinates() || in_squares(),
                _ => true,
            }
    };
    match DECISIVE.iter().find(|name| depends_on(name)) {
        Some(name) => Some(format!("its `{}` cannot be read", name.word())),
        None => bound.several_boards.then(|| "the puzzle has more than one board".to_string()),
    }
}

fn not_for_this_game(bound: &Bound<'_>, parsed: &ParsedQuery<'_>) -> Finding {
    // Of the many kinds of problems three stand for all.
    let is_named = |verb: &&Verb| match verb {
        Verb::Problem(kind) => {
            matches!(*kind, ProblemKind::MATE | ProblemKind::SELFMATE | ProblemKind::HELPMATE)
        }
        Verb::Twin | Verb::SetPlay | Verb::Duplex | Verb::Unsolved | Verb::Win | Verb::Draw => false,
        _ => true,
    };
    let verbs: Vec<String> =
        bound.game.verbs().iter().filter(is_named).map(|v| format!("`{}`", v.word())).collect();
    let more = if verbs.len() < bound.game.verbs().len() { " and more" } else { "" };
    let (game, verb) = (bound.game.format().game, parsed.verb.word());
    let message = format!("{game} cannot be asked `{verb}`, only {}{more}", verbs.join(" and "));
    Finding::new(Code::NotForThisGame, parsed.query.keyword().span(), message)
}

/// Reports what is odd or wrong about a position.
///
/// # Errors
/// Why no query of it can be evaluated: a colour has two kings.
fn validate(
    bound: &Bound<'_>,
    position: &Position,
    queries: &[ParsedQuery<'_>],
    head: Span,
    findings: &mut Vec<Finding>,
) -> Result<(), String> {
    let place = |cell| bound.reading.as_ref().and_then(|r| r.place(cell)).unwrap_or(head);
    report_rights(bound, position, queries, findings);
    let mut result = Ok(());
    for issue in bound.game.validate(position, &possible_sides(bound, queries)) {
        let (mut at, mut other) = (place(issue.cell), issue.other.map(|(cell, what)| (place(cell), what)));
        if issue.code == Code::TooManyKings {
            result = result.and(Err(issue.message.clone()));
            // The second king is the one written later.
            if let Some((first, _)) = &mut other
                && at.start < first.start
            {
                std::mem::swap(&mut at, first);
            }
        }
        let finding = Finding::new(issue.code, at, issue.message);
        findings.push(match other {
            Some((span, what)) => finding.related(span, what),
            None => finding,
        });
    }
    for parsed in queries {
        let asked = parsed.question.as_ref().ok();
        findings.extend(
            asked.into_iter().flat_map(|asked| verbs::odd_twin(parsed.query, bound, position, asked)),
        );
    }
    result
}

/// Reports castling rights and an en passant square that the pieces cannot have. A default is no claim about one puzzle.
fn report_rights(
    bound: &Bound<'_>,
    position: &Position,
    queries: &[ParsedQuery<'_>],
    findings: &mut Vec<Finding>,
) {
    let (castling, en_passant) = (bound.rights.castling, bound.rights.en_passant);
    if castling.is_none() && en_passant.is_none() {
        return;
    }
    for issue in bound.game.rights_issues(position, &possible_sides(bound, queries)) {
        let place = if issue.en_passant { en_passant.map(|e| e.1) } else { castling.map(|c| c.1) };
        let Some(at) = place else { continue };
        let title = format!("replace with `{}`", issue.correct);
        let fix = Fix::if_board_is_right(title, at, issue.correct);
        findings.push(Finding::new(Code::ImpossiblePosition, at, issue.message).fix(fix));
    }
}

/// The sides that may be to move: the explicit one, or else the default and every colour that a query names.
/// A position is impossible if it is impossible for all of them.
fn possible_sides(bound: &Bound<'_>, queries: &[ParsedQuery<'_>]) -> Vec<Colour> {
    if bound.settings.unread.has(Property::Turn) {
        return vec![Colour::White, Colour::Black];
    }
    let mut sides = vec![bound.turn];
    if !bound.turn_is_explicit {
        for side in queries.iter().filter_map(ParsedQuery::named_side) {
            if !sides.contains(&side) {
                sides.push(side);
            }
        }
    }
    sides
}
