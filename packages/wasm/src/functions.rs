//! From a request to a response: the functions of the library by their names in JavaScript.

use cpz::{
    CheckOptions, DiffOptions, DrawOptions, ExportOptions, GenerateOptions, HintOptions, ImportOptions,
    Picture, PrintOptions, RateOptions, RepairOptions, SolveOptions, TextOptions,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::options::{Failure, Options};

/// What JavaScript asks for, besides the text or file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    function: String,
    /// The second argument of `convert`, `exportText` and `sort`, and the first of `diff`, `diffMarkdown`, `diffHtml`, `generate` and
    /// `explain`.
    #[serde(default)]
    argument: String,
    #[serde(default)]
    options: Map<String, Value>,
}

/// Responds to a request, which is JSON, and the text or file that belongs to it: `{"ok": …}`, or `{"error": {"type": …,
/// "message": …}}` with the name of an error in JavaScript.
pub(crate) fn respond(request: &[u8], file: Vec<u8>) -> String {
    let (kind, message) = match result(request, file) {
        Ok(json) => return format!(r#"{{"ok":{json}}}"#),
        Err(Failure::Type(message)) => ("TypeError", message),
        Err(Failure::Value(message)) => ("RangeError", message),
    };
    serde_json::json!({ "error": { "type": kind, "message": message } }).to_string()
}

/// What a function gives, as JSON.
fn result(request: &[u8], file: Vec<u8>) -> Result<String, Failure> {
    let request: Request = serde_json::from_slice(request)
        .map_err(|error| Failure::Type(format!("the request cannot be read: {error}")))?;
    let options = Options::new(request.options);
    let text =
        |file| String::from_utf8(file).map_err(|_| Failure::Value("the text is not in UTF-8".to_string()));
    match request.function.as_str() {
        "check" => check(&text(file)?, options),
        "solve" => solve(&text(file)?, options),
        "format" => format(&text(file)?, options),
        "convert" => convert(&text(file)?, &request.argument, options),
        "importText" => import_text(&file, options),
        "exportText" => export_text(&text(file)?, &request.argument, options),
        "draw" => draw(&text(file)?, options),
        "fix" => fix(&text(file)?, options),
        "repair" => repair(&text(file)?, options),
        "printText" => print_text(&text(file)?, options),
        "rate" => rate(&text(file)?, options),
        "hint" => hint(&text(file)?, options),
        "sort" => sort(&text(file)?, &request.argument, options),
        "stats" => stats(&text(file)?, options),
        "plot" => plot(&text(file)?, options),
        "explain" => json(cpz::explain(&request.argument)?),
        "codes" => json(cpz::codes().collect::<Vec<_>>()),
        "diff" => diff(&request.argument, &text(file)?, options),
        "diffMarkdown" => diff_markdown(&request.argument, &text(file)?, options),
        "diffHtml" => diff_html(&request.argument, &text(file)?, options),
        "generate" => generate(request.argument, options),
        "answerLine" => answer_line(&file, options),
        name => Err(Failure::Type(format!("there is no function {name}"))),
    }
}

fn json(value: impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(&value).map_err(|error| Failure::Value(error.to_string()))
}

/// The options that tell how a text is read.
fn text_options(options: &mut Options) -> Result<TextOptions, Failure> {
    Ok(TextOptions {
        path: options.text("path")?,
        budget: options.number("budget")?,
        config: options.text("config")?,
    })
}

fn check(text: &str, mut options: Options) -> Result<String, Failure> {
    let hints = options.flag("hints")?.unwrap_or_default();
    let check = CheckOptions { hints, text: text_options(&mut options)? };
    options.end("check")?;
    Ok(cpz::check_json(text, &check)?)
}

fn solve(text: &str, mut options: Options) -> Result<String, Failure> {
    let tree = options.flag("tree")?.unwrap_or_default();
    let solve = SolveOptions { tree, text: text_options(&mut options)? };
    options.end("solve")?;
    Ok(cpz::solve_json(text, &solve)?)
}

fn format(text: &str, options: Options) -> Result<String, Failure> {
    options.end("format")?;
    json(cpz::format_text(text)?)
}

fn convert(text: &str, to: &str, mut options: Options) -> Result<String, Failure> {
    let convert = TextOptions { config: options.text("config")?, ..TextOptions::default() };
    options.end("convert")?;
    json(cpz::convert_text(text, to, &convert)?)
}

fn import_text(file: &[u8], mut options: Options) -> Result<String, Failure> {
    let import = ImportOptions {
        from: options.text("fromFormat")?,
        path: options.text("path")?,
        letters: options.text("letters")?,
        bottom_up: options.flag("bottomUp")?.unwrap_or_default(),
        mates: options.flag("mates")?.unwrap_or_default(),
    };
    options.end("importText")?;
    json(cpz::import_text(file, &import)?)
}

fn export_text(text: &str, to: &str, mut options: Options) -> Result<String, Failure> {
    let export = ExportOptions {
        only: options.texts("only")?,
        tags: options.texts("tags")?,
        games: options.texts("games")?,
        solve: options.flag("solve")?.unwrap_or_default(),
        time: options.number("time")?.unwrap_or_default(),
        text: text_options(&mut options)?,
    };
    options.end("exportText")?;
    json(cpz::export_text(text, to, &export)?)
}

fn draw(text: &str, mut options: Options) -> Result<String, Failure> {
    let default = DrawOptions::default();
    let draw = DrawOptions {
        only: options.text("only")?,
        to: options.text("to")?.unwrap_or(default.to),
        size: options.number("size")?.unwrap_or(default.size),
        theme: options.text("theme")?.unwrap_or(default.theme),
        coordinates: options.flag("coordinates")?.unwrap_or(default.coordinates),
        step: options.number("step")?,
        solution: options.flag("solution")?.unwrap_or_default(),
        text: search_options(&mut options)?,
    };
    options.end("draw")?;
    match cpz::draw_text(text, &draw)? {
        Picture::Svg(svg) => json(svg),
        Picture::Png(_) => Err(Failure::Value("PNG is not drawn here; choose `svg`".to_string())),
    }
}

/// The options of functions without a `path`.
fn search_options(options: &mut Options) -> Result<TextOptions, Failure> {
    Ok(TextOptions { path: None, budget: options.number("budget")?, config: options.text("config")? })
}

fn fix(text: &str, mut options: Options) -> Result<String, Failure> {
    let fix = search_options(&mut options)?;
    options.end("fix")?;
    json(cpz::fix_text(text, &fix)?)
}

fn repair(text: &str, mut options: Options) -> Result<String, Failure> {
    let repair = RepairOptions {
        only: options.texts("only")?,
        tags: options.texts("tags")?,
        games: options.texts("games")?,
        unique: options.flag("unique")?.unwrap_or_default(),
        shorten: options.flag("shorten")?.unwrap_or_default(),
        minimal: options.flag("minimal")?.unwrap_or_default(),
        max: options.number("max")?,
        text: text_options(&mut options)?,
    };
    options.end("repair")?;
    json(cpz::repair_text(text, &repair)?)
}

fn print_text(text: &str, mut options: Options) -> Result<String, Failure> {
    let default = PrintOptions::default();
    let print = PrintOptions {
        to: options.text("to")?.unwrap_or(default.to),
        only: options.texts("only")?,
        tags: options.texts("tags")?,
        games: options.texts("games")?,
        theme: options.text("theme")?.unwrap_or(default.theme),
        coordinates: options.flag("coordinates")?,
        paper: options.text("paper")?.unwrap_or(default.paper),
        per_page: options.number("perPage")?.unwrap_or(default.per_page),
        form: options.text("form")?,
        solutions: options.text("solutions")?.unwrap_or(default.solutions),
        hints: options.text("hints")?.unwrap_or(default.hints),
        add_hints: options.flag("addHints")?.unwrap_or_default(),
        difficulty: options.text("difficulty")?.unwrap_or(default.difficulty),
        language: options.text("language")?.unwrap_or(default.language),
        title: options.text("title")?,
        text: search_options(&mut options)?,
    };
    options.end("printText")?;
    json(cpz::print_text(text, &print)?)
}

fn rate(text: &str, mut options: Options) -> Result<String, Failure> {
    let rate = RateOptions {
        only: options.texts("only")?,
        tags: options.texts("tags")?,
        games: options.texts("games")?,
        text: text_options(&mut options)?,
    };
    options.end("rate")?;
    json(cpz::rate_text(text, &rate)?)
}

fn hint(text: &str, mut options: Options) -> Result<String, Failure> {
    let hint = HintOptions {
        grade: options.number("grade")?.unwrap_or(HintOptions::default().grade),
        only: options.texts("only")?,
        tags: options.texts("tags")?,
        games: options.texts("games")?,
        text: text_options(&mut options)?,
    };
    options.end("hint")?;
    json(cpz::hint_text(text, &hint)?)
}

fn sort(text: &str, by: &str, mut options: Options) -> Result<String, Failure> {
    let sort = search_options(&mut options)?;
    options.end("sort")?;
    json(cpz::sort_text(text, by, &sort)?)
}

fn stats(text: &str, mut options: Options) -> Result<String, Failure> {
    let stats = search_options(&mut options)?;
    options.end("stats")?;
    json(cpz::stats_text(text, &stats)?)
}

fn plot(text: &str, mut options: Options) -> Result<String, Failure> {
    let plot = search_options(&mut options)?;
    options.end("plot")?;
    json(cpz::plot_text(text, &plot)?)
}

fn diff(old: &str, new: &str, mut options: Options) -> Result<String, Failure> {
    let diff = DiffOptions { max: None, text: text_options(&mut options)? };
    options.end("diff")?;
    json(cpz::diff_texts(old, new, &diff)?)
}

fn diff_markdown(old: &str, new: &str, mut options: Options) -> Result<String, Failure> {
    let diff = DiffOptions { max: options.number("max")?, text: text_options(&mut options)? };
    options.end("diffMarkdown")?;
    json(cpz::diff_markdown(old, new, &diff)?)
}

fn diff_html(old: &str, new: &str, mut options: Options) -> Result<String, Failure> {
    let diff = DiffOptions { max: options.number("max")?, text: text_options(&mut options)? };
    options.end("diffHtml")?;
    json(cpz::diff_html(old, new, &diff)?)
}

fn generate(game: String, mut options: Options) -> Result<String, Failure> {
    let default = GenerateOptions::default();
    let generate = GenerateOptions {
        game,
        count: options.number("count")?.unwrap_or(default.count),
        seed: options.number("seed")?.unwrap_or(default.seed),
        pieces: options.number("pieces")?,
        size: options.text("size")?,
        rules: options.text("rules")?,
        kinds: options.text("kinds")?,
        unique: options.flag("unique")?.unwrap_or_default(),
        difficulty: options.text("difficulty")?,
        captures: options.number("captures")?,
        mate: options.number("mate")?,
        positions: options.text("positions")?,
        known: options.text("known")?,
        budget: options.number("budget")?,
    };
    options.end("generate")?;
    json(cpz::generate_puzzles(&generate)?)
}

fn answer_line(line: &[u8], mut options: Options) -> Result<String, Failure> {
    let number = options.number("number")?.unwrap_or(1);
    let budget = options.number("budget")?;
    options.end("answerLine")?;
    json(cpz::answer_line(line, number, budget)?)
}
