//! Which headers carry a credential, by their name whatever their value looks like, or by their value whatever their name is: what
//! may not be written into a directive, and what doesn't follow a redirect to another host.

use http::HeaderName;

use super::credential_scheme::after_scheme;
use crate::domain::text::phrases::has_any;

/// Headers that carry a credential whatever their name says.
const NAMES: &[&str] =
    &["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token"];
/// Parts of a name that tell a credential.
const WORDS: &[&str] = &["token", "secret", "password", "key"];

/// Whether a header carries a credential. Rather one too many than one too few.
pub fn is_credential_header(name: &HeaderName, value: &str) -> bool {
    let name = name.as_str();
    NAMES.contains(&name) || has_any(name, WORDS) || after_scheme(value).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_is_told_by_its_name() {
        for (name, expected) in [
            ("Authorization", true),
            ("cookie", true),
            ("X-Api-Key", true),
            ("x-goog-api-key", true),
            ("ocp-apim-subscription-key", true),
            ("x-session-token", true),
            ("client-secret", true),
            ("accept-language", false),
            ("traceparent", false),
            ("content-type", false),
        ] {
            let header = HeaderName::from_bytes(name.as_bytes()).unwrap();
            assert_eq!(is_credential_header(&header, "x"), expected, "{name}");
        }
    }

    #[test]
    fn under_any_other_name_a_credential_is_told_by_its_scheme() {
        let header = HeaderName::from_static("x-forwarded-authorization");
        for (value, expected) in [
            ("Bearer abc", true),
            ("basic dXNlcjpwYXNz", true),
            ("bearer of bad news", false),
            ("Basic plan", false),
            ("none", false),
        ] {
            assert_eq!(is_credential_header(&header, value), expected, "{value}");
        }
    }
}
