//! Takes credentials out of an answer's body while it comes: an agent that repeats what it was called with mustn't have it
//! stored. That is for whoever reads it, as far as bytes tell; whoever puts texts together of what came in pieces takes
//! [`Answer::hidden`](crate::engine::ports::subagent::Answer::hidden) out of them.

use bytes::Bytes;
use memchr::memmem;

use crate::domain::hidden_words::HIDDEN;

/// Takes some byte strings out of a stream, wherever it is cut. What may be the beginning of one waits for what follows.
pub(super) struct Scrubber {
    hidden: Vec<Vec<u8>>,
    held: Vec<u8>,
}

impl Scrubber {
    /// `hidden` in the order in which they are looked for.
    pub fn new(hidden: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self { hidden: hidden.into_iter().collect(), held: Vec::new() }
    }

    /// What may be shown of all that came so far and wasn't yet.
    pub fn feed(&mut self, chunk: Bytes) -> Bytes {
        if self.hidden.is_empty() {
            return chunk;
        }
        let mut text = std::mem::take(&mut self.held);
        text.extend_from_slice(&chunk);
        for secret in &self.hidden {
            if memmem::find(&text, secret).is_some() {
                text = replaced(&text, secret);
            }
        }
        let begun = self.hidden.iter().map(|secret| begun(&text, secret)).max().unwrap_or(0);
        self.held = text.split_off(text.len() - begun);
        text.into()
    }

    /// What still waited: nothing follows it.
    pub fn finish(&mut self) -> Bytes {
        std::mem::take(&mut self.held).into()
    }
}

fn replaced(text: &[u8], secret: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut from = 0;
    for at in memmem::find_iter(text, secret) {
        out.extend_from_slice(&text[from..at]);
        out.extend_from_slice(HIDDEN.as_bytes());
        from = at + secret.len();
    }
    out.extend_from_slice(&text[from..]);
    out
}

/// How many bytes at the end of `text` are the beginning of `secret`, and not all of it.
fn begun(text: &[u8], secret: &[u8]) -> usize {
    let most = text.len().min(secret.len().saturating_sub(1));
    (1..=most).rev().find(|&length| text.ends_with(&secret[..length])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_taken_out_wherever_the_body_is_cut() {
        let body = r#"{"a":"Bearer hunter2222, hunter2222, Bearer hunter","b":"B"}Bear"#;
        let expected = r#"{"a":"<secret>, <secret>, Bearer hunter","b":"B"}Bear"#;
        for size in 1..=body.len() {
            let mut scrubber = Scrubber::new([b"Bearer hunter2222".to_vec(), b"hunter2222".to_vec()]);
            let mut shown = Vec::new();
            for chunk in body.as_bytes().chunks(size) {
                shown.extend_from_slice(&scrubber.feed(Bytes::copy_from_slice(chunk)));
            }
            shown.extend_from_slice(&scrubber.finish());
            assert_eq!(String::from_utf8(shown).unwrap(), expected, "chunks of {size}");
        }
    }

    #[test]
    fn what_begins_no_credential_does_not_wait() {
        let mut scrubber = Scrubber::new([b"Bearer hunter2222".to_vec()]);
        assert_eq!(scrubber.feed("data: {\"a\":1}\n\n".into()), "data: {\"a\":1}\n\n");
        assert!(scrubber.finish().is_empty());
    }
}
