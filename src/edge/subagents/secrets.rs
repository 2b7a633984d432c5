//! Configured credentials: put into headers at the call, and taken out of whatever comes back as a text.

use std::collections::BTreeMap;
use std::fmt;

use http::{HeaderName, HeaderValue};

use super::scrubber::Scrubber;
use crate::domain::credential_header::is_credential_header;
use crate::domain::hidden_words::{Extent, HiddenWords};
use crate::engine::ports::subagent::CallError;

#[cfg(test)]
mod tests;

/// What stands before the name of a configured secret.
const REFERENCE: &[u8] = b"secret:";
/// A word of a secret, such as what follows `Bearer`, is looked for on its own from this many bytes on.
const WORD_BYTES_MIN: usize = 6;
/// Shorter ones aren't looked for in answers: they would be found in what isn't one.
const ANSWER_BYTES_MIN: usize = 8;

/// Credentials by name. Each is the whole value of a header.
#[derive(Clone, Default)]
pub struct Secrets(BTreeMap<String, HeaderValue>);

impl Secrets {
    /// Takes names and values.
    ///
    /// # Errors
    ///
    /// The name of a secret that can't be a header's value: visible ASCII, spaces and tabs.
    pub fn new(secrets: impl IntoIterator<Item = (String, String)>) -> Result<Self, String> {
        let sendable = |(name, value): (String, String)| match HeaderValue::from_str(&value) {
            Ok(mut value) => {
                value.set_sensitive(true);
                Ok((name, value))
            }
            Err(_) => Err(name),
        };
        secrets.into_iter().map(sendable).collect::<Result<_, _>>().map(Self)
    }

    /// The headers as they are sent, with every `secret:<name>` replaced.
    pub(super) fn resolve(
        &self,
        headers: Vec<(HeaderName, HeaderValue)>,
    ) -> Result<ResolvedHeaders, CallError> {
        let mut resolved = ResolvedHeaders::default();
        for (name, value) in headers {
            let Some(secret) = value.as_bytes().strip_prefix(REFERENCE) else {
                resolved.headers.push((name, value));
                continue;
            };
            let known = std::str::from_utf8(secret).ok().and_then(|secret| self.0.get(secret));
            let value = known.ok_or_else(|| CallError::UnknownSecret(printable(secret, 128)))?.clone();
            resolved.hidden.push(value.clone());
            resolved.headers.push((name, value));
        }
        Ok(resolved)
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// Headers that may hold secrets, and the secrets.
#[derive(Default)]
pub(super) struct ResolvedHeaders {
    /// In the order of the call.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The values that mustn't show.
    hidden: Vec<HeaderValue>,
}

impl ResolvedHeaders {
    /// Drops what another host has no business with. An idempotency key says nothing but "the same again".
    pub fn drop_credentials(&mut self) {
        self.headers.retain(|(name, value)| {
            let carries_one = || is_credential_header(name, &String::from_utf8_lossy(value.as_bytes()));
            !value.is_sensitive() && (name == "idempotency-key" || !carries_one())
        });
    }

    /// A text from outside, printable, at most `bytes_max` long, and without the secrets, wherever they stand in it. With
    /// `is_cut`, `text` is the beginning of a longer one, and may end in the beginning of a secret.
    pub fn scrub(&self, text: &[u8], is_cut: bool, bytes_max: usize) -> String {
        let text = String::from_utf8_lossy(text);
        let hidden = HiddenWords::new(self.hidden_words().filter(|_| !mutant!("secret-told")));
        let extent = if is_cut { Extent::Beginning } else { Extent::Whole };
        printable(hidden.taken_from(&text, extent).as_bytes(), bytes_max)
    }

    /// What mustn't stand in an answer's body either.
    pub fn scrubber(&self) -> Scrubber {
        Scrubber::new(self.long_words().map(|word| word.as_bytes().to_vec()))
    }

    /// The same for whoever puts an answer together: in pieces, or escaped, no scrubber of bytes knows them.
    pub fn hidden_in_answers(&self) -> HiddenWords {
        HiddenWords::new(self.long_words())
    }

    fn long_words(&self) -> impl Iterator<Item = &str> {
        self.hidden_words().filter(|word| word.len() >= ANSWER_BYTES_MIN)
    }

    /// The secrets, each before its words: services tend to quote a key without the `Bearer` before it.
    fn hidden_words(&self) -> impl Iterator<Item = &str> {
        let values = self.hidden.iter().filter_map(|value| value.to_str().ok()).map(str::trim);
        values.filter(|value| !value.is_empty()).flat_map(|value| {
            let words = value.split_ascii_whitespace().filter(|word| word.len() >= WORD_BYTES_MIN);
            std::iter::once(value).chain(words)
        })
    }
}

/// At most `bytes_max` bytes of a text, with a space for every run of what doesn't print: controls, line ends, and what
/// turns the direction of a text or hides in it.
pub(super) fn printable(text: &[u8], bytes_max: usize) -> String {
    let text = String::from_utf8_lossy(text);
    let hides = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    let mut printed = String::new();
    for word in
        text.split(|c: char| c.is_whitespace() || c.is_control() || hides(c)).filter(|word| !word.is_empty())
    {
        if !printed.is_empty() {
            printed.push(' ');
        }
        printed.push_str(word);
        if printed.len() >= bytes_max {
            break;
        }
    }
    printed.truncate(printed.floor_char_boundary(bytes_max));
    printed
}
