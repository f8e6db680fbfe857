//! Drawing.

use crate::api::options::{Error, TextOptions, named, tree_of};
use crate::api::puzzles::{chosen, filter};
use crate::print::{Entry, Moment, PictureOptions, Theme, picture};

/// The options of [`draw_text`].
#[derive(Clone, Debug)]
pub struct DrawOptions {
    /// The puzzle, by a pattern for its id, name or number; without one the text must have one puzzle.
    pub only: Option<String>,
    /// The format: `svg` or `png`.
    pub to: String,
    /// The longer side in pixels, 16 to 4096.
    pub size: u32,
    /// The colours: `wood`, `grey` or `print`.
    pub theme: String,
    /// Whether files and ranks are named.
    pub coordinates: bool,
    /// The position after so many steps of the solution, with an arrow for the last one.
    pub step: Option<usize>,
    /// Whether there are arrows for the solution.
    pub solution: bool,
    /// How the text is read.
    pub text: TextOptions,
}

impl Default for DrawOptions {
    fn default() -> DrawOptions {
        DrawOptions {
            only: None,
            to: "svg".into(),
            size: 400,
            theme: Theme::default().name().into(),
            coordinates: true,
            step: None,
            solution: false,
            text: TextOptions::default(),
        }
    }
}

/// A picture of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// An SVG.
    Svg(String),
    /// The bytes of a PNG.
    Png(Vec<u8>),
}

/// Draws the board of one puzzle, as `cpz draw` does.
///
/// ```
/// # use cpz_api::api as cpz;
/// let picture = cpz::draw_text("solitaire { board RN.. solve }", &cpz::DrawOptions::default())?;
/// assert!(matches!(picture, cpz::Picture::Svg(svg) if svg.starts_with("<svg")));
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// A wrong option, no puzzle or several that are meant, or a board that cannot be drawn.
pub fn draw_text(text: &str, options: &DrawOptions) -> Result<Picture, Error> {
    if !(16..=4096).contains(&options.size) {
        return Err(Error(format!("the size {} is not between 16 and 4096 pixels", options.size)));
    }
    let theme = named("theme", &options.theme, &[Theme::Wood, Theme::Grey, Theme::Print], Theme::name)?;
    let to = named("format of pictures", &options.to, &["svg", "png"], |name| name)?;
    let moment = match options.step {
        Some(_) if options.solution => return Err(Error("choose `step` or `solution`, not both".into())),
        Some(step) => Moment::Step(step),
        None if options.solution => Moment::Solution,
        None => Moment::Start,
    };
    let search = options.text.analysis()?;
    let only: Vec<String> = options.only.iter().cloned().collect();
    let filter = filter(&only, &[], &[])?;
    let tree = tree_of(text)?;
    let meant = chosen(&tree, &filter, &search);
    let entry = the_one(&meant)?;
    let look = PictureOptions { size: options.size, theme, coordinates: options.coordinates, moment };
    let svg = picture(entry, &look, &search)?;
    match to {
        "png" => png_of(&svg).map(Picture::Png),
        _ => Ok(Picture::Svg(svg)),
    }
}

#[cfg(feature = "png")]
fn png_of(svg: &str) -> Result<Vec<u8>, Error> {
    Ok(crate::print::png(svg)?)
}

/// What draws PNG is left out of a web page, which can draw an SVG itself.
#[cfg(not(feature = "png"))]
fn png_of(_: &str) -> Result<Vec<u8>, Error> {
    Err(Error("PNG is not drawn here; choose `svg`".into()))
}

/// The puzzle that is meant.
fn the_one<'e, 't>(meant: &'e [Entry<'t>]) -> Result<&'e Entry<'t>, Error> {
    match meant {
        [entry] => Ok(entry),
        [] => Err(Error("there are no puzzles to draw".into())),
        _ => Err(Error(format!("there are {} puzzles; choose one with `only`", meant.len()))),
    }
}
