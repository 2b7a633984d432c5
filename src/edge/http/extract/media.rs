//! What a request's body is, by its headers.

use std::borrow::Cow;

use axum::http::{HeaderMap, header};

use crate::domain::verdict::Code;
use crate::edge::http::problem::Problem;

/// How the names of character sets begin that have more than one byte for each letter.
const WIDE: [&str; 6] = ["utf-16", "utf16", "utf-32", "utf32", "ucs-", "iso-10646"];

/// The media type of a request's body, lowercase, without parameters; `None` where it isn't said.
pub fn media_type(headers: &HeaderMap) -> Option<Cow<'_, str>> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().unwrap_or("?");
    let essence = value.split(';').next().unwrap_or_default().trim();
    let plain = !essence.bytes().any(|byte| byte.is_ascii_uppercase());
    Some(if plain { Cow::Borrowed(essence) } else { Cow::Owned(essence.to_ascii_lowercase()) })
}

/// Refuses a body that isn't JSON. One without a type is taken for it.
///
/// # Errors
/// `unsupported_media_type`.
pub fn require_json(headers: &HeaderMap) -> Result<(), Problem> {
    require_plain(headers)?;
    match media_type(headers).as_deref() {
        None | Some("application/json") => Ok(()),
        Some(other) => Err(unsupported(other, "application/json")),
    }
}

/// Refuses a compressed body, as what it would grow to isn't known before it has grown; and one in UTF-16 or UTF-32, which would be
/// taken for UTF-8 with a zero after each letter.
///
/// # Errors
/// `unsupported_media_type`.
pub fn require_plain(headers: &HeaderMap) -> Result<(), Problem> {
    let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
    let media = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if is_wide(media) {
        return Err(Problem::new(Code::UnsupportedMediaType, "text is taken as UTF-8 only"));
    }
    match codings.find(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        None => Ok(()),
        Some(_) => Err(Problem::new(
            Code::UnsupportedMediaType,
            "a body with a Content-Encoding isn't taken; send it as it is",
        )),
    }
}

/// Whether a media type says that its text has two bytes or four for each letter.
fn is_wide(media: &str) -> bool {
    let lower = media.to_ascii_lowercase();
    let charset = |parameter: &'_ str| {
        let (name, value) = parameter.split_once('=')?;
        (name.trim() == "charset").then(|| value.trim().trim_matches('"').to_owned())
    };
    lower.split(';').filter_map(charset).any(|charset| WIDE.iter().any(|wide| charset.starts_with(wide)))
}

/// The refusal of a body's type.
pub fn unsupported(given: &str, taken: &str) -> Problem {
    Problem::new(
        Code::UnsupportedMediaType,
        format!("a body of type `{given}` isn't taken here, only {taken}"),
    )
}
