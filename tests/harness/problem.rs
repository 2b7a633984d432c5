//! What every refusal has in common (RFC 9457).

use serde_json::Value;

use super::Answer;

/// The answer is a problem document of this status and code, whole, and says when to come back where that may help.
#[track_caller]
pub fn assert_problem(answer: &Answer, status: u16, code: &str) -> Value {
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    assert_eq!(answer.status, status, "{text}");
    assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{text}");
    let document = answer.json();
    assert_document(&document, status, code);
    let passes = matches!(status, 429 | 503);
    let retry_after = answer.header("retry-after").map(|seconds| seconds.parse::<u64>().unwrap());
    assert_eq!(retry_after.is_some_and(|seconds| seconds > 0), passes, "Retry-After {retry_after:?}: {text}");
    document
}

/// The members that every problem document has.
#[track_caller]
pub fn assert_document(document: &Value, status: u16, code: &str) {
    assert_eq!(
        (document["status"].as_u64(), document["code"].as_str()),
        (Some(status.into()), Some(code)),
        "{document}"
    );
    for member in ["type", "title", "detail"] {
        assert!(document[member].as_str().is_some_and(|text| !text.is_empty()), "no `{member}`: {document}");
    }
    let issues = document["errors"].as_array();
    if matches!(status, 400 | 413 | 422) {
        assert!(
            issues.is_some_and(|issues| !issues.is_empty()),
            "an input error that doesn't say where: {document}"
        );
    }
    for issue in issues.into_iter().flatten() {
        assert!(issue["pointer"].is_string() && issue["detail"].is_string(), "{document}");
    }
}
