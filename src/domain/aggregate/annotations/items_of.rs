//! One item of a list of an API as a source.

use super::{Member, SourceInput, items, member, members, text};

/// What an address is called in the metadata of a document.
const URLS: [&str; 7] = ["url", "source_url", "link", "uri", "source", "file_path", "file_name"];
const TITLES: [&str; 4] = ["title", "document_title", "file_name", "filename"];

/// An annotation of OpenAI's: flat in Responses, below its type in chat completions.
pub(super) fn passage(json: &str) -> Option<SourceInput> {
    let annotation = members(json)?;
    let kind = string(&annotation, &["type"])?;
    if !matches!(kind.as_str(), "url_citation" | "file_citation") {
        return None;
    }
    let inner = member(&annotation, &kind).and_then(members).unwrap_or(annotation);
    said(SourceInput {
        url: string(&inner, &["url"]),
        title: string(&inner, &["title", "filename"]),
        snippet: string(&inner, &["content"]),
        ..SourceInput::default()
    })
}

/// What a passage cites by Anthropic's API, or by Cohere's second.
pub(super) fn passages(json: &str) -> Option<Vec<SourceInput>> {
    let citation = members(json)?;
    if let Some(sources) = member(&citation, "sources").and_then(items) {
        let document = |json: &str| member(&members(json)?, "document").and_then(SourceInput::from_json);
        return Some(sources.into_iter().filter_map(document).collect());
    }
    string(&citation, &["type"]).filter(|kind| kind.ends_with("_location"))?;
    let source = said(SourceInput {
        url: string(&citation, &["url", "source"]),
        title: string(&citation, &["title", "document_title"]),
        snippet: string(&citation, &["cited_text"]),
        ..SourceInput::default()
    });
    source.map(|source| vec![source])
}

/// A chunk of Gemini's.
pub(super) fn chunk(json: &str) -> Option<SourceInput> {
    let chunk = members(json)?;
    let of = |name: &str| member(&chunk, name).and_then(members);
    let inner = of("web").or_else(|| of("retrievedContext")).or_else(|| of("retrieved_context"))?;
    let (url, title, snippet) =
        (string(&inner, &["uri"]), string(&inner, &["title"]), string(&inner, &["text"]));
    said(SourceInput { url, title, snippet, ..SourceInput::default() })
}

/// A node of LlamaIndex's, with its score or without.
pub(super) fn node(json: &str) -> Option<SourceInput> {
    let outer = members(json)?;
    let inner = member(&outer, "node").and_then(members).unwrap_or(outer);
    described(&inner, "text")
}

/// A document of LangChain's.
pub(super) fn document(json: &str) -> Option<SourceInput> {
    let document = members(json)?;
    member(&document, "page_content")?;
    described(&document, "page_content")
}

/// A plain address, or an object that has one.
pub(super) fn cited(json: &str) -> Option<SourceInput> {
    SourceInput::from_json(json).filter(|source| source.url.is_some())
}

/// A document by its metadata, with its text as an excerpt.
fn described(document: &[Member<'_>], content: &str) -> Option<SourceInput> {
    let about = member(document, "metadata").or(member(document, "extra_info")).and_then(members)?;
    let url = string(&about, &URLS);
    let title = string(&about, &TITLES).filter(|title| Some(title) != url.as_ref());
    let source = said(SourceInput { url, title, ..SourceInput::default() })?;
    Some(SourceInput { snippet: string(document, &[content]), ..source })
}

fn said(source: SourceInput) -> Option<SourceInput> {
    (source.url.is_some() || source.title.is_some()).then_some(source)
}

fn string(members: &[Member<'_>], names: &[&str]) -> Option<String> {
    let filled = |text: &String| !text.trim().is_empty();
    names.iter().find_map(|name| member(members, name).and_then(text).filter(filled))
}
