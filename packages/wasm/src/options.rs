//! Reading the options of a call. A value of a wrong type is a [`Failure::Type`], a wrong value a [`Failure::Value`].

use serde_json::{Map, Value};

/// Why a call has no result, as a sentence without a full stop.
pub(crate) enum Failure {
    /// The type of an argument or an option is wrong, or there is no such option.
    Type(String),
    /// The type is right, and the value is wrong.
    Value(String),
}

impl From<cpz::Error> for Failure {
    fn from(error: cpz::Error) -> Failure {
        Failure::Value(error.to_string())
    }
}

/// The options of one call. Each is taken once; [`Options::end`] refuses those that were not taken.
pub(crate) struct Options {
    given: Map<String, Value>,
    known: Vec<&'static str>,
}

impl Options {
    pub(crate) fn new(given: Map<String, Value>) -> Options {
        Options { given, known: Vec::new() }
    }

    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.given.remove(name)
    }

    /// `true` or `false`.
    pub(crate) fn flag(&mut self, name: &'static str) -> Result<Option<bool>, Failure> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(value)),
            Some(_) => Err(wrong(name, "true or false")),
        }
    }

    /// A string.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<String>, Failure> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(wrong(name, "a string")),
        }
    }

    /// An array of strings; none if it is not given.
    pub(crate) fn texts(&mut self, name: &'static str) -> Result<Vec<String>, Failure> {
        let items = match self.take(name) {
            None => return Ok(Vec::new()),
            Some(Value::Array(items)) => items,
            Some(_) => return Err(wrong(name, "an array of strings")),
        };
        let texts = items.into_iter().map(|item| match item {
            Value::String(text) => Ok(text),
            _ => Err(wrong(name, "an array of strings")),
        });
        texts.collect()
    }

    /// A whole number that its type has a place for.
    pub(crate) fn number<T: TryFrom<u64>>(&mut self, name: &'static str) -> Result<Option<T>, Failure> {
        let Some(value) = self.take(name) else { return Ok(None) };
        if let Some(number) = value.as_u64().and_then(|number| T::try_from(number).ok()) {
            return Ok(Some(number));
        }
        match value.as_f64() {
            Some(number) if number.fract() != 0.0 => Err(wrong(name, "a whole number")),
            Some(number) if number < 0.0 => {
                Err(Failure::Value(format!("the option `{name}` must not be negative")))
            }
            Some(_) => Err(Failure::Value(format!("the option `{name}` is too large"))),
            None => Err(wrong(name, "a whole number")),
        }
    }

    /// Refuses an option that was not taken: `function` has none of this name.
    pub(crate) fn end(mut self, function: &str) -> Result<(), Failure> {
        let Some(name) = self.given.keys().next() else { return Ok(()) };
        self.known.sort_unstable();
        let choice = match self.known[..] {
            [] => "it has no options".to_string(),
            _ => format!("its options are {}", self.known.join(", ")),
        };
        Err(Failure::Type(format!("{function} has no option `{name}`; {choice}")))
    }
}

fn wrong(name: &str, what: &str) -> Failure {
    Failure::Type(format!("the option `{name}` must be {what}"))
}
