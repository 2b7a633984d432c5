//! Canonical JSON, written while the input is read.
//!
//! A visitor writes each value straight into the output. An object's members are written as they come; only where
//! their keys turn out unsorted are they put in order afterwards. There is no tree, and no allocation for an object.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{DEPTH_MAX, JsonFault, Text, pointer_step};

/// Members of all open objects, for most texts: room is made for so many at once.
const MEMBERS_TYPICAL: usize = 8;

/// Appends the canonical form of `text` to `out`; where that fails, a part of it.
pub(super) fn value(text: &str, out: &mut Vec<u8>) -> Result<(), JsonFault> {
    out.reserve(text.len());
    let members = Vec::with_capacity(MEMBERS_TYPICAL);
    let mut writer = Writer { out, members, spare: Vec::new(), depth: 0, fault: None };
    let mut reader = serde_json::Deserializer::from_str(text);
    let written = Value(&mut writer).deserialize(&mut reader).and_then(|()| reader.end());
    let fault = writer.fault.take();
    written.map_err(|error| fault.unwrap_or_else(|| JsonFault::Syntax { detail: error.to_string() }))
}

/// A member that was written: its key, and where it stands in the output.
struct Member<'de> {
    key: Text<'de>,
    start: usize,
    end: usize,
}

/// The output, and what is known of the objects around the place that is being written.
struct Writer<'o, 'de> {
    out: &'o mut Vec<u8>,
    /// Members of all open objects: one stack instead of a vector for each.
    members: Vec<Member<'de>>,
    /// Where members are put in order.
    spare: Vec<u8>,
    depth: usize,
    /// What is wrong, where serde's own error can't say it.
    fault: Option<JsonFault>,
}

impl<'de> Writer<'_, 'de> {
    fn descend<E: Error>(&mut self) -> Result<(), E> {
        self.depth += 1;
        if self.depth <= DEPTH_MAX {
            return Ok(());
        }
        self.fault = Some(JsonFault::TooDeep);
        Err(E::custom("too deep"))
    }

    fn duplicate<E: Error>(&mut self, key: &str) -> E {
        self.fault = Some(JsonFault::DuplicateKey { key: key.to_owned(), pointer: pointer_step(key) });
        E::custom("duplicate key")
    }

    /// Puts `step` before the pointer of a fault that was found below it.
    fn locate(&mut self, step: impl FnOnce() -> String) {
        if let Some(JsonFault::DuplicateKey { pointer, .. }) = &mut self.fault {
            pointer.insert_str(0, &step());
        }
    }

    fn text(&mut self, Text(text): &Text<'_>) -> Result<(), serde_json::Error> {
        match text {
            Cow::Borrowed(plain) => self.plain(plain),
            // The escapes of serde_json are those of the RFC: the short ones, else \u00xx in lowercase.
            Cow::Owned(text) => serde_json::to_writer(&mut *self.out, text)?,
        }
        Ok(())
    }

    /// A string that was borrowed from the input: it had no escapes there, so it needs none here.
    fn plain(&mut self, text: &str) {
        self.out.push(b'"');
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'"');
    }

    /// Puts the members from `first` on, written since `body`, in the order of their keys.
    fn sort<E: Error>(&mut self, first: usize, body: usize) -> Result<(), E> {
        self.members[first..].sort_unstable_by(|a, b| utf16_order(&a.key.0, &b.key.0));
        if let Some(twice) = self.members[first..].windows(2).find(|pair| pair[0].key == pair[1].key) {
            let key = twice[0].key.0.clone();
            return Err(self.duplicate(&key));
        }
        self.spare.clear();
        self.spare.reserve(self.out.len() - body);
        for member in &self.members[first..] {
            if !self.spare.is_empty() {
                self.spare.push(b',');
            }
            self.spare.extend_from_slice(&self.out[member.start..member.end]);
        }
        self.out.truncate(body);
        self.out.extend_from_slice(&self.spare);
        Ok(())
    }
}

/// The order of UTF-16 code units, told from UTF-8.
///
/// It differs from that of the bytes only where one side has a character beyond U+FFFF (lead byte F0 and up; its
/// surrogates are D800 to DFFF) and the other one of U+E000 to U+FFFF (lead bytes EE and EF).
pub(super) fn utf16_order(a: &str, b: &str) -> Ordering {
    let rank = |byte: u8| if matches!(byte, 0xEE | 0xEF) { byte + 0x10 } else { byte };
    match a.bytes().zip(b.bytes()).find(|(a, b)| a != b) {
        Some((a, b)) => rank(a).cmp(&rank(b)),
        None => a.len().cmp(&b.len()),
    }
}

/// The next value of the input, written as it is read.
struct Value<'w, 'o, 'de>(&'w mut Writer<'o, 'de>);

impl<'de> DeserializeSeed<'de> for Value<'_, '_, 'de> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_, '_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.out.extend_from_slice(b"null");
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.0.out.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        serde_json::to_writer(&mut *self.0.out, &value).map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        serde_json::to_writer(&mut *self.0.out, &value).map_err(E::custom)
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.0.out.extend_from_slice(ryu_js::Buffer::new().format(value).as_bytes());
        Ok(())
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        self.0.plain(text);
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        serde_json::to_writer(&mut *self.0.out, text).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let writer = self.0;
        writer.descend()?;
        writer.out.push(b'[');
        let body = writer.out.len();
        for index in 0.. {
            match items.next_element_seed(Item { writer: &mut *writer, body }) {
                Ok(Some(())) => {}
                Ok(None) => break,
                Err(error) => {
                    writer.locate(|| format!("/{index}"));
                    return Err(error);
                }
            }
        }
        writer.out.push(b']');
        writer.depth -= 1;
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let writer = self.0;
        writer.descend()?;
        writer.out.push(b'{');
        let (body, first) = (writer.out.len(), writer.members.len());
        let mut sorted = true;
        while let Some(key) = map.next_key::<Text<'de>>()? {
            if writer.out.len() > body {
                writer.out.push(b',');
            }
            match writer.members[first..]
                .last()
                .map_or(Ordering::Less, |last| utf16_order(&last.key.0, &key.0))
            {
                Ordering::Less => {}
                Ordering::Equal => return Err(writer.duplicate(&key.0)),
                Ordering::Greater => sorted = false,
            }
            let start = writer.out.len();
            writer.text(&key).map_err(Error::custom)?;
            writer.out.push(b':');
            if let Err(error) = map.next_value_seed(Value(&mut *writer)) {
                writer.locate(|| pointer_step(&key.0));
                return Err(error);
            }
            let end = writer.out.len();
            writer.members.push(Member { key, start, end });
        }
        if !sorted {
            writer.sort(first, body)?;
        }
        writer.members.truncate(first);
        writer.out.push(b'}');
        writer.depth -= 1;
        Ok(())
    }
}

/// An item of an array, with the comma before it.
struct Item<'w, 'o, 'de> {
    writer: &'w mut Writer<'o, 'de>,
    /// Where the array's first item stands.
    body: usize,
}

impl<'de> DeserializeSeed<'de> for Item<'_, '_, 'de> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.writer.out.len() > self.body {
            self.writer.out.push(b',');
        }
        Value(self.writer).deserialize(deserializer)
    }
}
