//! Subagents' raw outputs, made regular.
//!
//! An adapter takes any JSON and gives an object with the fields that readers and the aggregation rely on. It decides
//! by looks, never refuses, and loses nothing: fields that it doesn't know stay, and what stands under a known name
//! but has the wrong type moves to `unread`. An output that is regular already is passed on as the very same text, and
//! normalising twice changes nothing.
//!
//! Only required fields are sure to have their type. Optional ones (`relevance`, `confidence`, `retrieval_count`) stay
//! as sent: take them where they are numbers, and clamp them there.

use super::directive::AdapterName;
use super::event::RawJson;
use super::ids::SubagentKey;

mod documentation;
mod generic;
pub(in crate::domain) mod shape;
#[cfg(test)]
mod tests;

/// How the output of a subagent is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adapter {
    /// Answers with citations: `{answer, citations: [{id, title, url, snippet?, quality?}], …}`.
    Documentation,
    /// Anything: `{content, sources, …}`.
    Generic,
}

impl From<AdapterName> for Adapter {
    fn from(name: AdapterName) -> Self {
        match name {
            AdapterName::Documentation => Self::Documentation,
            AdapterName::Generic => Self::Generic,
        }
    }
}

impl Adapter {
    /// The adapter that the directive named, else the one of the key, else the generic one.
    pub fn choose(key: &SubagentKey, named: Option<AdapterName>) -> Self {
        match named {
            Some(name) => name.into(),
            None if key.as_str() == "documentation" => Self::Documentation,
            None => Self::Generic,
        }
    }

    /// The regular form of an output; the same text where it is regular.
    pub fn normalise(self, raw: &RawJson) -> RawJson {
        match self {
            Self::Documentation => documentation::normalise(raw),
            Self::Generic => generic::normalise(raw),
        }
    }
}
