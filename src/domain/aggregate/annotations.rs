//! The sources that APIs of language models and of retrieval give beside a text, each under a name of its own.
//!
//! | where | whose |
//! |---|---|
//! | `annotations: [{type: "url_citation", …}]` | OpenAI, OpenRouter |
//! | `groundingMetadata.groundingChunks[].web` | Gemini |
//! | `citations: ["https://…"]`, named by `search_results` | Perplexity |
//! | `citations: [{type: "…_location", …}]` of a block | Anthropic |
//! | `citations[].sources[].document`, `documents` beside `citations` | Cohere |
//! | `source_nodes[].node.metadata` | LlamaIndex |
//! | `source_documents[].metadata`, `context` or `documents` of such | LangChain, LangGraph |
//! | `context: {citations: […]}`, which the text cites as `[doc1]` | Azure OpenAI on one's own data |
//! | `results: [{title, url, content}]`, `organic_results`, `organic` | Tavily, Exa, SerpAPI, Serper |
//! | blocks of the type `resource_link` or `resource` | tools of the Model Context Protocol |
//! | `metadata: {retriever_resources: […]}` | Dify |
//! | `citations[].retrievedReferences` | Bedrock |
//!
//! A list is a numbering, `[2]` its second item, so each item keeps its place. What is noted at passages of the text comes
//! once for each passage; there the second *other* source is the second. Of several lists nobody knows which a number counts
//! in: none is read. Linear, but for the levels of the few envelopes that are opened.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use super::input::SourceInput;
use super::json::{Member, items, member, members, text};

mod items_of;

use items_of::{chunk, cited, document, hit, node, own_data, passage, passages, resource, retrieved};

/// Sources of one result that are read.
const SOURCES_MAX: usize = 1_000;
/// How deep envelopes are opened.
const DEPTH_MAX: usize = 6;
/// What envelopes are called. Of several choices the first is the answer.
const ENVELOPES: [&str; 9] =
    ["message", "output", "content", "blocks", "response", "result", "body", "structuredContent", "metadata"];
/// What at least one of is in every text that is read.
const SIGNS: [&str; 12] = [
    "\"annotations\"",
    "\"grounding",
    "\"citations\"",
    "\"search_results\"",
    "\"source_nodes\"",
    "\"source_documents\"",
    "\"page_content\"",
    "\"results\"",
    "\"organic",
    "\"resource",
    "\"retriever_resources\"",
    "\"retrievedReferences\"",
];

/// What was found.
#[derive(Default)]
struct Found {
    lists: Vec<Vec<SourceInput>>,
    /// What passages cite.
    noted: Vec<SourceInput>,
    /// What was searched: a list, where there is no other.
    searched: Vec<SourceInput>,
}

/// The sources in the JSON of a result; none where it has no such lists.
pub(super) fn of(json: &str) -> Vec<SourceInput> {
    let Found { mut lists, noted, searched } = found(json);
    lists.dedup();
    let names: Vec<SourceInput> = noted.iter().chain(&searched).cloned().collect();
    if lists.is_empty() && noted.is_empty() {
        return searched;
    }
    let mut sources = match <[Vec<SourceInput>; 1]>::try_from(lists) {
        Ok([list]) => list,
        Err(lists) if lists.is_empty() => once_each(noted),
        Err(_) => Vec::new(),
    };
    name(&mut sources, &names);
    sources
}

/// A text whose `[doc2]`, as Azure OpenAI writes, is `[2]`, where there are so many sources.
pub(super) fn marked(content: String, sources: usize) -> String {
    const MARK: &str = "[doc";
    if sources == 0 || !content.contains(MARK) {
        return content;
    }
    let mut parts = content.split(MARK);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let number = part.split_once(']').and_then(|(number, _)| number.parse().ok());
        let is_one = number.is_some_and(|number: usize| (1..=sources).contains(&number));
        out.push_str(if is_one { "[" } else { MARK });
        out.push_str(part);
    }
    out
}

/// Titles for sources that are addresses only.
pub(super) fn complete(sources: &mut [SourceInput], json: &str) {
    if sources.iter().any(|source| source.title.is_none()) {
        let Found { noted, searched, .. } = found(json);
        name(sources, &[noted, searched].concat());
    }
}

fn found(json: &str) -> Found {
    let mut found = Found::default();
    if SIGNS.iter().any(|sign| memmem::find(json.as_bytes(), sign.as_bytes()).is_some()) {
        walk(json, DEPTH_MAX, &mut found);
    }
    found
}

fn walk(json: &str, depth: usize, found: &mut Found) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let Some(members) = members(json) else {
        return items(json).unwrap_or_default().into_iter().for_each(|item| walk(item, depth, found));
    };
    found.searched.extend(resource(&members));
    for (key, value) in &members {
        match key.as_ref() {
            "context" if value.starts_with('{') => {
                let inner = self::members(value).unwrap_or_default();
                found.list(member(&inner, "citations"), own_data);
            }
            "retriever_resources" => found.list(Some(value), retrieved),
            "results" | "organic_results" | "organic" => found.hits(value),
            "annotations" => found.noted.extend(all(value, passage).into_iter().flatten()),
            "groundingMetadata" | "grounding_metadata" => {
                let chunks = self::members(value).unwrap_or_default();
                let chunks = member(&chunks, "groundingChunks").or(member(&chunks, "grounding_chunks"));
                found.list(chunks, chunk);
            }
            "source_nodes" => found.list(Some(value), node),
            "source_documents" | "context" | "documents" | "retrieved_docs" => {
                found.list(Some(value), document)
            }
            "search_results" => {
                found.searched = all(value, SourceInput::from_json).into_iter().flatten().collect()
            }
            "citations" => found.citations(value, &members),
            "choices" | "candidates" => {
                if let Some(first) = items(value).unwrap_or_default().first() {
                    walk(first, depth, found);
                }
            }
            envelope if ENVELOPES.contains(&envelope) => walk(value, depth, found),
            _ => {}
        }
    }
}

impl Found {
    /// A list whose items are read by `read`; one that says nothing keeps its place.
    fn list(&mut self, json: Option<&str>, read: fn(&str) -> Option<SourceInput>) {
        let list = json.map(|json| all(json, read)).unwrap_or_default();
        if list.iter().any(Option::is_some) {
            self.lists.push(list.into_iter().map(Option::unwrap_or_default).collect());
        }
    }

    /// What a search has found: a list where there is no other, and only where each is a page with an address.
    fn hits(&mut self, json: &str) {
        let hits: Option<Vec<SourceInput>> = all(json, hit).into_iter().collect();
        self.searched.extend(hits.unwrap_or_default());
    }

    /// `citations`, which each API means in its own way.
    fn citations(&mut self, json: &str, beside: &[Member<'_>]) {
        let noted: Vec<SourceInput> = all(json, passages).into_iter().flatten().flatten().collect();
        if !noted.is_empty() {
            self.noted.extend(noted);
        } else if json.contains("\"document_ids\"") {
            self.list(member(beside, "documents"), SourceInput::from_json);
        } else {
            self.list(Some(json), cited);
        }
    }
}

fn all<T>(json: &str, read: fn(&str) -> Option<T>) -> Vec<Option<T>> {
    items(json).unwrap_or_default().into_iter().take(SOURCES_MAX).map(read).collect()
}

/// The first mention of each.
fn once_each(noted: Vec<SourceInput>) -> Vec<SourceInput> {
    let mut known = BTreeSet::new();
    let is_new = |source: &SourceInput| {
        known.insert((source.url.clone(), source.title.clone().filter(|_| source.url.is_none())))
    };
    noted.into_iter().filter(is_new).take(SOURCES_MAX).collect()
}

fn name(sources: &mut [SourceInput], names: &[SourceInput]) {
    let titles: BTreeMap<&str, &SourceInput> =
        names.iter().rev().filter_map(|source| Some((source.url.as_deref()?, source))).collect();
    for source in sources.iter_mut().filter(|source| source.title.is_none()) {
        if let Some(named) = source.url.as_deref().and_then(|url| titles.get(url)) {
            source.title.clone_from(&named.title);
            source.snippet = source.snippet.take().or_else(|| named.snippet.clone());
        }
    }
}

#[cfg(test)]
mod tests;
