//! Credentials that stand where they are stored and logged: in a URL's query, or in a body. A call's place for them is a
//! header, as the name of a secret.
//!
//! They are told by the names beside them, as hardly a value tells that it is one: only behind its scheme (`Bearer …`) it does, under any
//! name. A name that says other things too, and a scheme, count with a value as long as a credential's.

use serde_json::Value;
use url::Url;

use super::canonical_json::pointer_step;
use super::credential_scheme::after_scheme;

/// Names of credentials, without case, `-`, `_` and `.`.
const NAMES: &[&str] = &[
    "accesskey",
    "accesstoken",
    "apikey",
    "apitoken",
    "authorization",
    "authtoken",
    "bearertoken",
    "clientsecret",
    "password",
    "passwd",
    "privatekey",
    "refreshtoken",
    "secret",
    "secretkey",
    "subscriptionkey",
    "xapikey",
];
/// Names that may be of something else.
const MAYBE: &[&str] = &["auth", "code", "key", "sig", "signature", "token"];
/// The only one of them in a body: a key or a code there is most often an object's.
const TOKEN: &[&str] = &["token"];
/// The shortest value that makes such a name, or the scheme before it, a credential's, in bytes.
const MAYBE_BYTES: usize = 16;

/// The parameter of a URL's query that carries a credential.
pub fn in_query(url: &Url) -> Option<String> {
    url.query_pairs().find(|(name, value)| carries(name, value, MAYBE)).map(|(name, _)| name.into_owned())
}

/// A JSON pointer to the member of a body that carries a credential. JSON that can't be read holds none.
pub fn in_body(json: &str) -> Option<String> {
    below(&serde_json::from_str(json).ok()?, String::new())
}

fn below(value: &Value, pointer: String) -> Option<String> {
    match value {
        Value::Object(members) => members.iter().find_map(|(name, value)| {
            let place = format!("{pointer}{}", pointer_step(name));
            match value.as_str() {
                Some(text) => carries(name, text, TOKEN).then_some(place),
                None => below(value, place),
            }
        }),
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(at, item)| below(item, format!("{pointer}/{at}")))
        }
        Value::String(text) => has_scheme(text).then_some(pointer),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// Whether a text is a credential behind its scheme. The shorter ones are words that may follow ("bearer bonds").
fn has_scheme(text: &str) -> bool {
    after_scheme(text).is_some_and(|credential| credential.len() >= MAYBE_BYTES)
}

fn carries(name: &str, value: &str, maybe: &[&str]) -> bool {
    let plain: String = name.chars().filter(|c| !matches!(c, '-' | '_' | '.')).collect();
    let plain = plain.to_ascii_lowercase();
    let is_long = value.len() >= MAYBE_BYTES && !value.contains(char::is_whitespace);
    let is_named = NAMES.contains(&plain.as_str()) || (is_long && maybe.contains(&plain.as_str()));
    !value.is_empty() && (is_named || has_scheme(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_in_a_query_are_told_by_their_names() {
        for (query, found) in [
            ("api_key=x", Some("api_key")),
            ("a=1&Access-Token=abc", Some("Access-Token")),
            ("key=AIzaSyA0123456789abcdef", Some("key")),
            ("sig=0123456789abcdef%3D", Some("sig")),
            ("key=crm&token=7", None),
            ("password=", None),
            ("q=what+is+a+password", None),
            ("max_tokens=100&monkey=0123456789abcdef", None),
            ("as=Bearer+0123456789abcdef", Some("as")),
            ("q=bearer+of+bad+news&p=Bearer+0123456789abcde", None),
        ] {
            let url = format!("https://a.org/x?{query}").parse().unwrap();
            assert_eq!(in_query(&url).as_deref(), found, "{query}");
        }
    }

    #[test]
    fn credentials_in_a_body_are_found_wherever_they_stand() {
        for (body, found) in [
            (r#"{"model":"m","api_key":"x"}"#, Some("/api_key")),
            (
                r#"{"auth":{"client/secret":"x","list":[{"clientSecret":"y"}]}}"#,
                Some("/auth/list/0/clientSecret"),
            ),
            (r#"{"token":"0123456789abcdef"}"#, Some("/token")),
            (r#"{"properties":{"password":{"type":"string"}},"required":["password"],"max_tokens":5}"#, None),
            (r#"{"key":"quote_conversion_doc","code":"0123456789abcdef","token":"ab"}"#, None),
            (r#"{"x":{"forwarded":"bearer 0123456789abcdef"}}"#, Some("/x/forwarded")),
            (r#"{"headers":["X-A","Basic dXNlcjpwYXNzd29yZA=="]}"#, Some("/headers/1")),
            (r#""Bearer 0123456789abcdef""#, Some("")),
            (
                r#"{"q":"Bearer 0123456789abcde","r":"Bearer of 0123456789abcdef","s":"bearer of bad news"}"#,
                None,
            ),
            (r#"["Basic understanding of authorization","Basic internationalization"]"#, None),
            ("not json", None),
        ] {
            assert_eq!(in_body(body).as_deref(), found, "{body}");
        }
    }
}
