//! What no file may hold: the keys of language models' providers. A file is copied, mounted and checked in; whoever reads it
//! then writes on somebody else's account. So these come from the environment only, and one that a file has is refused
//! even where a variable goes before it: it would lie there all the same.

use serde_json::Value as Json;

use super::error::Finding;
use super::variables::name_of;

/// The keys that a file may only leave empty.
const KEPT_OUT: [&[&str]; 3] =
    [&["synthesis", "api_key"], &["synthesis", "fallback", "api_key"], &["synthesis", "judge", "api_key"]];

/// Each of them that a file from `origin` has; the value isn't looked at, and never quoted.
pub(super) fn find(file: &Json, origin: &str) -> Vec<Finding> {
    let has = |path: &&[&str]| {
        let value = path.iter().try_fold(file, |table, name| table.get(name));
        value.is_some_and(|value| value.as_str() != Some(""))
    };
    let found = KEPT_OUT.into_iter().filter(has);
    let finding = |path: &[&str]| Finding {
        key: path.join("."),
        detail: format!(
            "a provider's key comes from the environment only: take it out of the file and set {}",
            name_of(path)
        ),
        origin: origin.to_owned(),
    };
    found.map(finding).collect()
}
