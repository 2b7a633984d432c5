//! Subagents' raw outputs, made regular.
//!
//! An adapter takes any JSON and gives an object with the fields that readers and the aggregation rely on. It decides
//! by looks, never refuses, and loses nothing: fields that it doesn't know stay, and what stands under a known name
//! but has the wrong type moves to `unread`. An output that is regular already is passed on as the very same text, and
//! normalising twice changes nothing. The work is linear in the text. Only a table is cut, and it says so.
//!
//! Only required fields are sure to have their type. Optional ones (`relevance`, `confidence`, `retrieval_count`) stay
//! as sent: take them where they are numbers, and clamp them there.
//!
//! A new adapter is one file with a function `normalise`, its two schemas, and one line of the table below.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::event::RawJson;
use super::ids::SubagentKey;

mod api_answer;
mod card;
pub(in crate::domain) mod conversation;
mod frameworks;
mod model_text;
pub(in crate::domain) mod shape;
mod values;

/// The worked example of docs/adapters.md.
#[cfg(test)]
#[path = "tests/test_run.rs"]
mod test_run;
#[cfg(test)]
mod tests;

pub use card::{Card, CardState, card_failure};
pub(super) use generic::CONTENT_ALIASES;
pub use safety::{is_unreadable, policy_outcome};

/// From a line `/// what it reads` and `Name = module;` come the variant, its name (the module's: in directives, as
/// the subagents' key that it is chosen by, and of its schemas), its place in the choice, and its schemas.
macro_rules! adapters {
    ($($(#[$doc:meta])* $name:ident = $module:ident;)+) => {
        $(mod $module;)+

        /// The adapters a directive may name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Adapter {
            $($(#[$doc])* $name,)+
        }

        impl Adapter {
            /// Every adapter, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Its name on the wire, and the key of the subagents that it reads without being named.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($module),)+
                }
            }

            /// The regular form of an output; the same text where it is regular.
            ///
            /// The answer of a model's or an agent's API is read as its text, JSON that a model wrote as its text as what it
            /// holds.
            pub fn normalise(self, raw: &RawJson) -> RawJson {
                let regular = self.regular(raw);
                if std::sync::Arc::ptr_eq(&regular, raw) {
                    return regular;
                }
                let answer = self.answer(raw);
                let text = answer.as_ref().unwrap_or(raw);
                let held = self.list_in_text().and_then(|list| model_text::opened(text, list, answer.is_some()));
                held.or(answer).map_or(regular, |opened| self.regular(&opened))
            }

            fn regular(self, raw: &RawJson) -> RawJson {
                match self {
                    $(Self::$name => $module::normalise(raw),)+
                }
            }
        }

        /// Each schema's name and text.
        const SCHEMAS: &[(&str, &str)] = &[$(
            (stringify!($module), include_str!(concat!("schemas/", stringify!($module), ".json"))),
            (concat!(stringify!($module), ".raw"), include_str!(concat!("schemas/", stringify!($module), ".raw.json"))),
        )+];
    };
}

adapters! {
    /// Answers with citations: `{answer, citations: [{id, title, url, snippet?, quality?}], …}`.
    Documentation = documentation;
    /// A table preview card: `{title, columns, rows, row_count, truncated, selected, query?}`.
    RowSelection = row_selection;
    /// A confirmation card: `{action, state, summary, parameters, requires_confirmation, undo?}`.
    ActionWorkflow = action_workflow;
    /// A transcript: `{transcript, final, confidence?, segments, call_status?}`.
    Voice = voice;
    /// A decision: `{decision, policy, reason, severity, terminate}`.
    Safety = safety;
    /// Anything: `{content, sources, …}`.
    Generic = generic;
}

impl Adapter {
    /// The adapter that the directive named, else the one of the key, else the generic one.
    pub fn choose(key: &SubagentKey, named: Option<Self>) -> Self {
        let by_key = || Self::ALL.iter().copied().find(|adapter| adapter.name() == key.as_str());
        named.or_else(by_key).unwrap_or(Self::Generic)
    }

    /// Under which name a list counts that a language model wrote as its text; `None` where its text is the output.
    fn list_in_text(self) -> Option<&'static str> {
        match self {
            Self::RowSelection => Some("rows"),
            Self::ActionWorkflow => Some("tool_calls"),
            Self::Voice => Some("segments"),
            Self::Documentation | Self::Safety | Self::Generic => None,
        }
    }

    /// The text of an API's answer. What looks for more in such answers than their text does so itself: a safety check's
    /// scores, the calls of tools.
    fn answer(self, raw: &RawJson) -> Option<RawJson> {
        match self {
            Self::Safety => {
                let is_unread = |raw: &RawJson| safety::is_unread(&self.regular(raw));
                let answer = is_unread(raw).then(|| api_answer::opened(raw)).flatten();
                answer.filter(|answer| !is_unread(answer))
            }
            Self::ActionWorkflow if !says_nothing(&self.regular(raw), "action") => None,
            Self::Documentation | Self::RowSelection | Self::ActionWorkflow | Self::Voice | Self::Generic => {
                api_answer::opened(raw)
            }
        }
    }

    /// Whether a language model's text says nothing that this adapter reads: prose where a table was asked for, JSON about
    /// something else, JSON that is cut. Made regular it would be an empty card.
    pub fn misses(self, raw: &RawJson) -> bool {
        let Some(list) = self.list_in_text() else { return false };
        let answer = self.answer(raw);
        let text = answer.as_ref().unwrap_or(raw);
        if answer.is_none() && !model_text::is_answer(text) {
            return false;
        }
        match model_text::opened(text, list, answer.is_some()) {
            // A transcript may be a plain text, and a table one of Markdown.
            None if self == Self::RowSelection => !row_selection::has_table(text),
            None => self != Self::Voice,
            Some(opened) => match self {
                Self::RowSelection => !row_selection::has_table(&opened),
                Self::ActionWorkflow => says_nothing(&action_workflow::normalise(&opened), "action"),
                Self::Voice => says_nothing(&voice::normalise(&opened), "transcript"),
                Self::Documentation | Self::Safety | Self::Generic => false,
            },
        }
    }

    /// Whether a regular output is an interim one: more of it follows.
    pub fn is_interim(self, normalised: &RawJson) -> bool {
        self == Self::Voice && voice::voice_is_final(normalised) == Some(false)
    }

    /// Whether a raw output decides nothing until it is whole: what a safety check has written so far may say the opposite.
    pub fn is_undecided(self, raw: &RawJson) -> bool {
        self == Self::Safety && !safety::says_decision(raw)
    }

    /// Whether a raw output says nothing and never will: a message of a speech service between its transcripts.
    pub fn is_sign_of_life(self, raw: &RawJson) -> bool {
        self == Self::Voice && voice::is_sign_of_life(raw)
    }

    /// Whether the regular output shows a part only of what was sent.
    pub fn cuts(self, raw: &RawJson, normalised: &RawJson) -> bool {
        self == Self::RowSelection && row_selection::cuts(raw, normalised)
    }

    /// The word in a regular output for the state of a confirmation card, where that is none that is known.
    pub fn unknown_state(self, normalised: &RawJson) -> Option<String> {
        if self == Self::ActionWorkflow { action_workflow::unknown_state(normalised) } else { None }
    }

    /// The confirmation card of a regular output.
    pub fn card(self, normalised: &RawJson) -> Option<Card> {
        if self == Self::ActionWorkflow { Card::of(normalised) } else { None }
    }
}

/// The answer in what the API of a model, an agent or a framework gave, as `{content, …}`; `None` for any other output.
pub fn answer_in(raw: &RawJson) -> Option<RawJson> {
    api_answer::opened(raw)
}

fn says_nothing(normalised: &RawJson, name: &str) -> bool {
    let members = shape::members(normalised.get()).unwrap_or_default();
    !values::find(&members, name).is_some_and(values::says_something)
}

/// The JSON Schemas (draft 2020-12): `<adapter>` of what it makes, `<adapter>.raw` of the shapes that it understands,
/// each with examples. Raw outputs of other shapes are taken too.
pub fn schemas() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCHEMAS.iter().copied()
}
