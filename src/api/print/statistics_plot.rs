//! A plot of statistics as SVG: bars for difficulty and for the number of pieces.

use std::fmt::Write;

use cpz_check::authoring::Statistics;

const WIDTH: usize = 640;
const CHART: usize = 200;
const MARGIN: usize = 40;

/// Two bar charts, one above the other. The words are text, in the font of the viewer.
pub fn plot(statistics: &Statistics) -> String {
    let height = 2 * (CHART + 2 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n<title>{} puzzles by difficulty and pieces</title>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n",
        statistics.puzzles
    );
    let difficulty = (1..=10).map(|class| (class, statistics.difficulty.get(&(class as u8)).copied()));
    let difficulty: Vec<(usize, usize)> = difficulty.map(|(class, n)| (class, n.unwrap_or(0))).collect();
    let (least, most) = match (statistics.pieces.keys().next(), statistics.pieces.keys().next_back()) {
        (Some(&least), Some(&most)) => (least, most),
        _ => (0, 0),
    };
    let pieces = (least..=most).map(|n| (n, statistics.pieces.get(&n).copied().unwrap_or(0)));
    chart(&mut out, 0, "difficulty (estimate)", &difficulty);
    chart(&mut out, CHART + 2 * MARGIN, "pieces", &pieces.collect::<Vec<_>>());
    out.push_str("</svg>\n");
    out
}

/// A chart whose upper edge is at `top`. Writing to a string never fails.
fn chart(out: &mut String, top: usize, title: &str, bars: &[(usize, usize)]) {
    let most = bars.iter().map(|bar| bar.1).max().unwrap_or(0).max(1);
    let room = WIDTH - 2 * MARGIN;
    let step = room / bars.len().max(1);
    let bottom = top + MARGIN + CHART;
    let _ = writeln!(out, "<text x=\"{MARGIN}\" y=\"{}\" font-weight=\"bold\">{title}</text>", top + 24);
    for (i, (label, n)) in bars.iter().enumerate() {
        let (x, bar) = (MARGIN + i * step, n * (CHART - 20) / most);
        let (y, width, middle) = (bottom - bar, (step * 4 / 5).max(1), x + step * 2 / 5);
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{bar}\" fill=\"#4a6da7\"/>\
             <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            bottom + 16
        );
        if *n > 0 {
            let _ = writeln!(out, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{n}</text>", y - 4);
        }
    }
    let _ = writeln!(
        out,
        "<line x1=\"{MARGIN}\" y1=\"{bottom}\" x2=\"{}\" y2=\"{bottom}\" stroke=\"#000\"/>",
        WIDTH - MARGIN
    );
}
