//! Files of other programs: whatever their bytes are, they become puzzles that can be read, and what is not read is told.

use std::io::{BufRead, BufReader};

use cpz::exchange::import::{Format, ImportOptions, Imported, LETTERS, detect, import, reader_of};
use cpz::ide::format;
use cpz::syntax::parse;

/// What a byte of a file can become: a cell of a list has quotes and a comma, and a row has an indentation.
const MAX_GROWTH: usize = 64;
/// What each puzzle may have that no byte of the file stands for.
const MAX_FRAME: usize = 1024;

/// What an import made of a file.
#[derive(Debug, PartialEq)]
pub struct Puzzles {
    /// The puzzles as a text of cpz.
    pub text: String,
    /// How many there are.
    pub count: usize,
    /// The line, from 1, and the reason of what is not read.
    pub notices: Vec<(usize, String)>,
}

/// Every format makes formatted puzzles without syntax errors of any bytes, as many as it says, and not much longer than
/// the file; it makes the same of a file that arrives in small parts, and its notices name lines of the file.
///
/// Input bytes: the options, and a file.
pub fn importers(data: &[u8]) {
    let Some((&how, file)) = data.split_first() else { return };
    let options = ImportOptions {
        mates: how & 1 != 0,
        bottom_up: how & 2 != 0,
        whole_comments: how & 4 != 0,
        letters: LETTERS.get(usize::from(how >> 3)).map(|name| (*name).to_string()),
    };
    let _ = detect("file", &String::from_utf8_lossy(file));
    for &format in Format::ALL {
        let puzzles = imported(format, file, &options);
        // A carriage return alone ends a line, too.
        let lines = 1 + file.iter().filter(|&&b| b == b'\n' || b == b'\r').count();
        for (line, reason) in &puzzles.notices {
            assert!((1..=lines).contains(line) && !reason.is_empty(), "{format:?}: {line} {reason}");
        }
        let bound = file.len() * MAX_GROWTH + puzzles.count * MAX_FRAME;
        assert!(puzzles.text.len() <= bound, "{format:?}: {} bytes of {}", puzzles.text.len(), file.len());
    }
}

/// What a format makes of a file, read twice: at once, and in small parts.
pub fn imported(kind: Format, file: &[u8], options: &ImportOptions) -> Puzzles {
    let puzzles = read(kind, file, options, &mut &*file);
    let slowly = read(kind, file, options, &mut BufReader::with_capacity(1 + file.len() % 7, file));
    assert_eq!(puzzles, slowly, "{kind:?}: in small parts");
    let tree = parse(puzzles.text.as_str());
    assert!(tree.errors().is_empty(), "{kind:?}: {:?}\n{}", tree.errors(), puzzles.text);
    let formatted = format(&tree);
    assert_eq!(formatted.as_deref(), Some(puzzles.text.as_str()), "{kind:?}");
    assert_eq!(tree.puzzles().count(), puzzles.count, "{kind:?}\n{}", puzzles.text);
    puzzles
}

fn read(kind: Format, file: &[u8], options: &ImportOptions, stream: &mut dyn BufRead) -> Puzzles {
    let reader = reader_of(kind, &String::from_utf8_lossy(file), options);
    let mut puzzles = Puzzles { text: String::new(), count: 0, notices: Vec::new() };
    let mut sink = |part: Imported| {
        if !puzzles.text.is_empty() && !part.text.is_empty() {
            puzzles.text.push('\n');
        }
        puzzles.text.push_str(&part.text);
        puzzles.count += part.tally.puzzles;
        puzzles.notices.extend(part.notices.into_iter().map(|notice| (notice.line, notice.reason)));
        Ok(())
    };
    import(&*reader, stream, &mut sink).expect("no error in a slice");
    puzzles
}
