//! The JSON Schema (draft 2020-12) that a model is asked to fill in.
//!
//! It stays inside the subset that the structured outputs of both OpenAI (`strict: true`) and Anthropic
//! (`output_config.format`) take: types, `enum` of plain values, `anyOf`, `properties` that are all `required`,
//! `additionalProperties: false`; no lengths, patterns or ranges, no recursion, no more than 5 levels of objects. One count is
//! in it, `maxItems: 0` where there is no source to be cited: whoever speaks to Anthropic leaves it out.
//! What the schema can't say (how many findings, how long) is the prompt's to say and the reader's to bound.
//!
//! Servers write properties in the schema's order, and so does a model that is only shown the schema. Findings come
//! first, so that a page begins with what was found; the summary comes last, when there is something to sum up. A
//! [`serde_json::Value`] sorts its keys, so what is sent is [`schema_text`].

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::domain::directive::SynthesisFormat;
use crate::domain::distinct::distinct;

#[cfg(test)]
mod tests;

/// Values of all enums of a schema together at most. OpenAI documents 1,000 and has refused more than 500; the lower
/// number is right everywhere. The ids are listed twice, for findings and for statements.
pub const ENUM_VALUES_MAX: usize = 500;

const LEVELS: &[&str] = &["low", "medium", "high"];

/// A node of the schema, with its properties in order.
enum Node {
    Text,
    /// One of a few words.
    Word(&'static [&'static str]),
    /// The number of a source.
    Id(Ids),
    /// The same, or nothing.
    IdOrNull(Ids),
    List(Box<Node>),
    /// A list of numbers of sources.
    IdList(Ids),
    Object(Vec<(&'static str, Node)>),
}

/// The numbers that a source may have.
#[derive(Clone)]
enum Ids {
    /// There is no source.
    None,
    /// More than an enum may list.
    Any,
    These(Vec<u32>),
}

/// The schema of a draft over the sources `ids` as JSON, with its properties in the order in which they shall be written.
///
/// Ids are an enum of exactly `ids`, sorted and each once; a statement may have none, as prompts say. An enum can't be
/// empty: without ids a list of them is empty. It can't be of any length either: with so many that [`ENUM_VALUES_MAX`]
/// would be passed they are plain integers, and the reader's checks find what doesn't exist.
#[must_use]
pub fn schema_text(ids: &[u32], format: SynthesisFormat) -> String {
    serde_json::to_string(&draft(ids, format)).unwrap_or_else(|_| "true".to_owned())
}

fn draft(ids: &[u32], format: SynthesisFormat) -> Node {
    let ids = known(ids);
    let mut finding = Vec::from([("topic", Node::Text)]);
    match format {
        SynthesisFormat::Structured => {}
        SynthesisFormat::Narrative => finding.push(("transition", Node::Text)),
    }
    finding.extend([
        ("content", Node::Text),
        ("source_ids", Node::IdList(ids.clone())),
        ("confidence", Node::Word(LEVELS)),
    ]);
    let statement = Node::Object(vec![("quote", Node::Text), ("source_id", Node::IdOrNull(ids))]);
    let contradiction = Node::Object(vec![("description", Node::Text), ("statements", list(statement))]);
    Node::Object(vec![
        ("findings", list(Node::Object(finding))),
        ("contradictions", list(contradiction)),
        ("gaps", list(Node::Text)),
        ("summary", Node::Text),
    ])
}

/// The values of an id.
fn known(ids: &[u32]) -> Ids {
    let known = distinct(ids.to_vec());
    match known.len() {
        0 => Ids::None,
        many if 2 * many + LEVELS.len() > ENUM_VALUES_MAX => Ids::Any,
        _ => Ids::These(known),
    }
}

fn list(items: Node) -> Node {
    Node::List(Box::new(items))
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Node::Text => map.serialize_entry("type", "string")?,
            Node::Word(words) => {
                map.serialize_entry("type", "string")?;
                map.serialize_entry("enum", words)?;
            }
            Node::Id(ids) => {
                map.serialize_entry("type", "integer")?;
                if let Ids::These(ids) = ids {
                    map.serialize_entry("enum", ids)?;
                }
            }
            Node::IdOrNull(Ids::None) => map.serialize_entry("type", "null")?,
            Node::IdOrNull(ids) => map.serialize_entry("anyOf", &(Node::Id(ids.clone()), Null))?,
            Node::List(items) => {
                map.serialize_entry("type", "array")?;
                map.serialize_entry("items", items)?;
            }
            Node::IdList(ids) => {
                map.serialize_entry("type", "array")?;
                map.serialize_entry("items", &Node::Id(ids.clone()))?;
                if let Ids::None = ids {
                    map.serialize_entry("maxItems", &0)?;
                }
            }
            Node::Object(properties) => {
                let names: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
                map.serialize_entry("type", "object")?;
                map.serialize_entry("properties", &Properties(properties))?;
                map.serialize_entry("required", &names)?;
                map.serialize_entry("additionalProperties", &false)?;
            }
        }
        map.end()
    }
}

/// `{"type": "null"}`.
struct Null;

impl Serialize for Null {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("type", "null")])
    }
}

/// Properties as a map that keeps their order.
struct Properties<'a>(&'a [(&'static str, Node)]);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, node)| (name, node)))
    }
}
