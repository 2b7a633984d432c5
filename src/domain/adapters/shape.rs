//! Objects taken apart and put together as text: nothing below their members is looked at or copied twice.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::domain::canonical_json::Text;
use crate::domain::event::RawJson;

/// A member of an object as it was sent.
pub(in crate::domain) struct Member<'a> {
    /// Its key, unescaped.
    pub key: Text<'a>,
    /// The text of its value.
    pub value: &'a str,
}

/// The members of an object, in order.
struct Members<'a>(Vec<Member<'a>>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::with_capacity(8);
                while let Some((key, value)) = map.next_entry::<Text<'de>, &'de RawValue>()? {
                    members.push(Member { key, value: value.get() });
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}

/// The members of `object`; `None` where it isn't one, or has a key that is no Unicode.
pub(in crate::domain) fn members(object: &str) -> Option<Vec<Member<'_>>> {
    // serde would first put into words what else it is.
    if !is_object(object) {
        return None;
    }
    serde_json::from_str(object).ok().map(|Members(members)| members)
}

/// Whether a member only tells how far its subagent is: an output that has nothing else isn't there yet.
pub(super) fn is_note(member: &Member<'_>) -> bool {
    member.key.0 == "progress"
}

/// Whether a value is an object: values are told by their first character.
pub(super) fn is_object(value: &str) -> bool {
    value.starts_with('{')
}

/// Whether a value is a string.
pub(super) fn is_text(value: &str) -> bool {
    value.starts_with('"')
}

/// Whether a value is an array.
pub(super) fn is_array(value: &str) -> bool {
    value.starts_with('[')
}

/// Whether a value is a number.
pub(super) fn is_number(value: &str) -> bool {
    value.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

/// A field that an adapter looks for.
pub(super) struct Field {
    /// Its own name.
    pub name: &'static str,
    /// Other names it may be sent under; the first that fits counts.
    pub aliases: &'static [&'static str],
    /// Whether a value has the field's type.
    pub fits: fn(&str) -> bool,
}

/// An object with its known fields picked out.
pub(super) struct Picked<'a, const N: usize> {
    /// The value of each field.
    pub values: [Option<&'a str>; N],
    /// The other members, in order.
    pub rest: Vec<Member<'a>>,
    /// Members with a known name and a value of another type.
    pub unread: Vec<Member<'a>>,
    /// Whether every value that was found stood under its own name, and nothing else did.
    pub as_named: bool,
}

/// Picks `fields` out of `members`. `null` under a field's own name is left out; so that no reader takes another one
/// for the field, what stands under that name a second time is unread.
pub(super) fn pick<'a, const N: usize>(mut members: Vec<Member<'a>>, fields: &[Field; N]) -> Picked<'a, N> {
    let (mut values, mut unread, mut as_named) = ([None; N], Vec::new(), true);
    for (field, picked) in fields.iter().zip(&mut values) {
        if let Some(own) = members.iter().position(|member| member.key.0 == field.name) {
            let member = members.remove(own);
            if (field.fits)(member.value) {
                *picked = Some(member.value);
                continue;
            }
            as_named = false;
            if member.value != "null" {
                unread.push(member);
            }
        }
        let fits = |alias: &&str| {
            members.iter().position(|member| member.key.0 == **alias && (field.fits)(member.value))
        };
        if let Some(other) = field.aliases.iter().find_map(fits) {
            *picked = Some(members.remove(other).value);
            as_named = false;
        }
    }
    let again = |member: &Member<'_>| fields.iter().any(|field| member.key.0 == field.name);
    if members.iter().any(again) {
        as_named = false;
        unread.extend(members.extract_if(.., |member| again(member)));
    }
    Picked { values, rest: members, unread, as_named }
}

/// An object that is being written.
pub(super) struct ObjectText(String);

impl ObjectText {
    /// An object without members, with room for `bytes` of them.
    pub(super) fn new(bytes: usize) -> Self {
        let mut text = String::with_capacity(bytes);
        text.push('{');
        Self(text)
    }

    /// Adds a member; `value` is JSON.
    pub(super) fn member(&mut self, key: &str, value: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        if key.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_')) {
            self.0.push('"');
            self.0.push_str(key);
            self.0.push('"');
        } else {
            self.0.push_str(&quoted(key));
        }
        self.0.push(':');
        self.0.push_str(value);
    }

    /// Adds members as they were sent.
    pub(super) fn members(&mut self, members: &[Member<'_>]) {
        for member in members {
            self.member(&member.key.0, member.value);
        }
    }

    /// Adds what had the wrong type, below `unread` or, where `rest` has that, a name that is free.
    pub(super) fn unread(&mut self, unread: &[Member<'_>], rest: &[Member<'_>]) {
        if unread.is_empty() {
            return;
        }
        let mut below = Self::new(64);
        below.members(unread);
        self.beside("unread", &below.finish(), rest);
    }

    /// Adds a member that tells of the output, under `name` or, where `rest` has that, a name that is free.
    pub(super) fn beside(&mut self, name: &str, value: &str, rest: &[Member<'_>]) {
        let mut name = name.to_owned();
        while rest.iter().any(|member| member.key.0 == *name) {
            name.push('_');
        }
        self.member(&name, value);
    }

    /// The object's text.
    pub(super) fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// `text` as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A text that was put together from JSON, as JSON. Should it not be any, `raw` goes on as it is.
pub(super) fn finished(text: String, raw: &RawJson) -> RawJson {
    RawValue::from_string(text).map_or_else(|_| raw.clone(), Arc::from)
}
