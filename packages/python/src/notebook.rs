//! What the parts of the module that are written in Python need: functions of `cpz._cpz` whose names begin with `_`.

use cpz::api;
use cpz::print::ShowOptions;
use pyo3::prelude::*;

use crate::{Natural, data, json, small, text_options, work};

/// The puzzles of a text, each as a text of its own: `cpz.puzzles`.
#[pyfunction]
pub(crate) fn _puzzle_texts(py: Python<'_>, text: String) -> PyResult<Bound<'_, PyAny>> {
    data(py, &work(py, || api::puzzle_texts(&text).and_then(json))?)
}

/// The first puzzle of a text as a notebook shows it: `cpz.Puzzle`.
#[pyfunction]
#[pyo3(signature = (text, *, size, step_size, whole, budget = None, config = None))]
pub(crate) fn _show(
    py: Python<'_>,
    text: String,
    size: Natural,
    step_size: Natural,
    whole: bool,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<Bound<'_, PyAny>> {
    let (size, step_size) = (small(size, u32::MAX), small(step_size, u32::MAX));
    let options = text_options(None, budget, config);
    let shown =
        work(py, || api::show_text(&text, ShowOptions { size, step_size, whole }, &options).and_then(json))?;
    data(py, &shown)
}

/// The coloured parts of a text: `cpz.lexer`.
#[pyfunction]
pub(crate) fn _coloured_parts(py: Python<'_>, text: String) -> PyResult<Vec<(usize, usize, &'static str)>> {
    work(py, || api::coloured_parts(&text))
}
