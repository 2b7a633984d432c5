//! Where an answer sends us, and whether we go there.
//!
//! Only 307 and 308 keep a POST a POST (RFC 9110, sections 15.4.8 and 15.4.9); after the others a client would send a GET,
//! which isn't the call. The target must pass the same rules as the call itself. All texts leave path and query out.

use http::{HeaderMap, StatusCode, header};
use url::Url;

use super::secrets::printable;
use crate::domain::allowed_host::{AllowedHost, refusal};

#[cfg(test)]
mod tests;

/// How many redirects a call follows.
pub(super) const REDIRECTS_MAX: usize = 3;

/// The next URL to call; an error says why there is none.
pub(super) fn target(
    from: &Url,
    status: StatusCode,
    headers: &HeaderMap,
    rules: &[AllowedHost],
) -> Result<Url, String> {
    if !matches!(status, StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT) {
        return Err(format!("status {} doesn't repeat a POST", status.as_u16()));
    }
    let mut locations = headers.get_all(header::LOCATION).iter();
    let (Some(location), None) = (locations.next(), locations.next()) else {
        return Err("it names none or several places".into());
    };
    let location = std::str::from_utf8(location.as_bytes()).map_err(|_| "its place can't be read")?;
    let to = from.join(location).map_err(|_| "its place can't be read")?;
    if from.scheme() == "https" && to.scheme() != "https" {
        return Err("from https to another scheme".into());
    }
    match refusal(&to, rules) {
        Some(refusal) => Err(printable(refusal.as_bytes(), 256)),
        None => Ok(to),
    }
}

/// Whether credentials for `from` may be sent to `to`: the same host, at the same port.
pub(super) fn is_same_place(from: &Url, to: &Url) -> bool {
    from.host() == to.host() && from.port_or_known_default() == to.port_or_known_default()
}
