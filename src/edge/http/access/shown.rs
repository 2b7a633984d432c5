//! What a request shows of who sends it: a token, a ticket, a cookie.

use axum::http::{HeaderMap, Method, Uri, header};

use super::{cookie, origin, session_of};
use crate::domain::ids::SessionId;
use crate::edge::http::extract::single_pairs;
use crate::edge::http::problem::Problem;

/// Stands for what is no bearer token: another scheme, two that differ, characters that no token has. It opens nothing.
pub(super) const UNREAD: &str = "?";

/// What a request shows of who sends it.
pub(super) struct Shown<'a> {
    pub(super) token: Option<&'a str>,
    pub(super) ticket: Option<String>,
    pub(super) cookie: Option<&'a str>,
    /// Whose events are asked for, and how that is written in the path.
    pub(super) session: Option<(SessionId, &'a str)>,
    /// Our name, as the caller knows it.
    pub(super) host: Option<&'a str>,
}

impl<'a> Shown<'a> {
    /// Tickets and cookies are for reading alone: nothing that changes anything can be done with what a browser sends by
    /// itself.
    ///
    /// # Errors
    /// Where there are two tickets.
    pub(super) fn of(method: &Method, uri: &'a Uri, headers: &'a HeaderMap) -> Result<Self, Problem> {
        let (token, host) = (bearer(headers), origin::host(uri, headers));
        if token.is_some() || !reads(method) {
            return Ok(Self { token, ticket: None, cookie: None, session: None, host });
        }
        let pairs = single_pairs(uri.query().unwrap_or_default(), &["ticket"])?;
        let ticket = pairs.into_iter().find(|(name, _)| name == "ticket").map(|(_, value)| value);
        let session = session_of(uri.path()).filter(|_| ticket.is_some());
        Ok(Self { token, ticket, cookie: cookie::of(headers), session, host })
    }
}

/// Whether that only reads: `HEAD` is `GET` without the body (RFC 9110, 9.3.2), also for who may.
pub(super) fn reads(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// The token of `Authorization: Bearer` (RFC 6750, 2.1). A header that isn't one counts as a wrong token, not as none, and so
/// do two that differ: who is in front may have looked at the other one.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let first = all.next()?;
    Some(if all.all(|other| other == first) { token_in(first.as_bytes()) } else { UNREAD })
}

/// The token in the value of one field.
pub(super) fn token_in(value: &[u8]) -> &str {
    let visible = |byte: &u8| matches!(byte, b'\t' | b' '..=b'~');
    let value = std::str::from_utf8(value).ok().filter(|value| value.as_bytes().iter().all(visible));
    let value = value.unwrap_or(UNREAD);
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    if scheme.eq_ignore_ascii_case("bearer") { token.trim() } else { UNREAD }
}
