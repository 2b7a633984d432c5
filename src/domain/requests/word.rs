//! Words of a list, such as `retrieval` or `skip`: a string, and nothing else.
//!
//! serde's own reading of an enum also takes an object of one member, `{"retrieval": null}`, and calls whatever else is
//! wrong only that. What may be there is said here for every wrong type.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::StrDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

/// The word.
pub(in crate::domain) fn word<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(Words(deserializer))
}

/// The word; the usual one where it is `null`.
pub(in crate::domain) fn or_usual<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(or_none(deserializer)?.unwrap_or_default())
}

/// The word; none where it is `null`.
pub(in crate::domain) fn or_none<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.map(|Word(word)| word))
}

struct Word<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        word(deserializer).map(Word)
    }
}

/// Reads an enum from a string only.
struct Words<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Words<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_str(OneOf { words, visitor, of: PhantomData })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct OneOf<'de, V> {
    words: &'static [&'static str],
    visitor: V,
    of: PhantomData<&'de ()>,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for OneOf<'de, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of `{}`", self.words.join("`, `"))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        let text: StrDeserializer<'_, E> = text.into_deserializer();
        self.visitor.visit_enum(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::directive::{Directive, TaskType};
    use crate::domain::requests::{parse_body, parse_safety};

    #[test]
    fn a_word_is_a_string_and_what_isnt_is_told_what_may_be_there() {
        let read = |json: &str| word::<_, TaskType>(&mut serde_json::Deserializer::from_str(json));
        assert_eq!(read("\"reasoning\"").unwrap(), TaskType::Reasoning);
        let may_be = "expected one of `retrieval`, `reasoning`, `composition`";
        for json in
            ["{\"retrieval\":null}", "{\"retrieval\":1}", "null", "true", "1", "[]", "{}", "\"thinking\""]
        {
            let error = read(json).unwrap_err().to_string();
            assert!(error.contains(may_be), "{json}: {error}");
        }
    }

    #[test]
    fn no_word_of_a_body_may_be_an_object() {
        let subagent = |field: &str| format!(r#""expected_subagents":[{{"key":"a",{field}}}]"#);
        let invoke = subagent(r#""invoke":{"url":"http://a","protocol":{"json":null}}"#);
        for (field, pointer) in [
            (r#""task_type":{"retrieval":null}"#.to_owned(), "/task_type"),
            (r#""synthesis":{"mode":{"none":null}}"#.to_owned(), "/synthesis/mode"),
            (r#""synthesis":{"format":{"narrative":null}}"#.to_owned(), "/synthesis/format"),
            (r#""synthesis":{"on_low_quality":{"warn":null}}"#.to_owned(), "/synthesis/on_low_quality"),
            (subagent(r#""adapter":{"generic":null}"#), "/expected_subagents/0/adapter"),
            (subagent(r#""on_degraded":{"skip":null}"#), "/expected_subagents/0/on_degraded"),
            (invoke, "/expected_subagents/0/invoke/protocol"),
        ] {
            let refusal = parse_body::<Directive>(&format!(r#"{{"plan_step_id":"p",{field}}}"#)).unwrap_err();
            assert_eq!(refusal.issues[0].pointer, pointer, "{refusal}");
            assert!(refusal.detail.contains("expected one of `"), "{refusal}");
        }
        for decision in [r#"{"refuse":null}"#, "null", "true"] {
            let body = format!(r#"{{"decision":{decision},"policy":"p","reason":"r"}}"#);
            let refusal = parse_safety(&body).unwrap_err();
            let told = (refusal.issues[0].pointer.as_str(), refusal.detail.as_str());
            assert_eq!(told.0, "/decision");
            assert!(told.1.ends_with("expected one of `allow`, `refuse`, `escalate`"), "{}", told.1);
        }
    }
}
