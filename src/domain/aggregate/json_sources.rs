//! The sources that a result names in JSON of its own: `{"answer": "…", "sources": [{"title": "…", "url": "https://…"}]}`.
//!
//! Such a list is as good as a declared one, and is read only where none is declared: `[2]` is its second item. Of several lists
//! nobody knows which a number counts in, and an address elsewhere may be a picture's, or the answer's own: neither is read.
//! What an API gives beside a text is read by its own form first ([`annotations`]).

use super::annotations;
use super::input::{SourceInput, TaskInput};
use super::json::{items, members, text};

mod apart;

pub(super) use apart::{names_sources, tells_none_apart};

/// Members that list sources.
const LISTS: [&str; 8] =
    ["sources", "citations", "references", "urls", "links", "source_urls", "source", "source_url"];
/// Sources of one result that are read.
const SOURCES_MAX: usize = 1_000;
/// How deep objects are looked into: each level is one pass over what is in it.
const DEPTH_MAX: usize = 8;
/// Markers that are looked for.
const MARKERS_MAX: usize = 20;
/// Bytes beside a fence: a result that says more is no JSON.
const BESIDE_BYTES_MAX: usize = 120;

/// Declares the sources that a result in JSON names itself.
pub(super) fn declare(input: &mut TaskInput) {
    let content = input.content.trim();
    if !input.sources.is_empty() || !content.ends_with(['}', ']', '`']) {
        return;
    }
    let Some(json) = json_of(content) else { return };
    let mut found = annotations::of(json);
    if found.is_empty() && content.contains("://") {
        let mut lists = Vec::new();
        walk(json, DEPTH_MAX, &mut lists);
        if let [list] = lists[..] {
            found = sources(list).unwrap_or_default();
        }
    } else if found.is_empty() {
        found = titles(json).unwrap_or_default();
    }
    input.sources = found;
}

/// A list of titles beside a text that cites by its numbers: without such a marker `sources` may be anything.
fn titles(json: &str) -> Option<Vec<SourceInput>> {
    let members = members(json)?;
    let mut lists =
        members.iter().filter(|(key, _)| LISTS[..3].iter().any(|list| key.eq_ignore_ascii_case(list)));
    let (_, list) = lists.next().filter(|_| lists.next().is_none())?;
    let sources = sources(list)?;
    let markers: Vec<String> =
        (1..=sources.len().min(MARKERS_MAX)).map(|number| format!("[{number}]")).collect();
    let cites = |said: &str| markers.iter().any(|marker| said.contains(marker));
    let is_cited = members.iter().any(|(_, value)| text(value).is_some_and(|said| cites(&said)));
    let are_titles = sources
        .iter()
        .all(|source| source.title.as_deref().is_some_and(|title| title.contains(char::is_alphabetic)));
    (is_cited && are_titles).then_some(sources)
}

/// The JSON that a text is, bare or in a fence with little beside it.
fn json_of(content: &str) -> Option<&str> {
    if content.starts_with(['{', '[']) {
        return Some(content);
    }
    let (before, rest) = content.split_once("```")?;
    let (inside, behind) = rest.split_once('\n')?.1.split_once("```")?;
    (before.len() + behind.len() <= BESIDE_BYTES_MAX).then(|| inside.trim())
}

/// The lists of sources in objects that aren't sources themselves; two are enough to know that there are several.
fn walk<'j>(json: &'j str, depth: usize, lists: &mut Vec<&'j str>) {
    if depth == 0 || lists.len() > 1 || !json.starts_with(['{', '[']) {
        return;
    }
    let Some(members) = members(json) else {
        return items(json).unwrap_or_default().into_iter().for_each(|item| walk(item, depth - 1, lists));
    };
    for (key, value) in members {
        if value.contains("://") && LISTS.iter().any(|list| key.eq_ignore_ascii_case(list)) {
            lists.push(value);
        } else {
            walk(value, depth - 1, lists);
        }
    }
}

/// The sources of a list, each at its place, or the only one. None where an item is no source, as all behind it would have
/// another's number.
fn sources(list: &str) -> Option<Vec<SourceInput>> {
    let items = items(list).unwrap_or_else(|| vec![list]);
    (items.len() <= SOURCES_MAX).then(|| items.into_iter().map(SourceInput::from_json).collect()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(content: &str) -> Vec<(Option<String>, Option<String>)> {
        let mut input = TaskInput { content: content.to_owned(), ..TaskInput::default() };
        declare(&mut input);
        input.sources.into_iter().map(|source| (source.title, source.url)).collect()
    }

    #[test]
    fn sources_of_json_are_declared_ones() {
        let (a, b) = ("https://a.example/x", "https://b.example/y");
        let sources = format!(
            "{{\"answer\": \"It rose.\", \"sources\": [{{\"title\": \"A\", \"url\": \"{a}\"}}, \"{b}\"]}}"
        );
        let both = [(Some("A".to_owned()), Some(a.to_owned())), (None, Some(b.to_owned()))];
        assert_eq!(declared(&sources), both);
        assert_eq!(declared(&format!("Here it is:\n\n```json\n{sources}\n```\n")), both);
        let twice = format!(
            "{{\"answer\": \"It rose.\", \"sources\": [\"{a}\", \"{a}\", \"{b}\"], \"image\": {{\"url\": \"{a}\"}}}}"
        );
        assert_eq!(declared(&twice).len(), 3, "each has its place");
    }

    #[test]
    fn titles_are_sources_of_what_cites_them() {
        let content =
            r#"{"answer": "It rose [1], and fell [2].", "references": ["A report", {"title": "B"}]}"#;
        assert_eq!(declared(content), [(Some("A report".to_owned()), None), (Some("B".to_owned()), None)]);
        let content =
            r#"{"answer": "It rose [2].", "citations": [{"id": 2, "source": "https://a.example/x"}]}"#;
        assert_eq!(declared(content), [(None, Some("https://a.example/x".to_owned()))]);
    }

    #[test]
    fn nothing_else_is_declared() {
        for content in [
            "{\"answer\": \"It rose.\", \"sources\": [\"wind\", \"sun\"]}",
            "{\"answer\": \"It rose [3].\", \"sources\": [\"wind\", \"sun\"]}",
            "{\"answer\": \"It rose [1].\", \"sources\": [\"wind\", 7], \"scores\": [1]}",
            "{\"answer\": \"It rose [1].\", \"sources\": [\"wind\"], \"references\": [\"sun\"]}",
            "{\"answer\": \"See https://a.example/x.\", \"source\": \"web\"}",
            "The service answers with its sources, as many as there are, and they look as in the example below, which is a long one:\n\n```json\n{\"url\": \"https://a.example\"}\n```",
            "{\"url\": \"https://a.example\"",
            "```json\nhttps://a.example\n```",
            "See [A](https://a.example/x) [1]",
            // Two lists, an address that is no source, and a list with something that is none.
            "[{\"text\": \"It rose [1].\", \"sources\": [\"https://a.example\"]}, {\"text\": \"It fell [1].\", \"sources\": [\"https://b.example\"]}]",
            "{\"answer\": \"Paris.\", \"image\": {\"url\": \"https://a.example/x.png\"}}",
            "{\"answer\": \"It rose [2].\", \"sources\": [7, \"https://a.example\"]}",
        ] {
            assert_eq!(declared(content), [], "{content}");
        }
    }
}
