//! A sheet as source for LaTeX, with the package `chess-problem-diagrams` and its fonts.

use std::fmt::Write;
use std::ops::Range;

use crate::print::latex_board::{Board, board};
use crate::print::latex_text::{has_cyrillic, tex};
use crate::print::layout::{Layout, Page, Setting};
use crate::print::sheet::{
    Diagram, GAP_X, GAP_Y, MARGIN_BOTTOM, MARGIN_SIDE, MARGIN_TOP, Paper, Placement, SheetOptions,
};

/// How LaTeX sets the text.
const SETTING: Setting = Setting { line: 1.12, letter: 0.48, is_narrow: true, least_board: 0.5 };

/// A sheet as a source for pdfLaTeX.
pub fn latex(diagrams: &[Diagram], options: &SheetOptions) -> String {
    let words = options.language.words();
    let layout = Layout::of(diagrams, options, SETTING);
    let mut body = String::new();
    if let Some(title) = &options.title {
        let count = tex(&words.count_of_puzzles(diagrams.len()));
        let _ = writeln!(
            body,
            "\\begin{{titlepage}}\\centering\\vspace*{{\\fill}}\n{{\\Huge\\bfseries {}\\par}}\\vspace{{6mm}}\n\
             {{\\large {count}\\par}}\\vspace*{{\\fill}}\\end{{titlepage}}",
            tex(title)
        );
    }
    for page in &layout.pages {
        write_page(&mut body, page, diagrams, &layout, options);
    }
    if options.hints == Placement::Apart && diagrams.iter().any(|d| !d.hints.is_empty()) {
        hint_pages(&mut body, diagrams, words.hints);
    }
    if options.solutions == Placement::Apart {
        let _ = writeln!(
            body,
            "\\section*{{{}}}\n\\begin{{multicols}}{{2}}\\small\\raggedright\n\\putsol\n\\end{{multicols}}",
            tex(words.solutions)
        );
    }
    let has_cyrillic = has_cyrillic(&body);
    format!("{}\\begin{{document}}\n{body}\\end{{document}}\n", preamble(options, has_cyrillic))
}

fn preamble(options: &SheetOptions, has_cyrillic: bool) -> String {
    let paper = if options.paper == Paper::A4 { "a4paper" } else { "letterpaper" };
    let encodings = if has_cyrillic { "T2A,T1" } else { "T1" };
    let legend = options.coordinates;
    let size = if options.text_size() < 10.0 { "\\footnotesize" } else { "\\normalsize" };
    format!(
        "% Made by cpz. Compile it with pdflatex.\n\\documentclass[10pt,{paper}]{{article}}\n\
         \\usepackage[{encodings}]{{fontenc}}\n\\usepackage[utf8]{{inputenc}}\n\\usepackage{{textcomp}}\n\
         \\IfFileExists{{lmodern.sty}}{{\\usepackage{{lmodern}}}}{{}}\n\
         \\usepackage[{paper},left={MARGIN_SIDE}mm,right={MARGIN_SIDE}mm,top={MARGIN_TOP}mm,\
         bottom={MARGIN_BOTTOM}mm,footskip=9mm]{{geometry}}\n\\usepackage{{multicol}}\n{PACKAGE}\
         \\setboolean{{legend}}{{{legend}}}\n\\newcommand\\textsize{{{size}}}\n{COMMANDS}"
    )
}

/// The package, which asks for pstricks and uses it only for boards whose squares are all white.
const PACKAGE: &str = r"% Text can be searched in the PDF and copied from it.
\IfFileExists{glyphtounicode.tex}{\input{glyphtounicode}\pdfgentounicode=1}{}
% The package draws boards of white squares with pstricks, and this sheet has none.
\IfFileExists{pstricks.sty}{}{\expandafter\def\csname ver@pstricks.sty\endcsname{}}
\usepackage{diagram}
\setboolean{showcomputer}{false}
\setboolean{piececounter}{false}
\normalnames
";

const COMMANDS: &str = r"\setlength\parindent{0pt}
% Cyrillic letters, and characters that these fonts do not have.
\newcommand\cyrillic[1]{{\fontencoding{T2A}\fontfamily{cmr}\selectfont #1}}
\newcommand\unknown[1]{{\setlength\fboxsep{1pt}\fbox{\tiny #1}}}
% The name of a problem stands behind its number.
\makeatletter
\newtoks\problem@name
\newcommand\problemname[1]{\problem@name={#1}\ignorespaces}
\def\@dia@number{\ifthenelse{\boolean{@cpd@numbering@local}}%
  {\above@newline{\authorfont\thediag}\quad{\the\problem@name}}{}}
% \squares{8}{13}: squares 13 points wide; texts as wide as 8 of them.
\newcommand\squares[2]{\chardef\@ight=#1 \font\chessfont=fselch#2 \ignorespaces}
% Boards with several levels have no frame around all of them.
\newcommand\levels{\noframe\inner@frame=0pt\setboolean{legend}{false}\ignorespaces}
\makeatother
\renewcommand\sourcefont{\itshape}
% The second and later lines of a solution, each with its depth among the variations.
\newcommand\nextline[2]{\par\noindent\hangindent=\dimexpr#1em+1em\relax\hspace*{#1em}#2}
% Lines for an answer.
\newcommand\answerline{\vrule height 7mm width 0pt \dotfill\null}
";

fn write_page(out: &mut String, page: &Page, diagrams: &[Diagram], layout: &Layout, options: &SheetOptions) {
    out.push_str("\\textsize\n");
    for (nth, row) in page.rows.iter().enumerate() {
        if nth > 0 {
            let _ = match page.is_full {
                true => writeln!(out, "\\vfill"),
                false => writeln!(out, "\\vspace{{{GAP_Y}mm}}"),
            };
        }
        write_row(out, row, diagrams, layout, options);
    }
    out.push_str("\\newpage\n");
}

fn write_row(
    out: &mut String,
    row: &Range<usize>,
    diagrams: &[Diagram],
    layout: &Layout,
    options: &SheetOptions,
) {
    out.push_str("\\noindent");
    for (nth, diagram) in diagrams[row.clone()].iter().enumerate() {
        if nth > 0 {
            let _ = writeln!(out, "\\hspace{{{GAP_X}mm}}%");
        }
        let _ = writeln!(out, "\\makebox[{:.1}mm][c]{{%", (layout.width * 10.0).floor() / 10.0);
        write_diagram(out, diagram, layout, options);
        out.push_str("}%\n");
    }
    out.push_str("\\par\n");
}

fn write_diagram(out: &mut String, diagram: &Diagram, layout: &Layout, options: &SheetOptions) {
    let words = options.language.words();
    let Board { size, setup, pieces, remark } = board(diagram, layout.board, options.coordinates, words);
    let _ = writeln!(out, "\\begin{{diagram}}[{}x{}]", size.0, size.1);
    let mut put = |command: &str, text: &str| {
        if !text.is_empty() {
            let _ = writeln!(out, "  \\{command}{{{text}}}");
        }
    };
    put("problemname", &tex(&diagram.name));
    put("author", &tex(&diagram.credits.authors));
    put("source", &tex(&diagram.credits.source));
    put("award", &tex(&diagram.credits.award));
    let mut asked: Vec<String> = diagram.asked_in_words(options.form).into_iter().map(tex).collect();
    let mut remarks: Vec<String> = Vec::new();
    if let Some(form) = &diagram.form {
        let signs = form.stipulation.split("  ").map(tex).collect::<Vec<_>>().join("\\quad ");
        let mut line = format!("\\textbf{{{signs}}}");
        form.notes.iter().for_each(|note| line.push_str(&format!(", {}", tex(note))));
        put("stipulation", &line);
        put("condition", &listed(form.conditions.iter().map(|text| tex(text))));
        put("twins", &listed(form.twins.iter().map(|text| tex(text))));
    } else if !asked.is_empty() {
        put("stipulation", &asked.remove(0));
    }
    remarks.append(&mut asked);
    remarks.extend(remark);
    if !diagram.difficulty.is_empty() {
        remarks.push(format!("{}: {}", tex(words.difficulty), tex(&diagram.difficulty)));
    }
    if options.hints == Placement::Below {
        let label = tex(words.hint);
        remarks.extend(diagram.hints.iter().map(|hint| format!("\\emph{{{label}}} {}", tex(hint))));
    }
    let lines = "\\answerline".to_string();
    remarks.extend((0..options.room()).map(|_| lines.clone()));
    put("remark", &listed(remarks.into_iter()));
    if options.solutions != Placement::Nowhere {
        put("solution", &solution(diagram));
    }
    out.push_str(&setup);
    if diagram.form.is_some() {
        out.push_str("  \\setboolean{piececounter}{true}\n");
    }
    if options.solutions == Placement::Below {
        out.push_str("  \\solafterdiagram\n");
    }
    let _ = writeln!(out, "  {pieces}\n\\end{{diagram}}%");
}

/// Texts as a list of the package, which parts them at `; `: braces keep a text together.
fn listed(texts: impl Iterator<Item = String>) -> String {
    texts.map(|text| format!("{{{text}}}")).collect::<Vec<_>>().join("; ")
}

/// The lines of all solutions of a puzzle.
fn solution(diagram: &Diagram) -> String {
    let mut out = String::new();
    for (nth, line) in diagram.solution_lines().iter().enumerate() {
        let label = line.label.map(|label| format!("\\textbf{{{}}} ", tex(label))).unwrap_or_default();
        let text = format!("{label}{}", tex(line.text));
        match nth {
            0 => out.push_str(&text),
            _ => out.push_str(&format!("\n    \\nextline{{{}}}{{{text}}}", line.depth.min(3))),
        }
    }
    out
}

fn hint_pages(out: &mut String, diagrams: &[Diagram], title: &str) {
    let _ = writeln!(
        out,
        "\\section*{{{}}}\n\\begin{{multicols}}{{2}}\\small\\raggedright\\parskip=2pt",
        tex(title)
    );
    for (i, diagram) in diagrams.iter().enumerate().filter(|(_, d)| !d.hints.is_empty()) {
        let hints: Vec<String> = diagram.hints.iter().map(|hint| tex(hint)).collect();
        let _ = writeln!(out, "\\textbf{{{})}} {}\\par", i + 1, hints.join("\\nextline{0}{}"));
    }
    out.push_str("\\end{multicols}\\newpage\n");
}
