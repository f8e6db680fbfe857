//! Which files no command writes: those that may not be collections of puzzles.

use super::inputs::Input;
use cpz_ide::{error_outside_puzzles, is_plain_text};
use cpz_server::workspace::is_collection;
use cpz_text::diagnostic::LineIndex;
use cpz_text::syntax::parse;

/// Why a file is not written whatever the command would change, or `None`. `force` is the option of that name.
pub fn refusal(input: &Input, force: bool) -> Option<String> {
    let is_other = input.file.as_ref().is_some_and(|path| !is_collection(path));
    if is_other && !force {
        return Some(
            "left as it is: its name does not end in `.cpz`; rename it, or add `--force` if it holds puzzles"
                .into(),
        );
    }
    (!is_plain_text(&input.text))
        .then(|| "left as it is: it contains NUL characters, as UTF-16 does; save it as UTF-8".into())
}

/// Why a text that would change is not written, or `None`: outside of its puzzles there is something that is no puzzle,
/// which may be a text of another kind.
pub fn refusal_of_change(input: &Input, force: bool) -> Option<String> {
    if force {
        return None;
    }
    let error = error_outside_puzzles(&parse(&input.text[..]))?;
    let line = LineIndex::new(&input.text).line(error.start) + 1;
    Some(format!(
        "left as it is: line {line} is not in a puzzle and cannot be read; correct it, put `//` before it, or add `--force`"
    ))
}
