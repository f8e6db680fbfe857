//! Breaking a text into lines.

/// A text in lines of at most `max` characters, broken between words. A longer word has a line of its own.
pub fn wrapped(text: &str, max: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let width = word.chars().count();
        match lines.last_mut() {
            Some(line) if column + 1 + width <= max => {
                line.push(' ');
                line.push_str(word);
                column += 1 + width;
            }
            _ => {
                lines.push(word.to_string());
                column = width;
            }
        }
    }
    lines
}
