//! Answers of a word or a number that JSON gives where none of its strings is a sentence: of `{"answer": "Paris", "confidence":
//! 0.9}` the word, of `{"capital": "Paris"}` the member, of `["Paris", "Rome"]` both.

use std::ops::Range;

use serde_json::value::RawValue;

use super::beside::own_address;
use super::owned::is_one_of;
use super::told::{Object, Told, has_escape};
use super::{OBJECTS_MAX, Said, Statement};
use crate::domain::adapters::shape::{Member, members};
use crate::domain::synthesis::claims::statements::few_words::may_answer;
use crate::domain::synthesis::claims::statements::opening::{ascending, within_marks};

/// Members whose value is the answer, whatever it is.
#[rustfmt::skip]
const ANSWERS: &[&str] = &[
    "answer", "final_answer", "content", "text", "output", "result", "response", "reply", "message", "summary", "conclusion", "value", "antwort", "réponse", "respuesta", "答案",
];
/// How deep an object may stand in another that says nothing else.
const DEPTH_MAX: usize = 4;
/// Bytes of a few words.
const BYTES_MAX: usize = 160;

/// What JSON answers in a word or a number, where that is all that it says.
pub(in crate::domain::synthesis::claims::statements) fn alone<'t>(
    said: Said<'t, '_>,
    json: Range<usize>,
) -> Vec<Statement<'t>> {
    let (mut inside, mut keys) = (&said.text[json.clone()], [""; 2]);
    for _ in 0..DEPTH_MAX {
        let Some(members) = members(inside) else { break };
        // `"total": 2` beside the rows that it counts is the least of it.
        if members.iter().any(has_rows) {
            return Vec::new();
        }
        let (told, of) = (Told::default(), Object::of(&members));
        let mut telling = members.iter().filter(|member| tells(&told, of, member));
        let objects =
            members.iter().filter(|Member { key, value }| value.starts_with('{') && !Told::is_about(&key.0));
        let key = |Member { key, value }: &Member<'_>| key_place(said.text, inside, (&key.0, value));
        let key = |member: &Member<'t>| key(member).map_or("", |key| &said.text[key]);
        let mut objects = objects.map(|member| (key(member), member.value));
        match (telling.next(), telling.next(), objects.next(), objects.next()) {
            (Some(only), None, None, None) => {
                let url = own_address(&members);
                let mut stated = stated(said, member(said.text, inside, only), url);
                stated.around.keys = keys;
                return vec![stated];
            }
            (None, None, Some((key, object)), None) => (inside, keys) = (object, [key, keys[0]]),
            _ => return Vec::new(),
        }
    }
    listed(said, json, &[])
}

/// The few words among the strings that an array is made of, but for those with a statement of `found`.
pub(in crate::domain::synthesis::claims::statements) fn listed<'t>(
    said: Said<'t, '_>,
    json: Range<usize>,
    found: &[Statement<'t>],
) -> Vec<Statement<'t>> {
    let text = said.text;
    let Ok(items) = serde_json::from_str::<Vec<&'t RawValue>>(&text[json]) else { return Vec::new() };
    let strings: Option<Vec<&'t str>> = items.into_iter().map(|item| string(item.get())).collect();
    let places = strings.into_iter().flatten().map(|inside| {
        let start = inside.as_ptr() as usize - text.as_ptr() as usize;
        start..start + inside.len()
    });
    let is_told = |place: &Range<usize>| {
        let first = found.partition_point(|statement| statement.start < place.start);
        found.get(first).is_some_and(|statement| statement.start < place.end)
    };
    let few = places.filter(|place| is_few(&text[place.clone()]) && !is_told(place));
    few.take(OBJECTS_MAX).map(|place| stated(said, place, None)).collect()
}

/// Whether a member is a list of objects, and isn't about the answer.
fn has_rows(Member { key, value }: &Member<'_>) -> bool {
    let first = value.strip_prefix('[').map(str::trim_start);
    first.is_some_and(|first| first.starts_with('{')) && !Told::is_about(&key.0)
}

/// Whether a member says something, and isn't about the answer.
fn tells(told: &Told, of: Object, Member { key, value }: &Member<'_>) -> bool {
    match string(value) {
        // With a stop it may be a sentence elsewhere.
        Some(words) => {
            is_few(words)
                && told.lack_of(
                    of,
                    &key.0,
                    &format!("\"{}\"", words.trim_end_matches(['.', '!', '。', '！'])),
                )
        }
        None => told.lack_of(of, &key.0, value),
    }
}

pub(super) fn is_few(words: &str) -> bool {
    words.len() <= BYTES_MAX && !has_escape(words) && may_answer(words, false)
}

/// What stands between the quotation marks of a string.
fn string(json: &str) -> Option<&str> {
    json.strip_prefix('"')?.strip_suffix('"')
}

/// Where a member of an object stands: its value alone where that is the answer, with its key otherwise.
fn member(text: &str, object: &str, Member { key, value }: &Member<'_>) -> Range<usize> {
    let place = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let shown = string(value).unwrap_or(value);
    if is_one_of(&key.0, ANSWERS) && !value.starts_with('[') {
        return place(shown)..place(shown) + shown.len();
    }
    let key = key_place(text, object, (&key.0, value));
    key.map_or(place(value), |key| key.start - 1)..place(value) + value.len()
}

/// Where the key of a member of an object stands, without the quotation marks.
fn key_place(text: &str, object: &str, (key, value): (&str, &str)) -> Option<Range<usize>> {
    let place = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let start = place(object);
    let at = start + text[start..place(value)].rfind(&format!("\"{key}\""))? + 1;
    Some(at..at + key.len())
}

pub(super) fn stated<'t>(said: Said<'t, '_>, place: Range<usize>, url: Option<&str>) -> Statement<'t> {
    let own = within_marks(said.marks, place.clone()).iter().map(|mark| mark.source);
    let sources = ascending(own.chain(url.and_then(said.source_of)).collect());
    let (text, start, subagent) = (&said.text[place.clone()], place.start, said.subagent);
    Statement { text, start, subagent, sources, ..Statement::default() }
}

#[cfg(test)]
mod tests {
    use super::super::super::super::tests::read;

    fn stated(text: &str) -> Vec<&'static str> {
        read(text, "a").into_iter().map(|found| found.text).collect()
    }

    #[test]
    fn a_word_or_a_number_that_is_all_is_the_answer() {
        for (json, expected) in [
            (r#"{"answer": "Paris"}"#, vec!["Paris"]),
            (r#"{"answer": "No."}"#, vec!["No."]),
            (r#"{"answer": "Paris", "confidence": 0.9, "sources": []}"#, vec!["Paris"]),
            (r#"{"status": "ok", "result": 5}"#, vec!["5"]),
            (r#"{"answer": false}"#, vec!["false"]),
            (r#"{"capital": "Paris"}"#, vec![r#""capital": "Paris""#]),
            (r#"{"result": {"capital": "Paris"}}"#, vec![r#""capital": "Paris""#]),
            (r#"{"answer": ["Paris"]}"#, vec![r#""answer": ["Paris"]"#]),
            (r#"["Paris", "Rome"]"#, vec!["Paris", "Rome"]),
            (r#"["Paris", "Lyon is the second city."]"#, vec!["Paris", "Lyon is the second city."]),
        ] {
            assert_eq!(stated(json), expected, "{json}");
            assert_eq!(stated(&format!("```json\n{json}\n```")), expected, "{json}");
            assert_eq!(stated(&format!("Here is the result:\n\n```json\n{json}\n```")), expected, "{json}");
        }
        let url = "\"url\": \"https://nine.example/report\"";
        assert_eq!(read(&format!("{{\"answer\": \"Paris\", {url}}}"), "a")[0].sources, [9]);
    }

    #[test]
    fn what_says_more_or_nothing_is_left_to_others() {
        for (json, expected) in [
            (r#"{"value": 5, "unit": "days"}"#, vec![r#""value": 5, "unit": "days""#]),
            (r#"{"answer": "OK"}"#, vec![]),
            (r#"{"status": "ok"}"#, vec![]),
            // Which one it is stays with what is said of it, but what an answer is called does not.
            (r#"{"model": "Golf", "price": 20000}"#, vec![r#""model": "Golf", "price": 20000"#]),
            (
                r#"{"type": "hotel", "price": {"amount": 200, "currency": "EUR"}}"#,
                vec![r#""type": "hotel", "price": {"amount": 200, "currency": "EUR"}"#],
            ),
            (r#"{"source": "wind", "twh": 142}"#, vec![r#""source": "wind", "twh": 142"#]),
            (
                r#"[{"source": "wind", "twh": 142}, {"source": "sun", "twh": 60}]"#,
                vec![r#""source": "wind", "twh": 142"#, r#""source": "sun", "twh": 60"#],
            ),
            (r#"{"source": "Eurostat", "city": "Lyon", "people": 520774}"#, vec![]),
            (r#"{"model": "m-1", "answer": "Paris", "usage": {"tokens": 12}}"#, vec!["Paris"]),
            (r#"{"model": "m-1", "price": 5, "usage": {"tokens": 12}}"#, vec![r#""price": 5"#]),
            // What a run cost is said of a model, and not of an answer.
            (r#"{"answer": "Paris", "token_usage": {"total_tokens": 1532}, "chatId": "c-1"}"#, vec!["Paris"]),
            (
                r#"{"result": {"capital": "Paris"}, "total_tokens": 1532, "run_id": "r"}"#,
                vec![r#""capital": "Paris""#],
            ),
            (r#"{"plan": "Team", "total_tokens": 1532}"#, vec![r#""plan": "Team", "total_tokens": 1532"#]),
            (r#"{"success": true, "id": "x-1"}"#, vec![r#""success": true, "id": "x-1""#]),
            (r#"["Done."]"#, vec![]),
            (r#"["Paris", 5]"#, vec![]),
            (
                r#"{"items": [{"sku": "A1", "stock": 12}, {"sku": "B2", "stock": 0}], "total": 2}"#,
                vec![r#""sku": "A1", "stock": 12"#, r#""sku": "B2", "stock": 0"#, r#""total": 2"#],
            ),
            (r#"{"answer": "Paris", "sources": [{"title": "A page", "year": 2020}]}"#, vec!["Paris"]),
        ] {
            assert_eq!(stated(json), expected, "{json}");
        }
        let beside = "The service answers with a list of points.\n\n```json\n{\"answer\": \"Paris\"}\n```";
        assert_eq!(stated(beside).len(), 1);
    }
}
