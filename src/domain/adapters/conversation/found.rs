//! What the messages of a conversation name as sources: each as `{title?, url, snippet?}`.

use std::collections::HashSet;

use super::message::{Who, who};
use crate::domain::adapters::shape::{Member, ObjectText, is_text, members, quoted};
use crate::domain::adapters::values::{embedded, find, items, plain, shortened};

/// Sources of one conversation that are read.
const SOURCES_MAX: usize = 100;
/// How deep a message is looked into.
const DEPTH_MAX: usize = 8;
/// Longest excerpt, in characters: the rest stays in its message.
const SNIPPET_CHARS_MAX: usize = 400;

/// What an address, a title and an excerpt are called.
const URLS: [&str; 6] = ["url", "link", "uri", "href", "source_url", "source"];
const TITLES: [&str; 3] = ["title", "name", "document_title"];
const SNIPPETS: [&str; 6] = ["snippet", "excerpt", "content", "page_content", "text", "cited_text"];

/// What a message cites itself.
pub(super) fn cited(message: &str) -> Vec<String> {
    let mut found = Found::default();
    notes(message, DEPTH_MAX, &mut found);
    found.sources
}

fn notes(value: &str, depth: usize, found: &mut Found) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if let Some(items) = items(value) {
        return items.into_iter().for_each(|item| notes(item, depth, found));
    }
    let Some(members) = members(value) else { return };
    if find(&members, "type").is_some_and(|kind| kind == "\"source-url\"") {
        found.take(&members);
    }
    for Member { key, value } in &members {
        if matches!(&*key.0, "annotations" | "citations") {
            items(value).unwrap_or_default().into_iter().for_each(|item| found.item(item));
        } else if !matches!(&*key.0, "tool_calls" | "artifact") && value.starts_with(['{', '[']) {
            notes(value, depth, found);
        }
    }
}

/// What tools gave in some messages, where it has an address. Where the text cites by numbers and there are several lists, or shows an
/// address that none of them has, nobody knows which it means.
pub(super) fn by_tools(messages: &[&str], text: &str) -> Vec<String> {
    let (mut found, mut lists) = (Found::default(), 0);
    for message in messages.iter().filter(|message| who(message) != Some(Who::Other)) {
        let before = found.sources.len();
        if who(message) == Some(Who::Tool) {
            results(message, DEPTH_MAX, &mut found);
        } else {
            outputs(message, &mut found);
        }
        lists += usize::from(found.sources.len() > before);
    }
    let shows_other = text.split("http").skip(1).any(|rest| {
        let rest = rest.split([' ', '\n', ')', ']', '>', '"']).next().unwrap_or_default();
        let url = format!("http{}", rest.trim_end_matches(['.', ',', ';', '/']));
        rest.contains("://") && !found.known.contains(&url)
    });
    let cites = (1..=9).any(|number| text.contains(&format!("[{number}]")));
    if shows_other || cites && lists > 1 { Vec::new() } else { found.sources }
}

/// The outputs of tools in the parts of the assistant's own message (AI SDK).
fn outputs(message: &str, found: &mut Found) {
    let parts = members(message).and_then(|members| find(&members, "parts").and_then(items));
    for part in parts.unwrap_or_default() {
        let members = members(part).unwrap_or_default();
        let is_tools = find(&members, "type").is_some_and(|kind| kind.starts_with("\"tool-"));
        if let Some(output) = find(&members, "output").filter(|_| is_tools) {
            results(output, DEPTH_MAX, found);
        }
    }
}

fn results(value: &str, depth: usize, found: &mut Found) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if is_text(value) {
        if let Some(json) = embedded(value) {
            results(&json, depth, found);
        }
        return;
    }
    if let Some(items) = items(value) {
        return items.into_iter().for_each(|item| results(item, depth, found));
    }
    let Some(members) = members(value) else { return };
    if !found.take(&members) {
        members.iter().for_each(|member| results(member.value, depth, found));
    }
}

#[derive(Default)]
struct Found {
    sources: Vec<String>,
    known: HashSet<String>,
}

impl Found {
    /// An address, or an object that has one itself, or below its type (`url_citation`).
    fn item(&mut self, item: &str) {
        let Some(members) = members(item) else { return self.add(item, None, None) };
        let inner = find(&members, "type").and_then(|kind| find(&members, &plain(kind)));
        self.take(&inner.and_then(self::members).unwrap_or(members));
    }

    /// Takes what has an address itself or in its `metadata`; `false` for anything else.
    fn take(&mut self, members: &[Member<'_>]) -> bool {
        let about = find(members, "metadata").and_then(self::members).unwrap_or_default();
        let first = |of: &[Member<'_>], names: &[&str], fits: fn(&str) -> bool| {
            names.iter().find_map(|name| find(of, name).filter(|value| fits(value)).map(str::to_owned))
        };
        let either =
            |names: &[&str], fits| first(members, names, fits).or_else(|| first(&about, names, fits));
        let Some(url) = either(&URLS, is_address) else { return false };
        let (title, snippet) = (either(&TITLES, is_text), first(members, &SNIPPETS, is_text));
        self.add(&url, title.as_deref(), snippet.as_deref());
        true
    }

    fn add(&mut self, url: &str, title: Option<&str>, snippet: Option<&str>) {
        if !is_address(url) || self.sources.len() >= SOURCES_MAX {
            return;
        }
        if !self.known.insert(plain(url).trim_end_matches('/').to_owned()) {
            return;
        }
        let mut source = ObjectText::new(128);
        if let Some(title) = title {
            source.member("title", title);
        }
        source.member("url", url);
        if let Some(snippet) = snippet {
            let text = plain(snippet);
            source.member(
                "snippet",
                &quoted(&shortened(&text, SNIPPET_CHARS_MAX).unwrap_or(text.into_owned())),
            );
        }
        self.sources.push(source.finish());
    }
}

fn is_address(value: &str) -> bool {
    let plain = plain(value);
    is_text(value) && (plain.starts_with("http://") || plain.starts_with("https://")) && !plain.contains(' ')
}
