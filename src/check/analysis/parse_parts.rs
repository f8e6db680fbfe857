//! The tree of a long text, whose parts several threads parse.

use crate::parallel::*;
use cpz_text::syntax::{MAX_TEXT, Tree, parse, parse_closed};

/// The size of a part in bytes.
const PART: usize = 1 << 20;

/// Parses a whole text. A long one is divided at braces that close puzzles, across which the parser keeps no state.
pub fn parse_in_parts(text: String) -> Tree {
    match parse_parts(&text, PART) {
        Some(parts) => Tree::join(text, parts),
        None => parse(text),
    }
}

/// The trees of the parts of a text; nothing where it is short, or one of the braces closes no puzzle.
fn parse_parts(text: &str, size: usize) -> Option<Vec<Tree>> {
    let parts = divide(text, size);
    if parts.len() < 2 || text.len() > MAX_TEXT {
        return None;
    }
    let parsed: Vec<(Tree, Vec<u32>)> = parts.par_iter().map(|part| parse_closed(*part)).collect();
    // Only the parser knows whether a brace closes a puzzle or stands in a comment.
    let is_closed =
        |(part, (_, closed)): (&&str, &(_, Vec<u32>))| closed.last() == Some(&(part.len() as u32));
    let (_, but_last) = parts.split_last()?;
    let all_closed = but_last.iter().zip(&parsed).all(is_closed);
    all_closed.then(|| parsed.into_iter().map(|(tree, _)| tree).collect())
}

/// Parts of a text of about some bytes, each up to a brace at the end of a line.
fn divide(mut text: &str, size: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    while let Some(rest) = text.as_bytes().get(size..) {
        let ends_line = |pair: &[u8]| matches!(pair, [b'}', b'\n' | b'\r']);
        let Some(brace) = rest.windows(2).position(ends_line) else { break };
        let (part, behind) = text.split_at(size + brace + 1);
        parts.push(part);
        text = behind;
    }
    parts.push(text);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_parts_has_the_tree_of_the_whole_text() {
        let text = "size 4x4\nsolitaire \"a\" { board ...K solv\n}\n// a comment {}\nchess { board 8 // }\n mate in 2 \
                    => [\n}\n) solitaire 'b' { board [[K,Q], tags x }\nx-y \"} \n solitaire { }\nchess { board \"\n8}\n\" }";
        let parts = |tree: &Tree| {
            let tokens: Vec<_> = tree.tokens().map(|t| (t.kind(), t.span())).collect();
            let mut open = vec![tree.root()];
            let mut nodes = Vec::new();
            while let Some(node) = open.pop() {
                nodes.push((node.kind(), node.span(), node.tokens().count()));
                open.extend(node.children());
            }
            (tokens, nodes, tree.errors().to_vec())
        };
        let whole = parts(&parse(text));
        let joined = |size| Some((size, Tree::join(text.to_string(), parse_parts(text, size)?)));
        let joined: Vec<_> = (1..text.len()).filter_map(joined).collect();
        assert!(joined.iter().any(|(size, _)| divide(text, *size).len() > 2));
        for (size, tree) in joined {
            assert_eq!(parts(&tree), whole, "parts of {size} bytes");
        }
    }
}
