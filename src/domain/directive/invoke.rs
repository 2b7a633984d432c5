//! How a directive asks for a subagent to be called: read, checked, and filled in from the configuration.
//!
//! What is wrong is said when the directive is posted: a host that isn't allowed, a literal credential, a secret that
//! nobody configured. The same checks stand before each call, where names are resolved, too.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use http::HeaderName;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use url::{Host, Url};

use super::asked::asking;
use super::{Directive, Invoke, InvokeBody, InvokeCall, Protocol, or_default, word};
use crate::domain::allowed_host::{self, AllowedHost};
use crate::domain::canonical_json::pointer_step;
use crate::domain::credential_header::is_credential_header;
use crate::domain::event::ArcJson;
use crate::domain::ids::SubagentKey;
use crate::domain::literal_credential;
use crate::domain::private_address::is_private;
use crate::domain::verdict::{Code, Refusal};

#[cfg(test)]
mod tests;

/// Headers that the service sets itself: those of a call, and those of the connection (RFC 9110, section 7.6.1). Whoever calls
/// sends none of these from a directive, so each that could be named there would be left out without a word.
const OWN_HEADERS: &[&str] = &[
    "accept",
    "accept-encoding",
    "baggage",
    "connection",
    "content-length",
    "expect",
    "host",
    "idempotency-key",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "traceparent",
    "tracestate",
    "trailer",
    "transfer-encoding",
    "upgrade",
];
/// What own headers that no other service knows begin with.
const OWN_PREFIX: &str = "tributary-";
/// What stands before the name of a configured secret.
const SECRET: &str = "secret:";

/// Whom the service calls.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CallRules {
    /// Hosts that may be called; none where empty.
    pub allowed_hosts: Vec<AllowedHost>,
    /// Whether they may have private addresses.
    pub allow_private: bool,
    /// Names of configured secrets.
    pub secrets: BTreeSet<String>,
    /// How subagents are called whose directive doesn't say, by key.
    pub configured: BTreeMap<SubagentKey, InvokeCall>,
}

/// An object of a directive: a call, or a body alone.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    #[serde(default)]
    url: Option<String>,
    #[serde(default, deserialize_with = "given_protocol")]
    protocol: Option<Protocol>,
    #[serde(default, deserialize_with = "or_default")]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    body: Option<ArcJson>,
}

fn given_protocol<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Protocol>, D::Error> {
    word::or_usual(deserializer).map(Some)
}

impl Given {
    fn invoke<E: Error>(self) -> Result<Invoke, E> {
        let Self { url, protocol, headers, body } = self;
        match (url, protocol, body) {
            (Some(url), protocol, body) => {
                let protocol = protocol.unwrap_or_default();
                Ok(Invoke::Call(InvokeCall { url, protocol, headers, body }))
            }
            (None, None, Some(body)) if headers.is_empty() => Ok(Invoke::With(InvokeBody { body })),
            (None, _, _) => Err(E::missing_field("url")),
        }
    }
}

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
                Given::deserialize(MapAccessDeserializer::new(map))?.invoke()
            }
        }
        deserializer.deserialize_any(InvokeVisitor)
    }
}

impl Directive {
    /// The directive with every call that is made spelt out: those that it leaves to the configuration, too. What pushes
    /// has none.
    pub fn with_calls(mut self, rules: &CallRules) -> Self {
        let mut expected_subagents = std::mem::take(&mut self.expected_subagents);
        for expected in &mut expected_subagents {
            let call = match &expected.invoke {
                Some(Invoke::Call(_)) => continue,
                Some(Invoke::Configured(false)) => None,
                Some(Invoke::Configured(true)) | None => rules.configured.get(&expected.key).cloned(),
                Some(Invoke::With(with)) => rules.configured_with(&expected.key, with),
            };
            if call.is_some() || expected.invoke.is_some() {
                let asking = |call| asking(call, &self, expected.task.as_deref());
                let invoke = call.map(asking).map(Invoke::Call);
                Arc::make_mut(expected).invoke = invoke;
            }
        }
        self.expected_subagents = expected_subagents;
        self
    }
}

/// Refuses a call that can't be made, as `invalid_event` where it is malformed, holds a literal credential or names a
/// secret that isn't there, as `host_not_allowed` where its host isn't configured. `pointer` is the place of the `invoke`.
pub(super) fn check(
    invoke: Option<&Invoke>,
    key: &SubagentKey,
    pointer: &str,
    rules: &CallRules,
) -> Result<(), Refusal> {
    match invoke {
        None | Some(Invoke::Configured(false)) => Ok(()),
        Some(Invoke::Configured(true)) if rules.configured.contains_key(key) => Ok(()),
        Some(Invoke::Configured(true)) => Err(unconfigured(key, pointer)),
        Some(Invoke::With(with)) => match rules.configured_with(key, with) {
            Some(call) => rules.check(&call, pointer),
            None => Err(unconfigured(key, pointer)),
        },
        Some(Invoke::Call(call)) => rules.check(call, pointer),
    }
}

fn unconfigured(key: &SubagentKey, pointer: &str) -> Refusal {
    let text = format!("no `subagents.{key}.url` is configured: say here how it is called");
    Refusal::at(Code::InvalidEvent, pointer, text)
}

impl CallRules {
    /// The call that is configured for a key, with the body of a directive.
    fn configured_with(&self, key: &SubagentKey, with: &InvokeBody) -> Option<InvokeCall> {
        let call = self.configured.get(key)?.clone();
        Some(InvokeCall { body: Some(with.body.clone()), ..call })
    }

    /// Refuses a call that can't be made. `pointer` is the place of the `invoke`.
    ///
    /// # Errors
    /// `invalid_event`, or `host_not_allowed`.
    pub fn check(&self, call: &InvokeCall, pointer: &str) -> Result<(), Refusal> {
        for (name, value) in &call.headers {
            self.check_header(name, value, &format!("{pointer}/headers{}", pointer_step(name)))?;
        }
        if matches!(call.protocol, Protocol::Openai | Protocol::Anthropic) && call.body.is_none() {
            let text = "these protocols need a `body`, with at least `model`, `messages` and `stream`";
            return Err(Refusal::at(Code::InvalidEvent, format!("{pointer}/body"), text));
        }
        self.check_url(&call.url, &format!("{pointer}/url"))?;
        check_literals(call, pointer)
    }

    /// Refuses a URL that may not be called.
    ///
    /// # Errors
    /// `invalid_event`, or `host_not_allowed`.
    pub fn check_url(&self, text: &str, pointer: &str) -> Result<(), Refusal> {
        let url = read_url(text, pointer)?;
        if let Some(why) = allowed_host::refusal(&url, &self.allowed_hosts) {
            return Err(Refusal::at(Code::HostNotAllowed, pointer, why));
        }
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(address.into()),
            Some(Host::Ipv6(address)) => Some(address.into()),
            Some(Host::Domain(_)) | None => None,
        };
        if !self.allow_private && literal.is_some_and(is_private) {
            let why = "it is a private address, and those may not be called (`invoke.allow_private`)";
            return Err(Refusal::at(Code::HostNotAllowed, pointer, why));
        }
        Ok(())
    }

    fn check_header(&self, name: &str, value: &str, pointer: &str) -> Result<(), Refusal> {
        let wrong = |detail: &str| Err(Refusal::at(Code::InvalidEvent, pointer, detail));
        let Ok(name) = HeaderName::from_bytes(name.as_bytes()) else {
            return wrong("this isn't a name of an HTTP header");
        };
        if !value.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return wrong("this isn't a value of an HTTP header: printable ASCII");
        }
        if OWN_HEADERS.contains(&name.as_str()) || name.as_str().starts_with(OWN_PREFIX) {
            return wrong("the service sets this header itself, or sends none");
        }
        if let Some(secret) = secret_name(value) {
            return if self.secrets.contains(secret) {
                Ok(())
            } else {
                wrong(&format!("no secret of the name `{secret}` is configured"))
            };
        }
        if is_credential_header(&name, value) || value.starts_with(SECRET) {
            return wrong(
                "a literal credential: configure it as a secret and write `secret:<its name>` here",
            );
        }
        Ok(())
    }
}

/// A call that is configured stands in the log, too: nothing but a secret's name may be in either.
fn check_literals(call: &InvokeCall, pointer: &str) -> Result<(), Refusal> {
    let literal = |place: String, what: &str| {
        let text =
            format!("{what} carries a literal credential: send it as `secret:<its name>` in `headers`");
        Err(Refusal::at(Code::InvalidEvent, place, text))
    };
    let url = format!("{pointer}/url");
    if let Some(name) = literal_credential::in_query(&read_url(&call.url, &url)?) {
        return literal(url, &format!("the query's `{name}`"));
    }
    match call.body.as_ref().and_then(|body| literal_credential::in_body(body.0.get())) {
        Some(place) => {
            let what = if place.is_empty() { "the body".to_owned() } else { format!("the body's `{place}`") };
            literal(format!("{pointer}/body{place}"), &what)
        }
        None => Ok(()),
    }
}

fn read_url(text: &str, pointer: &str) -> Result<Url, Refusal> {
    let wrong = |what: &str| Refusal::at(Code::InvalidEvent, pointer, format!("`url` {what}"));
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
    // A parsed URL has them resolved: it would be another one than was written.
    if has_dot_segment(text) {
        return Err(wrong("has no `.` or `..` in its path: it is called as it stands"));
    }
    Ok(url)
}

/// Whether the path of a URL has a segment that is resolved away (RFC 3986, 5.2.4; percent-encoded, too: URL standard).
fn has_dot_segment(text: &str) -> bool {
    let path = text.split(['?', '#']).next().unwrap_or_default();
    path.split(['/', '\\']).any(|segment| {
        // Most have none of them.
        segment.len() <= 6 && segment.starts_with(['.', '%']) && {
            let plain = segment.replace("%2e", ".").replace("%2E", ".");
            plain == "." || plain == ".."
        }
    })
}

/// The name of the secret that a header's value stands for.
fn secret_name(value: &str) -> Option<&str> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let name = value.strip_prefix(SECRET)?;
    ((1..=128).contains(&name.len()) && name.bytes().all(allowed)).then_some(name)
}
