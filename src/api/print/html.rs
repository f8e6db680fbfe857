//! A sheet as one HTML file, which needs no scripts, no network and no fonts of its own.

use std::collections::BTreeMap;
use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::print::layout::{Layout, Setting};
use crate::print::sheet::{
    Diagram, GAP_X, GAP_Y, MARGIN_BOTTOM, MARGIN_SIDE, MARGIN_TOP, Paper, Placement, ROOM, SheetOptions,
};
use crate::print::words::Words;
use cpz_ide::Background;

/// How browsers set the text.
const SETTING: Setting = Setting { line: 1.34, letter: 0.55, is_narrow: false, least_board: 0.42 };

/// A sheet as HTML.
pub fn html(diagrams: &[Diagram], options: &SheetOptions) -> String {
    let words = options.language.words();
    let title = options.title.clone().unwrap_or_else(|| words.count_of_puzzles(diagrams.len()));
    let layout = Layout::of(diagrams, options, SETTING);
    let mut page = Page { words, options, out: String::new(), backgrounds: FxHashMap::default() };
    let (code, shown_title) = (words.code, escaped(&title));
    let _ = write!(
        page.out,
        "<!DOCTYPE html>\n<html lang=\"{code}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"generator\" content=\"cpz\">\n\
         <title>{shown_title}</title>\n<style>\n{}{STYLE}</style>\n</head>\n<body>\n",
        page_style(options, &layout)
    );
    page.definitions(diagrams);
    if options.title.is_some() {
        let count = words.count_of_puzzles(diagrams.len());
        let _ = writeln!(page.out, "<section class=\"title\"><h1>{shown_title}</h1><p>{count}</p></section>");
    }
    for sheet in &layout.pages {
        page.out.push_str("<section class=\"page\">\n");
        // The rows of a full page are spread over it.
        let class = if sheet.is_full { "row spread" } else { "row" };
        for row in &sheet.rows {
            let _ = writeln!(page.out, "<div class=\"{class}\">");
            for (i, diagram) in row.clone().zip(&diagrams[row.clone()]) {
                page.diagram(diagram, i + 1);
            }
            page.out.push_str("</div>\n");
        }
        page.out.push_str("</section>\n");
    }
    if options.hints == Placement::Apart && diagrams.iter().any(|d| !d.hints.is_empty()) {
        page.hint_pages(diagrams);
    }
    if options.solutions == Placement::Apart {
        page.solution_pages(diagrams);
    }
    page.out.push_str("</body>\n</html>\n");
    page.out
}

/// Writes the parts of a sheet.
struct Page<'a> {
    words: &'static Words,
    options: &'a SheetOptions,
    out: String,
    /// The number of each background that is defined.
    backgrounds: FxHashMap<Background, usize>,
}

impl Page<'_> {
    /// The shapes of pieces and the backgrounds, each once.
    fn definitions(&mut self, diagrams: &[Diagram]) {
        self.out.push_str("<svg class=\"shapes\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>");
        let shapes: BTreeMap<_, _> =
            diagrams.iter().flat_map(|d| &d.shapes).map(|(id, shape)| (id, shape)).collect();
        shapes.values().for_each(|shape| self.out.push_str(shape));
        for diagram in diagrams {
            let number = self.backgrounds.len();
            if !self.backgrounds.contains_key(&diagram.background_key) {
                self.backgrounds.insert(diagram.background_key.clone(), number);
                let _ = write!(self.out, "<g id=\"cpz{number}\">{}</g>", diagram.background);
            }
        }
        self.out.push_str("</defs></svg>\n");
    }

    fn diagram(&mut self, diagram: &Diagram, number: usize) {
        let _ = write!(self.out, "<figure id=\"p{number}\"><header><div class=\"first\"><b>{number}</b>");
        if !diagram.name.is_empty() {
            let _ = write!(self.out, " <span class=\"name\">{}</span>", escaped(&diagram.name));
        }
        if !diagram.difficulty.is_empty() {
            let (label, text) = (self.words.difficulty, escaped(&diagram.difficulty));
            let _ = write!(self.out, " <span class=\"difficulty\">{label}: {text}</span>");
        }
        self.out.push_str("</div>");
        let credits = &diagram.credits;
        for (class, text) in
            [("author", &credits.authors), ("source", &credits.source), ("award", &credits.award)]
        {
            if !text.is_empty() {
                let _ = write!(self.out, "<p class=\"{class}\">{}</p>", escaped(text));
            }
        }
        self.out.push_str("</header>");
        self.board(diagram);
        self.out.push_str("<figcaption>");
        self.asked(diagram);
        for _ in 0..self.options.room() {
            self.out.push_str("<div class=\"room\"></div>");
        }
        let hints = hint_items(diagram);
        self.extra(self.options.hints, self.words.hint, &hints);
        let solution = solution_items(diagram);
        self.extra(self.options.solutions, self.words.solution, &solution);
        self.out.push_str("</figcaption></figure>\n");
    }

    /// The signs of a problem with the count of its men, and the questions in words.
    fn asked(&mut self, diagram: &Diagram) {
        let mut asked = diagram.asked_in_words(self.options.form).into_iter();
        if let Some(form) = &diagram.form {
            let _ = write!(
                self.out,
                "<div class=\"form\"><span class=\"men\">{}</span><p><b class=\"signs\">{}</b>",
                escaped(&form.men),
                escaped(&form.stipulation)
            );
            for note in &form.notes {
                let _ = write!(self.out, ", {}", escaped(note));
            }
            if let Some(first) = asked.next() {
                let _ = write!(self.out, " <span class=\"asked\">{}</span>", escaped(first));
            }
            self.out.push_str("</p></div>");
            for condition in &form.conditions {
                let _ = write!(self.out, "<p class=\"condition\">{}</p>", escaped(condition));
            }
            for twin in &form.twins {
                let _ = write!(self.out, "<p class=\"twin\">{}</p>", escaped(twin));
            }
        }
        for asked in asked {
            let _ = write!(self.out, "<p class=\"asked\">{}</p>", escaped(asked));
        }
    }

    fn board(&mut self, diagram: &Diagram) {
        let (width, height) = diagram.size;
        let number = self.backgrounds.get(&diagram.background_key).copied().unwrap_or_default();
        let (words, foreground) = (escaped(&diagram.words), &diagram.foreground);
        let _ = write!(
            self.out,
            "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{words}\"><use href=\"#cpz{number}\"/>\
             {foreground}</svg>"
        );
    }

    /// Hints or a solution below a diagram: on a screen behind a click, on paper only where they belong there.
    fn extra(&mut self, placement: Placement, label: &str, items: &str) {
        if placement == Placement::Nowhere || items.is_empty() {
            return;
        }
        let _ = write!(
            self.out,
            "<details class=\"screen\"><summary>{label}</summary><div>{items}</div></details>"
        );
        if placement == Placement::Below {
            let _ = write!(self.out, "<div class=\"paper below\"><i>{label}</i> {items}</div>");
        }
    }

    fn hint_pages(&mut self, diagrams: &[Diagram]) {
        let _ = write!(self.out, "<section class=\"answers paper\"><h2>{}</h2>\n<div>", self.words.hints);
        for (i, diagram) in diagrams.iter().enumerate().filter(|(_, d)| !d.hints.is_empty()) {
            let _ =
                writeln!(self.out, "<div class=\"answer\"><b>{}</b> {}</div>", i + 1, hint_items(diagram));
        }
        self.out.push_str("</div></section>\n");
    }

    fn solution_pages(&mut self, diagrams: &[Diagram]) {
        let _ = write!(self.out, "<section class=\"answers paper\"><h2>{}</h2>\n<div>", self.words.solutions);
        for (i, diagram) in diagrams.iter().enumerate() {
            let _ = writeln!(
                self.out,
                "<div class=\"answer\"><b>{}</b> {}</div>",
                i + 1,
                solution_items(diagram)
            );
        }
        self.out.push_str("</div></section>\n");
    }
}

fn hint_items(diagram: &Diagram) -> String {
    diagram.hints.iter().map(|hint| format!("<p>{}</p>", escaped(hint))).collect()
}

/// The lines of all solutions.
fn solution_items(diagram: &Diagram) -> String {
    let mut out = String::new();
    for line in diagram.solution_lines() {
        let _ = write!(out, "<p class=\"d{}\">", line.depth.min(3));
        if let Some(label) = line.label {
            let _ = write!(out, "<span class=\"to\">{}</span> ", escaped(label));
        }
        let _ = write!(out, "{}</p>", escaped(line.text));
    }
    out
}

/// A text that is safe in HTML, in and outside of attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The style that depends on the options: the paper, and the sizes of the layout.
fn page_style(options: &SheetOptions, layout: &Layout) -> String {
    let paper = if options.paper == Paper::A4 { "A4" } else { "letter" };
    let ((width, height), columns, board) = (options.paper.inner(), layout.columns, layout.board);
    format!(
        "@page {{ size: {paper}; margin: {MARGIN_TOP}mm {MARGIN_SIDE}mm {MARGIN_BOTTOM}mm; \
         @bottom-center {{ content: counter(page); font: 9pt Georgia, 'Times New Roman', serif; }} }}\n\
         @page title {{ @bottom-center {{ content: none; }} }}\n\
         .page {{ gap: {GAP_Y}mm; font-size: {}pt; }}\n.page, .title {{ min-height: {height:.1}mm; }}\n\
         .row {{ grid-template-columns: repeat({columns}, minmax(0, 1fr)); column-gap: {GAP_X}mm; }}\n\
         figure svg {{ height: {board:.1}mm; }}\n.room {{ height: {ROOM}mm; }}\n\
         @media screen {{ .page, .title {{ width: {width:.1}mm; }} }}\n",
        options.text_size()
    )
}

const STYLE: &str = "\
* { box-sizing: border-box; }
body { margin: 0; color: #000; background: #fff; font: 10pt/1.3 Georgia, 'Times New Roman', serif; }
svg { stroke-linejoin: round; stroke-linecap: round; }
.shapes { position: absolute; }
.page { display: flex; flex-direction: column; }
.spread:not(:last-child) { margin-bottom: auto; }
.row { display: grid; grid-template-rows: auto auto auto; break-inside: avoid; }
.page + .page, .page + .answers, .answers + .answers, .title + .page { break-before: page; }
.title { page: title; display: flex; flex-direction: column; justify-content: center; text-align: center; }
.title h1 { margin: 0; font-size: 30pt; line-height: 1.15; overflow-wrap: anywhere; }
.title p { margin: 6mm 0 0; font-size: 13pt; }
figure { display: grid; grid-row: span 3; grid-template-rows: subgrid; min-width: 0; margin: 0; break-inside: avoid; }
header { align-self: end; margin-bottom: 1.2mm; }
.first { display: flex; align-items: baseline; gap: 0 2mm; }
.first b { font-size: 1.2em; }
.difficulty { max-width: 45%; margin-left: auto; font-size: 0.85em; text-align: right; overflow-wrap: anywhere; }
figure svg { width: 100%; }
p { margin: 0; overflow-wrap: anywhere; }
.name { overflow-wrap: anywhere; }
.author { font-weight: bold; }
.source, .award { font-style: italic; }
figcaption { margin-top: 1.2mm; }
.men { float: right; margin-left: 2mm; }
.signs { white-space: pre-wrap; }
.form .asked { display: inline-block; margin: 0; }
.room { border-bottom: 0.25mm dotted #000; }
.below { margin-top: 1mm; font-size: 0.88em; }
.answers h2 { margin: 0 0 5mm; font-size: 16pt; }
.answers > div { columns: 2; column-gap: 10mm; font-size: 9pt; }
.answer { position: relative; margin-bottom: 2.2mm; padding-left: 8mm; break-inside: avoid; }
.answer > b { position: absolute; left: 0; }
.to { font-weight: bold; }
.d1 { padding-left: 3mm; }
.d2 { padding-left: 6mm; }
.d3 { padding-left: 9mm; }
@media print { .screen { display: none; } }
@media screen {
  .paper { display: none; }
  body { padding: 8mm; background: #ddd; }
  .page, .title { max-width: 100%; margin: 0 auto 8mm; padding: 10mm; background: #fff; box-sizing: content-box; }
  details { margin-top: 1.5mm; font-size: 0.9em; }
  summary { cursor: pointer; }
}
@media screen and (max-width: 180mm) {
  body { padding: 0; }
  .page { display: block; width: auto; min-height: 0; padding: 4mm; }
  figure { margin-bottom: 8mm; }
  .row { display: block; }
  figure { display: block; }
  figure svg { height: auto; }
}
";
