//! What a payload rests on.

use serde_json::Value;

/// A source of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source<'a> {
    /// A page: an `http` or `https` address, as nothing else may become a link.
    Page {
        /// Its address.
        url: &'a str,
        /// Its title.
        title: Option<&'a str>,
    },
    /// Anything else that has a name.
    Document {
        /// Its name.
        title: &'a str,
    },
}

/// The sources of a payload: its `citations` or `sources`, texts or `{url?, title?}`.
pub fn sources(payload: &Value) -> impl Iterator<Item = Source<'_>> {
    let listed = ["citations", "sources"].into_iter().filter_map(|name| payload.get(name)?.as_array());
    listed.flatten().filter_map(source)
}

/// The sources that the summary of an answer cites (`content` of its `aggregation` or `synthesis`), each with its number: `[1]`.
pub fn cited(content: &Value) -> impl Iterator<Item = (u64, Source<'_>)> {
    let listed = content.get("sources").and_then(Value::as_array);
    listed.into_iter().flatten().filter_map(|item| Some((item.get("id")?.as_u64()?, source(item)?)))
}

fn source(item: &Value) -> Option<Source<'_>> {
    let field = |name: &str| item.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let url = item.as_str().or_else(|| field("url"));
    let title = field("title");
    match url.filter(|url| is_page(url)) {
        Some(url) => Some(Source::Page { url, title }),
        None => title.or(url).filter(|text| !text.trim().is_empty()).map(|title| Source::Document { title }),
    }
}

fn is_page(url: &str) -> bool {
    let begins = |with: &str| url.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    begins("https://") || begins("http://")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_web_addresses_become_pages() {
        let payload = json!({"citations": [
            {"id": "1", "url": "https://a.example/", "title": "A"}, {"url": "javascript:alert(1)", "title": "B"},
            {"url": "", "title": "C"}, {"title": "  "}, 7, null,
        ], "sources": ["HTTP://b.example", "wiki page", "", {"url": "file:///etc/passwd"}]});
        let page = |url, title| Source::Page { url, title };
        let document = |title| Source::Document { title };
        let expected = [
            page("https://a.example/", Some("A")),
            document("B"),
            document("C"),
            page("HTTP://b.example", None),
            document("wiki page"),
            document("file:///etc/passwd"),
        ];
        assert_eq!(sources(&payload).collect::<Vec<_>>(), expected);
        assert_eq!(sources(&json!("text")).count() + sources(&json!({"sources": {}})).count(), 0);
    }
}
