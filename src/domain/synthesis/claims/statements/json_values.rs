//! A result that is JSON, bare or in a fence: its strings say something, not its braces.
//!
//! What is quoted stands in the text as it is quoted, so a string that is escaped is read from escape to escape, at line breaks
//! only. Nothing is parsed: a text that only looks like JSON is read as far as it does.

use std::collections::BTreeMap;
use std::ops::Range;

use memchr::memmem;

use super::announced::OVER_MAX;
use super::lead_in::Above;
use super::{Said, Statement};
use crate::domain::text::sentences::sentences;

mod alone;
mod beside;
mod broken_off;
mod items;
mod objects;
mod owned;
mod told;

pub(super) use self::alone::{alone, listed};
pub(super) use self::beside::beside;
use self::broken_off::{is_broken_off, whole_sentences};
pub(super) use self::items::items;
pub(super) use self::objects::objects;
pub use self::owned::{Value, wraps};
pub use self::told::Told;

/// Strings and objects that are looked at.
const VALUES_MAX: usize = 10_000;
/// Objects that are read where no string is a sentence: `"plan": "Basic", "price": 5`. The one that was asked for may be the last.
pub(super) const OBJECTS_MAX: usize = VALUES_MAX;
/// Bytes of such an object: a longer one isn't read at a glance.
const OBJECT_BYTES_MAX: usize = 400;
/// Addresses that one statement rests on.
const ADDRESSES_MAX: usize = 20;
/// Bytes beside fences that are always few.
const BESIDE_BYTES_MAX: usize = 240;
/// Bytes of a string that is a word or a name: `high`, `finance`.
const WORD_BYTES_MAX: usize = 24;

/// The bytes of a text that are JSON, where that is all of it, as far as it goes.
pub(super) fn whole(text: &str) -> Option<Range<usize>> {
    let start = text.len() - text.trim_start().len();
    let range = start..text.trim_end().len().max(start);
    let json = &text[range.clone()];
    (is_json(json) || is_broken_off(json)).then_some(range)
}

/// The JSON that a text is: all of it, or what its fences have in them where less stands beside those.
pub fn answers(text: &str) -> Vec<Range<usize>> {
    if let Some(json) = whole(text) {
        return if is_surely_json(&text[json.clone()]) { vec![json] } else { Vec::new() };
    }
    let fences: Vec<Range<usize>> = fences(text).collect();
    let inside: usize = fences.iter().map(Range::len).sum();
    if text.len() - inside <= inside.max(BESIDE_BYTES_MAX) { fences } else { Vec::new() }
}

/// The bytes of each fence with JSON in it, without the fence.
fn fences(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let open = at + memmem::find(&text.as_bytes()[at..], b"```")?;
            let start = open + text[open..].find('\n')? + 1;
            let end = start + memmem::find(&text.as_bytes()[start..], b"\n```")?;
            at = end + "\n```".len();
            if let Some(inner) = whole(&text[start..end]) {
                return Some(start + inner.start..start + inner.end);
            }
        }
    })
}

/// Whether what looks like JSON is no prose that begins with a marker: `["so"] he said [1]`.
fn is_surely_json(text: &str) -> bool {
    let inside = text[1..].trim_start();
    text.starts_with('{')
        || inside.starts_with('{')
        || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
        || is_broken_off(text)
}

fn is_json(text: &str) -> bool {
    let bytes = text.as_bytes();
    let closes = matches!((bytes.first(), bytes.last()), (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']')));
    closes && bytes.len() > 2 && matches!(text[1..].trim_start().as_bytes().first(), Some(b'"' | b'{' | b'['))
}

/// A string, or a line of one.
pub(super) struct Line<'t> {
    pub range: Range<usize>,
    /// The addresses that its object has for it; of an object that says more than one sentence no more than one.
    pub addresses: Vec<&'t str>,
    /// What it stands under, by the keys of what it stands in.
    pub above: Above<'t>,
    /// Whether it is an item of an array, or stands in something that a key denies or restricts.
    pub is_listed: bool,
    /// What its object is called, which is one of several; empty where it is the only one, has no name or an address.
    pub of: &'t str,
    /// Its key and those that it stands below, the nearest first, and of entries of lists their names. Empty where there are no more.
    pub over: [&'t str; OVER_MAX],
}

impl Line<'_> {
    fn at(range: Range<usize>) -> Self {
        Self {
            range,
            addresses: Vec::new(),
            above: Above::default(),
            is_listed: false,
            of: "",
            over: [""; OVER_MAX],
        }
    }
}

/// The strings of JSON that are values, in order.
pub fn values(text: &str, json: Range<usize>) -> Vec<Value> {
    owned::values(text, json.clone(), &tokens(text, json))
}

/// Whether an object tells of a source only: `"sources": [{"title": "…", "url": "https://…"}]`.
pub(super) fn is_source(object: &Statement<'_>, values: &[Value]) -> bool {
    let first = values.partition_point(|value| value.range.start < object.start);
    let end = object.start + object.text.len();
    let own = values[first..].first().filter(|value| value.range.start < end && value.in_sources);
    own.is_some_and(|value| value.is_of_source || !told::names_by_source(object.text))
}

/// The strings of JSON that say something, each up to a line break in it; `values` are all.
pub(super) fn strings<'t>(text: &'t str, values: &[Value]) -> Vec<Line<'t>> {
    let mut addresses: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    let mut said: BTreeMap<usize, usize> = BTreeMap::new();
    let mut names: BTreeMap<usize, &str> = BTreeMap::new();
    for value in values {
        if value.is_own_name && value.is_apart && !value.in_sources {
            names.entry(value.owner).or_insert(&text[value.range.clone()]);
        }
        if value.is_address {
            addresses.entry(value.owner).or_default().push(&text[value.range.clone()]);
        } else if !value.is_name && !value.in_sources {
            let sentences = sentences(&text[value.range.clone()]).len();
            *said.entry(value.owner).or_default() +=
                if sentences > 1 || value.range.len() > WORD_BYTES_MAX { sentences } else { 0 };
        }
    }
    let mut found = Vec::new();
    for value in values {
        let own = addresses.get(&value.owner).map(Vec::as_slice).unwrap_or_default();
        // What an entry is called is quoted with what it says, however many words it has.
        let is_called = value.is_only_name && value.is_apart;
        if value.is_address || value.in_sources || value.is_name && !own.is_empty() || is_called {
            continue;
        }
        let is_clear = own.len() == 1 || said.get(&value.owner).is_some_and(|said| *said <= 1);
        let before = found.len();
        lines(text, value.range.clone(), &mut found);
        // A name beside an address is mostly that of a page.
        let of = names.get(&value.owner).copied().filter(|_| own.is_empty()).unwrap_or_default();
        let own = if is_clear { own } else { &[] };
        let above = Above { lead: &text[value.lead.clone()], line: &text[value.list.clone()] };
        for line in &mut found[before..] {
            line.addresses = own[..own.len().min(ADDRESSES_MAX)].to_vec();
            (line.above, line.is_listed) = (above, !above.lead.is_empty() || !above.line.is_empty());
            line.of = if value.is_own_name { "" } else { of };
            line.over = over(text, value, &names, line.of);
        }
        if found.len() >= VALUES_MAX {
            break;
        }
    }
    found
}

/// The keys that a string stands below, but what its object is called, which heads it: then its own key says less than that.
fn over<'t>(text: &'t str, value: &Value, names: &BTreeMap<usize, &'t str>, of: &str) -> [&'t str; OVER_MAX] {
    let mut over = [""; OVER_MAX];
    let key = |(owner, key): &(usize, Range<usize>)| {
        if key.is_empty() { names.get(owner).copied().unwrap_or_default() } else { &text[key.clone()] }
    };
    let own = Some(&text[value.key.clone()]).filter(|key| of.is_empty() && !wraps(key));
    let all = own.into_iter().chain(value.over.iter().map(key));
    for (place, line) in over.iter_mut().zip(all.filter(|line| !line.is_empty() && *line != of)) {
        *place = line;
    }
    over
}

/// The lines of a string without escapes in them; a line with one that isn't a line break or a quotation mark can't be
/// quoted.
fn lines(text: &str, string: Range<usize>, found: &mut Vec<Line<'_>>) {
    let (mut start, mut is_plain, mut at) = (string.start, true, string.start);
    while let Some(escape) = memchr::memchr(b'\\', &text.as_bytes()[at..string.end]).map(|next| at + next) {
        at = (escape + 2).min(string.end);
        match text.as_bytes().get(escape + 1) {
            Some(b'n' | b'r') => {}
            // It begins a line as blanks do.
            Some(b't') if text[start..escape].trim().is_empty() => {}
            // In Markdown, too, it stands for the quotation mark alone.
            Some(b'"') => continue,
            _ => {
                is_plain = false;
                continue;
            }
        }
        if is_plain {
            found.push(Line::at(start..escape));
        }
        (start, is_plain) = (at, true);
    }
    if is_plain {
        found.push(Line::at(start..string.end));
    }
}

/// The strings of JSON, without their quotation marks. Linear.
fn tokens(text: &str, json: Range<usize>) -> Vec<Range<usize>> {
    let (bytes, mut at, mut found) = (text.as_bytes(), json.start, Vec::new());
    while let Some(open) = memchr::memchr(b'"', &bytes[at..json.end]).map(|open| at + open + 1) {
        let mut end = open;
        while end < json.end && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        if end >= json.end {
            found.push(whole_sentences(text, open..json.end));
            break;
        }
        found.push(open..end);
        at = end + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    const ANSWER: &str = r#"{"answer": "PostgreSQL 17 was released in 2024.", "points": ["Vacuum uses less memory than before.", "Restores need a new tool.\n\nThey are fast. He said \"no\" to it.\nIt {works} so far."], "sources": [{"title": "A Title of it", "url": "https://a.example/x"}], "confidence": 0.9}"#;

    fn stated(text: &str) -> Vec<&'static str> {
        read(text, "a").into_iter().map(|found| found.text).collect()
    }

    #[test]
    fn strings_of_json_are_statements_bare_and_in_a_fence() {
        let expected = [
            "PostgreSQL 17 was released in 2024.",
            "Vacuum uses less memory than before.",
            "Restores need a new tool.",
            "They are fast.",
            "He said \\\"no\\\" to it.",
            "It {works} so far.",
        ];
        assert_eq!(stated(ANSWER), expected);
        assert_eq!(stated(&format!("Here is the result:\n\n```json\n{ANSWER}\n```\n")), expected);
        // Beside prose, a fence is an example.
        assert_eq!(
            stated(&format!("The service answers with a list of points.\n\n```json\n{ANSWER}\n```")),
            ["The service answers with a list of points."]
        );
    }

    #[test]
    fn what_an_object_says_rests_on_its_addresses() {
        const URL: &str = "https://nine.example/report";
        let claim = |rest: &str| {
            format!("{{\"claims\": [{{\"claim\": \"Vacuum uses less memory than before.\", {rest}}}]}}")
        };
        for (text, sources) in [
            (claim(&format!("\"source\": \"{URL}\", \"confidence\": \"high\"")), vec![9]),
            (
                claim(&format!(
                    "\"sources\": [{{\"title\": \"A long title of a report\", \"url\": \"{URL}\"}}, {{\"url\": \"https://b.example\"}}]"
                )),
                vec![9],
            ),
            (claim(&format!("\"more\": {{\"url\": \"{URL}\"}}")), vec![]),
            (
                claim(&format!(
                    "\"why\": \"It was written anew by them.\", \"sources\": [\"{URL}\", \"https://b.example\"]"
                )),
                vec![],
            ),
        ] {
            let found = read(&text, "a");
            assert_eq!(
                (found[0].text, &found[0].sources),
                ("Vacuum uses less memory than before.", &sources),
                "{text}"
            );
        }
    }

    #[test]
    fn a_backslash_that_is_escaped_begins_no_line() {
        let text =
            r#"{"answer": "The tools are in C:\\new folder of the main drive.\nThey are fast and small."}"#;
        assert_eq!(stated(text), ["They are fast and small."]);
    }

    #[test]
    fn lines_end_at_any_break_and_keep_quotation_marks() {
        let text = r#"{"answer": "Vacuum is \"fast\" now.\r\n\tIt uses less memory than before."}"#;
        assert_eq!(stated(text), ["Vacuum is \\\"fast\\\" now.", "It uses less memory than before."]);
    }

    #[test]
    fn objects_without_sentences_are_quoted_as_they_stand() {
        let text =
            "[{\"plan\": \"Basic}\", \"price\": 5},\n {\"plan\": \"Pro\", \"price\": 12}, {}, {\"a\": 1}]";
        assert_eq!(stated(text), ["\"plan\": \"Basic}\", \"price\": 5", "\"plan\": \"Pro\", \"price\": 12"]);
        let text = r#"{"recommendation": "pgvector", "reasons": ["known to us", "cheap"], "p95_ms": {"pgvector": 60, "qdrant": 12}, "max_vectors": 50, "sources": [{"title": "A load test", "url": "https://nine.example/report"}]}"#;
        assert_eq!(
            stated(text),
            [
                r#""recommendation": "pgvector", "reasons": ["known to us", "cheap"]"#,
                r#""pgvector": 60, "qdrant": 12"#,
                r#""max_vectors": 50"#
            ]
        );
        let many: Vec<String> = (0..500).map(|at| format!("{{\"plan\": {at}, \"price\": 5}}")).collect();
        assert_eq!(stated(&format!("[{}]", many.join(","))).len(), 500);
    }

    #[test]
    fn what_only_looks_like_json_is_a_text() {
        for text in
            ["[2024] was a good year for the industry [1]", "{curly} braces stand around the word here {x}"]
        {
            assert_eq!(stated(text).len(), 1, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn anything_is_read(text in "[\\[{][\"\\\\{}\\[\\],:né a`\n]{0,40}[}\\]]") {
            for found in read(&text, "a") {
                proptest::prop_assert!(text.contains(found.text));
            }
        }
    }
}
