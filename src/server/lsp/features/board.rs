//! `cpz/board` and `cpz/square`.

use ls_types as lsp;

use crate::lsp::features::context::RequestContext;
use crate::lsp::protocol::board_ext::{
    BoardBranch, BoardChoice, BoardMode, BoardMove, BoardParams, BoardPiece, BoardQuery, BoardTouch,
    BoardView, SquareParams,
};
use cpz_check::analysis::{Defaults, bind_one};
use cpz_ide as ide;
use cpz_rules::board::{Colour, square_name};
use cpz_rules::games::Budget;
use cpz_text::diagnostic::plain;
use cpz_text::syntax::Puzzle;

pub(crate) fn board(context: &RequestContext<'_>, params: &BoardParams) -> Option<BoardView> {
    board_view(&context.for_position(params.position), params)
}

pub(crate) fn square(context: &RequestContext<'_>, params: &SquareParams) -> Option<lsp::Range> {
    let context = context.for_position(params.position);
    let offset = context.offset(params.position);
    let span = ide::square_source(context.tree(), context.base(), offset, &params.square)?;
    Some(context.range(span))
}

/// The view of the board under the cursor; `None` in a text without puzzles.
fn board_view(context: &RequestContext<'_>, params: &BoardParams) -> Option<BoardView> {
    context.search(params.wait, |budget| view_within(context, params, budget))
}

fn view_within(context: &RequestContext<'_>, params: &BoardParams, budget: &Budget<'_>) -> Option<BoardView> {
    let request = ide::BoardRequest {
        offset: context.offset(params.position),
        line: params.line,
        frame: params.frame,
        choices: &params.choices,
        across: params.across,
        budget,
    };
    let (mut is_complete, mut touched, mut written) = (true, None, None);
    let report = |puzzle: Puzzle<'_>, settings: Defaults| {
        let (mut report, complete) = match params.wait {
            true => (context.report_full(puzzle, settings), true),
            false => context.report_quick(puzzle, settings),
        };
        is_complete = complete;
        report.findings.extend(context.others_in(puzzle));
        written = bind_one(puzzle, settings).and_then(|bound| ide::position_texts(&bound, request.offset));
        touched = params.mode.and_then(|mode| {
            let bound = bind_one(puzzle, settings)?;
            Some(ide::touch_view(&bound, &report, touch_mode(mode), &request))
        });
        report
    };
    let panel = ide::board_view(context.tree(), &context.config(), &request, report)?;
    // One row that is being typed is no board yet, though alone it could be read as a square.
    let written = written.filter(|_| !panel.draft);
    let is_cut = touched.as_ref().map_or(panel.is_cut, |t| t.is_cut);
    is_complete &= !context.may_find_more(params.wait, is_cut);
    is_complete &= !context.needs_slow_pass();
    let view = to_protocol(context, panel, written, is_complete);
    Some(match touched {
        Some(touched) => to_touch(view, touched),
        None => view,
    })
}

/// The view in the types of the protocol, without what can be touched.
fn to_protocol(
    context: &RequestContext<'_>,
    panel: ide::BoardView,
    written: Option<ide::PositionTexts>,
    is_complete: bool,
) -> BoardView {
    let plain = |text: String| plain(&text).into_owned();
    let query = |q: ide::BoardViewQuery| BoardQuery {
        label: plain(q.label),
        range: context.range(q.span),
        shown: q.shown,
    };
    let branch = |shown: ide::BoardViewBranch| BoardBranch {
        title: plain(shown.branch.title),
        chosen: shown.branch.chosen,
        before: shown.before,
        frame: shown.branch.frame,
        choices: shown.branch.choices.into_iter().map(choice).collect(),
    };
    BoardView {
        version: context.snapshot.version,
        range: context.range(panel.span),
        name: panel.name.map(plain),
        game: panel.game,
        description: panel.description.into_iter().map(plain).collect(),
        headline: if panel.trouble.is_some() { plain(panel.state.clone()) } else { String::new() },
        trouble: panel.trouble.map(|s| context.range(s)),
        draft: panel.draft,
        state: plain(panel.state),
        queries: panel.queries.into_iter().map(query).collect(),
        lines: panel.lines.into_iter().map(plain).collect(),
        line: panel.line,
        frames: panel.frames,
        frame: panel.frame.number,
        svg: panel.frame.svg,
        words: plain(panel.frame.words),
        caption: plain(panel.frame.caption),
        failed: panel.frame.failed,
        branch: panel.branch.map(branch),
        step: panel.frame.span.map(|s| context.range(s)),
        fen: written.as_ref().and_then(|w| w.fen.clone()),
        text: written.map(|w| w.text),
        touch: None,
        is_complete,
    }
}

fn touch_mode(mode: BoardMode) -> ide::TouchMode {
    match mode {
        BoardMode::Edit => ide::TouchMode::Edit,
        BoardMode::Record => ide::TouchMode::Record,
    }
}

/// The view with the board that can be touched in place of the steps. If it cannot be touched, the steps stay.
fn to_touch(view: BoardView, touched: ide::TouchView) -> BoardView {
    let plain = |text: String| plain(&text).into_owned();
    let piece = |p: ide::PalettePiece| BoardPiece { letter: p.letter, name: p.name, svg: p.svg };
    let (columns, rows, levels) = touched.size;
    let (least, greatest) = touched.sides;
    let is_refused = touched.refused.is_some();
    let touch = BoardTouch {
        refused: touched.refused.map(plain),
        palette: touched.palette.into_iter().map(piece).collect(),
        side: touched.side.map(Colour::name),
        castling: touched.castling,
        columns,
        rows,
        levels,
        least,
        greatest,
        verdict: plain(touched.verdict),
        good: touched.is_good,
        left: touched.left.into_iter().map(move_left).collect(),
    };
    if is_refused {
        return BoardView { touch: Some(touch), ..view };
    }
    BoardView {
        svg: touched.svg,
        words: touched.words,
        caption: String::new(),
        failed: false,
        frames: 1,
        frame: 0,
        branch: None,
        step: None,
        touch: Some(touch),
        ..view
    }
}

fn move_left(left: ide::MoveLeft) -> BoardMove {
    let ide::MoveGesture { from, to, choice } = left.gesture;
    // Only chess has problems with defences.
    BoardMove { label: left.name, from: square_name(from, false), to: square_name(to, false), choice }
}

fn choice(choice: ide::Choice) -> BoardChoice {
    BoardChoice {
        label: plain(&choice.label).into_owned(),
        answer: plain(&choice.answer).into_owned(),
        group: choice.group,
        refutes: choice.refutes,
    }
}
