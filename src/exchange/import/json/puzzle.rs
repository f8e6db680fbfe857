//! A puzzle in JSON, member by member: what is of another kind than cpz writes is told, and what cpz does not write is kept.

use serde_json::Value as Json;

/// A puzzle as it is read. What is missing is not said.
#[derive(Default)]
pub(super) struct PuzzleJson {
    pub id: Option<String>,
    pub name: Option<String>,
    pub game: String,
    pub board: BoardJson,
    pub side: Option<String>,
    pub castling: Option<String>,
    pub en_passant: Option<String>,
    pub rules: Option<String>,
    pub origin: Option<u8>,
    pub unique: bool,
    pub solutions: Option<u32>,
    pub properties: serde_json::Map<String, Json>,
    pub tags: Vec<String>,
    pub allow: Vec<String>,
    pub description: Option<String>,
    pub queries: Vec<QueryJson>,
    /// Members that cpz does not write.
    pub others: Vec<(String, Json)>,
}

/// The forms of its board.
#[derive(Default)]
pub(super) struct BoardJson {
    pub fen: Option<String>,
    pub rows: Option<Vec<String>>,
    pub written: Option<String>,
}

/// A question.
pub(super) struct QueryJson {
    pub verb: Option<String>,
    pub asked: Option<String>,
    pub length: Option<String>,
    pub side: Option<String>,
    pub written: Option<String>,
    pub remark: Option<String>,
}

/// The members of an object, from which they are taken one after the other.
struct Members {
    /// What the object is in a message: `its board`.
    of: &'static str,
    all: serde_json::Map<String, Json>,
}

impl Members {
    /// # Errors
    /// That the value is no object.
    fn of(value: Json, of: &'static str) -> Result<Members, String> {
        match value {
            Json::Object(all) => Ok(Members { of, all }),
            Json::Null => Ok(Members { of, all: serde_json::Map::new() }),
            other => Err(format!("{of} is {}, and not an object in braces", kind(&other))),
        }
    }

    /// Takes a member that is read by `read`; nothing where it is missing or null.
    ///
    /// # Errors
    /// That it is not `wanted`.
    fn take<T>(
        &mut self,
        name: &str,
        wanted: &str,
        read: impl Fn(&Json) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let value = self.all.remove(name).unwrap_or_default();
        if value.is_null() {
            return Ok(None);
        }
        let wrong = || format!("`{name}` of {} is {}, and not {wanted}", self.of, kind(&value));
        read(&value).map(Some).ok_or_else(wrong)
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        self.take(name, "a text", |value| value.as_str().map(String::from))
    }

    fn texts(&mut self, name: &str) -> Result<Option<Vec<String>>, String> {
        let text = |value: &Json| value.as_str().map(String::from);
        self.take(name, "a list of texts", |value| value.as_array()?.iter().map(text).collect())
    }

    fn number<N: TryFrom<u64>>(&mut self, name: &str) -> Result<Option<N>, String> {
        self.take(name, "a number that it can be", |value| N::try_from(value.as_u64()?).ok())
    }

    /// Makes a property of a member, if it is a text, a number or a list of texts, and the puzzle has no such property.
    fn describe(&mut self, name: &str, property: &str, properties: &mut serde_json::Map<String, Json>) {
        let is_text = |value: &Json| value.is_string() || value.is_number();
        let is_said = |value: &Json| match value {
            Json::Array(texts) => texts.iter().all(Json::is_string),
            value => is_text(value),
        };
        if self.all.get(name).is_some_and(is_said) && !properties.contains_key(property) {
            properties.extend(self.all.remove(name).map(|value| (property.to_string(), value)));
        }
    }

    /// Drops members that cpz works out again.
    fn drop(&mut self, names: &[&str]) {
        self.all.retain(|name, _| !names.contains(&name.as_str()));
    }

    /// The members that are left.
    fn rest(self) -> impl Iterator<Item = (String, Json)> {
        self.all.into_iter().filter(|(_, value)| !value.is_null())
    }
}

/// What a value is, in a message.
fn kind(value: &Json) -> &'static str {
    match value {
        Json::Null => "nothing",
        Json::Bool(_) => "`true` or `false`",
        Json::Number(_) => "a number",
        Json::String(_) => "a text",
        Json::Array(_) => "a list",
        Json::Object(_) => "an object",
    }
}

impl PuzzleJson {
    /// # Errors
    /// Which of its members is of another kind.
    pub fn read(puzzle: Json) -> Result<PuzzleJson, String> {
        let mut members = Members::of(puzzle, "the puzzle")?;
        let list = |value: &Json| value.as_array().cloned();
        let object = |value: &Json| value.as_object().cloned();
        let mut read = PuzzleJson {
            id: members.text("id")?,
            name: members.text("name")?,
            game: members.text("game")?.unwrap_or_default(),
            side: members.text("side")?,
            castling: members.text("castling")?,
            en_passant: members.text("en_passant")?,
            rules: members.text("rules")?,
            origin: members.number("origin")?,
            unique: members.take("unique", "`true` or `false`", Json::as_bool)?.unwrap_or(false),
            solutions: members.number("solutions")?,
            properties: members.take("properties", "an object", object)?.unwrap_or_default(),
            tags: members.texts("tags")?.unwrap_or_default(),
            allow: members.texts("allow")?.unwrap_or_default(),
            description: members.text("description")?,
            ..PuzzleJson::default()
        };
        let mut board = Members::of(members.all.remove("board").unwrap_or_default(), "its board")?;
        read.board = BoardJson {
            fen: board.text("fen")?,
            rows: board.texts("rows")?,
            written: board.text("written")?,
        };
        read.others.extend(board.rest().map(|(name, value)| (format!("board, {name}"), value)));
        for query in members.take("queries", "a list", list)?.unwrap_or_default() {
            let mut query = Members::of(query, "a question")?;
            let length = |value: &Json| match value {
                Json::String(text) => Some(text.clone()),
                number => number.is_number().then(|| number.to_string()),
            };
            read.queries.push(QueryJson {
                verb: query.text("verb")?,
                asked: query.text("asked")?,
                length: query.take("in", "a number or a text", length)?,
                side: query.text("side")?,
                written: query.text("written")?,
                remark: query.text("remark")?,
            });
            query.drop(&[
                "move",
                "line",
                "solution",
                "answer",
                "answer_text",
                "verdict",
                "findings",
                "range",
            ]);
            read.others.extend(query.rest().map(|(name, value)| (format!("question, {name}"), value)));
        }
        // cpz works them out, and has those of the author among the properties too. Another program has no other place.
        let is_own = members.all.contains_key("findings") && members.all.contains_key("place");
        if !is_own {
            for (name, property) in [("hints", "hint"), ("difficulty", "difficulty")] {
                members.describe(name, property, &mut read.properties);
            }
        } else {
            members.drop(&["difficulty", "hints"]);
        }
        members.drop(&["size", "findings", "place"]);
        read.others.extend(members.rest());
        Ok(read)
    }
}
