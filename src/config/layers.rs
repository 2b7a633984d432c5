//! Lays the sources of configuration over each other and remembers where each value came from.
//!
//! The `config` crate reads TOML and merges. What it would bend into shape when asked for a type (a switch into a
//! number, 1.7 into 2) stays strict here: values of a file keep their types, and texts of the environment take the
//! type that their key has in `default.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;

use config::{File, FileFormat, Map, Source, Value, ValueKind};
use serde_json::Value as Json;

use super::error::{ConfigError, Finding};
use super::variables::{self, Setting};
use super::{ConfigArgs, Secret, kept_out};

/// The lowest layer: every key there is.
pub(super) const DEFAULT: &str = include_str!("../../config/default.toml");
const BUILT_IN: &str = "the built-in defaults";

/// All layers as one tree.
pub(super) struct Layers {
    pub(super) tree: Json,
    pub(super) built_in: Json,
    pub(super) origins: Origins,
    pub(super) otel_variables: BTreeMap<String, Secret>,
    /// What is wrong already.
    pub(super) findings: Vec<Finding>,
}

/// Where each key was set that isn't as it is built in.
#[derive(Debug, Clone, Default)]
pub(super) struct Origins {
    places: BTreeMap<String, String>,
    /// Those of them that have another value than the built-in one.
    changed: BTreeSet<String>,
}

impl Origins {
    /// Where `key` was set, or the first key below it, or the list that it is an item of.
    pub(super) fn of(&self, key: &str) -> String {
        let below = || {
            let prefix = format!("{key}.");
            let (path, origin) = self.places.range(prefix.clone()..).next()?;
            path.starts_with(&prefix).then_some(origin)
        };
        let list = || self.places.get(key.split('[').next()?);
        self.places.get(key).or_else(below).or_else(list).map_or(BUILT_IN, String::as_str).to_owned()
    }

    /// Whether somebody set the key.
    pub(super) fn is_set(&self, key: &str) -> bool {
        self.places.contains_key(key)
    }

    /// Whether somebody gave the key, or one below it, another value than the built-in one.
    pub(super) fn has_changed(&self, key: &str) -> bool {
        let prefix = format!("{key}.");
        let below = || self.changed.range(prefix.clone()..).next();
        self.changed.contains(key) || below().is_some_and(|path| path.starts_with(&prefix))
    }

    fn note_changes(&mut self, tree: &Json, built_in: &Json) {
        fn at<'t>(tree: &'t Json, path: &str) -> Option<&'t Json> {
            path.split('.').try_fold(tree, |tree, name| tree.get(name))
        }
        let has_changed =
            |path: &&String| at(built_in, path).is_none_or(|usual| at(tree, path) != Some(usual));
        self.changed = self.places.keys().filter(has_changed).cloned().collect();
    }

    fn note_leaves(&mut self, tree: &Json, path: &str, origin: &str) {
        match tree {
            Json::Object(fields) if !fields.is_empty() => {
                for (name, value) in fields {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    self.note_leaves(value, &path, origin);
                }
            }
            Json::Object(_)
            | Json::Null
            | Json::Bool(_)
            | Json::Number(_)
            | Json::String(_)
            | Json::Array(_) => {
                self.places.insert(path.to_owned(), origin.to_owned());
            }
        }
    }
}

/// Reads every layer. `environment` is all of it; what isn't ours is ignored.
pub(super) fn read(
    args: &ConfigArgs,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
) -> Result<Layers, ConfigError> {
    let mut origins = Origins::default();
    let defaults = parse(DEFAULT, BUILT_IN)?;
    let built_in = table(defaults.clone());
    let mut found = variables::find(environment, &built_in);
    if let Some(listen) = &args.listen {
        found.settings.push(Setting {
            path: vec!["server".into(), "listen".into()],
            value: ValueKind::String(listen.clone()),
            origin: "the option --listen".into(),
        });
    }

    let mut builder = config::Config::builder().add_source(Layer(defaults));
    if let Some(path) = &args.file {
        let origin = format!("the file {}", path.display());
        let file = parse(&text_of(path)?, &origin)?;
        let tree = table(file.clone());
        origins.note_leaves(&tree, "", &origin);
        found.findings.extend(kept_out::find(&tree, &origin));
        builder = builder.add_source(Layer(file));
    }
    for setting in std::mem::take(&mut found.settings) {
        origins.places.insert(setting.path.join("."), setting.origin.clone());
        builder = builder.add_source(Layer(setting.into_map()));
    }
    let merged =
        builder.build().and_then(|merged| merged.collect()).map_err(|error| syntax(BUILT_IN, &error))?;
    let variables::Found { otel_variables, findings, .. } = found;
    let tree = table(merged);
    origins.note_changes(&tree, &built_in);
    Ok(Layers { tree, built_in, origins, otel_variables, findings })
}

fn text_of(path: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable { path: path.into(), source })
}

fn parse(text: &str, origin: &str) -> Result<Map<String, Value>, ConfigError> {
    File::from_str(text, FileFormat::Toml).collect().map_err(|error| syntax(origin, &error))
}

/// The parser quotes the faulty line under a margin of `|`. It may hold a secret, so it is left out.
fn syntax(origin: &str, error: &config::ConfigError) -> ConfigError {
    let text = error.to_string();
    let is_quote =
        |line: &&str| line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ').starts_with('|');
    let detail = text.lines().filter(|line| !is_quote(line)).collect::<Vec<_>>().join(": ");
    ConfigError::Syntax { origin: origin.into(), detail }
}

/// Values that are read already, as a source of the `config` crate.
#[derive(Debug, Clone)]
struct Layer(Map<String, Value>);

impl Source for Layer {
    fn clone_into_box(&self) -> Box<dyn Source + Send + Sync> {
        Box::new(self.clone())
    }

    fn collect(&self) -> Result<Map<String, Value>, config::ConfigError> {
        Ok(self.0.clone())
    }
}

fn table(fields: Map<String, Value>) -> Json {
    Json::Object(fields.into_iter().map(|(name, value)| (name, json(value))).collect())
}

fn json(value: Value) -> Json {
    match value.kind {
        ValueKind::Nil => Json::Null,
        ValueKind::Boolean(flag) => flag.into(),
        ValueKind::I64(number) => number.into(),
        ValueKind::U64(number) => number.into(),
        // Wider than any setting; the text makes it a wrong type with a readable message.
        ValueKind::I128(number) => number.to_string().into(),
        ValueKind::U128(number) => number.to_string().into(),
        ValueKind::Float(number) => number.into(),
        ValueKind::String(text) => text.into(),
        ValueKind::Table(fields) => table(fields),
        ValueKind::Array(items) => items.into_iter().map(json).collect(),
    }
}
