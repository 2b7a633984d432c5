//! Which object of JSON a string belongs to, and which addresses are that object's: those of `{"claim": "…", "source": "https://…"}`
//! are the claim's, and `"sources": [{"url": "https://…"}]` those of what stands beside them.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::RandomState;

use super::told::has_escape;
use crate::domain::synthesis::claims::statements::announced::OVER_MAX;
use crate::domain::text::turned::{Turn, turn};

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

/// Members that say which of several an entry of a list is.
#[rustfmt::skip]
pub(super) const OWN_NAMES: [&str; 28] = [
    "name", "title", "topic", "heading", "label", "product", "candidate", "option", "host", "hostname", "service", "company", "vendor", "plan", "component", "package", "city", "country", "region",
    "drug", "hotel", "restaurant", "feature", "person", "employee", "model", "brand", "airline",
];
/// Those of them that may say something by themselves.
const TITLES: [&str; 4] = ["title", "topic", "heading", "label"];
/// Bytes of such a name.
const OWN_NAME_BYTES_MAX: usize = 60;

/// Whether a value of such a member is short enough for one, and can be shown as it stands.
pub(super) fn is_own_name(value: &str) -> bool {
    value.len() <= OWN_NAME_BYTES_MAX
        && value.contains(char::is_alphabetic)
        && !has_escape(value)
        && !value.contains("://")
        && !value.ends_with(['.', '!', '?', '。', '！', '？'])
}

/// A string that is a value.
pub struct Value {
    /// Its bytes, without the quotation marks.
    pub range: Range<usize>,
    /// The object that it belongs to, by number.
    pub owner: usize,
    /// Whether it is what the object is called, or was asked.
    pub is_name: bool,
    /// Whether it says which of several its object is.
    pub is_own_name: bool,
    /// Whether it only says so, of an object that says more.
    pub is_only_name: bool,
    /// Whether it names a source.
    pub in_sources: bool,
    /// Whether its object does.
    pub is_of_source: bool,
    /// Whether it is an address.
    pub is_address: bool,
    /// The bytes of the key of the array that it is an item of; empty where it is none, or that has no key.
    pub list: Range<usize>,
    /// Whether it belongs to one of several things that the JSON tells of, or to a part of one, which is named elsewhere.
    pub is_apart: bool,
    /// The objects and arrays that it stands in, the innermost first: which object, by number, and the bytes of its key, which an item of
    /// an array has none of.
    pub over: [(usize, Range<usize>); OVER_MAX],
    /// The bytes of its own key; empty where it has none.
    pub key: Range<usize>,
    /// The bytes of the nearest key of what it stands in that denies or restricts that: `not_included`; empty where none does.
    pub lead: Range<usize>,
}

/// What is open around a place.
struct Open {
    owner: usize,
    in_sources: bool,
    /// Whether it is an object: its strings with a colon behind them are keys.
    is_object: bool,
    key: Range<usize>,
    lead: Range<usize>,
    is_apart: bool,
}

impl Open {
    /// What opens below a key in what is open `around` it: an object, or an array; `owner` is a number that no other has.
    fn below<'t>(
        text: &'t str,
        around: Option<&Self>,
        (key, is_object, owner): (Range<usize>, bool, usize),
        turning: &mut Turning<'t>,
    ) -> Self {
        let name = &text[key.clone()];
        let in_sources = around.is_some_and(|open| open.in_sources) || is_one_of(name, &SOURCES);
        let own = if is_object && !in_sources { None } else { around.map(|open| open.owner) };
        let lead = match turning.turned(name) {
            Some(_) => key.clone(),
            None => around.map_or(0..0, |open| open.lead.clone()),
        };
        let is_part = |open: &Self| open.is_apart || is_object && (!open.is_object || !wraps(name));
        let is_apart = around.is_some_and(is_part);
        // An array in an array goes on with its key.
        let of_array = around.filter(|open| !is_object && !open.is_object);
        let key = of_array.map_or(key, |open| open.key.clone());
        Self { owner: own.unwrap_or(owner), in_sources, is_object, key, lead, is_apart }
    }
}

/// Whether a key says nothing of what stands below it.
pub fn wraps(key: &str) -> bool {
    is_one_of(key, &WRAPPING)
}

/// Members that hold all of an answer.
const WRAPPING: [&str; 10] = [
    "result",
    "results",
    "answer",
    "data",
    "output",
    "response",
    "content",
    "payload",
    "body",
    "final_answer",
];

/// Different keys that are asked whether they turn what stands below them: no answer has more.
pub(super) const KEYS_MAX: usize = 1_000;

/// Keys that were asked whether they deny or restrict what stands below them.
#[derive(Default)]
struct Turning<'t> {
    known: HashMap<&'t str, Option<Turn>, RandomState>,
}

impl<'t> Turning<'t> {
    fn turned(&mut self, key: &'t str) -> Option<Turn> {
        if let Some(turned) = self.known.get(key) {
            return *turned;
        }
        // `text_only` says how something is told.
        let may = !key.is_empty() && self.known.len() < KEYS_MAX && !key.to_lowercase().ends_with("only");
        let turned = if may { turn(key) } else { None };
        if self.known.len() < KEYS_MAX {
            self.known.insert(key, turned);
        }
        turned
    }
}

/// The strings of JSON that are values. `tokens` are all its strings. Linear.
pub(super) fn values(text: &str, json: Range<usize>, tokens: &[Range<usize>]) -> Vec<Value> {
    let (mut found, mut open, mut owners) = (Vec::new(), Vec::<Open>::new(), 0);
    let (mut key, mut at) = (0..0, json.start);
    let mut turning = Turning::default();
    for token in tokens {
        for bracket in text[at..token.start].bytes() {
            match bracket {
                b'{' | b'[' => {
                    owners += 1;
                    let below = std::mem::replace(&mut key, 0..0);
                    let next = Open::below(text, open.last(), (below, bracket == b'{', owners), &mut turning);
                    open.push(next);
                }
                b'}' | b']' => {
                    open.pop();
                    key = 0..0;
                }
                b',' if open.last().is_some_and(|open| open.is_object) => key = 0..0,
                _ => {}
            }
        }
        at = token.end + 1;
        let string = &text[token.clone()];
        let around = open.last();
        let behind = text.get(at..json.end).unwrap_or_default();
        if around.is_some_and(|open| open.is_object) && key.is_empty() && behind.trim_start().starts_with(':')
        {
            key = token.clone();
            continue;
        }
        let own_key = &text[key.clone()];
        let in_sources = around.is_some_and(|open| open.in_sources) || is_one_of(own_key, &SOURCES);
        let is_own_name = is_one_of(own_key, &OWN_NAMES) && is_own_name(string);
        let says_more = || {
            let before = text[json.start..key.start.max(json.start + 1) - 1].trim_end();
            before.ends_with(',') || behind.trim_start().starts_with(',')
        };
        found.push(Value {
            range: token.clone(),
            owner: around.map_or(0, |open| open.owner),
            is_name: is_one_of(own_key, &NAMES),
            is_own_name,
            is_only_name: is_own_name && !is_one_of(own_key, &TITLES) && says_more(),
            in_sources,
            is_of_source: around.is_some_and(|open| open.in_sources),
            is_address: (in_sources || is_one_of(own_key, &ADDRESSES))
                && (string.starts_with("http://") || string.starts_with("https://")),
            list: around.filter(|open| !open.is_object).map_or(0..0, |open| open.key.clone()),
            is_apart: around.is_some_and(|open| open.is_apart),
            over: over(text, &open),
            key: key.clone(),
            // A string alone may stand under a key that denies it.
            lead: match turning.turned(own_key) {
                Some(Turn::Denies) => key.clone(),
                Some(Turn::Restricts) | None => around.map_or(0..0, |open| open.lead.clone()),
            },
        });
    }
    found
}

/// What is open around a place and has a key that says something, or may have a name, the innermost first.
fn over(text: &str, open: &[Open]) -> [(usize, Range<usize>); OVER_MAX] {
    let mut over: [(usize, Range<usize>); OVER_MAX] = Default::default();
    let says =
        |open: &&Open| if open.key.is_empty() { open.is_object } else { !wraps(&text[open.key.clone()]) };
    for (place, open) in over.iter_mut().zip(open.iter().rev().filter(says)) {
        *place = (open.owner, open.key.clone());
    }
    over
}

pub(super) fn is_one_of(key: &str, keys: &[&str]) -> bool {
    keys.iter().any(|other| key.eq_ignore_ascii_case(other))
}
