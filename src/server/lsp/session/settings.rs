//! The client's settings: the keys of `cpz.toml`, and those that only an editor has.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::workspace::ConfigFile;
use cpz_check::analysis::Config;
use cpz_check::analysis::config::{Entry, KEYS, Setting, add_settings};
use cpz_check::analysis::exclude::Exclude;
use cpz_text::diagnostic::Span;

/// Keys of the client's settings that `cpz.toml` does not have. The server reads the first two, editor extensions
/// the others.
const OWN: &[&str] = &["validate", "images", "server", "trace"];

/// The client's settings.
#[derive(Default)]
pub(crate) struct Settings {
    entries: Vec<Entry>,
    /// Whether open documents are analysed only when a file is saved.
    pub on_save: bool,
    /// Whether boards are drawn as images; unset if the settings do not say.
    pub images: Option<bool>,
    /// Patterns of excluded files, relative to each folder of the workspace.
    excluded: Vec<String>,
}

impl Settings {
    /// Reads the section `cpz` of the settings. Returns a sentence for each mistake.
    pub fn read(section: &Value) -> (Settings, Vec<String>) {
        let mut wrong = Vec::new();
        let entries = match section {
            Value::Object(_) => entries(section),
            _ => Vec::new(),
        };
        let run = section.pointer("/validate/run").filter(|r| !r.is_null());
        if run.is_some_and(|r| *r != "onType" && *r != "onSave") {
            wrong.push("`cpz.validate.run` is onType or onSave".to_string());
        }
        let images = section.get("images").filter(|i| !i.is_null());
        if images.is_some_and(|i| !i.is_boolean()) {
            wrong.push("`cpz.images` is true or false".to_string());
        }
        let mut config = Config::default();
        let findings = add_settings(&mut config, entries.clone(), OWN);
        wrong.extend(findings.into_iter().map(|f| format!("settings of cpz: {}", f.message)));
        let on_save = run.is_some_and(|r| *r == "onSave");
        let images = images.and_then(Value::as_bool);
        (Settings { entries, on_save, images, excluded: config.exclude }, wrong)
    }

    /// Our section in what a client sends. Some clients send the settings of all servers, some only ours without `cpz`,
    /// and some nothing.
    pub fn section_in(settings: &Value) -> Option<&Value> {
        settings.get("cpz").or(Some(settings).filter(|s| Settings::are_ours(s)))
    }

    /// Reads the section as a client writes it: some send an empty list or null where there are no settings. Returns a
    /// sentence for each mistake too.
    ///
    /// # Errors
    /// It is something else, in a sentence for the user.
    pub fn read_section(section: &Value) -> Result<(Settings, Vec<String>), String> {
        // Some languages, for example Lua, do not tell an empty object from an empty list.
        let is_empty = section.is_null() || section.as_array().is_some_and(Vec::is_empty);
        match is_empty {
            true => Ok(Settings::read(&Value::Null)),
            false if section.is_object() => Ok(Settings::read(section)),
            false => Err("the settings of cpz have to be an object".into()),
        }
    }

    /// Whether an object has a key of ours.
    fn are_ours(section: &Value) -> bool {
        section
            .as_object()
            .is_some_and(|s| s.keys().any(|k| OWN.contains(&k.as_str()) || KEYS.contains(&k.as_str())))
    }

    /// A file's configuration, overridden by these settings.
    pub fn on_top_of(&self, file: &Arc<Config>) -> Arc<Config> {
        if self.entries.is_empty() {
            return file.clone();
        }
        let mut config = Config::clone(file);
        // `read` has reported the mistakes.
        add_settings(&mut config, self.entries.clone(), OWN);
        Arc::new(config)
    }

    /// The exclusions of these settings in some folders.
    pub fn excludes(&self, folders: &[PathBuf]) -> Excludes {
        Excludes(folders.iter().map(|f| Exclude::new(f, &self.excluded)).collect())
    }
}

/// Applies answers with settings in the order of their requests: a client may answer a later request first.
#[derive(Default)]
pub(crate) struct SettingsOrder {
    requested: AtomicU64,
    /// The request whose answer is in force.
    applied: Mutex<u64>,
}

impl SettingsOrder {
    /// The number of a new request.
    pub fn next(&self) -> u64 {
        self.requested.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Runs `apply` with the answer to a request, unless a later request was answered before.
    pub fn apply(&self, request: u64, apply: impl FnOnce()) {
        let mut applied = self.applied.lock().unwrap_or_else(PoisonError::into_inner);
        if *applied < request {
            *applied = request;
            apply();
        }
    }
}

/// Files that the client's settings exclude.
#[derive(Clone, Default)]
pub(crate) struct Excludes(Vec<Exclude>);

impl Excludes {
    /// Whether a file is excluded by the settings or by its configuration.
    pub fn holds(&self, file: &Path, config: Option<&ConfigFile>) -> bool {
        config.is_some_and(|c| c.excludes(file)) || self.0.iter().any(|e| e.holds(file))
    }
}

/// The keys of an object that have a value: editors send null for what is not set.
fn entries(object: &Value) -> Vec<Entry> {
    let nowhere = Span::at(0);
    let set = object.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    let entry = |(key, value): (&String, &Value)| Entry {
        key: key.clone(),
        at: nowhere,
        value: setting(value),
        span: nowhere,
    };
    set.map(entry).collect()
}

fn setting(value: &Value) -> Setting {
    match value {
        Value::String(text) => Setting::Text(text.clone()),
        Value::Number(n) => n.as_i64().map_or(Setting::Other, Setting::Number),
        Value::Array(list) => Setting::List(list.iter().map(|v| (setting(v), Span::at(0))).collect()),
        Value::Object(_) => Setting::Table(entries(value)),
        Value::Null | Value::Bool(_) => Setting::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpz_check::analysis::SquareStyle;
    use serde_json::json;

    #[test]
    fn settings_override_file_and_report_mistakes() {
        let section = json!({"rules": "solo", "budget": null, "validate": {"run": "onSave"}, "exclude": ["x/"],
            "severity": {"too-many-kings": "off"}, "answers": {"squares": "names", "verdicts": null}});
        let (settings, wrong) = Settings::read(&section);
        assert_eq!(wrong, Vec::<String>::new());
        let file = Arc::new(Config { budget: Some(5), ..Config::default() });
        let config = settings.on_top_of(&file);
        assert!(
            settings.on_save && config.nodes() == 5 && config.settings.notation.squares == SquareStyle::Names
        );
        assert_eq!(config.severities.of(cpz_text::diagnostic::Code::TooManyKings), None);
        assert!(settings.excludes(&["/w".into()]).holds(Path::new("/w/x/a.cpz"), None));
        let (_, wrong) =
            Settings::read(&json!({"ruls": "solo", "budget": "x", "validate": {"run": 5}, "images": 1}));
        assert_eq!(wrong.len(), 4, "{wrong:?}");
    }
}
