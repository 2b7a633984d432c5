//! What viewers group traces by: the conversation and the user, out of the planner's context.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::domain::directive::Directive;

/// Bytes of an id at most; Langfuse takes 200 characters.
const ID_BYTES: usize = 200;

/// The ids of a step's directive, read when they are first asked for: a context may be large, and most are never asked.
#[derive(Debug, Clone, Default)]
pub struct Grouping(OnceLock<Arc<Ids>>);

/// What of a planner's context viewers have a place for. Anything else is the planner's own.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Ids {
    #[serde(default, deserialize_with = "id")]
    pub(super) conversation_id: Option<Arc<str>>,
    #[serde(default, deserialize_with = "id")]
    pub(super) user_id: Option<Arc<str>>,
}

/// It follows from the directive: two states that have the same are the same, whether it was read or not.
impl PartialEq for Grouping {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Grouping {
    pub(super) fn of(&self, directive: &Directive) -> &Ids {
        self.0.get_or_init(|| {
            let given = directive.planner_context.as_ref();
            // A context that isn't an object has nothing of this.
            given.and_then(|given| serde_json::from_str(given.0.get()).ok()).unwrap_or_default()
        })
    }
}

fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Arc<str>>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let text = value.as_str().filter(|text| !text.is_empty());
    Ok(text.map(|text| text[..text.floor_char_boundary(ID_BYTES)].into()))
}
