//! Finds the settings among the variables of the environment.
//!
//! `TRIBUTARY_SECTION__KEY`, and the names that others chose: `AI_ENABLE_AGGREGATOR_STREAMING` and `OTEL_*`. An empty
//! variable counts as not set: that is what a compose file passes for one that its host doesn't have.

use std::collections::BTreeMap;
use std::ffi::OsString;

use config::{Map, Value, ValueKind};
use serde_json::Value as Json;

use super::Secret;
use super::error::Finding;

const PREFIX: &str = "TRIBUTARY_";
const SEPARATOR: &str = "__";
/// The rollout flag under the name that the planner's team gave it.
const ROLLOUT_FLAG: &str = "AI_ENABLE_AGGREGATOR_STREAMING";

/// One key that was set outside a file.
pub(super) struct Setting {
    pub(super) path: Vec<String>,
    pub(super) value: ValueKind,
    pub(super) origin: String,
}

impl Setting {
    /// As a tree with this one leaf.
    pub(super) fn into_map(self) -> Map<String, Value> {
        let mut names = self.path.into_iter().rev();
        let last = names.next().unwrap_or_default();
        let mut map = Map::from_iter([(last, Value::new(None, self.value))]);
        for name in names {
            map = Map::from_iter([(name, Value::new(None, ValueKind::Table(map)))]);
        }
        map
    }
}

/// What the environment says.
#[derive(Default)]
pub(super) struct Found {
    /// In ascending order of strength.
    pub(super) settings: Vec<Setting>,
    pub(super) otel_variables: BTreeMap<String, Secret>,
    /// What is wrong with others, which count as not set.
    pub(super) findings: Vec<Finding>,
}

/// The variable that sets a key.
pub(super) fn name_of(path: &[&str]) -> String {
    format!("{PREFIX}{}", path.join(SEPARATOR).to_uppercase())
}

/// `defaults` gives each known key its type.
pub(super) fn find(environment: impl IntoIterator<Item = (OsString, OsString)>, defaults: &Json) -> Found {
    let mut found = Found::default();
    let mut rollout = None;
    for (name, value) in environment {
        let Some(name) = name.to_str().filter(|_| !value.is_empty()) else { continue };
        let path = if name == ROLLOUT_FLAG {
            vec!["rollout".to_owned(), "aggregator_streaming".to_owned()]
        } else if let Some(key) = name.strip_prefix(PREFIX).filter(|key| !is_of_others(key)) {
            key.to_lowercase().split(SEPARATOR).map(str::to_owned).collect()
        } else {
            if name.starts_with("OTEL_") {
                found.otel_variables.insert(name.to_owned(), Secret::new(value.to_string_lossy()));
            }
            continue;
        };
        let origin = format!("the environment variable {name}");
        match setting(path, &value, defaults) {
            Ok((path, value)) if name == ROLLOUT_FLAG => rollout = Some(Setting { path, value, origin }),
            Ok((path, value)) => found.settings.push(Setting { path, value, origin }),
            Err((key, detail)) => found.findings.push(Finding { key, detail, origin }),
        }
    }
    found.settings.sort_by(|a, b| a.path.cmp(&b.path));
    found.settings.extend(rollout);
    found
}

/// What has our prefix, and sets nothing here: `TRIBUTARY_TOKEN` is the token that the example readers call with, and may be set in the
/// shell in which the service is started.
fn is_of_others(key: &str) -> bool {
    key == "TOKEN" || is_service_link(key)
}

/// Kubernetes gives every pod variables for each service in reach; one called `tributary` would otherwise keep the pod
/// from starting (`TRIBUTARY_SERVICE_HOST`, `TRIBUTARY_PORT_8080_TCP_ADDR`, …). None of our keys looks like that.
fn is_service_link(key: &str) -> bool {
    let service = format!("_{key}");
    let ours = key.contains(SEPARATOR);
    !ours
        && (service.contains("_SERVICE_HOST")
            || service.contains("_SERVICE_PORT")
            || service.ends_with("_PORT")
            || service.contains("_PORT_"))
}

type Unfit = (String, String);

fn setting(path: Vec<String>, value: &OsString, defaults: &Json) -> Result<(Vec<String>, ValueKind), Unfit> {
    let key = path.join(".");
    if path.len() < 2 {
        let detail = format!("there is no such key; a variable is called {PREFIX}SECTION{SEPARATOR}KEY");
        return Err((key, detail));
    }
    let Some(text) = value.to_str() else { return Err((key, "the value is not UTF-8".into())) };
    let like = path.iter().try_fold(defaults, |tree, name| tree.get(name));
    match typed(text.trim(), like.or(in_key(&path))) {
        Ok(value) => Ok((path, value)),
        Err(detail) => Err((key, detail)),
    }
}

/// What fields of an API key hold: `default.toml` has none to take the type of.
fn in_key(path: &[String]) -> Option<&'static Json> {
    static LIST: Json = Json::Array(Vec::new());
    static TEXT: Json = Json::String(String::new());
    match path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["auth", "keys", _, "scopes" | "sessions"] => Some(&LIST),
        ["auth", "keys", _, _] => Some(&TEXT),
        _ => None,
    }
}

fn typed(text: &str, like: Option<&Json>) -> Result<ValueKind, String> {
    match like {
        Some(Json::Number(number)) if number.is_f64() => {
            let parsed = text.parse().ok().filter(|number: &f64| number.is_finite());
            parsed.map(ValueKind::Float).ok_or_else(|| format!("`{text}` is not a number"))
        }
        Some(Json::Number(_)) => {
            text.parse().map(ValueKind::I64).map_err(|_| format!("`{text}` is not a whole number"))
        }
        Some(Json::Bool(_)) => {
            switch(text).map(ValueKind::Boolean).ok_or_else(|| format!("`{text}` is neither true nor false"))
        }
        Some(Json::Array(_)) => {
            let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
            Ok(ValueKind::Array(items.map(Value::from).collect()))
        }
        Some(Json::String(_) | Json::Object(_) | Json::Null) => Ok(ValueKind::String(text.into())),
        // A subagent's switch, or an unknown key that is refused when all layers are read.
        None => Ok(switch(text).map_or_else(|| ValueKind::String(text.into()), ValueKind::Boolean)),
    }
}

fn switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "on" | "yes" => Some(true),
        "false" | "0" | "off" | "no" => Some(false),
        _ => None,
    }
}
