//! The cookie that follows a ticket: it opens reading of one session, at that session's paths, and scripts can't see it.

use axum::http::{HeaderMap, HeaderValue, header};

use super::{Caller, Entered};
use crate::engine::ports::sign_in::Redeemed;

/// Its name.
const NAME: &str = "tributary_reader";

/// How cookies are set (RFC 6265, 4.1; `SameSite`: RFC 6265bis).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CookieSettings {
    /// Whether a page of another site may use it: `None` then, else `Lax`.
    pub cross_site: bool,
    /// Whether it is only ever sent over TLS. A browser takes no other where `cross_site`.
    pub secure: bool,
}

impl CookieSettings {
    /// Who came in with a ticket, and the cookie for the next time. A browser compares paths as they are written, so the
    /// session stands in the cookie's as it was `asked` for, percent-encoded or not.
    pub(super) fn entered(self, redeemed: Redeemed, asked: Option<&str>) -> Entered {
        let Redeemed { grant, cookie, lives } = redeemed;
        let session = grant.sessions.as_ref().and_then(|sessions| sessions.first());
        let path = asked.or(session.map(|session| session.as_str())).unwrap_or_default();
        let same_site = if self.cross_site { "None" } else { "Lax" };
        let secure = if self.secure || self.cross_site { "; Secure" } else { "" };
        let text = format!(
            "{NAME}={cookie}; Path=/planner/sessions/{path}; Max-Age={}; HttpOnly; SameSite={same_site}{secure}",
            lives.as_secs()
        );
        // Ids, also percent-encoded, and base64url are visible ASCII without a semicolon.
        Entered { set_cookie: HeaderValue::from_str(&text).ok(), caller: Caller(grant) }
    }
}

/// The cookie of a request.
pub(super) fn of(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == NAME).map(|(_, value)| value)
}
