//! The merged tree as types, with everything that is wrong with it found at once: what can't be read counts as not set, and
//! the rest is read again.

use std::sync::LazyLock;

use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use serde_path_to_error::{Path, Segment};

use super::error::Finding;
use super::layers::Layers;
use crate::domain::requests::in_plain_words;

/// Findings at most: a file of another program isn't told line by line.
const FINDINGS_MAX: usize = 100;

/// Reads the tree. `None` where what is left can't be read either.
pub(super) fn read<T: DeserializeOwned>(layers: &mut Layers, findings: &mut Vec<Finding>) -> Option<T> {
    loop {
        let error = match serde_path_to_error::deserialize(&layers.tree) {
            Ok(read) => return Some(read),
            Err(error) => error,
        };
        let key = error.path().to_string();
        let origin = layers.origins.of(&key);
        let is_unset = unset(&mut layers.tree, &layers.built_in, error.path());
        findings.push(Finding { key, detail: in_plain_words(&error.into_inner().to_string()), origin });
        if !is_unset || findings.len() >= FINDINGS_MAX {
            return None;
        }
    }
}

/// What stands for a field of an API key that can't be read: it has no usual value, and without it nothing else of the key
/// would be looked at.
fn in_key(names: &[&str]) -> Option<&'static Json> {
    static SCOPES: Json = Json::Array(Vec::new());
    static HASH: LazyLock<Json> = LazyLock::new(|| format!("sha256:{:064}", 0).into());
    match names {
        ["auth", "keys", _, "scopes"] => Some(&SCOPES),
        ["auth", "keys", _, "hash"] => Some(&HASH),
        _ => None,
    }
}

/// Gives an API key the field that was missed. They are missed in this order; `false` where it has both.
fn complete(tree: &mut Json, names: &[&str]) -> bool {
    let ["auth", "keys", name] = names else { return false };
    let Some(Json::Object(fields)) = tree.pointer_mut("/auth/keys").and_then(|keys| keys.get_mut(*name))
    else {
        return false;
    };
    let missing = ["hash", "scopes"].into_iter().find(|field| !fields.contains_key(*field));
    let stands = missing.and_then(|field| Some((field, in_key(&["auth", "keys", name, field])?)));
    stands.is_some_and(|(field, value)| fields.insert(field.to_owned(), value.clone()).is_none())
}

/// Puts back what is built in at a path, or nothing. `false` where that changes nothing.
fn unset(tree: &mut Json, built_in: &Json, path: &Path) -> bool {
    let names: Vec<&str> = path
        .iter()
        .map_while(|segment| match segment {
            Segment::Map { key } => Some(key.as_str()),
            Segment::Seq { .. } | Segment::Enum { .. } | Segment::Unknown => None,
        })
        .collect();
    if complete(tree, &names) {
        return true;
    }
    let Some((last, above)) = names.split_last() else { return false };
    let parent = above.iter().try_fold(&mut *tree, |tree, name| tree.get_mut(name));
    let Some(Json::Object(fields)) = parent else { return false };
    let usual = names.iter().try_fold(built_in, |tree, name| tree.get(name));
    match usual.or(in_key(&names)) {
        Some(usual) if fields.get(*last) == Some(usual) => false,
        Some(usual) => fields.insert((*last).to_owned(), usual.clone()).is_some(),
        None => fields.remove(*last).is_some(),
    }
}
