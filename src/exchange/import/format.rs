//! The formats that are imported.

/// A format that is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// A FEN on each line.
    Fen,
    /// Extended position description: a position and operations on each line.
    Epd,
    /// Games, of which those with a position of their own are puzzles.
    Pgn,
    /// The puzzle database of Lichess.
    Lichess,
    /// What `cpz export --to json` writes.
    Json,
    /// The entries of Olive and YACPDB.
    Olv,
    /// The input of Popeye.
    Popeye,
    /// Games of draughts.
    Pdn,
    /// Text boards of solitaire chess.
    Solitaire,
}

impl Format {
    /// All formats.
    pub const ALL: &'static [Format] = &[
        Format::Fen,
        Format::Epd,
        Format::Pgn,
        Format::Lichess,
        Format::Json,
        Format::Olv,
        Format::Popeye,
        Format::Pdn,
        Format::Solitaire,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Fen => "fen",
            Format::Epd => "epd",
            Format::Pgn => "pgn",
            Format::Lichess => "lichess",
            Format::Json => "json",
            Format::Olv => "olv",
            Format::Popeye => "popeye",
            Format::Pdn => "pdn",
            Format::Solitaire => "solitaire",
        }
    }

    /// What the names of its files end in, in lower case.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Fen => &["fen"],
            Format::Epd => &["epd"],
            Format::Pgn => &["pgn"],
            Format::Lichess => &["csv", "zst"],
            Format::Json => &["json", "jsonl"],
            Format::Olv => &["olv"],
            Format::Popeye => &["inp"],
            Format::Pdn => &["pdn"],
            Format::Solitaire => &["txt"],
        }
    }

    /// What it is, for a list of formats.
    pub fn description(self) -> &'static str {
        match self {
            Format::Fen => "A FEN on each line",
            Format::Epd => "Positions with operations, as engines use them",
            Format::Pgn => "Games of chess with a FEN tag",
            Format::Lichess => "The puzzle database of Lichess: CSV, plain or compressed (.zst)",
            Format::Json => "What `cpz export` writes as JSON, one document or one puzzle a line",
            Format::Olv => "Chess problems of Olive and YACPDB: YAML or JSON",
            Format::Popeye => "The input of Popeye, in English, German or French",
            Format::Pdn => "Games of Russian draughts with a FEN tag",
            Format::Solitaire => "Text boards of solitaire chess, parted by blank lines",
        }
    }
}
