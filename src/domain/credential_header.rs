//! Which headers carry a credential, whatever their value looks like: what may not be written into a directive, and what
//! doesn't follow a redirect to another host.

use http::HeaderName;

/// Headers that carry a credential whatever their name says.
const NAMES: &[&str] =
    &["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token"];
/// Parts of a name that tell a credential.
const WORDS: &[&str] = &["token", "secret", "password", "key"];

/// Whether a header of this name carries a credential. Rather one too many than one too few.
pub fn is_credential_header(name: &HeaderName) -> bool {
    let name = name.as_str();
    NAMES.contains(&name) || WORDS.iter().any(|word| name.contains(word))
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
            assert_eq!(is_credential_header(&header), expected, "{name}");
        }
    }
}
