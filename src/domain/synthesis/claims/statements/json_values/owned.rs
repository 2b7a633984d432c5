//! Which object of JSON a string belongs to, and which addresses are that object's: those of `{"claim": "…", "source": "https://…"}`
//! are the claim's, and `"sources": [{"url": "https://…"}]` those of what stands beside them.

use std::ops::Range;

/// Members that name sources: what stands in them states nothing.
pub(super) const SOURCES: [&str; 9] = [
    "sources",
    "source",
    "citations",
    "references",
    "urls",
    "links",
    "source_urls",
    "source_url",
    "reference",
];
/// Members that are an object's own address. That of another is a picture's, or a thing's that it speaks of.
pub(super) const ADDRESSES: [&str; 4] = ["url", "link", "href", "uri"];
/// Members of an object with an address that name it, or say what was asked.
pub(super) const NAMES: [&str; 6] = ["title", "name", "url", "link", "query", "question"];

/// A string that is a value.
pub struct Value {
    /// Its bytes, without the quotation marks.
    pub range: Range<usize>,
    /// The object that it belongs to, by number.
    pub owner: usize,
    /// Whether it is what the object is called, or was asked.
    pub is_name: bool,
    /// Whether it names a source.
    pub in_sources: bool,
    /// Whether it is an address.
    pub is_address: bool,
}

/// What is open around a place.
struct Open {
    owner: usize,
    in_sources: bool,
    /// Whether it is an object: its strings with a colon behind them are keys.
    is_object: bool,
}

/// The strings of JSON that are values. `tokens` are all its strings. Linear.
pub(super) fn values(text: &str, json: Range<usize>, tokens: &[Range<usize>]) -> Vec<Value> {
    let (mut found, mut open, mut owners) = (Vec::new(), Vec::<Open>::new(), 0);
    let (mut key, mut at) = ("", json.start);
    for token in tokens {
        for bracket in text[at..token.start].bytes() {
            match bracket {
                b'{' | b'[' => {
                    let is_object = bracket == b'{';
                    let around = open.last();
                    let in_sources = around.is_some_and(|open| open.in_sources) || is_one_of(key, &SOURCES);
                    owners += 1;
                    let own = if is_object && !in_sources { None } else { around.map(|open| open.owner) };
                    open.push(Open { owner: own.unwrap_or(owners), in_sources, is_object });
                    key = "";
                }
                b'}' | b']' => {
                    open.pop();
                    key = "";
                }
                b',' if open.last().is_some_and(|open| open.is_object) => key = "",
                _ => {}
            }
        }
        at = token.end + 1;
        let string = &text[token.clone()];
        let around = open.last();
        let behind = text.get(at..json.end).unwrap_or_default();
        if around.is_some_and(|open| open.is_object) && key.is_empty() && behind.trim_start().starts_with(':')
        {
            key = string;
            continue;
        }
        let in_sources = around.is_some_and(|open| open.in_sources) || is_one_of(key, &SOURCES);
        found.push(Value {
            range: token.clone(),
            owner: around.map_or(0, |open| open.owner),
            is_name: is_one_of(key, &NAMES),
            in_sources,
            is_address: (in_sources || is_one_of(key, &ADDRESSES))
                && (string.starts_with("http://") || string.starts_with("https://")),
        });
    }
    found
}

pub(super) fn is_one_of(key: &str, keys: &[&str]) -> bool {
    keys.iter().any(|other| key.eq_ignore_ascii_case(other))
}
