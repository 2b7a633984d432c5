//! Texts that are an error and nothing else: a stack trace, a status line, `{"error": …}`.

use super::phrases::{ERROR_MEMBERS, ERROR_STARTS, ERRORS, RETRIES};
use super::plain::{begins, plain, sentences, word_count};
use super::stops::is_stop;
use crate::domain::text::phrases::{behind_any, has_any};

/// Words behind `Error:` that are still nothing but an error.
const ERROR_WORDS_MAX: usize = 16;
/// Frames that make a stack trace.
const FRAMES_MIN: usize = 2;

/// An object's members.
type Members = serde_json::Map<String, serde_json::Value>;

/// Members of an object that says that a request failed, and no more.
#[rustfmt::skip]
const FAILURE_MEMBERS: &[&str] = &[
    "status", "success", "ok", "message", "msg", "detail", "details", "code", "error_code", "error_message", "error_description", "status_code", "statusCode", "type", "request_id", "requestId", "trace_id",
    "retry_after", "retryable",
];

/// Bytes of a page's beginning in which its title is looked for.
const TITLE_WITHIN: usize = 2_048;

/// Titles of pages that aren't what was asked for.
const PAGES: &[&str] = &[
    "not found",
    "page not found",
    "just a moment",
    "attention required",
    "access to this page has been denied",
    "robot check",
    "are you a robot",
    "site maintenance",
    "under maintenance",
];

/// How what couldn't be fetched begins, and why it couldn't.
#[rustfmt::skip]
const UNFETCHED: &[&str] = &["unable to retrieve ", "unable to fetch ", "unable to load ", "could not retrieve ", "could not fetch ", "could not load ", "couldn't retrieve ", "couldn't fetch ", "failed to retrieve ", "failed to load "];
#[rustfmt::skip]
const REASONS: &[&str] = &["http error", "timed out", "timeout", "refused", "unreachable", "not found", "denied", "unauthorized", "forbidden", "rate limit", "too many requests", "unavailable", "network error", "server error"];

/// The title of a page that a server or a gateway shows instead of an answer, `<title>502 Bad Gateway</title>`, or its first
/// heading.
pub(super) fn page(content: &str) -> Option<&str> {
    let content = content.trim_start();
    let begins = |tag: &str| content.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    if !["<!doctype html", "<html", "<head"].into_iter().any(begins) {
        return None;
    }
    let mut end = content.len().min(TITLE_WITHIN);
    while !content.is_char_boundary(end) {
        end -= 1;
    }
    // ASCII letters are as long in lower case.
    let head = content[..end].to_ascii_lowercase();
    let inside = |open: &str, close: &str| {
        let open = head.find(open)?;
        let start = open + head[open..].find('>')? + 1;
        Some(content[start..start + head[start..].find(close)?].trim())
    };
    let title = inside("<title", "</title").or_else(|| inside("<h1", "</h1"))?;
    let words = plain(title);
    let code = words.trim_start_matches("error ").trim_start_matches("http ");
    let rest =
        code.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['|', '-', '–', ':', ' ']);
    let has_code = code.len() > 3
        && code.starts_with(['4', '5'])
        && code.as_bytes()[..3].iter().all(u8::is_ascii_digit)
        && !code.as_bytes()[3].is_ascii_digit();
    let is_page = is_status(&words) || begins_with(rest, PAGES) || (has_code && begins_with(rest, ERRORS));
    is_page.then_some(title)
}

fn begins_with(title: &str, known: &[&str]) -> bool {
    let ends = |rest: &str| {
        let rest = rest.trim_start();
        rest.is_empty() || rest.starts_with(['|', '-', '–', '—', '·', '.', '…', '!', '('])
    };
    known.iter().any(|known| title.strip_prefix(known).is_some_and(ends)) && word_count(title) <= 6
}

/// Whether a short text (`words` is its plain form) is an error.
pub(super) fn is_error(content: &str, words: &str) -> bool {
    is_status(without_advice(words))
        || is_named(words)
        || is_unfetched(words)
        || is_stop(words)
        || is_of_errors(words)
        || is_trace(content)
        || is_error_json(content)
}

/// The first sentence, where the others only say to try again.
fn without_advice(words: &str) -> &str {
    let mut all = sentences(words);
    let first = all.next().unwrap_or(words);
    let mut others = all.peekable();
    if others.peek().is_some() && others.all(|sentence| begins(sentence, RETRIES)) { first } else { words }
}

/// `Internal Server Error`, `503 Service Unavailable`, `HTTP 429: Too Many Requests`.
fn is_status(words: &str) -> bool {
    let edge =
        |c: char| matches!(c, '.' | '…' | '!' | '(' | ')' | '[' | ']' | '<' | '>' | ' ' | ':' | '-' | '。');
    let bare = words.trim_matches(edge);
    let bare = bare.strip_prefix("http").map_or(bare, |rest| rest.trim_start_matches(['/', '1', '.', ' ']));
    let bare = bare.strip_prefix("error ").unwrap_or(bare);
    let code = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_coded = bare.len() - code.len() == 3;
    let bare = if is_coded { code.trim_matches(edge) } else { bare };
    // Without a code who looked for something may have found none.
    ERRORS.contains(&bare) || is_coded && matches!(bare, "not found" | "gone")
}

/// `Error: connection refused`, in one short sentence.
fn is_named(words: &str) -> bool {
    let after = behind_any(words, ERROR_STARTS);
    after.is_some_and(|rest| word_count(rest) <= ERROR_WORDS_MAX && sentences(rest).count() <= 1)
}

/// `Just a moment… Enable JavaScript and cookies to continue`
fn is_of_errors(words: &str) -> bool {
    let mut all = words.split('…').flat_map(sentences);
    all.all(|sentence| ERRORS.contains(&sentence))
}

/// `Unable to retrieve the data: HTTP 500.`: why stands behind a colon, and is one of a network's reasons.
fn is_unfetched(words: &str) -> bool {
    let Some((what, why)) = words.split_once(": ") else { return false };
    let is_server_error = |word: &str| word.len() == 3 && word.starts_with(['4', '5']);
    let mut numbers = why.split(|c: char| !c.is_ascii_digit());
    begins(what, UNFETCHED)
        && word_count(words) <= ERROR_WORDS_MAX
        && sentences(words).count() <= 1
        && (numbers.any(is_server_error) || has_any(why, REASONS))
}

/// A stack trace of Python, Java, JavaScript, Rust or Go, with nothing said before it but the error.
fn is_trace(content: &str) -> bool {
    let mut lines = content.trim_matches('`').lines().map(str::trim).filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return false };
    if first.starts_with("Traceback (most recent call last)") {
        return true;
    }
    let frames = lines.filter(|line| {
        line.starts_with("at ") && line.contains([':', '('])
            || line.starts_with("File \"") && line.contains("line ")
    });
    is_exception(first) && frames.take(FRAMES_MIN).count() == FRAMES_MIN
        || is_exception(first) && content.trim().lines().count() == 1
        || first.starts_with("thread '") && first.contains("panicked at")
        || first.starts_with("panic: ") && content.contains("goroutine ")
}

/// `ValueError: …`, `java.lang.NullPointerException`, `Exception in thread "main" …`.
fn is_exception(line: &str) -> bool {
    let line = line.strip_prefix("Uncaught ").unwrap_or(line);
    let name = line.split([':', ' ']).next().unwrap_or_default();
    let is_name =
        name.len() > 5 && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '$'));
    let ends = name.ends_with("Error") || name.ends_with("Exception");
    line.starts_with("Exception in thread")
        || is_name && ends && (line.len() == name.len() || line[name.len()..].starts_with(':'))
}

/// An object with an error, and nothing but what goes with one, or is empty: `{"answer": null, "error": "rate limit"}`.
fn is_error_json(content: &str) -> bool {
    let inner = content.trim_start_matches('`').trim_end_matches('`').trim();
    let inner = inner.strip_prefix("json").unwrap_or(inner).trim();
    if !inner.starts_with('{') {
        return false;
    }
    let Ok(members) = serde_json::from_str::<Members>(inner) else { return false };
    let says = |value: &serde_json::Value| {
        !matches!(value, serde_json::Value::Null | serde_json::Value::Bool(false))
    };
    let has = ["error", "errors", "exception"].iter().any(|name| members.get(*name).is_some_and(says));
    let is_hollow = |value: &serde_json::Value| match value {
        serde_json::Value::Null => true,
        serde_json::Value::String(text) => text.trim().is_empty(),
        serde_json::Value::Array(items) => items.is_empty(),
        serde_json::Value::Object(members) => members.is_empty(),
        serde_json::Value::Bool(_) | serde_json::Value::Number(_) => false,
    };
    // `{"error": "none", "results": []}` looked for something, and found none.
    let is_named = |name: &&str| match members.get(*name) {
        Some(serde_json::Value::String(text)) => {
            !matches!(text.trim().to_lowercase().as_str(), "" | "none" | "ok" | "no error")
        }
        Some(serde_json::Value::Object(_) | serde_json::Value::Array(_)) => true,
        Some(serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_)) | None => {
            false
        }
    };
    let goes_with_it = |name: &str| ERROR_MEMBERS.contains(&name.to_lowercase().as_str());
    let has_error = ["error", "errors", "exception"].iter().any(is_named);
    has && members.iter().all(|(name, value)| goes_with_it(name) || has_error && is_hollow(value))
        || is_failure(&members, is_hollow)
}

/// `{"status": "error", "message": "upstream timed out"}`. With a name, a time or a reason it may be what was asked: how a
/// backup ended.
fn is_failure(members: &Members, is_hollow: impl Fn(&serde_json::Value) -> bool) -> bool {
    let text = |name: &str| members.get(name).and_then(serde_json::Value::as_str).map(str::trim);
    let status = text("status").unwrap_or_default().to_lowercase();
    let failed = matches!(status.as_str(), "error" | "failed" | "failure")
        || ["success", "ok"].iter().any(|name| members.get(*name) == Some(&false.into()));
    let says = ["message", "msg", "detail", "error_message", "error_description"]
        .iter()
        .any(|name| text(name).is_some_and(|said| !said.is_empty()));
    failed
        && says
        && members.iter().all(|(name, value)| FAILURE_MEMBERS.contains(&name.as_str()) || is_hollow(value))
}
