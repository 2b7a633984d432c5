//! What a subagent is asked, found in the body of the call.

use fastrand::Rng;
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

/// Longest question that is echoed, in characters.
const CHARACTERS_MAX: usize = 500;
/// Fields of a body that hold the question, the best first.
const FIELDS: [&str; 7] = ["query", "task", "question", "input", "prompt", "text", "transcript"];

/// What a subagent is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The question's text; empty where none was found.
    pub query: String,
    seed: u64,
}

impl Question {
    /// Finds the question: a field of a known name, the last user's message of a chat, the parts of an A2A message, or the
    /// body itself where it is a JSON text.
    pub fn read(body: &[u8], seed: u64) -> Self {
        let found =
            serde_json::from_slice(body).ok().and_then(|value: Value| find(&value)).unwrap_or_default();
        let query: String = found.chars().take(CHARACTERS_MAX).collect();
        Self { seed: xxh3_64(query.as_bytes()).wrapping_add(seed), query }
    }

    /// A generator that gives the same numbers for the same question, others for each `purpose`.
    pub fn rng(&self, purpose: u64) -> Rng {
        Rng::with_seed(self.seed ^ purpose.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// An id in the form of a UUID.
    pub fn id(&self, purpose: u64) -> String {
        let mut rng = self.rng(purpose);
        let (high, low) = (rng.u64(..), rng.u64(..));
        let (a, b, c) = (high >> 32, (high >> 16) & 0xffff, high & 0xfff);
        let (d, e) = (0x8000 | ((low >> 48) & 0x3fff), low & 0xffff_ffff_ffff);
        format!("{a:08x}-{b:04x}-4{c:03x}-{d:04x}-{e:012x}")
    }
}

fn find(body: &Value) -> Option<String> {
    if let Value::String(text) = body {
        return Some(text.clone());
    }
    let field = FIELDS.iter().find_map(|field| body.get(field)?.as_str()).map(str::to_owned);
    field
        .or_else(|| last_user(body.get("messages")?))
        .or_else(|| parts(body.pointer("/params/message/parts")?))
}

/// The content of a chat's last message of the user: a text, or blocks with texts.
fn last_user(messages: &Value) -> Option<String> {
    let messages = messages.as_array()?;
    let message =
        messages.iter().rev().find(|message| message.get("role").is_some_and(|role| role == "user"))?;
    let content = message.get("content")?;
    content.as_str().map(str::to_owned).or_else(|| parts(content))
}

fn parts(parts: &Value) -> Option<String> {
    let texts: Vec<_> = parts.as_array()?.iter().filter_map(|part| part.get("text")?.as_str()).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_is_found_wherever_callers_put_it() {
        for (body, wanted) in [
            (r#"{"task": "b", "query": "a"}"#, "a"),
            (r#"{"query": 1, "task": "b"}"#, "b"),
            (
                r#"{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}"#,
                "a",
            ),
            (r#"{"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}, {}]}]}"#, "a"),
            (
                r#"{"jsonrpc": "2.0", "params": {"message": {"parts": [{"text": "a"}, {"text": "b"}]}}}"#,
                "a b",
            ),
            (r#""a""#, "a"),
            ("[1]", ""),
            ("no JSON", ""),
            ("", ""),
        ] {
            assert_eq!(Question::read(body.as_bytes(), 0).query, wanted, "{body}");
        }
    }

    #[test]
    fn a_long_question_is_clipped() {
        let body = serde_json::to_vec(&"ä".repeat(10_000)).unwrap();
        assert_eq!(Question::read(&body, 0).query, "ä".repeat(CHARACTERS_MAX));
    }

    #[test]
    fn ids_differ_by_question_seed_and_purpose() {
        let ids = [(b"\"a\"", 0, 0), (b"\"b\"", 0, 0), (b"\"a\"", 1, 0), (b"\"a\"", 0, 1)]
            .map(|(body, seed, purpose)| Question::read(body, seed).id(purpose));
        let different: std::collections::HashSet<_> = ids.iter().collect();
        assert_eq!((different.len(), ids[0].len()), (4, 36));
    }
}
