//! A sheet as source for Typst, with the pictures in it.

use std::collections::BTreeMap;
use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::print::sheet::{Diagram, Paper, Placement, SheetOptions};
use cpz_ide::Background;

/// A sheet as a source for Typst 0.13 or later.
pub fn typst(diagrams: &[Diagram], options: &SheetOptions) -> String {
    let words = options.language.words();
    let paper = if options.paper == Paper::A4 { "a4" } else { "us-letter" };
    let (columns, rows) = options.grid();
    let mut out = format!(
        "// Made by cpz. Compile it with `typst compile`.\n\
         #set page(paper: \"{paper}\", margin: (x: 15mm, top: 14mm, bottom: 17mm), numbering: \"1\")\n\
         #set text(size: {}pt, lang: \"{}\")\n#set par(leading: 0.5em, spacing: 0.6em)\n",
        options.text_size(),
        words.code
    );
    let numbers = definitions(&mut out, diagrams);
    let _ = write!(
        out,
        "#let columns = {columns}\n#let rows = {rows}\n#let room = {}\n#let board-height = {:.1}mm\n{FUNCTIONS}",
        options.room(),
        options.board_height()
    );
    if let Some(title) = &options.title {
        let count = quoted(&words.count_of_puzzles(diagrams.len()));
        let _ = writeln!(out, "#title-page({}, {count})", quoted(title));
    }
    let per_page = usize::from(options.per_page.max(1));
    for (nth, page) in diagrams.chunks(per_page).enumerate() {
        let before = if nth == 0 { "" } else { "#pagebreak()\n" };
        let _ = writeln!(out, "{before}#sheet(");
        for (i, diagram) in page.iter().enumerate() {
            let background = numbers.get(&diagram.background_key).copied().unwrap_or_default();
            write_diagram(&mut out, diagram, nth * per_page + i + 1, background, options);
        }
        out.push_str(")\n");
    }
    if options.hints == Placement::Apart && diagrams.iter().any(|d| !d.hints.is_empty()) {
        let hints = |d: &Diagram| d.hints.iter().map(|hint| (0, hint.clone())).collect();
        answer_pages(&mut out, words.hints, diagrams, hints);
    }
    if options.solutions == Placement::Apart {
        answer_pages(&mut out, words.solutions, diagrams, solution_lines);
    }
    out
}

/// The shapes of the pieces and the backgrounds, each once. Returns the number of each background.
fn definitions(out: &mut String, diagrams: &[Diagram]) -> FxHashMap<Background, usize> {
    let shapes: BTreeMap<_, _> =
        diagrams.iter().flat_map(|d| &d.shapes).map(|(id, shape)| (id, shape)).collect();
    let shapes: String = shapes.into_values().map(String::as_str).collect();
    let _ =
        writeln!(out, "#let shapes = {}\n#let backgrounds = (", quoted(&format!("<defs>{shapes}</defs>")));
    let mut numbers = FxHashMap::default();
    for diagram in diagrams {
        let next = numbers.len();
        if !numbers.contains_key(&diagram.background_key) {
            numbers.insert(diagram.background_key.clone(), next);
            let _ = writeln!(out, "  {},", quoted(&diagram.background));
        }
    }
    out.push_str(")\n");
    numbers
}

fn write_diagram(
    out: &mut String,
    diagram: &Diagram,
    number: usize,
    background: usize,
    options: &SheetOptions,
) {
    let words = options.language.words();
    let (width, height) = diagram.size;
    let difficulty = match diagram.difficulty.is_empty() {
        true => String::new(),
        false => format!("{}: {}", words.difficulty, diagram.difficulty),
    };
    let asked: Vec<(usize, String)> = diagram.exercises.iter().map(|e| (0, e.asked.clone())).collect();
    let below = |placement: Placement, label: &str, lines: Vec<(usize, String)>| match placement {
        Placement::Below if !lines.is_empty() => format!("({}, {})", quoted(label), list(&lines)),
        _ => "none".to_string(),
    };
    let hints = diagram.hints.iter().map(|hint| (0, hint.clone())).collect();
    let _ = writeln!(
        out,
        "  diagram({number}, {}, {}, {width}, {height}, {background}, {}, {}, {}, {}, {}, {}),",
        quoted(&diagram.name),
        quoted(&difficulty),
        quoted(&diagram.foreground),
        quoted(&diagram.words),
        list(&asked),
        quoted(&diagram.origin),
        below(options.hints, words.hint, hints),
        below(options.solutions, words.solution, solution_lines(diagram)),
    );
}

/// The lines of all solutions of a puzzle.
fn solution_lines(diagram: &Diagram) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    for exercise in &diagram.exercises {
        if diagram.exercises.len() > 1 {
            lines.push((0, exercise.asked.clone()));
        }
        lines.extend(exercise.solution.iter().cloned());
    }
    lines
}

fn answer_pages(
    out: &mut String,
    title: &str,
    diagrams: &[Diagram],
    lines: impl Fn(&Diagram) -> Vec<(usize, String)>,
) {
    let _ = writeln!(out, "#pagebreak()\n#answers({}, (", quoted(title));
    for (i, diagram) in diagrams.iter().enumerate() {
        let lines = lines(diagram);
        if !lines.is_empty() {
            let _ = writeln!(out, "  ({}, {}),", i + 1, list(&lines));
        }
    }
    out.push_str("))\n");
}

/// Lines with their depths as an array of Typst.
fn list(lines: &[(usize, String)]) -> String {
    let items: String = lines.iter().map(|(depth, line)| format!("({depth}, {}), ", quoted(line))).collect();
    format!("({})", items.trim_end())
}

/// A text as a string of Typst.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

const FUNCTIONS: &str = r##"#let board(width, height, background, pieces, words, height-on-page) = {
  let root = (
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + str(width) + " " + str(height) +
    "\" width=\"" + str(width) + "\" height=\"" + str(height) +
    "\" stroke-linejoin=\"round\" stroke-linecap=\"round\">"
  )
  let svg = root + shapes + backgrounds.at(background) + pieces + "</svg>"
  image(bytes(svg), format: "svg", width: 100%, height: height-on-page, fit: "contain", alt: words)
}
#let lines(all) = for (depth, line) in all { block(inset: (left: depth * 3mm), below: 0.5em, above: 0.5em, line) }
#let below(all) = if all != none { block(above: 1mm, text(size: 0.85em)[#emph(all.at(0)) #lines(all.at(1))]) }
#let diagram(number, name, difficulty, width, height, background, pieces, words, asked, origin, hints, solution) = layout(size => {
  let head = grid(
    columns: (1fr, auto),
    gutter: 2mm,
    [#text(size: 1.2em, strong(str(number))) #name], text(size: 0.85em, difficulty),
  )
  let foot = {
    lines(asked)
    if origin != "" { block(above: 1mm, text(size: 0.85em, emph(origin))) }
    for _ in range(room) { v(6mm) + line(length: 100%, stroke: (thickness: 0.5pt, dash: "dotted")) }
    below(hints)
    below(solution)
  }
  let used = (head, foot).map(part => measure(block(width: size.width, part)).height).sum() + 5mm
  let height-on-page = calc.max(20mm, calc.min(board-height, size.height - used))
  block(below: 1.5mm, head)
  block(below: 1.5mm, board(width, height, background, pieces, words, height-on-page))
  foot
})
#let sheet(..diagrams) = block(height: 100%, grid(
  columns: (1fr,) * columns,
  rows: (1fr,) * rows,
  column-gutter: 10mm,
  row-gutter: 7mm,
  ..diagrams.pos(),
))
#let title-page(title, count) = page(numbering: none, align(center + horizon)[
  #text(size: 30pt, weight: "bold", title)
  #v(6mm)
  #text(size: 13pt, count)
])
#let answers(title, all) = {
  heading(title)
  v(4mm)
  std.columns(2, gutter: 10mm, for (number, answer) in all {
    block(breakable: false, below: 2.2mm, text(size: 0.9em, grid(columns: (8mm, 1fr), strong(str(number)), lines(answer))))
  })
}
"##;
