//! `cpz lines`

use std::io::{self, BufRead, BufReader, Read, Write};

use rayon::prelude::*;

use crate::cli::args::Lines;
use crate::cli::out::{DONE, Out};
use cpz_check::analysis::Config;
use cpz_exchange::{answer_line, error_line};

/// The longest line in bytes. The rest of a longer one is read and dropped.
const MAX_LINE: usize = 4 << 20;

/// The bytes that are read ahead, and those of the lines that are answered at the same time.
const BATCH: usize = 1 << 20;

/// Answers each line of standard input by a line.
pub fn run(args: &Lines, out: &mut Out) -> io::Result<u8> {
    let nodes = args.budget.budget.unwrap_or(Config::default().nodes());
    answer_all(io::stdin().lock(), &mut *out.stdout, nodes).map(|()| DONE)
}

/// A line that is to be answered.
enum Line {
    Text(Vec<u8>),
    TooLong,
}

fn answer_all(input: impl Read, out: &mut dyn Write, nodes: u64) -> io::Result<()> {
    let mut input = BufReader::with_capacity(BATCH, input);
    let mut first = 1;
    loop {
        let batch = batch(&mut input)?;
        if batch.is_empty() {
            return Ok(());
        }
        let answer = |(i, line): (usize, &Line)| match line {
            Line::Text(text) => answer_line(text, first + i as u64, nodes),
            Line::TooLong => error_line(first + i as u64, "this line is longer than 4 MiB"),
        };
        let answers: Vec<String> = batch.par_iter().enumerate().map(answer).collect();
        first += batch.len() as u64;
        for answer in answers {
            out.write_all(answer.as_bytes())?;
            out.write_all(b"\n")?;
        }
        // A program may wait for the answer before it writes the next line.
        out.flush()?;
    }
}

/// The next lines: as many as are there already. Waits for the first one only.
fn batch(input: &mut BufReader<impl Read>) -> io::Result<Vec<Line>> {
    let (mut lines, mut bytes) = (Vec::new(), 0);
    while let Some(line) = next_line(input)? {
        bytes += if let Line::Text(text) = &line { text.len() } else { 0 };
        lines.push(line);
        if bytes >= BATCH || !input.buffer().contains(&b'\n') {
            break;
        }
    }
    Ok(lines)
}

/// The next line without its line break; nothing at the end.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut text = Vec::new();
    let mut is_too_long = false;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        if buffer.is_empty() {
            let is_end = text.is_empty() && !is_too_long;
            return Ok((!is_end).then_some(if is_too_long { Line::TooLong } else { Line::Text(text) }));
        }
        let end = buffer.iter().position(|&b| b == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        is_too_long |= text.len() + part.len() > MAX_LINE;
        if is_too_long {
            text = Vec::new();
        } else {
            text.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Some(if is_too_long { Line::TooLong } else { Line::Text(text) }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is answered to an input that arrives in parts of some bytes.
    fn answers(input: &[u8], part: usize) -> Vec<serde_json::Value> {
        struct Parts<'i>(&'i [u8], usize);
        impl Read for Parts<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let n = self.1.min(self.0.len()).min(buffer.len());
                let (now, later) = self.0.split_at(n);
                buffer[..n].copy_from_slice(now);
                self.0 = later;
                Ok(n)
            }
        }
        let mut out = Vec::new();
        answer_all(Parts(input, part), &mut out, 100_000).expect("a vector takes all");
        let text = String::from_utf8(out).expect("text");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    #[test]
    fn every_line_has_its_answer_in_order() {
        let mut input = Vec::new();
        input.extend_from_slice(b"solitaire { board NR.. solve }\n\n\xff\xfe\nhello\n");
        input.extend_from_slice(b"solitaire { board NR.. solve } solitaire { board RN.. solve }\n");
        input.extend_from_slice(&vec![b'a'; MAX_LINE + 1]);
        input.extend_from_slice(b"\n{\"game\":\n{\"game\":\"solitaire\",\"board\":{\"rows\":[\"N..R\"]},\"queries\":[{\"verb\":\"solve\"}]}\r\n");
        input.extend_from_slice(b"chess { board 8/8/8/4k3/8/8/8/4K2R move Rg7 }");
        let whole = answers(&input, usize::MAX);
        let kinds: Vec<&str> =
            whole.iter().map(|a| a["error"].as_str().unwrap_or(a["game"].as_str().unwrap_or(""))).collect();
        assert_eq!(kinds[0], "solitaire");
        assert_eq!(kinds[1], "this line is empty");
        assert!(kinds[2].starts_with("this line is not UTF-8"), "{kinds:?}");
        assert!(kinds[3].starts_with("this line has no puzzle"), "{kinds:?}");
        assert!(kinds[4].starts_with("this line has 2 puzzles"), "{kinds:?}");
        assert_eq!(kinds[5], "this line is longer than 4 MiB");
        assert!(kinds[6].starts_with("this is no puzzle in JSON"), "{kinds:?}");
        assert_eq!(kinds[7..], ["solitaire", "chess"]);
        assert_eq!(
            whole[8]["findings"][0]["code"]
                .as_str()
                .or(whole[8]["queries"][0]["findings"][0]["code"].as_str()),
            Some("illegal-move")
        );
        for (i, answer) in whole.iter().enumerate() {
            assert_eq!(answer["line"], i as u64 + 1);
        }
        assert_eq!(whole, answers(&input, 100_003));
    }

    #[test]
    fn mirrored_puzzles_have_one_canonical_form() {
        let input = b"solitaire { board NR.. solve }\nsolitaire { board ..RN solve }\nsolitaire { board N..R solve }\n";
        let forms: Vec<_> =
            answers(input, 1).iter().map(|a| a["canonical"].as_str().map(String::from)).collect();
        assert!(forms[0].is_some() && forms[0] == forms[1] && forms[0] != forms[2], "{forms:?}");
    }
}
