//! The conditions of fairy chess: under them nothing is solved, but their names are known.

use std::sync::LazyLock;

use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::{Element, PropertyNode, Value, nearest};

/// The names of well-known conditions, as problemists and Popeye write them. What a text has before such a name or behind it
/// says more of it: `White Maximummer`, `Circe Parrain`, `Madrasi RexInclusive`.
const NAMES: &str = "ABC; Actuated Revolving Board; Actuated Revolving Centre; Alice; Allumwandlung; AlphabeticChess; \
    AMU; Andernach; AntiAndernach; Anticirce; AntiKings; April; Assassin; Atomic; BackToBack; Beamten; Berlin; BGL; Bicaptures; \
    Bichromatic; Bicolores; Biwoozles; BlackChecks; BlackMoves; Bolero; BreakForce; Breton; Brunner; Calvet; Capture; Castling; \
    Cavalier; Chameleon; Champursue; Checkless; CheekToCheek; Cheylan; Circe; Codecirce; ColourChange; Contact; Couscous; Cross; \
    Cylinder; DeadReckoning; Degradierung; Diagonal; Diaschach; Disparate; DoubleMoves; Doublemover; Duell; Dynamo; EdgeMover; \
    Eiffel; Einstein; Elliuortap; Exclusive; Extinction; FaceToFace; Fairy; Football; Frankfurt; Fuddled; Functionary; Geneva; \
    Ghost; Glasgow; Gravity; Grid; Grille; Guard; Haaner; Haunted; Heffalumps; Holes; HurdleColourChanging; Imitator; Immun; \
    Influence; Isardam; Kamikaze; KingCapture; Knightmate; Kobul; Koeko; Kriegspiel; Köko; Leffie; Lightboard; LineChameleon; \
    Lortap; Losing; Madrasi; MagicPieces; MagicSquare; Make&Take; Mars; Masand; Master; Maximummer; Megafata; Messigny; Minimummer; \
    Monochromatic; Mummer; MustCapture; NoCapture; NonTrivial; Norsk; NoWhiteCapture; NoBlackCapture; Ohneschach; \
    Oscillating; OwnColour; OWU; Paralysing; Parrain; Partial; Patience; Patrol; Phantom; PointReflection; PowerTransfer; \
    Progressive; Promotion; Protean; Provocateurs; PWC; Quodlibet; Reflecting; Reform; Republican; Retractor; RexInclusive; \
    RexExclusive; Rifle; Rokagogo; Rotation; Royal; Running; SAT; Sentinel; Sentinelle; Series; Shielded; ShieldedKings; \
    SingleBox; Snek; Supercirce; SuperTransmuting; Swapping; Symmetry; Synchron; Take&Make; Tibet; Torus; Traitor; Transmission; \
    Transmuting; Triglav; Turncoats; Ultrapatrol; Ultraschachzwang; Vaulting; Vogtländer; Volage; Wazir; WhiteToPlay; Woozles; \
    Wormholes; Zugzwang";

/// What is wrong with a `condition`, or the warning that under it nothing is solved, on its words; nothing where its value is
/// missing, which the parser reports.
pub(super) fn check_condition(property: PropertyNode<'_>) -> Option<Finding> {
    let value = property.value()?;
    let invalid = |message| Finding::new(Code::InvalidValue, value.span(), message);
    let Some((text, span)) = value.scalar() else {
        let finding =
            invalid("`condition` takes one text in quotes, with semicolons between several conditions");
        return Some(match joined(value) {
            Some(text) => finding.fix(Fix::new(format!("replace with `{text}`"), value.span(), text, true)),
            None => finding,
        });
    };
    if text.trim().is_empty() {
        return Some(invalid("this `condition` is empty"));
    }
    let kept = "kept and not solved; cpz solves problems under the rules of chess without conditions";
    let warning = |span, message| Finding::new(Code::UnsupportedCondition, span, message);
    let Some(unknown) = text.split([';', ',']).map(str::trim).find(|part| !is_known(part)) else {
        return Some(warning(span, format!("the condition {text} is {kept}")));
    };
    let start = span.start + (unknown.as_ptr() as usize - text.as_ptr() as usize) as u32;
    let place = Span::new(start, start + unknown.len() as u32);
    let lower: Vec<String> = names().map(str::to_lowercase).collect();
    let near = nearest(unknown, lower.iter().map(String::as_str)).and_then(|index| names().nth(index));
    let asks = near.map_or("; ".into(), |near| format!("; did you mean `{near}`? If not, "));
    let finding = warning(place, format!("`{unknown}` is no condition that cpz knows{asks}it is {kept}"));
    Some(match near {
        Some(near) => finding.fix(Fix::new(format!("replace with `{near}`"), place, near, false)),
        None => finding,
    })
}

/// The conditions of a list as one text in quotes.
fn joined(list: Value<'_>) -> Option<String> {
    let text = |element| match element {
        Element::Word(token) | Element::String(token) => {
            let text = token.content().0.trim();
            (!text.is_empty() && !text.contains(['"', ';', '\n', '\r'])).then_some(text)
        }
        Element::List(_) => None,
    };
    let texts: Vec<&str> = list.elements().into_iter().map(text).collect::<Option<_>>()?;
    (!texts.is_empty()).then(|| format!("\"{}\"", texts.join("; ")))
}

fn names() -> impl Iterator<Item = &'static str> {
    NAMES.split("; ")
}

/// A name in small letters, without what may part its words.
fn plain(name: &str) -> String {
    name.to_lowercase().replace([' ', '-', '_'], "")
}

/// Whether a text has the name of a known condition in it, perhaps with other spaces and hyphens.
fn is_known(text: &str) -> bool {
    static PLAIN_NAMES: LazyLock<Vec<String>> = LazyLock::new(|| names().map(plain).collect());
    let (whole, first) = (plain(text), text.split_whitespace().next().map(plain));
    PLAIN_NAMES.iter().any(|name| match name.len() {
        // A short name may be a part of any word.
        0..5 => first.as_ref() == Some(name),
        _ => whole.contains(name),
    })
}

#[cfg(test)]
mod tests {
    use super::is_known;

    #[test]
    fn conditions_are_known_by_their_names() {
        for known in [
            "Circe",
            "circe parrain",
            "White Maximummer",
            "Take & Make",
            "anti-Andernach",
            "SAT",
            "AMU",
            "Köko",
        ] {
            assert!(is_known(known), "{known}");
        }
        for unknown in ["Cirse", "Fooble", "5", "none", "-", "", "satin"] {
            assert!(!is_known(unknown), "{unknown}");
        }
    }
}
