//! Whether the sentences of JSON say what another member of it does: `"error_rate": 0.07`, where one tells of 7 %.

use std::collections::BTreeSet;
use std::ops::Bound;

use serde_json::value::RawValue;

use super::owned::{ADDRESSES, SOURCES, is_one_of, wraps};
use crate::domain::adapters::shape::{Member, members};

/// Bytes of a value that is quoted: a longer one is a text.
pub(super) const VALUE_BYTES_MAX: usize = 200;
/// Bytes of a word, and of a number, that is enough to know it again in a sentence, whatever it is called.
const TELLING_MIN: (usize, usize) = (5, 4);

/// Members that are about an answer, not in it.
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    "id", "uuid", "type", "kind", "role", "object", "index", "rank", "importance", "relevance", "confidence", "query", "question", "task", "prompt", "language", "lang", "format", "version", "schema",
    "model", "provider", "agent", "subagent", "tool", "usage", "tokens", "finish_reason", "stop_reason", "finishReason", "stopReason", "done_reason", "doneReason", "retrieval_count", "created", "created_at", "updated_at", "timestamp", "generated_at",
    "latency_ms", "duration_ms", "took_ms", "elapsed_ms", "metadata", "meta", "trace", "trace_id", "request_id", "session_id", "task_id", "reasoning", "thoughts", "messages", "choices",
    "conversation_id", "conversationId", "message_id", "messageId", "parent_message_id", "chat_id", "chatId", "chatMessageId", "thread_id", "threadId", "run_id", "runId", "workflow_run_id", "execution_id", "executionId", "response_id", "responseId",
    "requestId", "sessionId", "traceId", "span_id", "correlation_id", "taskId", "system_fingerprint", "token_usage", "tokenUsage", "tokens_used", "usage_metadata", "usageMetadata", "response_metadata", "models_usage",
    "total_tokens", "prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens", "totalTokens", "promptTokens", "completionTokens", "inputTokens", "outputTokens",
    "row_count", "rows_count", "total_rows", "result_count", "results_count", "num_results", "total_results", "page_size", "per_page", "total_pages", "has_more", "next_cursor", "next_page",
    "extraction_confidence", "confidence_score", "pages_processed", "processing_time_ms", "filename", "file_name",
];
/// Those of them that say of a thing which one it is, where they stand beside what is said of it: `"model": "Golf", "price": 20000`.
#[rustfmt::skip]
const OF_THINGS: &[&str] = &[
    "type", "kind", "role", "rank", "language", "lang", "format", "version", "model", "provider", "tool", "latency_ms", "duration_ms", "elapsed_ms",
    "total_tokens", "prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens", "totalTokens", "promptTokens", "completionTokens", "inputTokens", "outputTokens",
];
/// Members of an answer, by which everything beside them is about that.
#[rustfmt::skip]
const ANSWERS: &[&str] = &[
    "answer", "final_answer", "content", "text", "output", "result", "response", "reply", "message", "summary", "conclusion", "usage", "tokens", "finish_reason", "stop_reason", "finishReason", "stopReason", "done_reason",
    "doneReason", "messages", "choices", "trace_id", "request_id", "session_id", "task_id", "prompt", "agent", "subagent",
];
/// Members that only say whether there is an answer, and what they say then.
const STATES: &[&str] =
    &["status", "state", "success", "ok", "final", "done", "is_final", "complete", "completed", "code"];
#[rustfmt::skip]
const FINE: &[&str] = &[
    "true", "ok", "success", "successful", "succeeded", "done", "complete", "completed", "final", "finished", "200", "0",
];
const FAULTS: &[&str] = &["error", "errors", "failed", "truncated", "partial"];
const NONE: &[&str] = &["false", "none", "0"];

/// Words and numbers of sentences.
#[derive(Default)]
pub struct Told {
    words: BTreeSet<String>,
    numbers: BTreeSet<u64>,
}

impl Told {
    /// Those of all texts.
    pub fn by<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut told = Self::default();
        for text in texts {
            told.words.extend(words(text).map(str::to_lowercase));
            let number = |word: &str| bare(word).replace(',', "").parse::<f64>().ok();
            told.numbers.extend(text.split_whitespace().filter_map(number).map(f64::to_bits));
        }
        told
    }

    /// Whether a member says something that they don't: a word or two, a number, yes or no, or a list of such.
    pub fn lack(&self, key: &str, value: &str) -> bool {
        !Self::is_about(key) && self.lack_value(key, value)
    }

    /// The same of a member of an object that may be about a thing.
    pub(super) fn lack_of(&self, object: Object, key: &str, value: &str) -> bool {
        !object.is_about(key, value) && self.lack_value(key, value)
    }

    fn lack_value(&self, key: &str, value: &str) -> bool {
        let Some(plain) = plain(value) else { return false };
        let is_fine = is_one_of(key, STATES) && is_one_of(&plain, FINE)
            || is_one_of(key, FAULTS) && is_one_of(&plain, NONE);
        !is_fine && !plain.trim().is_empty() && !self.has(key, &plain)
    }

    /// Whether a member is about an answer, or where it is from.
    pub fn is_about(key: &str) -> bool {
        is_one_of(key, ABOUT) || is_one_of(key, &SOURCES) || is_one_of(key, &ADDRESSES)
    }

    /// Whether a value stands in them, or a short one with what it is called.
    fn has(&self, key: &str, plain: &str) -> bool {
        let key = key.to_lowercase();
        let begins = |start: &str| {
            let next = self.words.range::<str, _>((Bound::Included(start), Bound::Unbounded)).next();
            next.is_some_and(|word| word.starts_with(start))
        };
        let is_called = || {
            let mut parts = words(&key).flat_map(|part| part.split('_')).filter(|part| part.len() > 2);
            parts.any(|part| begins(part.trim_end_matches('s')))
        };
        let (stands, least) = match plain.parse::<f64>() {
            // `0.07` is told as 7 %, too.
            Ok(number) => {
                let told = |of: f64| self.numbers.contains(&of.to_bits());
                (told(number) || told((number * 1e4).round() / 100.0), TELLING_MIN.1)
            }
            Err(_) => (words(plain).all(|word| self.words.contains(&word.to_lowercase())), TELLING_MIN.0),
        };
        stands && (plain.len() >= least && !matches!(plain, "true" | "false") || is_called())
    }
}

/// What an object is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Object {
    is_of_thing: bool,
    /// Whether a word for where something is from is all that says which thing: `"source": "wind", "twh": 142`.
    is_of_source: bool,
}

impl Object {
    /// By its members: about a thing, where they say something and none of it is an answer.
    pub(super) fn of(members: &[Member<'_>]) -> Self {
        let told = Told::default();
        let says = |Member { key, value }: &&Member<'_>| {
            let is_inner = value.starts_with('{') && !Told::is_about(&key.0) && !wraps(&key.0);
            is_inner || told.lack(&key.0, value)
        };
        let mut saying = members.iter().filter(says).peekable();
        let is_of_thing =
            saying.peek().is_some() && !members.iter().any(|member| is_one_of(&member.key.0, ANSWERS));
        let is_of_source = is_of_thing && saying.all(|member| !member.value.starts_with('"'));
        Self { is_of_thing, is_of_source }
    }

    fn is_about(self, key: &str, value: &str) -> bool {
        let says_which = self.is_of_thing && is_one_of(key, OF_THINGS)
            || self.is_of_source && is_word_for_source(key, value);
        !says_which && Told::is_about(key)
    }
}

/// Whether some members, as they stand, are a thing's and say where it is from.
pub(super) fn names_by_source(text: &str) -> bool {
    let object = format!("{{{text}}}");
    let names = |members: Vec<Member<'_>>| {
        let mut all = members.iter();
        Object::of(&members).is_of_source && all.any(|member| is_word_for_source(&member.key.0, member.value))
    };
    members(&object).is_some_and(names)
}

fn is_word_for_source(key: &str, value: &str) -> bool {
    key.eq_ignore_ascii_case("source") && value.starts_with('"') && !value.contains("://")
}

/// Whether an object has a member that says something of the objects in it, `"carrier": "TAP"`. One with arrays may hold all of an
/// answer, unless it is an entry of a list itself.
pub(super) fn says_of_others(object: &str, is_entry: bool) -> bool {
    let says = |members: Vec<Member<'_>>| {
        let (told, of) = (Told::default(), Object::of(&members));
        members.iter().any(|Member { key, value }| told.lack_of(of, &key.0, value))
    };
    (is_entry || !object.contains('[')) && members(object).is_some_and(says)
}

/// Whether a value has an escape that can't be read as it stands: a quotation mark can.
pub(super) fn has_escape(value: &str) -> bool {
    value.split('\\').skip(1).any(|behind| !behind.starts_with('"'))
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// A word without what isn't its number.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_ascii_digit() && c != '-')
}

/// What a value says where that is no sentence; `None` for what can't be quoted.
fn plain(value: &str) -> Option<String> {
    if value.len() > VALUE_BYTES_MAX || has_escape(value) {
        return None;
    }
    match value.as_bytes().first()? {
        b'[' => {
            let items: Vec<&RawValue> = serde_json::from_str(value).ok()?;
            let is_list = |item: &&RawValue| item.get().starts_with('[');
            let items = items.iter().filter(|item| !is_list(item)).map(|item| plain(item.get()));
            Some(items.collect::<Option<Vec<String>>>()?.join(" "))
        }
        b'"' => {
            let inside = value.trim_matches('"');
            let is_told = inside.ends_with(['.', '!', '?', ':', '。', '！', '？']);
            (!is_told && !inside.contains("://")).then(|| inside.to_owned())
        }
        b'{' | b'n' => None,
        _ => Some(value.to_owned()),
    }
}
