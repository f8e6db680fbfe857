//! The order of the layers in each crate, and imports between files without cycles. Cargo holds the order of the crates.
//!
//! A file imports another if a path in its code leads to an item that the other file *defines*. Paths are followed
//! through `use` and `pub use`, so neither `mod x;` nor a re-export in a `mod.rs` is an import by itself. It follows
//! that a file may import what the `mod.rs` of its folder defines only if that `mod.rs` uses nothing of the file.
//! Code under `#[cfg(test)]` may import anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The crates that have layers, and these, lowest first. A file may import files of its own layer and of lower layers.
const LAYERS: [(&str, &[&str]); 5] = [
    ("text", &["diagnostic", "syntax"]),
    ("rules", &["board", "games"]),
    ("check", &["parallel.rs", "analysis", "repair", "authoring"]),
    ("api", &["print", "api"]),
    ("server", &["workspace", "lsp", "server"]),
];

/// What may stand at the root.
const ROOT: [&str; 27] = [
    ".ci",
    ".git",
    ".github",
    ".gitignore",
    ".pre-commit-hooks.yaml",
    ".vscode",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "action.yml",
    "benches",
    "deny.toml",
    "docs",
    "editors",
    "examples",
    "fuzz",
    "grammar",
    "packages",
    "rustfmt.toml",
    "src",
];

/// The parts of the layers that have an order inside, lowest first. Parts of one row may not import each other.
const PARTS: [(&str, &[&[&str]]); 2] = [
    (
        "lsp",
        &[&["protocol"], &["session"], &["scan.rs"], &["state"], &["features"], &["embedded"], &["mod.rs"]],
    ),
    (
        "server",
        &[
            &["transport"],
            &["progress.rs"],
            &["threads.rs"],
            &["push.rs", "scan.rs"],
            &["handlers"],
            &["mod.rs"],
        ],
    ),
];

/// Crates, modules and macros that only these layers may use.
const RESTRICTED: [(&str, &[&str]); 6] = [
    ("tower_lsp::", &["server"]),
    ("tokio::", &["server"]),
    ("std::fs", &["workspace", "server", "cli"]),
    ("println!", &[]),
    ("eprintln!", &[]),
    ("std::time", &["workspace", "server", "cli"]),
];

/// The permitted cycles: why the files may import each other, and the files. Every file named here has to be in a
/// cycle with others of its row.
const CYCLES: &[(&str, &[&str])] = &[
    ("the files hold the `impl` of `Parser`", &["text/syntax/parser/mod.rs", "text/syntax/parser/board.rs"]),
    (
        "the files hold parts of `State` and their share of its `impl`",
        &[
            "server/lsp/state/mod.rs",
            "server/lsp/state/event.rs",
            "server/lsp/state/pull.rs",
            "server/lsp/state/sync.rs",
            "server/lsp/state/workspace.rs",
        ],
    ),
];

#[test]
fn root_has_only_what_a_stranger_expects() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // An archive of the sources has no `.git`; then whatever stands there is compared.
    let listed = std::process::Command::new("git").args(["ls-files", "-z"]).current_dir(root).output();
    let names: BTreeSet<String> = match listed {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8(output.stdout).expect("names in UTF-8");
            text.split_terminator('\0').map(|path| layer_of_path(path).to_string()).collect()
        }
        _ => return,
    };
    let strangers: Vec<_> =
        names.iter().filter(|name| !ROOT.contains(&name.as_str()) && *name != "tests").collect();
    assert!(strangers.is_empty(), "what is this at the root? {strangers:?}");
}

#[test]
fn layers_import_only_lower_layers() {
    let graph = Graph::read();
    let mut wrong = Vec::new();
    for (from, to) in graph.edges() {
        if is_against_order(from, to) {
            wrong.push(format!("{from} → {to}"));
        }
    }
    assert!(wrong.is_empty(), "imports against the order of the layers:\n{}", wrong.join("\n"));
}

#[test]
fn files_import_without_cycles() {
    let graph = Graph::read();
    let cycles = graph.cycles();
    let permitted: Vec<_> = CYCLES.iter().map(|(_, files)| *files).collect();
    let mut wrong = Vec::new();
    for cycle in &cycles {
        if !permitted.iter().any(|files| cycle.iter().all(|file| files.contains(file))) {
            let is_inside = |(from, to): &(&str, &str)| cycle.contains(from) && cycle.contains(to);
            let edges = graph.edges().filter(is_inside).map(|(from, to)| format!("    {from} → {to}\n"));
            wrong.push(format!("&{cycle:?},\n{}", edges.collect::<String>()));
        }
    }
    for file in permitted.into_iter().flatten() {
        if !cycles.iter().any(|cycle| cycle.contains(file)) {
            wrong.push(format!("remove \"{file}\" from the lists: it is in no cycle"));
        }
    }
    assert!(wrong.is_empty(), "cycles between files:\n{}", wrong.join("\n"));
}

#[test]
fn restricted_crates_stay_in_their_layers() {
    let mut wrong = Vec::new();
    // A file of tests reads fixtures, and prints.
    for (path, text) in sources().into_iter().filter(|(path, _)| !path.ends_with("tests.rs")) {
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        for (what, layers) in RESTRICTED {
            if code.contains(what) && !layers.contains(&layer(&path)) && layer(&path) != path {
                wrong.push(format!("{path} uses {what}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn import_graph_follows_re_exports() {
    let graph = Graph::of(&[
        ("ide/lib.rs", "pub mod a; mod b; fn f() { a::g(); }"),
        ("ide/a/mod.rs", "mod x; pub use x::{g, h as k}; pub struct A; // crate::b::B\n"),
        ("ide/a/x.rs", "use super::A; pub fn g() {} pub fn h() {} #[cfg(test)] mod t { use crate::b::B; }"),
        (
            "ide/b.rs",
            "use crate::{a, a::k}; pub struct B; fn f<'a>() -> impl Sized + use<'a> { \"crate::a::A\"; a::A }",
        ),
        ("cli/mod.rs", "use cpz_ide::a; fn f() { a::g(); }"),
    ]);
    let edges: Vec<_> = graph.edges().collect();
    assert_eq!(
        edges,
        [
            ("cli/mod.rs", "ide/a/x.rs"),
            ("ide/a/x.rs", "ide/a/mod.rs"),
            ("ide/b.rs", "ide/a/mod.rs"),
            ("ide/b.rs", "ide/a/x.rs"),
            ("ide/lib.rs", "ide/a/x.rs"),
        ]
    );
    assert!(graph.cycles().is_empty());
    let graph = Graph::of(&[
        ("ide/a/mod.rs", "mod x; use x::f; pub struct A;"),
        ("ide/a/x.rs", "use super::A; fn f() {}"),
    ]);
    assert_eq!(graph.cycles(), [["ide/a/mod.rs", "ide/a/x.rs"]]);
}

/// The first folder or file of a path.
fn layer_of_path(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}

/// The crate of a path below `src`; that of the program is named as its library.
fn crate_of(path: &str) -> &str {
    match layer_of_path(path) {
        "cli" | "lib.rs" | "main.rs" | "schema.rs" => "cpz",
        name => name,
    }
}

/// The layer of a path below `src`: a folder in its crate, or the whole crate.
fn layer(path: &str) -> &str {
    match LAYERS.iter().find(|(name, _)| *name == crate_of(path)) {
        Some((name, _)) => layer_of_path(path[name.len()..].trim_start_matches('/')),
        None => layer_of_path(path),
    }
}

fn is_against_order(from: &str, to: &str) -> bool {
    if crate_of(from) != crate_of(to) {
        return false;
    }
    if let Some((_, layers)) = LAYERS.iter().find(|(name, _)| *name == crate_of(from)) {
        let rank = |path: &str| layers.iter().position(|&l| l == layer(path));
        let (Some(a), Some(b)) = (rank(from), rank(to)) else { return false };
        if a != b {
            return a < b;
        }
    }
    let Some((name, rows)) = PARTS.iter().find(|(name, _)| *name == layer(from)) else { return false };
    let part = |path: &str| {
        let inside = path.split_once(&format!("{name}/")).map_or("", |(_, inside)| inside);
        // `server` is a crate and a layer of it.
        let inside = inside.strip_prefix(&format!("{name}/")).unwrap_or(inside);
        let part = layer_of_path(inside).to_string();
        (rows.iter().position(|row| row.contains(&part.as_str())), part)
    };
    let ((a, name), (b, other)) = (part(from), part(to));
    a.is_none() || b.is_none() || a < b || (a == b && name != other)
}

/// The text of each source, by its path below `src`.
fn sources() -> BTreeMap<String, String> {
    fn collect(folder: &Path, prefix: &str, found: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let name = entry.file_name().into_string().expect("a name in UTF-8");
            if entry.path().is_dir() {
                collect(&entry.path(), &format!("{prefix}{name}/"), found);
            } else if name.ends_with(".rs") {
                let text = fs::read_to_string(entry.path()).expect("a source");
                found.insert(format!("{prefix}{name}"), text);
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut found);
    assert!(found.len() > 25, "only {} sources were found", found.len());
    found
}

/// A name that a `use` brings into a file.
struct Import {
    path: Vec<String>,
    name: String,
    is_re_export: bool,
}

#[derive(Default)]
struct File {
    /// The path of its module below the crate.
    module: Vec<String>,
    /// The names of the items that it defines.
    defines: BTreeSet<String>,
    imports: Vec<Import>,
    /// Paths outside of `use`. Single names are here too, because they may come from a re-export.
    paths: BTreeSet<Vec<String>>,
}

/// The imports between the files of a crate.
struct Graph {
    files: BTreeMap<String, File>,
    by_module: BTreeMap<Vec<String>, String>,
    edges: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    fn read() -> Graph {
        let sources = sources();
        Graph::of(&sources.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>())
    }

    fn of(sources: &[(&str, &str)]) -> Graph {
        let mut graph = Graph { files: BTreeMap::new(), by_module: BTreeMap::new(), edges: BTreeMap::new() };
        for (path, text) in sources.iter().filter(|(path, _)| *path != "main.rs") {
            let file = File::parse(path, text);
            graph.by_module.insert(file.module.clone(), path.to_string());
            graph.files.insert(path.to_string(), file);
        }
        for (path, file) in &graph.files {
            let used = file.imports.iter().filter(|i| !i.is_re_export).map(|i| &i.path);
            let targets = used.chain(&file.paths).filter_map(|p| graph.definition(path, p, 0));
            let targets = targets.filter(|target| target != path).collect();
            graph.edges.insert(path.clone(), targets);
        }
        graph
    }

    fn edges(&self) -> impl Iterator<Item = (&str, &str)> {
        self.edges.iter().flat_map(|(from, to)| to.iter().map(|to| (from.as_str(), to.as_str())))
    }

    /// The file that defines what a path in a file leads to; `None` for other crates and for folders as such.
    fn definition(&self, from: &str, path: &[String], depth: usize) -> Option<String> {
        if depth > 8 {
            return None;
        }
        let file = &self.files[from];
        let (mut module, mut rest) = match path[0].as_str() {
            "crate" => (file.module[..1].to_vec(), &path[1..]),
            name if name.starts_with("cpz_") => (vec![name["cpz_".len()..].to_string()], &path[1..]),
            "self" => (file.module.clone(), &path[1..]),
            "super" => (file.module[..file.module.len().checked_sub(1)?].to_vec(), &path[1..]),
            first => {
                if let Some(import) = file.imports.iter().find(|i| i.name == first && i.path != path) {
                    let path: Vec<_> = import.path.iter().chain(&path[1..]).cloned().collect();
                    return self.definition(from, &path, depth + 1);
                }
                let child = [&file.module[..], &path[..1]].concat();
                if !self.by_module.contains_key(&child) {
                    return None;
                }
                (child, &path[1..])
            }
        };
        while let Some((next, others)) = rest.split_first() {
            let child = [&module[..], std::slice::from_ref(next)].concat();
            match next.as_str() {
                "super" => drop(module.pop()),
                _ if self.by_module.contains_key(&child) => module = child,
                _ => break,
            }
            rest = others;
        }
        let there = self.by_module.get(&module)?;
        let Some(item) = rest.first() else {
            // A module: `use crate::ide;` alone imports nothing, the paths that begin with `ide::` do.
            return (!there.ends_with("mod.rs") && !there.ends_with("lib.rs")).then(|| there.clone());
        };
        let target = &self.files[there];
        if !target.defines.contains(item)
            && let Some(import) = target.imports.iter().find(|i| i.name == *item)
        {
            return self.definition(there, &import.path, depth + 1);
        }
        Some(there.clone())
    }

    /// The sets of files that import each other, directly or through others.
    fn cycles(&self) -> Vec<Vec<&str>> {
        let reachable = |from: &str| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from.to_string()]);
            while let Some(file) = open.pop() {
                for next in &self.edges[&file] {
                    if seen.insert(next.clone()) {
                        open.push(next.clone());
                    }
                }
            }
            seen
        };
        let reached: BTreeMap<&str, _> = self.files.keys().map(|f| (f.as_str(), reachable(f))).collect();
        let mut cycles: Vec<Vec<&str>> = Vec::new();
        for (&file, seen) in &reached {
            if seen.contains(file) && !cycles.iter().any(|cycle| cycle.contains(&file)) {
                let both = |other: &&str| seen.contains(*other) && reached[*other].contains(file);
                cycles.push(reached.keys().copied().filter(both).collect());
            }
        }
        cycles
    }
}

impl File {
    fn parse(path: &str, text: &str) -> File {
        let inside = path.strip_prefix(crate_of(path)).map_or(path, |inside| inside.trim_start_matches('/'));
        let inside = inside.trim_end_matches(".rs").trim_end_matches("/mod");
        let module = [crate_of(path)].into_iter().chain(inside.split('/').filter(|&part| part != "lib"));
        let module = module.map(String::from).collect();
        let mut file = File { module, ..File::default() };
        let tokens = tokens(text);
        let token = |i: usize| tokens.get(i).map_or("", String::as_str);
        let mut i = 0;
        while i < tokens.len() {
            if tokens[i..].iter().take(7).eq(["#", "[", "cfg", "(", "test", ")", "]"].iter()) {
                i = end_of_item(&tokens, i + 7);
            } else if token(i) == "use" && token(i + 1) != "<" {
                let is_re_export = i > 0 && matches!(token(i - 1), "pub" | ")");
                i = use_tree(&tokens, i + 1, &[], is_re_export, &mut file.imports);
            } else if is_name(token(i)) {
                if matches!(token(i), "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static") {
                    file.defines.insert(token(i + 1).to_string());
                    i += if is_name(token(i + 1)) && token(i + 1) != "fn" { 2 } else { 1 };
                    continue;
                }
                let mut found = vec![token(i).to_string()];
                // A name after a dot is a field or a method.
                let is_member = i > 0 && token(i - 1) == ".";
                while token(i + 1) == "::" && is_name(token(i + 2)) {
                    found.push(token(i + 2).to_string());
                    i += 2;
                }
                if !is_member {
                    file.paths.insert(found);
                }
                i += 1;
            } else {
                i += 1;
            }
        }
        // A name by itself is a path to another file only if a `use` brings it.
        let names: BTreeSet<_> = file.imports.iter().map(|i| i.name.clone()).collect();
        file.paths.retain(|path| path.len() > 1 || names.contains(&path[0]));
        file
    }
}

/// Reads the tree of a `use` and returns the index after it.
fn use_tree(
    tokens: &[String],
    mut i: usize,
    prefix: &[String],
    is_re_export: bool,
    out: &mut Vec<Import>,
) -> usize {
    let mut path = prefix.to_vec();
    let mut name = None;
    while i < tokens.len() {
        match tokens[i].as_str() {
            "::" => i += 1,
            "{" => {
                i += 1;
                while tokens[i] != "}" {
                    i = use_tree(tokens, i, &path, is_re_export, out);
                    i += usize::from(tokens[i] == ",");
                }
                return i + 1;
            }
            "as" => {
                name = Some(tokens[i + 1].clone());
                i += 2;
            }
            "," | "}" | ";" => break,
            "self" if !path.is_empty() => i += 1,
            part => {
                path.push(part.to_string());
                i += 1;
            }
        }
    }
    let name = name.or_else(|| path.last().cloned()).unwrap_or_default();
    out.push(Import { path, name, is_re_export });
    i
}

/// The index after the item that begins at `i`: after its `;`, or after its braces.
fn end_of_item(tokens: &[String], mut i: usize) -> usize {
    let mut depth = 0;
    while i < tokens.len() {
        match tokens[i].as_str() {
            "{" => depth += 1,
            "}" if depth == 1 => return i + 1,
            "}" => depth -= 1,
            ";" if depth == 0 => return i + 1,
            _ => {}
        }
        i += 1;
    }
    i
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The names, `::` and other characters of a source, without comments, literals and white space.
fn tokens(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let (mut out, mut i) = (Vec::new(), 0);
    while i < bytes.len() {
        let rest = &text[i..];
        let raw_string = rest.strip_prefix('b').unwrap_or(rest).strip_prefix('r').and_then(|r| {
            let hashes = r.len() - r.trim_start_matches('#').len();
            r[hashes..].starts_with('"').then(|| format!("\"{}", "#".repeat(hashes)))
        });
        if rest.starts_with("//") {
            i += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            i += rest.find("*/").map_or(rest.len(), |at| at + 2);
        } else if let Some(end) = raw_string {
            let start = rest.find('"').expect("a quote") + 1;
            i += start + rest[start..].find(&end).expect("the end of a string") + end.len();
        } else if bytes[i] == b'"' {
            i += 1;
            while bytes[i] != b'"' {
                i += if bytes[i] == b'\\' { 2 } else { 1 };
            }
            i += 1;
        } else if bytes[i] == b'\'' {
            // A character, or else a lifetime.
            let mut letters = rest[1..].char_indices();
            let first = letters.next().map(|(_, c)| c);
            let is_char = first == Some('\\') || letters.next().is_some_and(|(_, c)| c == '\'');
            i += match (is_char, first) {
                (true, Some('\\')) => 3 + rest[3..].find('\'').expect("the end of a character") + 1,
                (true, Some(c)) => c.len_utf8() + 2,
                _ => 1,
            };
        } else if rest.starts_with("::") {
            out.push("::".into());
            i += 2;
        } else {
            let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let length = if name > 0 { name } else { rest.chars().next().map_or(1, char::len_utf8) };
            if !rest[..length].trim().is_empty() {
                out.push(rest[..length].to_string());
            }
            i += length;
        }
    }
    out
}
