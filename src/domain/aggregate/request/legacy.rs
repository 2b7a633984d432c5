//! The body of `POST …/steps/{p}/legacy-response`: what the monolith answered to the same step.

use super::fields::{Fields, Issues};
use super::{body, results};
use crate::domain::aggregate::input::SourceInput;
use crate::domain::aggregate::json::{members, number};
use crate::domain::canonical_json::one_line;
use crate::domain::event::ArcJson;
use crate::domain::verdict::{Code, Refusal};

/// Longest answer of the monolith, in characters.
pub const ANSWER_CHARS_MAX: usize = 262_144;
/// Longest latency that is believed: a day.
pub const LATENCY_MS_MAX: u64 = 86_400_000;
/// Longest status, in characters.
pub const STATUS_CHARS_MAX: usize = 64;
/// Largest `metadata`, in bytes of its JSON.
pub const METADATA_BYTES_MAX: usize = 16_384;

/// What the monolith answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LegacyResponse {
    /// Its answer, Markdown; empty where it had none.
    pub answer: String,
    /// The sources that it names, in its own order.
    pub sources: Vec<SourceInput>,
    /// How long it took, in milliseconds.
    pub latency_ms: Option<u64>,
    /// How it ended, in its own word.
    pub status: Option<String>,
    /// Anything else, an object, kept as sent.
    pub metadata: Option<ArcJson>,
}

/// The body `{answer, sources?, latency_ms?, status?, metadata?}`. Sources are strings and objects, as in
/// `POST /aggregations`.
///
/// # Errors
/// Every bad place, as in [the other bodies](super).
pub fn parse_legacy_response(text: &str) -> Result<LegacyResponse, Refusal> {
    let mut issues = Issues::default();
    let body = body(text, &["answer", "sources", "latency_ms", "status", "metadata"], &mut issues)?;
    body.require("answer", &mut issues);
    let answer = body.text("answer", ANSWER_CHARS_MAX, &mut issues);
    let sources = results::sources(&body, "sources", &mut issues);
    let what = format!("a number of milliseconds, 0 to {LATENCY_MS_MAX}");
    let latency_ms = body.typed("latency_ms", &what, latency, &mut issues);
    let status = body.text("status", STATUS_CHARS_MAX, &mut issues);
    let metadata = metadata(&body, &mut issues);
    issues.finish()?;
    Ok(LegacyResponse {
        answer: answer.unwrap_or_default(),
        sources: sources.into_iter().filter(|source| *source != SourceInput::default()).collect(),
        latency_ms,
        status: status.filter(|status| !status.trim().is_empty()),
        metadata,
    })
}

/// Parts of a millisecond are rounded: many clocks give them.
fn latency(json: &str) -> Option<u64> {
    let range = 0.0..=LATENCY_MS_MAX as f64;
    number(json).filter(|ms| range.contains(ms)).map(|ms| ms.round() as u64)
}

fn metadata(body: &Fields<'_>, issues: &mut Issues) -> Option<ArcJson> {
    let json = body.typed("metadata", "an object", |json| members(json).map(|_| json), issues)?;
    if json.len() > METADATA_BYTES_MAX {
        let detail = format!("`metadata` has {} bytes; the limit is {METADATA_BYTES_MAX}", json.len());
        issues.add(Code::LimitReached, &body.at("metadata"), detail);
        return None;
    }
    serde_json::value::RawValue::from_string(one_line(json).into_owned()).ok().map(|raw| ArcJson(raw.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> (&'static str, Vec<String>) {
        let refusal = parse_legacy_response(text).unwrap_err();
        let pointer = |issue: crate::domain::verdict::InputIssue| issue.pointer;
        (refusal.code.as_str(), refusal.issues.into_iter().map(pointer).collect())
    }

    #[test]
    fn a_whole_response_is_read() {
        let text = r#"{"answer":"It is **blue** [1].","sources":["https://a.example/x",{"url":"https://b.example","title":"B"},""],
            "latency_ms":1234.6,"status":"ok","metadata":{"model":"m",
            "n":[1]}}"#;
        let read = parse_legacy_response(text).unwrap();
        assert_eq!(read.answer, "It is **blue** [1].");
        let urls: Vec<_> = read.sources.iter().map(|source| source.url.as_deref()).collect();
        assert_eq!(urls, [Some("https://a.example/x"), Some("https://b.example")]);
        assert_eq!((read.latency_ms, read.status.as_deref()), (Some(1235), Some("ok")));
        assert!(!read.metadata.unwrap().0.get().contains('\n'), "one line");
    }

    #[test]
    fn an_answer_may_be_empty_and_the_rest_may_be_missing_or_null() {
        for text in [r#"{"answer":""}"#, r#"{"answer":"","sources":null,"status":" ","latency_ms":null}"#] {
            assert_eq!(parse_legacy_response(text).unwrap(), LegacyResponse::default(), "{text}");
        }
    }

    #[test]
    fn every_bad_place_is_named() {
        let long = format!(r#"{{"answer":"{}"}}"#, "a".repeat(ANSWER_CHARS_MAX + 1));
        let large = format!(r#"{{"answer":"","metadata":{{"a":"{}"}}}}"#, "a".repeat(METADATA_BYTES_MAX));
        for (text, code, pointers) in [
            ("{", "invalid_json", &[""] as &[&str]),
            (r#"{"answer":"","answer":""}"#, "invalid_json", &["/answer"]),
            ("[]", "invalid_event", &[""]),
            ("{}", "invalid_event", &["/answer"]),
            (r#"{"answer":null}"#, "invalid_event", &["/answer"]),
            (r#"{"answer":"","more":1}"#, "unknown_field", &["/more"]),
            (
                r#"{"answer":3,"sources":[7,{"url":1}],"latency_ms":-1,"status":4,"metadata":[]}"#,
                "invalid_event",
                &["/answer", "/sources/0", "/sources/1/url", "/latency_ms", "/status", "/metadata"],
            ),
            (r#"{"answer":"","latency_ms":86400001}"#, "invalid_event", &["/latency_ms"]),
            (&long, "invalid_event", &["/answer"]),
            (&large, "limit_reached", &["/metadata"]),
        ] {
            assert_eq!(
                places(text),
                (code, pointers.iter().map(ToString::to_string).collect()),
                "{text:.80}"
            );
        }
    }
}
