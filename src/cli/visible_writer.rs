//! Shows the text of a person on a terminal: nothing in it controls that.

use std::io::{self, Write};

use cpz_text::diagnostic::visible;

/// Writes UTF-8 with its control characters made visible.
pub(super) struct VisibleWriter<W> {
    out: W,
    /// The beginning of a character whose end is not written yet, or a carriage return that may belong to a line end.
    begun: Vec<u8>,
}

impl<W: Write> VisibleWriter<W> {
    pub(super) fn new(out: W) -> VisibleWriter<W> {
        VisibleWriter { out, begun: Vec::new() }
    }
}

impl<W: Write> Write for VisibleWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.begun) {
            Ok(text) if text.ends_with('\r') => text.len() - 1,
            Ok(text) => text.len(),
            // An end that is missing may come; bytes that are no text are shown as such.
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => self.begun.len(),
        };
        let rest = self.begun.split_off(whole);
        let text = std::mem::replace(&mut self.begun, rest);
        let text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
        self.out.write_all(visible(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_visible_wherever_a_text_is_split() {
        let text = "a\u{1b}[31mé\u{9b}\r\n\u{202e}\tb\n".as_bytes();
        for at in 0..=text.len() {
            let mut writer = VisibleWriter::new(Vec::new());
            writer.write_all(&text[..at]).expect("a vector takes all");
            writer.write_all(&text[at..]).expect("a vector takes all");
            assert_eq!(writer.out, "a\\u{1b}[31mé\\u{9b}\n\\u{202e}\tb\n".as_bytes(), "split at {at}");
        }
    }
}
