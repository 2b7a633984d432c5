//! How long an answer may be at most, where a server says so while it refuses a longer one.
//!
//! | server | what it says |
//! |---|---|
//! | OpenAI, Azure | `max_tokens is too large: 8000. This model supports at most 4096 completion tokens, whereas you provided 8000.` |
//! | Anthropic | `max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens for …` |
//! | DeepSeek | `Invalid max_tokens value, the valid range of max_tokens is [1, 8192]` |
//! | Groq | `max_tokens must be less than or equal to 8192, the maximum value for …` |
//! | FastAPI | `{"loc": ["body", "max_tokens"], "msg": "Input should be less than or equal to 4096", "input": 8000}` |

use crate::domain::text::phrases::{ends_with_any, has_any};

/// What says that a number was too large, and not that the parameter isn't known.
const TOO_LARGE: &[&str] = &[
    "too large",
    "too high",
    "too many",
    "at most",
    "maximum",
    "less than",
    "lower than",
    "exceed",
    "range",
    " > ",
];
/// A number behind this is the first that may not be.
const BELOW: &[&str] = &["less than", "lower than", "below", "<"];
/// Smaller numbers are statuses, versions and the beginnings of ranges.
const LEAST: u32 = 512;

/// The longest answer that a refusal names, in tokens, where that is shorter than the one that was `asked` for: the largest number that
/// stands there alone, and not in a name (`gpt-4-0613`) or as a member's value (`"code": 400`).
pub fn output_limit_of(detail: &str, asked: u32) -> Option<u32> {
    let said = detail.to_ascii_lowercase();
    if !has_any(&said, TOO_LARGE) {
        return None;
    }
    numbers(&said).filter(|number| (LEAST..asked).contains(number)).max()
}

/// The whole numbers that stand alone in a text.
fn numbers(said: &str) -> impl Iterator<Item = u32> + '_ {
    let is_inner = |c: char| c.is_ascii_digit() || c == ',';
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + said[rest..].find(|c: char| c.is_ascii_digit())?;
        let end = said[start..].find(|c: char| !is_inner(c)).map_or(said.len(), |length| start + length);
        rest = end;
        Some((start, end))
    })
    .flat_map(move |(start, end)| {
        let (before, written, after) = (&said[..start], &said[start..end], &said[end..]);
        let goes_on = after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/'))
            || after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_digit());
        let is_alone = !goes_on
            && !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/'));
        let is_value = before.trim_end().ends_with("\":");
        let is_first_beyond = ends_with_any(before.trim_end(), BELOW);
        let found = if is_alone && !is_value { split(written) } else { Vec::new() };
        found.into_iter().map(move |number| number - u32::from(is_first_beyond && number > 0))
    })
}

/// `4,096` is one number, `1,8192` are two.
fn split(written: &str) -> Vec<u32> {
    let groups: Vec<&str> = written.split(',').filter(|group| !group.is_empty()).collect();
    let is_one = groups.len() > 1 && groups[0].len() <= 3 && groups[1..].iter().all(|group| group.len() == 3);
    let whole = |group: &str| group.parse().ok();
    if is_one {
        whole(&groups.concat()).into_iter().collect()
    } else {
        groups.into_iter().filter_map(whole).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_is_the_number_that_the_refusal_names() {
        for (detail, expected) in [
            (
                r#"{"error":{"message":"max_tokens is too large: 8000. This model supports at most 4096 completion tokens, whereas you provided 8000.","type":"invalid_request_error","param":"max_tokens","code":"invalid_value"}}"#,
                Some(4_096),
            ),
            (
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens for claude-3-opus-20240229"}}"#,
                Some(4_096),
            ),
            ("Invalid max_tokens value, the valid range of max_tokens is [1,7999]", Some(7_999)),
            ("the valid range of max_tokens is [1, 4,096]", Some(4_096)),
            ("`max_tokens` must be less than or equal to `2048`, the maximum of mistral-2407", Some(2_048)),
            (
                r#"{"detail":[{"type":"less_than","loc":["body","max_tokens"],"msg":"Input should be less than 4097","input":8000,"ctx":{"lt":4097}}]}"#,
                Some(4_096),
            ),
            // What is told is no shorter, or nothing is told.
            ("max_tokens is too large: 8000. This model supports at most 16384 completion tokens", None),
            (r#"{"error":{"message":"max_tokens is too large","code": 5000}}"#, None),
            ("Unsupported parameter: 'max_tokens' is not supported with gpt-4-0613. See request 4242", None),
            ("max_tokens must be at most 99999999999999999999", None),
            ("max_tokens may be 100 at most", None),
            ("", None),
        ] {
            assert_eq!(output_limit_of(detail, 8_000), expected, "{detail}");
        }
    }
}
