//! The Python module `cpz._cpz`: the functions of the library with dictionaries.
//!
//! Each function copies its arguments, gives the interpreter to other threads while it works, and then makes the result.
//! A value of a wrong type raises `TypeError`, a wrong value `ValueError`.

mod notebook;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use cpz::{
    CheckOptions, DiffOptions, DrawOptions, ExportOptions, GenerateOptions, HintOptions, ImportOptions,
    Picture, PrintOptions, RateOptions, RepairOptions, SolveOptions, TextOptions,
};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::Value;

/// A whole number that is not negative. One that is, or that is too large, raises `ValueError` and not `OverflowError`.
struct Natural(u64);

impl<'a, 'py> FromPyObject<'a, 'py> for Natural {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Natural> {
        object.extract::<u64>().map(Natural).map_err(|error| {
            match error.is_instance_of::<PyOverflowError>(object.py()) {
                true => PyValueError::new_err(format!("{} is not a number from 0 to {}", *object, u64::MAX)),
                false => error,
            }
        })
    }
}

/// A number of a smaller type; one that is larger than that stands for the largest, which the library refuses.
fn small<T: TryFrom<u64>>(number: Natural, largest: T) -> T {
    T::try_from(number.0).unwrap_or(largest)
}

/// Works while other threads of Python may run, and turns an error into `ValueError`.
fn work<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, cpz::Error> + Send) -> PyResult<T> {
    let result = py.detach(|| match pool() {
        Some(pool) => pool.install(work),
        None => Err(cpz::Error::from("the system has no threads for the work".to_string())),
    });
    result.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The threads of this process. A process that was forked from another one, as `multiprocessing` does, inherits none of
/// the threads of that one and needs its own.
fn pool() -> Option<Arc<ThreadPool>> {
    static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    let mut current = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    match &*current {
        Some((owner, pool)) if *owner == process => Some(pool.clone()),
        _ => {
            let pool = Arc::new(ThreadPoolBuilder::new().build().ok()?);
            // A pool without threads waits for ever when it is dropped.
            std::mem::forget(current.replace((process, pool.clone())));
            Some(pool)
        }
    }
}

/// A JSON value as Python data.
fn data<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            _ => number.as_f64().into_pyobject(py)?,
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(data(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(members) => {
            let dict = PyDict::new(py);
            for (name, member) in members {
                dict.set_item(name, data(py, member)?)?;
            }
            dict.into_any()
        }
    })
}

/// What a function of the library returns, as JSON.
fn json(value: impl serde::Serialize) -> Result<Value, cpz::Error> {
    serde_json::to_value(value).map_err(|error| cpz::Error::from(error.to_string()))
}

fn text_options(path: Option<String>, budget: Option<Natural>, config: Option<String>) -> TextOptions {
    TextOptions { path, budget: budget.map(|number| number.0), config }
}

/// Checks the puzzles of a text: the document of `cpz check --format json`.
#[pyfunction]
#[pyo3(signature = (text, *, hints = false, path = None, budget = None, config = None))]
fn check<'py>(
    py: Python<'py>,
    text: String,
    hints: bool,
    path: Option<String>,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = CheckOptions { hints, text: text_options(path, budget, config) };
    data(py, &work(py, || cpz::check_text(&text, &options))?)
}

/// Answers the queries of a text: the document of `cpz solve --format json`.
#[pyfunction]
#[pyo3(signature = (text, *, tree = false, path = None, budget = None, config = None))]
fn solve<'py>(
    py: Python<'py>,
    text: String,
    tree: bool,
    path: Option<String>,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = SolveOptions { tree, text: text_options(path, budget, config) };
    data(py, &work(py, || cpz::solve_text(&text, &options))?)
}

/// Applies the safe fixes of a text, as `cpz check --fix` does.
#[pyfunction]
#[pyo3(signature = (text, *, budget = None, config = None))]
fn fix<'py>(
    py: Python<'py>,
    text: String,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = text_options(None, budget, config);
    data(py, &work(py, || cpz::fix_text(&text, &options).and_then(json))?)
}

/// Finds changes that make unsound puzzles sound: the document of `cpz repair --format json`.
#[pyfunction]
#[pyo3(signature = (text, *, only = vec![], tags = vec![], games = vec![], unique = false, shorten = false,
    minimal = false, max = None, path = None, budget = None, config = None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn repair<'py>(
    py: Python<'py>,
    text: String,
    only: Vec<String>,
    tags: Vec<String>,
    games: Vec<String>,
    unique: bool,
    shorten: bool,
    minimal: bool,
    max: Option<Natural>,
    path: Option<String>,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let max = max.map(|max| small(max, usize::MAX));
    let text_options = text_options(path, budget, config);
    let options = RepairOptions { only, tags, games, unique, shorten, minimal, max, text: text_options };
    data(py, &work(py, || cpz::repair_text(&text, &options))?)
}

/// Formats a text, changing white space only.
#[pyfunction]
#[pyo3(signature = (text, /))]
fn format(py: Python<'_>, text: String) -> PyResult<String> {
    work(py, || cpz::format_text(&text))
}

/// Writes the boards of a text in another format: text, list, numbers, coordinates or fen.
#[pyfunction]
#[pyo3(signature = (text, to, *, config = None))]
fn convert<'py>(
    py: Python<'py>,
    text: String,
    to: String,
    config: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = text_options(None, None, config);
    data(py, &work(py, || cpz::convert_text(&text, &to, &options).and_then(json))?)
}

/// A file of another program: as text or as bytes.
#[derive(FromPyObject)]
enum File {
    Text(String),
    Bytes(Vec<u8>),
}

impl File {
    fn bytes(&self) -> &[u8] {
        match self {
            File::Text(text) => text.as_bytes(),
            File::Bytes(bytes) => bytes,
        }
    }
}

/// Makes puzzles of a file of another program, given as str or bytes.
#[pyfunction]
#[pyo3(signature = (file, *, from_format = None, path = None, letters = None, bottom_up = false, mates = false))]
fn import_text<'py>(
    py: Python<'py>,
    file: File,
    from_format: Option<String>,
    path: Option<String>,
    letters: Option<String>,
    bottom_up: bool,
    mates: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let options = ImportOptions { from: from_format, path, letters, bottom_up, mates };
    data(py, &work(py, || cpz::import_text(file.bytes(), &options).and_then(json))?)
}

/// Writes puzzles in the format of another program, such as json, pgn or popeye. An Anki package is bytes.
#[pyfunction]
#[pyo3(signature = (text, to, *, only = vec![], tags = vec![], games = vec![], solve = false, time = None,
    path = None, budget = None, config = None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn export_text<'py>(
    py: Python<'py>,
    text: String,
    to: String,
    only: Vec<String>,
    tags: Vec<String>,
    games: Vec<String>,
    solve: bool,
    time: Option<Natural>,
    path: Option<String>,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let time = time.map_or_else(now, |time| time.0);
    let options = ExportOptions { only, tags, games, solve, time, text: text_options(path, budget, config) };
    let mut exported = work(py, || cpz::export_text(&text, &to, &options))?;
    let bytes = exported.bytes.take();
    let result = data(py, &json(exported).map_err(|error| PyValueError::new_err(error.to_string()))?)?;
    if let Some(bytes) = bytes {
        result.del_item("text")?;
        result.set_item("bytes", PyBytes::new(py, &bytes))?;
    }
    Ok(result)
}

/// Draws the board of one puzzle: an SVG as str, or a PNG as bytes.
#[pyfunction]
#[pyo3(signature = (text, *, only = None, to = None, size = None, theme = None, coordinates = true, step = None,
    solution = false, budget = None, config = None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn draw<'py>(
    py: Python<'py>,
    text: String,
    only: Option<String>,
    to: Option<String>,
    size: Option<Natural>,
    theme: Option<String>,
    coordinates: bool,
    step: Option<Natural>,
    solution: bool,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let default = DrawOptions::default();
    let options = DrawOptions {
        only,
        to: to.unwrap_or(default.to),
        size: size.map_or(default.size, |size| small(size, u32::MAX)),
        theme: theme.unwrap_or(default.theme),
        coordinates,
        step: step.map(|step| small(step, usize::MAX)),
        solution,
        text: text_options(None, budget, config),
    };
    Ok(match work(py, || cpz::draw_text(&text, &options))? {
        Picture::Svg(svg) => svg.into_pyobject(py)?.into_any(),
        Picture::Png(bytes) => PyBytes::new(py, &bytes).into_any(),
    })
}

/// Makes a sheet of diagrams for paper: HTML, or a source for Typst or LaTeX.
#[pyfunction]
#[pyo3(signature = (text, *, to = None, only = vec![], tags = vec![], games = vec![], theme = None, coordinates = None,
    paper = None, per_page = None, form = None, solutions = None, hints = None, add_hints = false, difficulty = None,
    language = None, title = None, budget = None, config = None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn print_text<'py>(
    py: Python<'py>,
    text: String,
    to: Option<String>,
    only: Vec<String>,
    tags: Vec<String>,
    games: Vec<String>,
    theme: Option<String>,
    coordinates: Option<bool>,
    paper: Option<String>,
    per_page: Option<Natural>,
    form: Option<String>,
    solutions: Option<String>,
    hints: Option<String>,
    add_hints: bool,
    difficulty: Option<String>,
    language: Option<String>,
    title: Option<String>,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let default = PrintOptions::default();
    let options = PrintOptions {
        to: to.unwrap_or(default.to),
        only,
        tags,
        games,
        theme: theme.unwrap_or(default.theme),
        coordinates,
        paper: paper.unwrap_or(default.paper),
        per_page: per_page.map_or(default.per_page, |per_page| small(per_page, u8::MAX)),
        form,
        solutions: solutions.unwrap_or(default.solutions),
        hints: hints.unwrap_or(default.hints),
        add_hints,
        difficulty: difficulty.unwrap_or(default.difficulty),
        language: language.unwrap_or(default.language),
        title,
        text: text_options(None, budget, config),
    };
    data(py, &work(py, || cpz::print_text(&text, &options).and_then(json))?)
}

/// Says how hard the puzzles of a text are: the document of `cpz rate --format json`.
#[pyfunction]
#[pyo3(signature = (text, *, only = vec![], tags = vec![], games = vec![], path = None, budget = None, config = None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn rate<'py>(
    py: Python<'py>,
    text: String,
    only: Vec<String>,
    tags: Vec<String>,
    games: Vec<String>,
    path: Option<String>,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = RateOptions { only, tags, games, text: text_options(path, budget, config) };
    data(py, &work(py, || cpz::rate_text(&text, &options))?)
}

/// Gives a hint for each puzzle of a text: the document of `cpz hint --format json`.
#[pyfunction]
#[pyo3(signature = (text, *, grade = None, only = vec![], tags = vec![], games = vec![], path = None, budget = None,
    config = None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn hint<'py>(
    py: Python<'py>,
    text: String,
    grade: Option<Natural>,
    only: Vec<String>,
    tags: Vec<String>,
    games: Vec<String>,
    path: Option<String>,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let grade = grade.map_or(HintOptions::default().grade, |grade| small(grade, u8::MAX));
    let options = HintOptions { grade, only, tags, games, text: text_options(path, budget, config) };
    data(py, &work(py, || cpz::hint_text(&text, &options))?)
}

/// Sorts the puzzles of a text by difficulty, pieces, name or id.
#[pyfunction]
#[pyo3(signature = (text, by, *, budget = None, config = None))]
fn sort(
    py: Python<'_>,
    text: String,
    by: String,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<String> {
    let options = text_options(None, budget, config);
    work(py, || cpz::sort_text(&text, &by, &options))
}

/// Counts the puzzles of a text: the document of `cpz stats --format json`.
#[pyfunction]
#[pyo3(signature = (text, *, budget = None, config = None))]
fn stats<'py>(
    py: Python<'py>,
    text: String,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = text_options(None, budget, config);
    data(py, &work(py, || cpz::stats_text(&text, &options))?)
}

/// Draws a plot of the difficulty and the pieces of the puzzles of a text, as SVG.
#[pyfunction]
#[pyo3(signature = (text, *, budget = None, config = None))]
fn plot(py: Python<'_>, text: String, budget: Option<Natural>, config: Option<String>) -> PyResult<String> {
    let options = text_options(None, budget, config);
    work(py, || cpz::plot_text(&text, &options))
}

/// Explains a diagnostic code or a keyword.
#[pyfunction]
#[pyo3(signature = (name, /))]
fn explain(py: Python<'_>, name: String) -> PyResult<Bound<'_, PyAny>> {
    data(py, &work(py, || cpz::explain(&name).and_then(json))?)
}

/// All diagnostic codes, each with its severity and its title.
#[pyfunction]
fn codes(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    data(py, &work(py, || json(cpz::codes().collect::<Vec<_>>()))?)
}

/// The JSON schema of a document.
#[pyfunction]
#[pyo3(signature = (of, /))]
fn schema(py: Python<'_>, of: String) -> PyResult<Bound<'_, PyAny>> {
    let read = |text| serde_json::from_str(text).map_err(|error| cpz::Error::from(error.to_string()));
    data(py, &work(py, || cpz::schema(&of).and_then(read))?)
}

/// Makes new puzzles of solitaire or chess. The same seed makes the same puzzles.
#[pyfunction]
#[pyo3(signature = (game, *, count = None, seed = None, pieces = None, size = None, rules = None, kinds = None,
    unique = false, difficulty = None, captures = None, mate = None, positions = None, known = None, budget = None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn generate<'py>(
    py: Python<'py>,
    game: String,
    count: Option<Natural>,
    seed: Option<Natural>,
    pieces: Option<Natural>,
    size: Option<String>,
    rules: Option<String>,
    kinds: Option<String>,
    unique: bool,
    difficulty: Option<String>,
    captures: Option<Natural>,
    mate: Option<Natural>,
    positions: Option<String>,
    known: Option<String>,
    budget: Option<Natural>,
) -> PyResult<Bound<'py, PyAny>> {
    let default = GenerateOptions::default();
    let options = GenerateOptions {
        game,
        count: count.map_or(default.count, |count| small(count, usize::MAX)),
        seed: seed.map_or(default.seed, |seed| seed.0),
        pieces: pieces.map(|pieces| small(pieces, u32::MAX)),
        size,
        rules,
        kinds,
        unique,
        difficulty,
        captures: captures.map(|captures| small(captures, u32::MAX)),
        mate: mate.map(|mate| small(mate, u8::MAX)),
        positions,
        known,
        budget: budget.map(|number| number.0),
    };
    data(py, &work(py, || cpz::generate_puzzles(&options).and_then(json))?)
}

/// Says what has changed between two versions of a text: the document of `cpz diff --format json`.
#[pyfunction]
#[pyo3(signature = (old, new, *, path = None, budget = None, config = None))]
fn diff<'py>(
    py: Python<'py>,
    old: String,
    new: String,
    path: Option<String>,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = DiffOptions { max: None, text: text_options(path, budget, config) };
    data(py, &work(py, || cpz::diff_texts(&old, &new, &options))?)
}

/// Says what has changed between two versions of a text in Markdown, as `cpz diff --format markdown` does.
#[pyfunction]
#[pyo3(signature = (old, new, *, max = None, path = None, budget = None, config = None))]
fn diff_markdown(
    py: Python<'_>,
    old: String,
    new: String,
    max: Option<Natural>,
    path: Option<String>,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<String> {
    let max = max.map(|max| small(max, usize::MAX));
    let options = DiffOptions { max, text: text_options(path, budget, config) };
    work(py, || cpz::diff_markdown(&old, &new, &options))
}

/// Says the same on an HTML page with pictures of the boards, as `cpz diff --format html` does.
#[pyfunction]
#[pyo3(signature = (old, new, *, max = None, path = None, budget = None, config = None))]
fn diff_html(
    py: Python<'_>,
    old: String,
    new: String,
    max: Option<Natural>,
    path: Option<String>,
    budget: Option<Natural>,
    config: Option<String>,
) -> PyResult<String> {
    let max = max.map(|max| small(max, usize::MAX));
    let options = DiffOptions { max, text: text_options(path, budget, config) };
    work(py, || cpz::diff_html(&old, &new, &options))
}

/// Answers a line with one puzzle, given as str or bytes, by a line of JSON, as `cpz lines` does.
#[pyfunction]
#[pyo3(signature = (line, *, number = None, budget = None))]
fn answer_line(
    py: Python<'_>,
    line: File,
    number: Option<Natural>,
    budget: Option<Natural>,
) -> PyResult<String> {
    let number = number.map_or(1, |number| number.0);
    work(py, || cpz::answer_line(line.bytes(), number, budget.map(|number| number.0)))
}

/// The module.
#[pymodule]
mod _cpz {
    #[pymodule_export]
    use super::notebook::{_coloured_parts, _puzzle_texts, _show};

    #[pymodule_export]
    use super::{
        answer_line, check, codes, convert, diff, diff_html, diff_markdown, draw, explain, export_text, fix,
        format, generate, hint, import_text, plot, print_text, rate, repair, schema, solve, sort, stats,
    };

    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
