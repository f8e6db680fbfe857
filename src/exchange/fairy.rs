//! The keywords that tell a fairy problem.

/// Beginnings of keywords that name fairy conditions or men, in lower case. Movers in series are solved.
const FAIRY_KEYWORDS: [&str; 23] = [
    "circe",
    "anticirce",
    "madrasi",
    "andernach",
    "anti-andernach",
    "anti-circe",
    "fairy",
    "grasshopper",
    "nightrider",
    "maximummer",
    "einstein",
    "patrol",
    "lortap",
    "köko",
    "koeko",
    "monochromatic chess",
    "bichromatic chess",
    "cylinder",
    "take&make",
    "take & make",
    "sentinelles",
    "chinese pieces",
    "imitator",
];

/// The keyword that tells a fairy problem.
pub(crate) fn fairy_keyword(keywords: &[String]) -> Option<&String> {
    keywords.iter().find(|keyword| {
        let lower = keyword.to_lowercase();
        FAIRY_KEYWORDS.iter().any(|fairy| lower.starts_with(fairy))
    })
}
