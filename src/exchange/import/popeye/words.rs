//! The words of Popeye's input in its three languages. A word may be cut to a beginning that no other word has.

use cpz_rules::board::Kind;

/// The words of one language.
pub(in crate::import) struct Words {
    /// What begins a problem.
    pub begin: &'static str,
    /// The commands, in the order of [`Command`].
    commands: [&'static str; 20],
    /// The colours: white, black, neutral, and men that are not shown.
    colours: [&'static str; 4],
    /// What makes a twin, in the order of [`TwinWord`].
    twins: [&'static str; 13],
    /// The letters of king, queen, rook, bishop, knight and pawn, in lower case.
    letters: [char; 6],
    /// Where the options of this language stand in a row of [`OPTIONS`].
    column: usize,
    /// The attributes of men.
    attributes: &'static [&'static str],
}

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum Command {
    Remark,
    StructuredStipulation,
    Author,
    Origin,
    Pieces,
    Condition,
    Option,
    Stipulation,
    Protocol,
    Title,
    LaTeX,
    LaTeXPieces,
    Award,
    InitialArray,
    Forsyth,
    Twin,
    ZeroPosition,
    End,
    Next,
    Begin,
}

const COMMANDS: [Command; 20] = [
    Command::Remark,
    Command::StructuredStipulation,
    Command::Author,
    Command::Origin,
    Command::Pieces,
    Command::Condition,
    Command::Option,
    Command::Stipulation,
    Command::Protocol,
    Command::Title,
    Command::LaTeX,
    Command::LaTeXPieces,
    Command::Award,
    Command::InitialArray,
    Command::Forsyth,
    Command::Twin,
    Command::ZeroPosition,
    Command::End,
    Command::Next,
    Command::Begin,
];

/// The groups of commands: a beginning is looked for in one after the other.
const GROUPS: [std::ops::Range<usize>; 4] = [0..15, 15..17, 17..19, 19..20];

/// A colour of men.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum MenColour {
    White,
    Black,
    Neutral,
    Invisible,
}

/// What makes a twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum TwinWord {
    Move,
    Exchange,
    Stipulation,
    StructuredStipulation,
    Add,
    Remove,
    Continued,
    Rotate,
    Condition,
    PolishType,
    Mirror,
    Shift,
    Substitute,
}

const TWIN_WORDS: [TwinWord; 13] = [
    TwinWord::Move,
    TwinWord::Exchange,
    TwinWord::Stipulation,
    TwinWord::StructuredStipulation,
    TwinWord::Add,
    TwinWord::Remove,
    TwinWord::Continued,
    TwinWord::Rotate,
    TwinWord::Condition,
    TwinWord::PolishType,
    TwinWord::Mirror,
    TwinWord::Shift,
    TwinWord::Substitute,
];

/// What an option does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum OptionEffect {
    /// It changes what is printed, not what is asked; so many numbers follow it.
    Output(usize),
    /// It changes what is asked; so many words follow it.
    Task(usize),
    /// Squares of the double step that was just played.
    EnPassant,
    /// Squares of the pieces that cannot castle.
    NoCastling,
    /// The colours are exchanged.
    HalfDuplex,
    /// Asked for both colours.
    Duplex,
    /// Its set play is asked too.
    SetPlay,
}

use OptionEffect::{Duplex, EnPassant, HalfDuplex, NoCastling, Output, SetPlay, Task};

/// The options: in English, German, French.
const OPTIONS: [([&str; 3], OptionEffect); 39] = [
    (["Defence", "Widerlegung", "Defense"], Output(1)),
    (["SetPlay", "Satzspiel", "Apparent"], SetPlay),
    (["WhiteToPlay", "WeissBeginnt", "ApparentSeul"], Task(0)),
    (["Variations", "Varianten", "Variantes"], Output(0)),
    (["MoveNumbers", "Zugnummern", "Trace"], Output(0)),
    (["StartMoveNumber", "StartZugnummer", "Enroute"], Output(1)),
    (["NoWk", "OhneWk", "SansRB"], Output(0)),
    (["Duplex", "Duplex", "Duplex"], Duplex),
    (["NoBk", "OhneSk", "SansRN"], Output(0)),
    (["Threat", "Drohung", "Menace"], Output(1)),
    (["NoThreat", "OhneDrohung", "SansMenace"], Output(0)),
    (["Try", "Verfuehrung", "Essais"], Output(0)),
    (["MaxSolutions", "MaxLoesungen", "MaxSolutions"], Output(1)),
    (["MaxFlightsquares", "MaxFluchtFelder", "MaxCasesFuites"], Output(1)),
    (["Search", "Suchen", "Search"], Output(0)),
    (["MultiSolutions", "MehrereLoesungen", "MultiSolutions"], Output(0)),
    (["NoSymmetry", "KeineSymmetrie", "NonSymetrique"], Output(0)),
    (["NonTrivial", "NichtTrivial", "NonTrivial"], Output(2)),
    (["KeepMatingPiece", "HalteMattsetzendenStein", "RetiensPieceMatante"], Task(0)),
    (["EnPassant", "EnPassant", "EnPassant"], EnPassant),
    (["NoBoard", "OhneBrett", "SansEchiquier"], Output(0)),
    (["NoShortVariations", "OhneKurzVarianten", "SansVariantesCourtes"], Output(0)),
    (["HalfDuplex", "HalbDuplex", "DemiDuplex"], HalfDuplex),
    (["PostKeyPlay", "NachSchluessel", "ApresCle"], Task(0)),
    (["Intelligent", "Intelligent", "Intelligent"], Output(1)),
    (["MaxTime", "MaxZeit", "MaxTemps"], Output(1)),
    (["NoCastling", "KeineRochade", "SansRoquer"], NoCastling),
    (["Quodlibet", "Quodlibet", "Quodlibet"], Task(0)),
    (["StopOnShortSolutions", "StopNachKurzloesungen", "FinApresSolutionsCourtes"], Output(0)),
    (["Beep", "Pieps", "Bip"], Output(1)),
    (["SuppressGrid", "OhneGitter", "SansGrille"], Output(0)),
    (["WriteGrid", "ZeichneGitter", "AjouteGrille"], Output(0)),
    (
        ["CastlingMutuallyExclusive", "RochadenGegenseitigAusschliessend", "RoquesMutuellementExclusifs"],
        Task(1),
    ),
    (["GoalIsEnd", "ZielIstEnde", "ButEstFin"], Task(0)),
    (["unpublishedoption", "nichtpublizierteoption", "optionnonpubliee"], Output(0)),
    (["NullMoves", "NullZuege", "CoupsVides"], Task(0)),
    (["UpToMoveNumber", "BisZugnummer", "JusquAuCoup"], Output(1)),
    (["TrivialTriesAvoid", "TrivialeFehlversucheUnterdruecken", "TrivialEssaiSupprimer"], Output(0)),
    (["MatesIn1", "MattsIn1", "MatsEn1"], Output(0)),
];

/// The words of English, German and French.
pub(in crate::import) static LANGUAGES: [Words; 3] = [
    Words {
        begin: "beginproblem",
        commands: [
            "remark",
            "sstipulation",
            "author",
            "origin",
            "pieces",
            "condition",
            "option",
            "stipulation",
            "protocol",
            "title",
            "LaTeX",
            "LaTeXPieces",
            "award",
            "InitialGameArray",
            "Forsyth",
            "twin",
            "zeroposition",
            "endproblem",
            "nextproblem",
            "beginproblem",
        ],
        colours: ["White", "Black", "Neutral", "TotalInvisible"],
        twins: [
            "move",
            "exchange",
            "stipulation",
            "sstipulation",
            "add",
            "remove",
            "continued",
            "rotate",
            "condition",
            "PolishType",
            "mirror",
            "shift",
            "substitute",
        ],
        letters: ['k', 'q', 'r', 'b', 's', 'p'],
        column: 0,
        attributes: &[
            "Royal",
            "Kamikaze",
            "Paralysing",
            "Chameleon",
            "Jigger",
            "Volage",
            "Functionary",
            "HalfNeutral",
            "HurdleColourChanging",
            "Protean",
            "Magic",
            "Uncapturable",
            "Patrol",
            "Frischauf",
            "Bul",
            "Dob",
            "Anda",
            "AliceA",
            "AliceB",
        ],
    },
    Words {
        begin: "AnfangProblem",
        commands: [
            "Bemerkung",
            "sForderung",
            "Autor",
            "Quelle",
            "Steine",
            "Bedingung",
            "Option",
            "Forderung",
            "Protokoll",
            "Titel",
            "LaTeX",
            "LaTeXSteine",
            "Auszeichnung",
            "PartieAnfangsStellung",
            "Forsyth",
            "Zwilling",
            "NullStellung",
            "EndeProblem",
            "WeiteresProblem",
            "AnfangProblem",
        ],
        colours: ["Weiss", "Schwarz", "Neutral", "TotalUnsichtbar"],
        twins: [
            "versetze",
            "tausche",
            "Forderung",
            "SForderung",
            "hinzufuegen",
            "entferne",
            "ferner",
            "Drehung",
            "Bedingung",
            "Farbwechsel",
            "Spiegelung",
            "Verschiebung",
            "ersetze",
        ],
        letters: ['k', 'd', 't', 'l', 's', 'b'],
        column: 1,
        attributes: &[
            "Koeniglich",
            "Kamikaze",
            "Paralysierend",
            "Chamaeleon",
            "Jigger",
            "Volage",
            "Beamtet",
            "HalbNeutral",
            "SprungbockFarbeWechselnd",
            "Proteisch",
            "Magisch",
            "Unschlagbar",
            "Patrouille",
            "Frischauf",
            "Bul",
            "Dob",
            "Anda",
            "AliceA",
            "AliceB",
        ],
    },
    Words {
        begin: "DebutProbleme",
        commands: [
            "remarque",
            "senonce",
            "auteur",
            "source",
            "pieces",
            "condition",
            "option",
            "enonce",
            "protocol",
            "titre",
            "LaTeX",
            "PiecesLaTeX",
            "prix",
            "PositionInitialePartie",
            "Forsyth",
            "jumeau",
            "zeroposition",
            "FinProbleme",
            "asuivre",
            "DebutProbleme",
        ],
        colours: ["Blanc", "Noir", "Neutre", "TotalInvisible"],
        twins: [
            "deplacement",
            "echange",
            "enonce",
            "senonce",
            "ajoute",
            "ote",
            "enplus",
            "rotation",
            "condition",
            "CouleurEchange",
            "miroir",
            "translation",
            "remplace",
        ],
        letters: ['r', 'd', 't', 'f', 'c', 'p'],
        column: 2,
        attributes: &[
            "Royale",
            "Kamikaze",
            "Paralysante",
            "Cameleon",
            "Jigger",
            "Volage",
            "Fonctionnaire",
            "DemiNeutre",
            "CouleurEchangeantSautoir",
            "Protee",
            "Magique",
            "Imprenable",
            "Patrouille",
            "Frischauf",
            "Bul",
            "Dob",
            "Anda",
            "AliceA",
            "AliceB",
        ],
    },
];

/// English, which Olive uses too.
pub(in crate::import) fn english() -> &'static Words {
    &LANGUAGES[0]
}

/// Whether a word is a beginning of a keyword.
pub(in crate::import) fn begins(keyword: &str, word: &str) -> bool {
    !word.is_empty() && keyword.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// The place of the only word of a list that begins so, or of the one that is whole.
fn unique(list: &[&str], word: &str) -> Option<usize> {
    if let Some(whole) = list.iter().position(|keyword| keyword.eq_ignore_ascii_case(word)) {
        return Some(whole);
    }
    let mut found = (0..list.len()).filter(|&i| begins(list[i], word));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

impl Words {
    /// The command of a word.
    pub fn command(&self, word: &str) -> Option<Command> {
        for group in GROUPS {
            let list = &self.commands[group.clone()];
            if list.iter().any(|keyword| begins(keyword, word)) {
                return unique(list, word).map(|i| COMMANDS[group.start + i]);
            }
        }
        None
    }

    /// Whether a word ends what stands before it: a command, or so much of one that no other begins so.
    pub fn is_command(&self, word: &str) -> bool {
        word.len() > 2 && self.command(word).is_some()
    }

    /// The colour of a word.
    pub fn colour(&self, word: &str) -> Option<MenColour> {
        let colours = [MenColour::White, MenColour::Black, MenColour::Neutral, MenColour::Invisible];
        unique(&self.colours, word).map(|i| colours[i])
    }

    /// What a word says of a twin.
    pub fn twin(&self, word: &str) -> Option<TwinWord> {
        unique(&self.twins, word).map(|i| TWIN_WORDS[i])
    }

    /// The English name of the option of a word, and what it does.
    pub fn option(&self, word: &str) -> Option<(&'static str, OptionEffect)> {
        let names = OPTIONS.map(|(names, _)| names[self.column]);
        unique(&names, word).map(|i| (OPTIONS[i].0[0], OPTIONS[i].1))
    }

    /// Whether a word is an attribute of men.
    pub fn is_attribute(&self, word: &str) -> bool {
        word.len() > 2 && self.attributes.iter().any(|attribute| begins(attribute, word))
    }

    /// The orthodox piece of a letter.
    pub fn kind(&self, letter: char) -> Option<Kind> {
        const KINDS: [Kind; 6] =
            [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn];
        let lower = letter.to_ascii_lowercase();
        self.letters.iter().position(|&own| own == lower).map(|i| KINDS[i])
    }

    /// How many words of a text are commands or colours of this language.
    pub fn score(&self, text: &str) -> usize {
        let known = |line: &&str| {
            let word = line.split_whitespace().next().unwrap_or_default();
            word.len() > 2 && (self.command(word).is_some() || self.colour(word).is_some())
        };
        text.lines().filter(known).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_known_by_a_beginning_that_no_other_has() {
        let [english, german, french] = &LANGUAGES;
        assert_eq!(english.command("stip"), Some(Command::Stipulation));
        assert_eq!(english.command("S"), None);
        assert_eq!(english.command("n"), Some(Command::Next));
        assert_eq!(german.command("ford"), Some(Command::Stipulation));
        assert_eq!(german.command("weiter"), Some(Command::Next));
        assert_eq!(french.command("asui"), Some(Command::Next));
        assert_eq!(english.option("setp"), Some(("SetPlay", SetPlay)));
        assert_eq!(german.option("satz"), Some(("SetPlay", SetPlay)));
        assert_eq!(french.option("apparent"), Some(("SetPlay", SetPlay)));
        assert_eq!(english.option("no"), None);
        assert_eq!((german.kind('B'), english.kind('N')), (Some(Kind::Pawn), None));
    }
}
