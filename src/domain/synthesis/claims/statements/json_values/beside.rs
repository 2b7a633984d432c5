//! What an object says beside its sentences: of `{"summary": "…", "status": "degraded", "error_rate": 0.07}` the last two
//! members, quoted as they stand, those that stand together as one. What is about the answer rather than in it (who wrote it, how
//! sure it is, that it is one) isn't quoted, nor what the sentences say already.

use std::ops::Range;

use serde_json::value::RawValue;

use super::owned::{ADDRESSES, NAMES, OWN_NAMES, SOURCES, is_one_of, is_own_name};
use super::told::{Object, Told, VALUE_BYTES_MAX};
use super::{OBJECT_BYTES_MAX, OBJECTS_MAX, Said, Statement};
use crate::domain::adapters::shape::{Member, members};
use crate::domain::distinct::distinct;
use crate::domain::synthesis::claims::statements::Around;

/// How deep objects are looked into: each level costs a pass over what it holds.
const DEPTH_MAX: usize = 6;

/// What says of an entry of a list where its sentence stands and what that is about: `"section": "4.2", "topic": "payment"`.
#[rustfmt::skip]
const PLACES: &[&str] = &["section", "clause", "article", "paragraph", "chapter", "page", "line", "number", "no", "title", "heading", "topic", "name", "label", "tag", "category"];

/// What the objects of JSON say beside what was `told` of it, ascending, and isn't in the `words` of that.
pub(in crate::domain::synthesis::claims::statements) fn beside<'t>(
    said: Said<'t, '_>,
    json: Range<usize>,
    told: &[Statement<'t>],
    words: Told,
) -> Vec<Statement<'t>> {
    let mut reader = Reader { said, told, words, found: Vec::new() };
    reader.value(&said.text[json], (false, [""; 2]), 0);
    reader.found
}

struct Reader<'t, 'c, 'f> {
    said: Said<'t, 'c>,
    told: &'f [Statement<'t>],
    words: Told,
    found: Vec<Statement<'t>>,
}

/// Members that stand together.
#[derive(Default)]
struct Run {
    range: Range<usize>,
    members: usize,
}

impl Run {
    /// This with what stands behind it, which has so many members that say something.
    fn with(self, range: Range<usize>, members: usize) -> Self {
        let start = if self.range.is_empty() { range.start } else { self.range.start };
        Self { range: start..range.end, members: self.members + members }
    }
}

impl<'t> Reader<'t, '_, '_> {
    fn value(&mut self, json: &'t str, (is_listed, keys): (bool, [&'t str; 2]), depth: usize) {
        if depth > DEPTH_MAX || self.found.len() >= OBJECTS_MAX {
            return;
        }
        if let Some(members) = members(json) {
            self.object(json, &members, (is_listed, keys), depth);
        } else if json.starts_with('[')
            && let Ok(items) = serde_json::from_str::<Vec<&'t RawValue>>(json)
        {
            items.iter().for_each(|item| self.value(item.get(), (true, keys), depth + 1));
        }
    }

    fn object(
        &mut self,
        json: &'t str,
        members: &[Member<'t>],
        (is_listed, keys): (bool, [&'t str; 2]),
        depth: usize,
    ) {
        let url = own_address(members);
        let begin = self.place(json);
        // What was found by a search: its score and its date say nothing.
        let is_told = is_listed && self.tells(begin..begin + json.len());
        if is_told && url.is_some() {
            return;
        }
        let (mut at, mut run) = (begin, Run::default());
        let name = if is_told { own_name(members) } else { "" };
        let of = Object::of(members);
        // What a sentence elsewhere says may be of another entry.
        let unsaid = Told::default();
        let words = if is_listed && !is_told { &unsaid } else { &self.words };
        let lacks: Vec<bool> =
            members.iter().map(|Member { key, value }| words.lack_of(of, &key.0, value)).collect();
        for (Member { key, value }, lacks) in members.iter().zip(lacks) {
            let (key, start) = (key.0.as_ref(), self.place(value));
            let range = at + self.said.text[at..].find('"').unwrap_or_default()..start + value.len();
            at = range.end;
            let is_place = is_told && is_one_of(key, PLACES);
            let is_name = url.is_some() && is_one_of(key, &NAMES) || is_place;
            let is_quoted = !is_name && !self.tells(start..range.end) && lacks;
            // Which of the list's entries it is says what the members behind it are of.
            if is_place && value.len() <= VALUE_BYTES_MAX {
                run = run.with(range, 0);
                continue;
            }
            if !is_quoted || run.members > 0 && range.end - run.range.start > OBJECT_BYTES_MAX {
                self.quote(std::mem::take(&mut run), (is_listed, keys, name), url);
            }
            if is_quoted {
                run = run.with(range, 1);
            } else if value.starts_with(['{', '[']) && !Told::is_about(key) {
                let own = self.said.text.get(range.start + 1..range.start + 1 + key.len());
                let own = own.filter(|own| *own == key).unwrap_or_default();
                self.value(value, (is_listed, [own, keys[0]]), depth + 1);
            }
        }
        self.quote(run, (is_listed, keys, name), url);
    }

    /// One member of an object of a list says nothing without the others, or a name: `"price": 5`.
    fn quote(&mut self, run: Run, (is_listed, keys, name): (bool, [&'t str; 2], &'t str), url: Option<&str>) {
        let is_within = !name.is_empty() && run.range.contains(&self.place(name));
        if run.members < 1 + usize::from(is_listed && !is_within) || self.found.len() >= OBJECTS_MAX {
            return;
        }
        let Said { text, subagent, marks, source_of, .. } = self.said;
        let first = marks.partition_point(|mark| mark.range.start < run.range.start);
        let own = marks[first..].iter().take_while(|mark| mark.range.start < run.range.end);
        let sources: Vec<usize> = distinct(own.map(|mark| mark.source).chain(url.and_then(source_of)));
        let (around, start) = (Around { keys, ..Around::default() }, run.range.start);
        // What stands in it heads nothing.
        let heading = if is_within { "" } else { name };
        let text = &text[run.range];
        self.found.push(Statement { text, start, heading, around, subagent, sources, row: None });
    }

    /// Whether what was told stands there, or that in it.
    fn tells(&self, range: Range<usize>) -> bool {
        let first = self.told.partition_point(|statement| statement.start < range.start);
        let mut before = self.told[..first].iter().rev().take(1);
        self.told.get(first).is_some_and(|statement| statement.start < range.end)
            || before.any(|statement| statement.start + statement.text.len() > range.start)
    }

    /// Where a part of the text begins.
    fn place(&self, part: &str) -> usize {
        part.as_ptr() as usize - self.said.text.as_ptr() as usize
    }
}

/// What an object is called; empty where it has no name.
fn own_name<'t>(members: &[Member<'t>]) -> &'t str {
    let named = members.iter().find(|member| is_one_of(&member.key.0, &OWN_NAMES));
    let name = named.and_then(|member| member.value.strip_prefix('"')?.strip_suffix('"'));
    name.filter(|name| is_own_name(name)).unwrap_or_default()
}

/// The address of an object, where it has one only.
pub(super) fn own_address<'t>(members: &[Member<'t>]) -> Option<&'t str> {
    let is_named = |key: &str| is_one_of(key, &SOURCES) || is_one_of(key, &ADDRESSES);
    let named = members.iter().filter(|member| is_named(&member.key.0));
    let strings = named.flat_map(|member| member.value.split('"'));
    let mut urls = strings.filter(|part| part.starts_with("http://") || part.starts_with("https://"));
    let first = urls.next()?;
    urls.all(|url| url == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::super::super::super::tests::read;

    const PROSE: &str = "The checkout service has had trouble since noon.";

    /// What is stated beside the sentence.
    fn beside(members: &str) -> Vec<&'static str> {
        let text = format!("{{\"summary\": \"{PROSE}\", {members}}}");
        let found = read(&text, "a").into_iter().map(|found| found.text).filter(|text| *text != PROSE);
        found.collect()
    }

    #[test]
    fn what_stands_beside_a_sentence_is_quoted_as_it_stands() {
        for (members, stated) in [
            (
                "\"status\": \"degraded\", \"error_rate\": 0.07",
                vec!["\"status\": \"degraded\", \"error_rate\": 0.07"],
            ),
            (
                "\"error_rate\": 0.07, \"id\": \"x-1\", \"up\": false",
                vec!["\"error_rate\": 0.07", "\"up\": false"],
            ),
            ("\"affected\": [\"search\", \"payment\"]", vec!["\"affected\": [\"search\", \"payment\"]"]),
            (
                "\"metrics\": {\"p99_ms\": 120, \"errors\": {\"5xx\": 7}}",
                vec!["\"p99_ms\": 120", "\"5xx\": 7"],
            ),
            (
                "\"plans\": [{\"plan\": \"Basic\", \"price\": 5}, {\"plan\": \"Pro\", \"price\": 12}]",
                vec!["\"plan\": \"Basic\", \"price\": 5", "\"plan\": \"Pro\", \"price\": 12"],
            ),
            (
                r#""flats": [{"type": "studio", "rent": 900}, {"kind": "loft", "rent": 1900, "floor": 3}]"#,
                vec![r#""type": "studio", "rent": 900"#, r#""kind": "loft", "rent": 1900, "floor": 3"#],
            ),
            (
                r#""cars": [{"make": "VW", "model": "Golf \"R\"", "price": 20000}]"#,
                vec![r#""make": "VW", "model": "Golf \"R\"", "price": 20000"#],
            ),
            // A block of an answer is no thing.
            (r#""blocks": [{"type": "text", "text": "", "size": 7}]"#, vec![]),
        ] {
            assert_eq!(beside(members), stated, "{members}");
        }
        let url = "\"error_rate\": 0.07, \"source\": \"https://nine.example/report\"";
        let text = format!("{{\"summary\": \"{PROSE}\", {url}}}");
        assert!(read(&text, "a").iter().all(|found| found.sources == [9]));
    }

    #[test]
    fn what_is_about_the_answer_or_told_already_is_not() {
        for members in [
            "\"status\": \"success\", \"ok\": true, \"error\": false, \"confidence\": 0.9, \"model\": \"m-1\"",
            "\"usage\": {\"prompt_tokens\": 12}, \"query\": \"How is it?\", \"tags\": [], \"note\": \"\"",
            "\"service\": \"checkout\", \"since\": \"noon\"",
            "\"sources\": [{\"title\": \"A report\", \"url\": \"https://a.example\"}], \"title\": \"The checkout service\"",
            "\"items\": [{\"severity\": 3}, {\"severity\": 4, \"of\": {\"n\": 1}}]",
        ] {
            assert_eq!(beside(members), Vec::<&str>::new(), "{members}");
        }
        let text = "{\"answer\": \"The error rate is 7 % and 1,200 orders were lost in 2024.\", \"error_rate\": 0.07, \"orders\": 1200, \"year\": 2024}";
        assert_eq!(read(text, "a").len(), 1);
        let hit = "{\"hits\": [{\"url\": \"https://a.example\", \"text\": \"Vacuum uses less memory now.\", \"weight\": 0.8, \"year\": 2024}]}";
        assert_eq!(read(hit, "a").len(), 1);
        // Where a sentence of a list stands says nothing without it.
        let clause = |more: &str| {
            format!(
                "{{\"clauses\": [{{\"section\": \"4.2\", \"topic\": \"payment\", \"text\": \"Invoices are due within 30 days.\"{more}}}]}}"
            )
        };
        assert_eq!(read(&clause(""), "a").len(), 1);
        assert_eq!(read(&clause(", \"days\": 45, \"risk\": \"high\""), "a").len(), 2);
        assert_eq!(read("{\"rows\": [{\"section\": \"4.2\", \"topic\": \"payment\"}]}", "a").len(), 1);
        // Whose they are is quoted with members, or heads them and the sentences of their object.
        let entry = |members: &str| {
            let text = format!("{{\"candidates\": [{{{members}}}, {{\"name\": \"Ben Okafor\"}}]}}");
            read(&text, "a").into_iter().map(|said| (said.heading, said.text)).collect::<Vec<_>>()
        };
        // However many words the name has, and with one member beside it.
        let found = entry(
            "\"name\": \"Takeover of accounts by unverified mail\", \"severity\": \"high\", \"fix\": \"Check that the address is verified before accounts are linked.\"",
        );
        assert_eq!(
            found.iter().map(|(_, text)| *text).collect::<Vec<_>>(),
            [
                "\"name\": \"Takeover of accounts by unverified mail\", \"severity\": \"high\"",
                "Check that the address is verified before accounts are linked."
            ]
        );
        const LED: &str = "Led a team of 12 at Zalando.";
        let found =
            entry(&format!("\"name\": \"Ana Ruiz\", \"design\": 4.5, \"coding\": 4, \"notes\": \"{LED}\""));
        assert_eq!(
            found,
            [("", "\"name\": \"Ana Ruiz\", \"design\": 4.5, \"coding\": 4"), ("Ana Ruiz", LED)]
        );
        let found =
            entry(&format!("\"name\": \"Ana Ruiz\", \"notes\": \"{LED}\", \"design\": 4.5, \"coding\": 4"));
        assert_eq!(found, [("Ana Ruiz", LED), ("Ana Ruiz", "\"design\": 4.5, \"coding\": 4")]);
        let found =
            entry(&format!("\"title\": \"A page\", \"url\": \"https://a.example\", \"text\": \"{LED}\""));
        assert_eq!(found, [("", LED)]);
        // Of another entry a sentence says nothing.
        let trials = r#"{"trials":[{"name":"MAST","n":408,"result":"negative"},{"name":"MA.32","n":3649,"result":"negative"}],"summary":"Both trials reported negative endpoints. MA.32 enrolled 3,649 women."}"#;
        let found: Vec<_> = read(trials, "a").into_iter().map(|said| said.text).collect();
        assert_eq!(
            found[..2],
            [
                r#""name":"MAST","n":408,"result":"negative""#,
                r#""name":"MA.32","n":3649,"result":"negative""#
            ]
        );
        // A like number of something else is said by nothing.
        let text = "{\"answer\": \"The error rate rose for 3 days in a row.\", \"replicas\": 3}";
        assert_eq!(read(text, "a").len(), 2);
    }
}
