//! How a directive asks for a subagent to be called: read, checked, and refused.
//!
//! This version calls nobody; subagents push. Calls are checked all the same, and before they are refused as a whole,
//! so a planner learns at once of a literal credential or a host that will never be allowed.

use std::fmt;

use http::HeaderName;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use url::Url;

use super::{Invoke, InvokeCall};
use crate::domain::canonical_json::pointer_step;
use crate::domain::verdict::{Code, Refusal};

#[cfg(test)]
mod tests;

/// What a person is told who asks for a call.
const NO_CALLS: &str = "this version doesn't call subagents: leave `invoke` out and let it push its events";
/// Headers that carry a credential whatever their name says.
const CREDENTIAL_HEADERS: &[&str] =
    &["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token"];
/// Parts of a name that tell a credential.
const CREDENTIAL_WORDS: &[&str] = &["token", "secret", "password", "key"];
/// What stands before the name of a configured secret.
const SECRET: &str = "secret:";

impl<'de> Deserialize<'de> for Invoke {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InvokeVisitor;
        impl<'de> Visitor<'de> for InvokeVisitor {
            type Value = Invoke;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false or an object")
            }
            fn visit_bool<E>(self, value: bool) -> Result<Invoke, E> {
                Ok(Invoke::Configured(value))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Invoke, A::Error> {
                InvokeCall::deserialize(MapAccessDeserializer::new(map)).map(Invoke::Call)
            }
        }
        deserializer.deserialize_any(InvokeVisitor)
    }
}

/// Refuses every call: as `invalid_event` where it is malformed or holds a literal credential, as `host_not_allowed`
/// where its host isn't configured, else as `feature_disabled`. `pointer` is the place of the `invoke`.
pub(super) fn check(invoke: Option<&Invoke>, pointer: &str, allowed_hosts: &[String]) -> Result<(), Refusal> {
    match invoke {
        None | Some(Invoke::Configured(false)) => Ok(()),
        Some(Invoke::Configured(true)) => Err(Refusal::at(Code::FeatureDisabled, pointer, NO_CALLS)),
        Some(Invoke::Call(call)) => {
            let url = check_url(&call.url, pointer)?;
            for (name, value) in &call.headers {
                check_header(name, value, &format!("{pointer}/headers{}", pointer_step(name)))?;
            }
            if !allowed_hosts.iter().any(|rule| is_allowed(&url, rule)) {
                let detail = format!("`{}` isn't among the hosts that may be called", host_of(&url));
                return Err(Refusal::at(Code::HostNotAllowed, format!("{pointer}/url"), detail));
            }
            Err(Refusal::at(Code::FeatureDisabled, pointer, NO_CALLS))
        }
    }
}

fn check_url(text: &str, pointer: &str) -> Result<Url, Refusal> {
    let wrong =
        |what: &str| Refusal::at(Code::InvalidEvent, format!("{pointer}/url"), format!("`url` {what}"));
    let url = Url::parse(text).map_err(|error| wrong(&format!("isn't an absolute URL: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("begins with `http://` or `https://`"));
    }
    // A parsed URL can't tell `https://@host` from `https://host`, but the text can.
    let authority =
        text.split_once("://").map_or("", |(_, rest)| rest.split(['/', '?', '#', '\\']).next().unwrap_or(""));
    if !url.username().is_empty() || url.password().is_some() || authority.contains('@') {
        return Err(wrong(
            "has no user name or password in it; send credentials as `secret:<name>` in `headers`",
        ));
    }
    Ok(url)
}

fn check_header(name: &str, value: &str, pointer: &str) -> Result<(), Refusal> {
    let wrong = |detail: &str| Err(Refusal::at(Code::InvalidEvent, pointer, detail));
    let Ok(name) = HeaderName::from_bytes(name.as_bytes()) else {
        return wrong("this isn't a name of an HTTP header");
    };
    if !value.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return wrong("this isn't a value of an HTTP header: printable ASCII");
    }
    let name = name.as_str();
    let is_credential =
        CREDENTIAL_HEADERS.contains(&name) || CREDENTIAL_WORDS.iter().any(|word| name.contains(word));
    if is_credential && !is_secret_name(value) {
        return wrong("a literal credential: configure it as a secret and write `secret:<its name>` here");
    }
    Ok(())
}

fn is_secret_name(value: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    value
        .strip_prefix(SECRET)
        .is_some_and(|name| (1..=128).contains(&name.len()) && name.bytes().all(allowed))
}

/// Whether `rule`, `host` or `host:port`, allows the URL. An IPv6 address stands in brackets.
fn is_allowed(url: &Url, rule: &str) -> bool {
    let (host, port) = match rule.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        Some(_) | None => (rule, None),
    };
    let port_fits = port.is_none_or(|port| port.parse().ok() == url.port_or_known_default());
    port_fits && host_of(url).eq_ignore_ascii_case(host)
}

fn host_of(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}
