//! Models of how editors complete while a person types: when the list opens, what is selected, what Enter takes.

/// What a server offers.
#[derive(Clone, Debug)]
pub struct Item {
    /// What is compared with the typed word.
    pub filter: String,
    /// How many characters before the cursor it replaces.
    pub replaces: usize,
    pub text: String,
}

/// Why a list is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trigger {
    /// A letter of a word was typed.
    Word,
    /// A character that the server has named.
    Character(char),
}

/// A text that a person types into, and a server that knows it.
pub trait Document {
    /// Replaces the last `replaced` characters before the cursor.
    fn insert(&mut self, replaced: usize, text: &str);
    /// What is offered at the cursor, best first.
    fn offered(&mut self, trigger: Trigger) -> Vec<Item>;
    /// Formatting after a character that the server has named.
    fn format(&mut self, typed: char);
    /// The text before the cursor.
    fn before(&self) -> &str;
}

/// What Enter does when an item is selected.
#[derive(Clone, Copy, PartialEq)]
pub enum Enter {
    /// It begins a new line.
    NewLine,
    /// It inserts the item, unless that is what is typed.
    Smart,
    /// It inserts the item.
    Accepts,
}

/// The ways of an editor.
#[derive(Clone, Copy)]
pub struct Editor {
    pub name: &'static str,
    /// From how many letters of a word on the list opens.
    pub letters: usize,
    /// Whether the list opens on the characters that the server names.
    pub opens_on_triggers: bool,
    /// Whether the first item is selected without a key.
    pub selects: bool,
    pub enter: Enter,
    /// Whether an item must begin with the typed word, or only contain its letters in order.
    pub prefix: bool,
    /// Whether the list closes when its only item is what is typed.
    pub closes_on_whole_word: bool,
    /// Whether new lines are formatted by the server.
    pub formats: bool,
    /// What is no part of a word, apart from white space.
    pub separators: &'static str,
}

const CPZ_SEPARATORS: &str = "[]{}(),'\"";
const ALL_BUT_LETTERS: &str = "[]{}(),'\"=>#.+-/:!?";

/// VS Code with the defaults that the extension sets for `.cpz` files.
pub const VSCODE: Editor = Editor {
    name: "VS Code",
    letters: 1,
    opens_on_triggers: true,
    selects: false,
    enter: Enter::Smart,
    prefix: false,
    closes_on_whole_word: false,
    formats: true,
    separators: CPZ_SEPARATORS,
};

/// VS Code as it is for languages without defaults of their own.
pub const VSCODE_PLAIN: Editor = Editor {
    name: "VS Code without defaults",
    selects: true,
    enter: Enter::Accepts,
    formats: false,
    ..VSCODE
};

/// Neovim with nvim-cmp, where `<CR>` confirms with `select = true`, as its manual has it.
pub const NEOVIM: Editor = Editor { name: "Neovim", separators: ALL_BUT_LETTERS, ..VSCODE_PLAIN };

/// Helix: the list opens at the second letter, and Enter takes only what was selected.
pub const HELIX: Editor = Editor {
    name: "Helix",
    letters: 2,
    enter: Enter::NewLine,
    formats: false,
    separators: ALL_BUT_LETTERS,
    ..VSCODE
};

/// Emacs with eglot and company: the first item is selected, and Enter takes it.
pub const EMACS: Editor = Editor {
    name: "Emacs",
    letters: 3,
    selects: true,
    enter: Enter::Accepts,
    prefix: true,
    closes_on_whole_word: true,
    formats: true,
    ..VSCODE
};

/// The characters on which a server wants to be asked.
pub const TRIGGERS: &str = " [,>";

/// Types a text letter by letter.
pub fn type_text(editor: &Editor, document: &mut impl Document, text: &str) {
    let mut list: Vec<Item> = Vec::new();
    for c in text.chars() {
        if c == '\n' {
            new_line(editor, document, &std::mem::take(&mut list));
            continue;
        }
        document.insert(0, &c.to_string());
        if c == '}' && editor.formats {
            document.format(c);
        }
        let word = word_at_end(document.before(), editor.separators);
        let trigger = match () {
            () if word.is_empty() && !TRIGGERS.contains(c) => None,
            () if TRIGGERS.contains(c) && editor.opens_on_triggers => Some(Trigger::Character(c)),
            // A list that is open is asked for again, since it is incomplete. A number opens none.
            () if !list.is_empty() => Some(Trigger::Word),
            () if word.chars().count() < editor.letters || word.parse::<f64>().is_ok() => None,
            () => Some(Trigger::Word),
        };
        list = trigger.map_or_else(Vec::new, |trigger| document.offered(trigger));
        let before = document.before();
        list.retain(|item| {
            let from =
                before.char_indices().rev().nth(item.replaces.wrapping_sub(1)).map_or(before.len(), |i| i.0);
            let typed = if item.replaces == 0 { "" } else { &before[from..] };
            matches(&item.filter, typed, editor.prefix)
        });
        if editor.closes_on_whole_word && list.len() == 1 && before.ends_with(&list[0].text) {
            list.clear();
        }
    }
}

fn new_line(editor: &Editor, document: &mut impl Document, list: &[Item]) {
    if let Some(first) = list.first().filter(|_| editor.selects) {
        let same = first.replaces == first.text.chars().count() && document.before().ends_with(&first.text);
        match editor.enter {
            Enter::Accepts => return document.insert(first.replaces, &first.text),
            Enter::Smart if !same => return document.insert(first.replaces, &first.text),
            _ => {}
        }
    }
    // All of them copy the indentation of the line before.
    let line = document.before().rsplit('\n').next().unwrap_or_default();
    let indent: String = line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    document.insert(0, &format!("\n{indent}"));
    if editor.formats {
        document.format('\n');
    }
}

fn word_at_end<'t>(text: &'t str, separators: &str) -> &'t str {
    let ends = |c: char| c.is_whitespace() || separators.contains(c);
    &text[text.rfind(ends).map_or(0, |i| i + text[i..].chars().next().map_or(1, char::len_utf8))..]
}

fn matches(label: &str, typed: &str, prefix: bool) -> bool {
    let (label, typed) = (label.to_lowercase(), typed.to_lowercase());
    if prefix {
        return label.starts_with(&typed);
    }
    let mut letters = label.chars();
    typed.chars().all(|c| letters.any(|l| l == c))
}
