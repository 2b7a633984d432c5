//! Credentials that mustn't be repeated: taken out of texts and of JSON, in whatever pieces and escapes they came.
//!
//! What an agent says is put together here, of deltas, of escapes, of JSON inside of texts. So it is looked at when it is
//! whole, and not as the bytes that came: there a credential may be cut anywhere, or its `/` be `\/`.
//!
//! A character counts as itself with any number of backslashes before it, and as its `\u` escape: a text may hold JSON that
//! holds JSON. Backslashes of a credential's own make no difference then.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::canonical_json::Text;
use super::event::RawJson;

/// What stands where a credential stood.
pub const HIDDEN: &str = "<secret>";

/// Words that are hidden. Cheap to clone; `Debug` shows none of them.
#[derive(Clone, Default)]
pub struct HiddenWords(Arc<[Box<str>]>);

impl fmt::Debug for HiddenWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HiddenWords").field("count", &self.0.len()).finish()
    }
}

/// Whether more of a text may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// That is all of it.
    Whole,
    /// It may go on: what may be the beginning of a word waits at its end for the rest.
    Beginning,
}

impl HiddenWords {
    /// These, looked for in this order: a credential before its parts.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        Self(words.into_iter().filter(|word| !word.is_empty()).map(Box::from).collect())
    }

    /// A text without them.
    pub fn taken_from<'t>(&self, text: &'t str, extent: Extent) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(text);
        for word in self.0.iter() {
            if let Some(replaced) = replaced(&text, word) {
                text = Cow::Owned(replaced);
            }
            // Before its parts are looked for: what is left of it has no whole one then.
            if extent == Extent::Beginning
                && let Some(at) = begun(&text, word)
            {
                text = match text {
                    Cow::Borrowed(text) => Cow::Borrowed(&text[..at]),
                    Cow::Owned(text) => Cow::Owned(text[..at].to_owned()),
                };
            }
        }
        text
    }

    /// JSON whose strings are without them, names of members too; the very same where it has none. With
    /// [`Extent::Beginning`] each string may go on.
    pub fn taken_from_json(&self, json: &RawJson, extent: Extent) -> RawJson {
        if self.0.is_empty() {
            return json.clone();
        }
        let (text, mut out, mut from) = (json.get(), String::new(), 0);
        for (start, end) in Strings(text.as_bytes(), 0) {
            let Ok(Text(plain)) = serde_json::from_str(&text[start..end]) else { continue };
            let shown = self.taken_from(&plain, extent);
            if shown != plain {
                out.push_str(&text[from..start]);
                out.push_str(&serde_json::Value::from(&*shown).to_string());
                from = end;
            }
        }
        if from == 0 {
            return json.clone();
        }
        out.push_str(&text[from..]);
        // Of strings that were replaced by strings it is JSON as before; should it not be, nothing of it is shown.
        RawValue::from_string(out).map_or_else(|_| Arc::from(RawValue::NULL.to_owned()), Arc::from)
    }
}

/// Where each string begins and ends in a JSON text, quotes included.
struct Strings<'t>(&'t [u8], usize);

impl Iterator for Strings<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.1 + memchr::memchr(b'"', self.0.get(self.1..)?)?;
        let mut at = start + 1;
        loop {
            at += memchr::memchr2(b'"', b'\\', self.0.get(at..)?)?;
            if self.0[at] == b'"' {
                self.1 = at + 1;
                return Some((start, self.1));
            }
            at += 2;
        }
    }
}

/// How a text compares with a word.
enum Match {
    /// It begins with the word, which is so many bytes of it.
    Word(usize),
    /// It is the beginning of the word, or empty.
    Begun,
    Other,
}

fn compared(text: &[u8], word: &[u8]) -> Match {
    let mut at = 0;
    for &wanted in word.iter().filter(|byte| **byte != b'\\') {
        let bare = at;
        at += backslashes(&text[at..]);
        let Some(&byte) = text.get(at) else { return Match::Begun };
        if byte == wanted {
            at += 1;
        } else if at > bare && byte == b'u' {
            match escaped(&text[at + 1..]) {
                Some(code) if code == u32::from(wanted) => at += 5,
                Some(_) => return Match::Other,
                None if text.len() < at + 5 => return Match::Begun,
                None => return Match::Other,
            }
        } else {
            return Match::Other;
        }
    }
    Match::Word(at)
}

fn backslashes(text: &[u8]) -> usize {
    text.iter().take_while(|byte| **byte == b'\\').count()
}

fn escaped(digits: &[u8]) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits.get(..4)?).ok()?, 16).ok()
}

/// Where a word, or its beginning, may stand in a text from `from` on: a run of backslashes is looked at once.
fn candidate(text: &[u8], word: &[u8], from: usize) -> Option<usize> {
    let first = word.iter().copied().find(|byte| *byte != b'\\')?;
    memchr::memchr2(first, b'\\', text.get(from..)?).map(|at| from + at)
}

/// The text with the word replaced; `None` where it hasn't it.
fn replaced(text: &str, word: &str) -> Option<String> {
    let (bytes, word) = (text.as_bytes(), word.as_bytes());
    let (mut out, mut shown, mut from) = (String::new(), 0, 0);
    while let Some(at) = candidate(bytes, word, from) {
        match compared(&bytes[at..], word) {
            Match::Word(length) => {
                out.push_str(&text[shown..at]);
                out.push_str(HIDDEN);
                (shown, from) = (at + length, at + length);
            }
            Match::Begun | Match::Other => from = at + backslashes(&bytes[at..]).max(1),
        }
    }
    (shown > 0).then(|| out + &text[shown..])
}

/// Where the beginning of a word stands at the end of a text.
fn begun(text: &str, word: &str) -> Option<usize> {
    let (bytes, word) = (text.as_bytes(), word.as_bytes());
    // No escape of a character is longer, but for one inside of several others.
    let mut from = text.floor_char_boundary(text.len().saturating_sub(word.len() * 16));
    while let Some(at) = candidate(bytes, word, from) {
        if matches!(compared(&bytes[at..], word), Match::Begun) {
            return Some(at);
        }
        from = at + backslashes(&bytes[at..]).max(1);
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words() -> HiddenWords {
        HiddenWords::new(["Bearer hunter/2222", "hunter/2222"])
    }

    fn json(text: &str) -> RawJson {
        RawValue::from_string(text.to_owned()).unwrap().into()
    }

    #[test]
    fn credentials_are_taken_out_as_they_are_and_escaped_however_deep() {
        for (sent, expected) in [
            (r#"{"a":"my key is Bearer hunter/2222."}"#, r#"{"a":"my key is <secret>."}"#),
            (r#"{"a":["hunter\/2222","\u0068unter/222\u0032"]}"#, r#"{"a":["<secret>","<secret>"]}"#),
            (r#"{"hunter/2222":1}"#, r#"{"<secret>":1}"#),
            (r#"{"a":"{\"k\":\"hunter\\/2222\"}"}"#, r#"{"a":"{\"k\":\"<secret>\"}"}"#),
            (r#"{"a":"{\"k\":\"\\u0068unter/2222\"}"}"#, r#"{"a":"{\"k\":\"<secret>\"}"}"#),
            (r#"{"a":"hunter/222","b":"2"}"#, r#"{"a":"hunter/222","b":"2"}"#),
            (r#"{"a":"x\n\"\\","b":"hunter/2222"}"#, r#"{"a":"x\n\"\\","b":"<secret>"}"#),
            ("7", "7"),
        ] {
            assert_eq!(words().taken_from_json(&json(sent), Extent::Whole).get(), expected, "{sent}");
        }
    }

    #[test]
    fn what_may_be_the_beginning_of_one_waits_for_the_rest() {
        for (sent, expected) in [
            (r#"{"content":"the key is Bearer hun"}"#, r#"{"content":"the key is "}"#),
            (r#"{"content":"the key is hunter\\/22"}"#, r#"{"content":"the key is "}"#),
            (r#"{"content":"the key is B"}"#, r#"{"content":"the key is "}"#),
            (r#"{"content":"Bearer hunter/2222 and hu"}"#, r#"{"content":"<secret> and "}"#),
            (r#"{"content":"that is all."}"#, r#"{"content":"that is all."}"#),
        ] {
            assert_eq!(words().taken_from_json(&json(sent), Extent::Beginning).get(), expected, "{sent}");
        }
        assert_eq!(words().taken_from("Bearer hun", Extent::Whole), "Bearer hun");
    }

    #[test]
    fn backslashes_are_read_once() {
        let long = format!("h{}", "\\".repeat(1 << 20));
        assert_eq!(words().taken_from(&long, Extent::Whole), long);
    }

    proptest! {
        #[test]
        fn nothing_that_is_shown_holds_a_credential(before in "[ -~ä]{0,40}", after in "[ -~ä]{0,40}", cut in 0_usize..99) {
            let text = format!("{before}hunter/2222{after}");
            let hidden = words().taken_from(&text, Extent::Whole).into_owned();
            prop_assert!(!hidden.contains("hunter/2222"));
            let begun = &text[..text.floor_char_boundary(cut)];
            let shown = words().taken_from(begun, Extent::Beginning).into_owned();
            prop_assert!(!shown.ends_with("hunter/222"), "{}", shown);
            let raw = json(&serde_json::Value::from(&*text).to_string());
            let raw: String = serde_json::from_str(words().taken_from_json(&raw, Extent::Whole).get()).unwrap();
            prop_assert_eq!(raw, hidden);
        }
    }
}
