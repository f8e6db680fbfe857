//! A small reader of YAML as Olive and YACPDB write it, and of JSON.
//!
//! It reads what is broken as far as it goes: a field that cannot be read costs no other field. A `#` before a digit is
//! text, since `stipulation: #2` means a mate and no comment; there are no types, so that dates and numbers stay as
//! they are written, and tags such as `!!python/unicode` say nothing.

mod lines;
mod quoted;
mod scanner;
mod value;

use lines::{indent, is_text_hash, key};
use scanner::Scanner;
pub(super) use value::Yaml;

/// A field of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// Its name.
    pub name: String,
    /// Its first byte in the document.
    pub at: usize,
    /// Its value.
    pub value: Yaml,
    /// What is wrong with the value, which has been read as far as it goes.
    pub broken: Option<&'static str>,
}

/// The documents of a text that has no markers between them: the maps of a list, as JSON has them, or the fields of one
/// document. A map without the key `marker` is searched for maps that have it.
pub(super) fn documents(text: &str, marker: &str) -> Vec<Vec<Field>> {
    let start = content_start(text);
    if !text[start..].starts_with(['{', '[']) {
        return vec![block_fields(text, start)];
    }
    let mut scanner = Scanner::new(text, start, text.len());
    let value = scanner.flow();
    let mut found = Vec::new();
    collect(value, marker, &mut found);
    let broken = scanner.broken;
    let fields = |map: Vec<(String, Yaml)>| {
        map.into_iter().map(|(name, value)| Field { name, at: start, value, broken: None }).collect()
    };
    let mut documents: Vec<Vec<Field>> = found.into_iter().map(fields).collect();
    // Only the last one can be cut off.
    if let (Some(why), Some(last)) = (broken, documents.last_mut()) {
        last.iter_mut().for_each(|field| field.broken = Some(why));
    }
    documents
}

/// The maps that have a key, without those inside of them.
fn collect(value: Yaml, marker: &str, found: &mut Vec<Vec<(String, Yaml)>>) {
    match value {
        Yaml::List(parts) => parts.into_iter().for_each(|part| collect(part, marker, found)),
        Yaml::Map(map) if map.iter().any(|(name, _)| name == marker) => found.push(map),
        Yaml::Map(map) => map.into_iter().for_each(|(_, value)| collect(value, marker, found)),
        Yaml::Null | Yaml::Text(_) => {}
    }
}

/// Where the content begins: behind `---` and the lines before it that are blank, comments or directives.
fn content_start(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        if let Some(behind) = rest.strip_prefix("---") {
            at = text.len() - behind.trim_start_matches([' ', '\t']).len();
            continue;
        }
        let is_comment = rest.starts_with('#') && !is_text_hash(rest);
        if !is_comment && !rest.starts_with('%') {
            return at;
        }
        at += rest.find('\n').map_or(rest.len(), |end| end + 1);
    }
}

/// The fields of a document in block style.
fn block_fields(text: &str, start: usize) -> Vec<Field> {
    let mut starts: Vec<(usize, usize, String)> = Vec::new();
    let mut base = None;
    let mut at = text[..start].rfind('\n').map_or(0, |end| end + 1);
    for line in text[at..].split_inclusive('\n') {
        if line.trim_end() == "..." {
            break;
        }
        // `--- key: value` has the key on the line of the marker.
        let lead = line.strip_prefix("---").map_or(0, |_| 3);
        let indent = indent(&line[lead..]);
        if let Some((name, len)) = key(&line[lead..])
            && *base.get_or_insert(indent) == indent
        {
            starts.push((at, at + lead + len, name));
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|s| s.0).chain([at]).collect::<Vec<_>>();
    let read = starts.into_iter().zip(ends).map(|((at, value_at, name), end)| {
        let mut scanner = Scanner::new(text, value_at, end);
        let value = scanner.field_value(base.unwrap_or(0) as isize);
        Field { name, at, value, broken: scanner.broken }
    });
    read.collect()
}
