//! A sheet as source for Typst, with the pictures in it.

use std::collections::BTreeMap;
use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::print::layout::{Layout, Setting};
use crate::print::sheet::{Diagram, GAP_X, GAP_Y, Paper, Placement, ROOM, SheetOptions, SolutionLine};
use cpz_ide::Background;

/// How Typst sets the text.
const SETTING: Setting = Setting { line: 1.3, letter: 0.5, is_narrow: false, least_board: 0.42 };

/// A sheet as a source for Typst 0.13 or later.
pub fn typst(diagrams: &[Diagram], options: &SheetOptions) -> String {
    let words = options.language.words();
    let paper = if options.paper == Paper::A4 { "a4" } else { "us-letter" };
    let layout = Layout::of(diagrams, options, SETTING);
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
        "#let columns = {}\n#let room = {} * ({ROOM}mm,)\n#let board-height = {:.1}mm\n#let gap-x = {GAP_X}mm\n\
         #let gap-y = {GAP_Y}mm\n{FUNCTIONS}",
        layout.columns,
        options.room(),
        layout.board
    );
    if let Some(title) = &options.title {
        let count = quoted(&words.count_of_puzzles(diagrams.len()));
        let _ = writeln!(out, "#title-page({}, {count})", quoted(title));
    }
    for (nth, page) in layout.pages.iter().enumerate() {
        let before = if nth == 0 { "" } else { "#pagebreak()\n" };
        let _ = writeln!(out, "{before}#sheet({},", page.is_full);
        for row in &page.rows {
            out.push_str(" (\n");
            for (i, diagram) in row.clone().zip(&diagrams[row.clone()]) {
                let background = numbers.get(&diagram.background_key).copied().unwrap_or_default();
                write_diagram(&mut out, diagram, i + 1, background, options);
            }
            out.push_str(" ),\n");
        }
        out.push_str(")\n");
    }
    if options.hints == Placement::Apart && diagrams.iter().any(|d| !d.hints.is_empty()) {
        let hints = |d: &Diagram| d.hints.iter().map(|hint| plain(hint)).collect();
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
    let below = |placement: Placement, label: &str, lines: Vec<Line>| match placement {
        Placement::Below if !lines.is_empty() => format!("({}, {})", quoted(label), list(&lines)),
        _ => "none".to_string(),
    };
    let credits = &diagram.credits;
    let _ = writeln!(
        out,
        "  diagram({number}, {}, {}, ({}, {}, {}), {width}, {height}, {background}, {}, {}, {}, {}, {}, {}),",
        quoted(&diagram.name),
        quoted(&difficulty),
        quoted(&credits.authors),
        quoted(&credits.source),
        quoted(&credits.award),
        quoted(&diagram.foreground),
        quoted(&diagram.words),
        form(diagram),
        list(&diagram.asked_in_words(options.form).into_iter().map(plain).collect::<Vec<_>>()),
        below(options.hints, words.hint, diagram.hints.iter().map(|hint| plain(hint)).collect()),
        below(options.solutions, words.solution, solution_lines(diagram)),
    );
}

/// What a problem magazine prints below a diagram: the signs, what stands behind them, the count of men, and conditions and twins.
fn form(diagram: &Diagram) -> String {
    let Some(form) = &diagram.form else { return "none".to_string() };
    let texts = |texts: &[String]| texts.iter().map(|text| format!("{}, ", quoted(text))).collect::<String>();
    let below: Vec<String> = form.conditions.iter().chain(&form.twins).cloned().collect();
    let (notes, below) = (texts(&form.notes), texts(&below));
    format!("({}, ({notes}), {}, ({below}))", quoted(&form.stipulation), quoted(&form.men))
}

/// A line: its depth among the variations, what stands before it in bold, and its text.
type Line = (usize, String, String);

fn plain(text: &str) -> Line {
    (0, String::new(), text.to_string())
}

fn solution_lines(diagram: &Diagram) -> Vec<Line> {
    let line = |line: SolutionLine<'_>| {
        (line.depth, line.label.unwrap_or_default().to_string(), line.text.to_string())
    };
    diagram.solution_lines().into_iter().map(line).collect()
}

fn answer_pages(out: &mut String, title: &str, diagrams: &[Diagram], lines: impl Fn(&Diagram) -> Vec<Line>) {
    let _ = writeln!(out, "#pagebreak()\n#answers({}, (", quoted(title));
    for (i, diagram) in diagrams.iter().enumerate() {
        let lines = lines(diagram);
        if !lines.is_empty() {
            let _ = writeln!(out, "  ({}, {}),", i + 1, list(&lines));
        }
    }
    out.push_str("))\n");
}

/// Lines as an array of Typst.
fn list(lines: &[Line]) -> String {
    let item = |(depth, label, text): &Line| format!("({depth}, {}, {}), ", quoted(label), quoted(text));
    let items: String = lines.iter().map(item).collect();
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
#let lines(all) = for (depth, label, line) in all {
  block(inset: (left: depth * 3mm), below: 0.5em, above: 0.5em, if label == "" { line } else [#strong(label) #line])
}
#let below(all) = if all != none { block(above: 1mm, text(size: 0.85em)[#emph(all.at(0)) #lines(all.at(1))]) }
#let diagram(number, name, difficulty, credits, width, height, background, pieces, words, form, asked, hints, solution) = {
  let (author, source, award) = credits
  let head = {
    grid(
      columns: (1fr, auto),
      gutter: 2mm,
      [#text(size: 1.2em, strong(str(number))) #name], text(size: 0.85em, difficulty),
    )
    lines((author, source, award).zip((strong, emph, emph)).filter(pair => pair.at(0) != "").map(
      ((text, style)) => (0, "", style(text))
    ))
  }
  let foot = {
    let asked = asked
    if form != none {
      let (signs, notes, men, below) = form
      let words = if asked.len() > 0 { asked.remove(0).at(2) } else { "" }
      grid(
        columns: (1fr, auto),
        gutter: 2mm,
        [#strong(signs)#for note in notes [, #note]#h(1em, weak: true)#words], men,
      )
      lines(below.map(text => (0, "", text)))
    }
    lines(asked)
    for height in room { v(height - 1mm) + line(length: 100%, stroke: (thickness: 0.5pt, dash: "dotted")) }
    below(hints)
    below(solution)
  }
  (align(bottom, head), board(width, height, background, pieces, words, board-height), foot)
}
#let row(diagrams) = block(breakable: false, spacing: 0pt, {
  let cells = diagrams + (([], [], []),) * (columns - diagrams.len())
  grid(
    columns: (1fr,) * columns,
    column-gutter: gap-x,
    row-gutter: 1.5mm,
    ..array.zip(..cells).flatten(),
  )
})
#let sheet(full, ..rows) = {
  for (nth, diagrams) in rows.pos().enumerate() {
    if nth > 0 { if full { v(1fr) } else { v(gap-y) } }
    row(diagrams)
  }
}
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
