//! The shapes of the pieces, each in a square of 40 by 40.
//!
//! A shape takes three colours from the element that uses it: `fill`, `stroke` for its outline, and `color` for the lines
//! inside, so that one shape serves both sides. Lines that are always white are seen in black pieces only.

use cpz_rules::board::{Format, Kind};

/// The width of outlines.
pub(super) const PIECE_STROKE: &str = "1.5";

/// The id of the shape of a piece. A page may contain several pictures, so one id is always the same shape.
pub(super) fn shape_id(format: &Format, kind: Kind) -> &'static str {
    match kind {
        Kind::King if is_disc(format) => "cpzD",
        Kind::King => "cpzK",
        Kind::Queen => "cpzQ",
        Kind::Rook => "cpzR",
        Kind::Bishop => "cpzB",
        Kind::Knight => "cpzN",
        Kind::Pawn => "cpzP",
        Kind::Man => "cpzM",
    }
}

/// The shape of a piece with its id.
pub(super) fn shape_definition(format: &Format, kind: Kind) -> String {
    let shape = match kind {
        Kind::King if is_disc(format) => CROWNED,
        Kind::King => KING,
        Kind::Queen => QUEEN,
        Kind::Rook => ROOK,
        Kind::Bishop => BISHOP,
        Kind::Knight => KNIGHT,
        Kind::Pawn => PAWN,
        Kind::Man => MAN,
    };
    format!("<g id=\"{}\">{shape}</g>", shape_id(format, kind))
}

/// Whether the pieces of a game are discs.
fn is_disc(format: &Format) -> bool {
    format.kinds.contains(&Kind::Man)
}

const KING: &str = "<path d=\"M19.6 2.8h.8v2.4h2.6v.8h-2.6v4h-.8v-4h-2.6v-.8h2.6z\"/>\
    <path d=\"M20 9.8c-2.4 2-4 3.8-4 6 0 2.2 2.4 3.8 4 7.2 1.6-3.4 4-5 4-7.2 0-2.2-1.6-4-4-6z\"/>\
    <path d=\"M11.4 29.6c-.2-2.2-5.2-4.4-5.2-9.5 0-4.2 3.3-6.9 6.8-6.9 3.5 0 6 2.2 7 5.8 1-3.6 3.5-5.8 7-5.8 3.5 0 6.8 2.7 6.8 6.9 0 5.1-5 7.3-5.2 9.5l1 2.3q1.2 1 .8 3.1h-20.8q-.4-2.1.8-3.1z\"/>\
    <path d=\"M12.6 26.3c-1.2-1.9-3.8-3.5-3.8-6.2 0-2.5 1.9-4.3 4.2-4.3 2.6 0 4.6 1.9 5.1 5.2M27.4 26.3c1.2-1.9 3.8-3.5 3.8-6.2 0-2.5-1.9-4.3-4.2-4.3-2.6 0-4.6 1.9-5.1 5.2M20 13.2v2.6\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"1.2\"/>\
    <path d=\"M20 19v6.4M11.8 29.2q8.2-2.9 16.4 0M10.8 32q9.2-2.6 18.4 0\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.3\"/>";
const QUEEN: &str = "<path d=\"M9.8 26.2L7.2 14.4l5.6 6.9.5-10.6 4.1 9.6 2.6-10.9 2.6 10.9 4.1-9.6.5 10.6 5.6-6.9-2.6 11.8q-1.9 1.5-1.6 3.3l1 2.4q1.2 1 .8 3.1h-20.8q-.4-2.1.8-3.1l1-2.4q.3-1.8-1.6-3.3z\"/>\
    <circle cx=\"6.6\" cy=\"12.4\" r=\"2.1\"/><circle cx=\"13.1\" cy=\"8.7\" r=\"2.1\"/><circle cx=\"20\" cy=\"7.2\" r=\"2.1\"/>\
    <circle cx=\"26.9\" cy=\"8.7\" r=\"2.1\"/><circle cx=\"33.4\" cy=\"12.4\" r=\"2.1\"/>\
    <path d=\"M10.6 26.2q9.4-3.2 18.8 0M12 29.4q8-2.4 16 0M11 32.1q9-2.4 18 0\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.3\"/>";
const ROOK: &str = "<path d=\"M8.6 35v-2q0-1.9 1.9-1.9h1.2l.9-2.9 1-10.4-3.2-2.8v-8h4.5v2.9h2.8v-2.9h4.6v2.9h2.8v-2.9h4.5v8l-3.2 2.8 1 10.4.9 2.9h1.2q1.9 0 1.9 1.9v2z\"/>\
    <path d=\"M12 14.6h16\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"1.2\"/>\
    <path d=\"M14.4 17.8h11.2M13.4 28.2h13.2M12.4 31.3h15.2\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.3\"/>";
const BISHOP: &str = "<path d=\"M7 35c.3-2.2 1.7-3 3.9-3h3.9c2 0 3.6-.5 5.2-1.9 1.6 1.4 3.2 1.9 5.2 1.9h3.9c2.2 0 3.6.8 3.9 3h-8.8c-1.6 0-3-.4-4.2-1.3-1.2.9-2.6 1.3-4.2 1.3z\"/>\
    <path d=\"M13.8 26.4c-2.2-1.8-3.3-3.8-3.3-6.2 0-4.5 5-6.9 9.5-11.9 4.5 5 9.5 7.4 9.5 11.9 0 2.4-1.1 4.4-3.3 6.2l1 4.3q-7.2-1.8-14.4 0z\"/>\
    <circle cx=\"20\" cy=\"6.1\" r=\"2.3\"/>\
    <path d=\"M15.4 28.8q4.6-1.1 9.2 0\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"1\"/>\
    <path d=\"M20 13.8v7.6M16.2 17.4h7.6M14.6 26.5q5.6-1.5 11.2 0\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.3\"/>";
const KNIGHT: &str = "<path d=\"M11.4 35c0-6.6 4.8-8.8 7.4-11.6 1-1.1 1.4-2.3 1.3-3.6-1.7 2-4.1 2.6-6.2 3.2-1.1.3-1.7 1.1-2.5 2.1-.8 1-2.1 1.2-3.2.4-1.3-1-2.1-2.4-1.9-3.9.2-1.3 1.3-2.3 2-3.5 1.2-2.2 1.2-4.7 2.8-7 .8-1.2 1.9-2 2.9-2.8-.3-1.7-.1-3.4.5-5.1 1.4.9 2.5 2 3.3 3.4.5-1.3 1.2-2.3 2.3-3.3.8 1.3 1.1 2.6 1.1 3.9 6.8 1.7 10.6 8.1 10.6 17.6 0 3.9-.3 7.1-.7 10.2z\"/>\
    <path d=\"M20.1 19.8c.9-1 1.3-2.2 1.2-3.6\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.3\"/>\
    <path d=\"M22.6 10.6c4.5 2.2 6.8 8.2 6.3 17.6M12.6 32h17.2\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.3\"/>\
    <path d=\"M13.6 13.5q1.9-1.9 3.9.2-.4 1.9-2.8 1.8-1.3-.3-1.1-2zM8.2 22.4q.3-1.4 1.8-1.4 0 1.6-1.8 1.4z\" fill=\"currentColor\" stroke=\"none\"/>";
const PAWN: &str = "<path d=\"M10.6 35v-1.2c0-2.7 1.7-3.8 3.4-5.4 2.3-2.3 3.3-5.1 3.5-8.7h-2.5q-1 0-1-1t1-1h1.4a5.5 5.5 0 1 1 7.2 0h1.4q1 0 1 1t-1 1h-2.5c.2 3.6 1.2 6.4 3.5 8.7 1.7 1.6 3.4 2.7 3.4 5.4v1.2z\"/>\
    <path d=\"M17.6 18.9h4.8\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"1\"/>\
    <path d=\"M12.4 31.8h15.2\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.3\"/>";
const MAN: &str = "<circle cx=\"20\" cy=\"20\" r=\"14\"/>\
    <path d=\"M9.4 20a10.6 10.6 0 1 1 21.2 0a10.6 10.6 0 1 1-21.2 0M13.4 20a6.6 6.6 0 1 1 13.2 0a6.6 6.6 0 1 1-13.2 0\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.2\"/>";
const CROWNED: &str = "<circle cx=\"20\" cy=\"20\" r=\"14\"/>\
    <path d=\"M8.8 20a11.2 11.2 0 1 1 22.4 0a11.2 11.2 0 1 1-22.4 0\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.2\"/>\
    <path d=\"M14.4 25.6l-1.9-9.6 4.3 3.6 3.2-6.4 3.2 6.4 4.3-3.6-1.9 9.6z\" fill=\"currentColor\" stroke=\"currentColor\" stroke-width=\"1.2\"/>";
