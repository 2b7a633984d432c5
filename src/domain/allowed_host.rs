//! The allow-list: at which hosts subagents and webhooks may be called.
//!
//! One rule for the check of a directive, for the call itself and for every redirect. Hosts are compared in the form that
//! the URL standard gives them (WHATWG URL, "host parsing": lower case, internationalised names as punycode, `127.1` and
//! `2130706433` as 127.0.0.1), so what is compared is what is connected to. Names match as a whole: no wildcards, no
//! subdomains.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};
use url::{Host, Url};

#[cfg(test)]
mod tests;

/// A host that may be called, parsed from `host` or `host:port`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AllowedHost {
    /// Name or address in the URL standard's form, without a dot at its end; an IPv6 address without brackets.
    pub host: String,
    /// `None`: any port.
    pub port: Option<u16>,
}

impl AllowedHost {
    /// Whether a call of `url` is to this host. Where the URL names no port, its scheme's counts.
    pub fn allows(&self, url: &Url) -> bool {
        let port_fits = self.port.is_none_or(|port| url.port_or_known_default() == Some(port));
        port_fits && url.host().is_some_and(|host| comparable(&host) == self.host)
    }
}

impl fmt::Display for AllowedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_ipv6 = self.host.contains(':');
        match self.port {
            Some(port) if is_ipv6 => write!(f, "[{}]:{port}", self.host),
            Some(port) => write!(f, "{}:{port}", self.host),
            None if is_ipv6 => write!(f, "[{}]", self.host),
            None => f.write_str(&self.host),
        }
    }
}

impl FromStr for AllowedHost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unfit = || format!("`{text}` is neither `host` nor `host:port`");
        let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, "")) => (host, None),
            Some((host, port)) => (host, Some(port.strip_prefix(':').ok_or_else(unfit)?)),
            None if text.matches(':').count() > 1 => (text, None),
            None => text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
        };
        if host.contains('*') {
            return Err(format!("`{text}` has a wildcard: name every host"));
        }
        let port = port.map(|port| parse_port(port).ok_or_else(unfit)).transpose()?;
        let host = match host.parse() {
            Ok(address) => Host::<String>::Ipv6(address),
            Err(_) if text.starts_with('[') => return Err(unfit()),
            Err(_) => Host::parse(host).map_err(|_| unfit())?,
        };
        let host = comparable(&host);
        let has_empty_label = host.split('.').any(str::is_empty);
        if has_empty_label { Err(unfit()) } else { Ok(Self { host, port }) }
    }
}

impl<'de> Deserialize<'de> for AllowedHost {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Digits alone: `u16` would also read `+80`. Port 0 is nobody's.
fn parse_port(text: &str) -> Option<u16> {
    let port = text.parse().ok().filter(|port| *port > 0);
    port.filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A host as it is compared: the dot at the end of a name, which says that it is complete, makes no other host of it.
fn comparable<S: AsRef<str>>(host: &Host<S>) -> String {
    match host {
        Host::Domain(name) => {
            let name = name.as_ref();
            name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
        }
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => address.to_string(),
    }
}

/// Why `url` may not be called, if so: it isn't HTTP, holds a user name or password, or none of `rules` allows its host.
/// The text names the host, never the path or the query.
pub fn refusal(url: &Url, rules: &[AllowedHost]) -> Option<String> {
    if !matches!(url.scheme(), "http" | "https") {
        return Some(format!("`{}` isn't `http` or `https`", url.scheme()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Some("a URL with a user name or password in it isn't called".into());
    }
    if rules.iter().any(|rule| rule.allows(url)) {
        return None;
    }
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("`{host}{port}` isn't among the hosts that may be called (`invoke.allowed_hosts`)"))
}
