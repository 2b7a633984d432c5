//! Answers with citations: `{answer, citations: [{id, title, url, snippet?, quality?}], confidence?, relevance?,
//! retrieval_count?}`.
//!
//! | sent | becomes |
//! |---|---|
//! | an object | `answer` from the first text among `answer`, `content`, `text`, `response`, `output`, `final_answer`, `final_report`, `report`, `markdown`, `completion`, `generation`, `result`, else `""`; `citations` from the first array among `citations`, `sources`, `references`, `documents`, `sourceDocuments` (Flowise), `source_documents` (LangChain), `source_nodes` (LlamaIndex), and `context` where it is one of objects (LangChain), else `[]`; then all other fields as sent, in order |
//! | a text | `{answer: it, citations: []}` |
//! | anything else | `{answer: "", citations: [], data: it}` |
//!
//! And each citation:
//!
//! | sent | becomes |
//! |---|---|
//! | an object | `id` (a number becomes a text); `title`, or `name`; `url`, `link`, `href` or `uri`; where there is one, `snippet`, `excerpt`, `text`, `quote`, `page_content` or `pageContent`, and `quality` or `score` (a number, or `HIGH`, `MEDIUM`, `LOW` or `REJECTED` in any case); then all other fields as sent |
//! | an object without an address, whose `metadata` has one (LangChain, LlamaIndex) | opened: those members stand in its place, a `source` that begins with `http://` or `https://` as `url` |
//! | an object with a `node` (LlamaIndex) | opened likewise |
//! | a text that begins with `http://` or `https://` | its `url`, which is the `title` too |
//! | another text | its `title` |
//! | anything else | its `data` |
//!
//! A field that came under another name is renamed, not copied. A missing `id` is the citation's place from 1 (the next
//! number that no other one has), a missing `title` is the `url`, a missing `url` is `""`, never null. A known name
//! with a value of another type moves to `unread` (`null` is left out).

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::value::RawValue;

use super::shape::{
    Field, Member, ObjectText, finished, is_array, is_number, is_text, members, pick, quoted,
};
use super::values::{opened, plain};
use crate::domain::canonical_json::Text;
use crate::domain::event::RawJson;

const ANSWER: [Field; 2] = [
    Field { name: "answer", aliases: &["content", "text", "response", "output", "final_answer", "final_report", "report", "markdown", "completion", "generation", "result"], fits: is_text },
    Field { name: "citations", aliases: &["sources", "references", "documents", "sourceDocuments", "source_documents", "source_nodes"], fits: is_array },
];

const CITATION: [Field; 5] = [
    Field { name: "id", aliases: &[], fits: |value| is_text(value) || is_number(value) },
    Field { name: "title", aliases: &["name"], fits: is_text },
    Field { name: "url", aliases: &["link", "href", "uri"], fits: is_text },
    Field { name: "snippet", aliases: &["excerpt", "text", "quote", "page_content", "pageContent"], fits: is_text },
    Field { name: "quality", aliases: &["score"], fits: |value| is_number(value) || names_quality(value) },
];

const EMPTY: &str = "\"\"";

/// How good a source is, in a word.
fn names_quality(value: &str) -> bool {
    let named = |word: &str| ["HIGH", "MEDIUM", "LOW", "REJECTED"].iter().any(|name| name.eq_ignore_ascii_case(word));
    is_text(value) && named(plain(value).trim())
}

/// The regular form of `raw`.
pub(super) fn normalise(raw: &RawJson) -> RawJson {
    let text = raw.get();
    let Some(members) = members(text) else {
        let (answer, data) = if is_text(text) { (text, None) } else { (EMPTY, Some(text)) };
        let mut object = ObjectText::new(text.len() + 40);
        object.member("answer", answer);
        object.member("citations", "[]");
        if let Some(data) = data {
            object.member("data", data);
        }
        return finished(object.finish(), raw);
    };
    let (members, is_renamed) = documents_named(members);
    let answer = pick(members, &ANSWER);
    let [words, list] = answer.values;
    let citations = list.map_or_else(Citations::default, Citations::read);
    if let (true, Some(_), Some(_), true) = (answer.as_named && !is_renamed, words, list, citations.regular) {
        return raw.clone();
    }
    let mut object = ObjectText::new(text.len() + 64);
    object.member("answer", words.unwrap_or(EMPTY));
    object.member("citations", &citations.written(list));
    object.members(&answer.rest);
    object.unread(&answer.unread, &answer.rest);
    finished(object.finish(), raw)
}

/// The same with the documents under `context` as citations, where there are no others; and whether there are such. A context of
/// texts is none of documents.
fn documents_named(mut members: Vec<Member<'_>>) -> (Vec<Member<'_>>, bool) {
    let [_, Field { name, aliases, fits }] = ANSWER;
    let is_list = |member: &Member<'_>| {
        (member.key.0 == name || aliases.contains(&&*member.key.0)) && fits(member.value)
    };
    if members.iter().any(is_list) {
        return (members, false);
    }
    let has_documents = |value: &str| {
        value.strip_prefix('[').is_some_and(|items| items.trim_ascii_start().starts_with('{'))
    };
    let context = members.iter_mut().find(|it| it.key.0 == "context" && has_documents(it.value));
    let is_renamed = context.is_some();
    if let Some(context) = context {
        context.key = Text(Cow::Borrowed(aliases[0]));
    }
    (members, is_renamed)
}

fn is_address(value: &str) -> bool {
    let words = plain(value);
    is_text(value) && (words.starts_with("http://") || words.starts_with("https://"))
}

/// The members of a node in a list of LlamaIndex', with what stands beside it there; and whether there is one. A citation is none.
fn node_opened(members: Vec<Member<'_>>) -> (Vec<Member<'_>>, bool) {
    let has = |members: &[Member<'_>], name: &str| members.iter().any(|member| member.key.0 == name);
    if has(&members, "title") || has(&members, "url") || !has(&members, "node") {
        return (members, false);
    }
    let members = opened(members, &["node"]);
    let is_opened = !has(&members, "node");
    (members, is_opened)
}

/// The members of a document with its address among them, should that stand in its metadata; and whether it did.
fn addressed(members: Vec<Member<'_>>) -> (Vec<Member<'_>>, bool) {
    let [_, _, Field { name, aliases, fits, .. }, ..] = CITATION;
    let is_url = |member: &Member<'_>| {
        (member.key.0 == name || aliases.contains(&member.key.0.as_ref())) && fits(member.value)
    };
    let is_source = |member: &Member<'_>| member.key.0 == "source" && is_address(member.value);
    let inner = members.iter().find(|member| member.key.0 == "metadata");
    let inner = inner.and_then(|member| self::members(member.value)).unwrap_or_default();
    if members.iter().any(is_url) || !inner.iter().any(|member| is_url(member) || is_source(member)) {
        return (members, false);
    }
    let mut members = opened(members, &["metadata"]);
    if !members.iter().any(is_url)
        && let Some(source) = members.iter_mut().find(|member| is_source(member))
    {
        source.key = Text(Cow::Borrowed(name));
    }
    (members, true)
}

/// A citation that has been read: text of JSON in every field.
#[derive(Default)]
struct Citation<'a> {
    id: Option<&'a str>,
    title: Option<&'a str>,
    url: Option<&'a str>,
    snippet: Option<&'a str>,
    quality: Option<&'a str>,
    data: Option<&'a str>,
    rest: Vec<Member<'a>>,
    unread: Vec<Member<'a>>,
    regular: bool,
}

impl<'a> Citation<'a> {
    fn read(value: &'a str) -> Self {
        if let Some(members) = members(value) {
            let (members, has_node) = node_opened(members);
            let (members, is_addressed) = addressed(members);
            let is_opened = has_node || is_addressed;
            let picked = pick(members, &CITATION);
            let [id, title, url, snippet, quality] = picked.values;
            let regular = !is_opened && picked.as_named && id.is_some_and(is_text) && title.is_some() && url.is_some();
            let (rest, unread) = (picked.rest, picked.unread);
            return Self { id, title, url, snippet, quality, data: None, rest, unread, regular };
        }
        if !is_text(value) {
            return Self { data: Some(value), ..Self::default() };
        }
        if is_address(value) {
            Self { url: Some(value), ..Self::default() }
        } else {
            Self { title: Some(value), ..Self::default() }
        }
    }

    fn written(&self, id: &str) -> String {
        let mut object = ObjectText::new(128);
        object.member("id", id);
        object.member("title", self.title.or(self.url).unwrap_or(EMPTY));
        object.member("url", self.url.unwrap_or(EMPTY));
        for (name, value) in [("snippet", self.snippet), ("quality", self.quality), ("data", self.data)] {
            if let Some(value) = value {
                object.member(name, value);
            }
        }
        object.members(&self.rest);
        object.unread(&self.unread, &self.rest);
        object.finish()
    }
}

/// The citations of an answer.
struct Citations<'a> {
    list: Vec<Citation<'a>>,
    /// Whether they can go on as they were sent.
    regular: bool,
}

impl Default for Citations<'_> {
    fn default() -> Self {
        Self { list: Vec::new(), regular: true }
    }
}

impl<'a> Citations<'a> {
    fn read(array: &'a str) -> Self {
        let items: Vec<&RawValue> = serde_json::from_str(array).unwrap_or_default();
        let list: Vec<Citation<'_>> = items.into_iter().map(|item| Citation::read(item.get())).collect();
        let regular = list.iter().all(|citation| citation.regular);
        Self { list, regular }
    }

    /// The array, which was sent as `sent`.
    fn written(&self, sent: Option<&str>) -> String {
        if self.regular {
            return sent.unwrap_or("[]").to_owned();
        }
        let mut taken: HashSet<String> =
            self.list.iter().filter_map(|citation| citation.id.map(plain).map(Cow::into_owned)).collect();
        // Only ever goes up, so numbering stays linear however ids were chosen.
        let mut next = 0;
        let number = |(place, citation): (usize, &Citation<'_>)| {
            if let Some(id) = citation.id {
                return citation.written(&quoted(&plain(id)));
            }
            next = place.max(next) + 1;
            while !taken.insert(next.to_string()) {
                next += 1;
            }
            citation.written(&quoted(&next.to_string()))
        };
        format!("[{}]", self.list.iter().enumerate().map(number).collect::<Vec<_>>().join(","))
    }
}
