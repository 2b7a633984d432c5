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

/// What a passage cites by Anthropic's API, by Cohere's second, or by Bedrock's.
pub(super) fn passages(json: &str) -> Option<Vec<SourceInput>> {
    let citation = members(json)?;
    if let Some(references) = member(&citation, "retrievedReferences").and_then(items) {
        return Some(references.into_iter().filter_map(reference).collect());
    }
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

/// A document of one's own data in Azure OpenAI.
pub(super) fn own_data(json: &str) -> Option<SourceInput> {
    let document = members(json)?;
    said(SourceInput {
        url: string(&document, &["url", "filepath"]),
        title: string(&document, &["title"]),
        snippet: string(&document, &["content"]),
        ..SourceInput::default()
    })
}

/// A page that a search has found, with an excerpt: what has none is no page.
pub(super) fn hit(json: &str) -> Option<SourceInput> {
    let page = members(json)?;
    let url = string(&page, &["url", "link"]).filter(|url| url.contains("://"))?;
    let (title, snippet) = (string(&page, &["title"]), string(&page, &["content", "snippet", "text"]));
    title.as_ref()?;
    Some(SourceInput { url: Some(url), title, snippet, ..SourceInput::default() })
}

/// A resource among the content of a tool of the Model Context Protocol: linked, or embedded.
pub(super) fn resource(block: &[Member<'_>]) -> Option<SourceInput> {
    let kind = string(block, &["type"])?;
    let embedded = || member(block, "resource").and_then(members);
    let inner = match kind.as_str() {
        "resource_link" => None,
        "resource" => Some(embedded()?),
        _ => return None,
    };
    let of = inner.as_deref().unwrap_or(block);
    let url = string(of, &["uri"])?;
    let (title, snippet) = (string(of, &["title", "name"]), string(of, &["text", "description"]));
    Some(SourceInput { url: Some(url), title, snippet, ..SourceInput::default() })
}

/// A passage that Dify has retrieved of a document.
pub(super) fn retrieved(json: &str) -> Option<SourceInput> {
    let passage = members(json)?;
    let (title, snippet) = (string(&passage, &["document_name"]), string(&passage, &["content"]));
    said(SourceInput { url: string(&passage, &["url"]), title, snippet, ..SourceInput::default() })
}

/// What Bedrock has retrieved, wherever it lies.
fn reference(json: &str) -> Option<SourceInput> {
    let reference = members(json)?;
    let location = member(&reference, "location").and_then(members)?;
    let at = location.iter().find_map(|(_, place)| string(&members(place)?, &["url", "uri"]))?;
    let text =
        member(&reference, "content").and_then(members).and_then(|content| string(&content, &["text"]));
    Some(SourceInput { url: Some(at), snippet: text, ..SourceInput::default() })
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
