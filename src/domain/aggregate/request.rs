//! The bodies of `POST /aggregations`, `/syntheses`, `/answers` and `/trees`, parsed at the door.
//!
//! What comes out is valid. What is refused lists **every** bad place, up to [`ISSUES_MAX`]: `pointer` is the JSON Pointer
//! (RFC 6901) from the root of the body, `index` the item's place where it is about an item of `results` (or a node of a
//! tree, in the order in which nodes begin). The code is `invalid_json` where a body is broken or has a key twice,
//! `unknown_field` where there is one, whatever else is wrong, else `limit_reached` where there is too much of something,
//! and `invalid_event` where a value is wrong or missing.
//!
//! `null` counts as absent everywhere. Objects of sources are open: what isn't known in them is left out.

use super::LeftOut;
use super::input::TaskInput;
use super::result::AggregatedResult;
use crate::domain::canonical_json::canonicalize;
use crate::domain::directive::{AggregationOptions, SynthesisOptions};
use crate::domain::requests::refusal_of;
use crate::domain::verdict::{Code, Refusal};

mod fields;
mod given_out;
mod legacy;
mod options;
mod results;
mod sheet;
#[cfg(test)]
mod tests;
mod tree;
mod tree_text;

pub use fields::ISSUES_MAX;
pub use legacy::{
    ANSWER_CHARS_MAX, LATENCY_MS_MAX, LegacyResponse, METADATA_BYTES_MAX, STATUS_CHARS_MAX,
    parse_legacy_response,
};
pub use sheet::{AnswerRequest, Sheet, SheetCitation, SheetEntry, SheetId};
pub use tree::{TreeNode, TreeRequest};

use fields::{Fields, Issues, Place};

/// Results of one request.
pub const RESULTS_MAX: usize = 1_000;
/// Sources of one result.
pub const SOURCES_PER_RESULT_MAX: usize = 1_000;
/// Sources of one request.
pub const SOURCES_PER_REQUEST_MAX: usize = 10_000;
/// Longest `query`, `goal` and `objective`, in characters.
pub const QUERY_CHARS_MAX: usize = 32_768;
/// Longest `task`, in characters.
pub const TASK_CHARS_MAX: usize = 8_192;
/// Longest name: `task_id`, `subagent`, the `id` of a node or a citation, in characters.
pub const NAME_CHARS_MAX: usize = 256;
/// Longest text of a result, a node or an entry, in characters.
pub const CONTENT_CHARS_MAX: usize = 4_194_304;
/// Nodes of a tree.
pub const NODES_MAX: usize = 10_000;
/// Bytes of a tree's contents, each counted as often as it is handed up: by its level. Those of a tree of two levels of the
/// largest body, whatever the shape: so often they are combined, and given out.
pub const TREE_BYTES_MAX: usize = 16 << 20;
/// Levels of a tree, the root counted.
pub const TREE_DEPTH_MAX: usize = 64;

/// The body of `POST /aggregations`.
#[derive(Debug, Clone, PartialEq)]
pub struct AggregateRequest {
    /// What was asked.
    pub query: Option<String>,
    /// What the tasks brought.
    pub results: Vec<TaskInput>,
    /// How to combine it.
    pub options: AggregationOptions,
}

/// The body of `POST /syntheses`.
#[derive(Debug, Clone, PartialEq)]
pub struct SynthesisRequest {
    /// What was asked.
    pub query: Option<String>,
    /// What the tasks brought: as given, or read back from an aggregated result.
    pub results: Vec<TaskInput>,
    /// What that aggregated result left out.
    pub left_out: LeftOut,
    /// That aggregated result, where nothing of it is to be otherwise.
    pub whole: Option<Box<AggregatedResult>>,
    /// How to combine it.
    pub aggregation: AggregationOptions,
    /// How to write it.
    pub synthesis: SynthesisOptions,
}

/// The body of `POST /aggregations`: `{query?, results, options?}`.
pub fn parse_aggregation(text: &str) -> Result<AggregateRequest, Refusal> {
    let mut issues = Issues::default();
    let body = body(text, &["query", "results", "options"], &mut issues)?;
    let query = body.text("query", QUERY_CHARS_MAX, &mut issues);
    let results = results::required(&body, &mut issues);
    let (options, _) = options::read(body.get("options"), options::Which::Aggregation, &mut issues);
    issues.finish()?;
    Ok(AggregateRequest { query, results, options })
}

/// The body of `POST /syntheses`: `{query?, results | aggregation, options?}`.
///
/// `aggregation` is an aggregated result as this service gave it out. Its results become tasks again with the sources
/// that they cite (numbers as ids), its failures failed ones; what else stands in it is left out, as it is made anew.
pub fn parse_synthesis(text: &str) -> Result<SynthesisRequest, Refusal> {
    let mut issues = Issues::default();
    let body = body(text, &["query", "results", "aggregation", "options"], &mut issues)?;
    let query = body.text("query", QUERY_CHARS_MAX, &mut issues);
    let results = match (body.get("results"), body.get("aggregation")) {
        (Some(_), Some(_)) => {
            issues.add(
                Code::InvalidEvent,
                &body.at("aggregation"),
                "give `results` or `aggregation`, not both",
            );
            Vec::new()
        }
        (None, Some(given)) => given_out::read(given, &body.at("aggregation"), &mut issues),
        (Some(_), None) => results::required(&body, &mut issues),
        (None, None) => {
            issues.add(Code::InvalidEvent, &Place::default(), "`results` or `aggregation` is missing");
            Vec::new()
        }
    };
    let (mut aggregation, synthesis) = options::read(body.get("options"), options::Which::Both, &mut issues);
    if body.get("aggregation").is_some() && !options::has(body.get("options"), "max_results") {
        // What was chosen already isn't chosen from again.
        aggregation.max_results = u32::try_from(results.len().max(1)).unwrap_or(u32::MAX);
    }
    issues.finish()?;
    let given_out = body.get("aggregation");
    let left_out = given_out.map(|given| given_out::left_out(given, &results)).unwrap_or_default();
    let mut results = results;
    if let Some(given) = body.get("aggregation").filter(|_| aggregation.deduplicate) {
        results.extend(given_out::twins(given, &results));
    }
    let whole = given_out.filter(|_| options::are_none(body.get("options"))).and_then(given_out::whole);
    let whole = whole.map(Box::new);
    Ok(SynthesisRequest { query, results, left_out, whole, aggregation, synthesis })
}

/// The body of `POST /answers`: `{objective, sheet, options?}`.
pub fn parse_answer(text: &str) -> Result<AnswerRequest, Refusal> {
    let mut issues = Issues::default();
    let body = body(text, &["objective", "sheet", "options"], &mut issues)?;
    let objective = body.required_text("objective", QUERY_CHARS_MAX, &mut issues);
    let sheet = sheet::read(&body, &mut issues);
    let (aggregation, synthesis) = options::read(body.get("options"), options::Which::Both, &mut issues);
    issues.finish()?;
    Ok(AnswerRequest { objective: objective.unwrap_or_default(), sheet, aggregation, synthesis })
}

/// The body of `POST /trees`: a node `{id, goal, task_type, length?, content?, depends_on?, children?, options?}`;
/// `options` stands on the root only. Any depth is parsed without recursion.
pub fn parse_tree(text: &str) -> Result<TreeRequest, Refusal> {
    tree::parse(text)
}

/// The members of a body, which has no key twice.
fn body<'a>(text: &'a str, known: &[&str], issues: &mut Issues) -> Result<Fields<'a>, Refusal> {
    canonicalize(text, &mut Vec::new()).map_err(|fault| refusal_of(fault, ""))?;
    match Fields::read(text, Place::default(), Some(known), issues) {
        Some(fields) => Ok(fields),
        None => Err(std::mem::take(issues).finish().err().unwrap_or_else(|| not_an_object(""))),
    }
}

fn not_an_object(pointer: &str) -> Refusal {
    Refusal::at(Code::InvalidEvent, pointer, "this has to be an object")
}
