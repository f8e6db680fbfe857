//! Misspelt words: the nearest of some candidates, and Cyrillic letters that look like Latin ones.

/// The Latin letter that a Cyrillic one looks like: sources are often pasted from Russian pages.
pub fn lookalike(c: char) -> Option<char> {
    const CYRILLIC: &str = "АВЕКМНОРСТХавекмнорстух";
    const LATIN: &str = "ABEKMHOPCTXabekmhopctyx";
    CYRILLIC.chars().position(|x| x == c).and_then(|i| LATIN.chars().nth(i))
}

/// A text in the Latin letters that its Cyrillic ones look like; nothing where it has none, or others too.
pub fn in_latin(text: &str) -> Option<String> {
    let latin = || text.chars().map(|c| lookalike(c).unwrap_or(c)).collect::<String>();
    (!text.is_ascii()).then(latin).filter(|latin| latin.is_ascii())
}

/// The index of the candidate nearest to `word`, if one is near enough to be meant; of several as
/// near, the first.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<usize> {
    near(word, candidates).into_iter().min().map(|(_, i)| i)
}

/// The candidates near enough to `word` to be meant, as distance and index.
pub(super) fn near<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Vec<(usize, usize)> {
    if word.len() > 24 || word.len() < 2 {
        return Vec::new();
    }
    let latin: String = word.chars().map(|c| lookalike(c).unwrap_or(c)).collect();
    if !latin.is_ascii() {
        return Vec::new();
    }
    let lower = latin.to_ascii_lowercase();
    let allowed = if lower.len() <= 5 { 1 } else { 2 };
    let far = |c: &str| c.len().abs_diff(lower.len()) > allowed;
    let distances = candidates
        .enumerate()
        .filter(|(_, c)| !far(c))
        .map(|(i, c)| (distance(lower.as_bytes(), c.as_bytes()), i));
    distances.filter(|&(d, _)| d <= allowed).collect()
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two words.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let same = usize::from(a[i - 1] != b[j - 1]);
                let mut d = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + same);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    d = d.min(rows[i - 2][j - 2] + 1);
                }
                d
            };
        }
    }
    rows[a.len()][b.len()]
}
