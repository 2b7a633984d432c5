//! Which pages may call: our own, and those of configured origins (Fetch standard, CORS protocol).
//!
//! A browser sends a cookie along for whichever page asks, lets every page open a WebSocket, and send plain requests whose answer
//! it may not read: so where a cookie is what signs in, or nobody does, the page's origin is looked at as well.

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::Access;
use crate::domain::bridges::durable_streams::EXPOSED;
use crate::domain::verdict::Code;
use crate::edge::http::problem::Problem;

/// Any origin. Then no page may send cookies along.
const ANY: &str = "*";
/// How long a browser may remember what it may send.
const PREFLIGHT_AGE: std::time::Duration = std::time::Duration::from_secs(3_600);

/// What a page may read of an answer besides what it always may.
fn exposed() -> Vec<HeaderName> {
    let ours = ["location", "content-location", "retry-after", "ratelimit", "ratelimit-policy"];
    let all = ours.into_iter().chain(EXPOSED);
    all.map(HeaderName::from_static).collect()
}

/// Our name in a request: HTTP/2 has it beside the path (RFC 9113, 8.3.1), HTTP/1.1 in a header.
pub(super) fn host<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> Option<&'a str> {
    let authority = uri.authority().map(Authority::as_str);
    authority.or_else(|| headers.get(header::HOST)?.to_str().ok())
}

impl Access {
    /// What answers browsers that ask whether a page may call; `None` where only our own pages may.
    pub fn cors(&self) -> Option<CorsLayer> {
        if self.origins.is_empty() {
            return None;
        }
        let layer = CorsLayer::new()
            .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::DELETE])
            .allow_headers([
                header::AUTHORIZATION,
                header::CONTENT_TYPE,
                header::ACCEPT,
                header::CACHE_CONTROL,
                header::IF_NONE_MATCH,
                HeaderName::from_static("a2a-version"),
                HeaderName::from_static("last-event-id"),
                HeaderName::from_static("idempotency-key"),
                HeaderName::from_static("traceparent"),
                HeaderName::from_static("tracestate"),
                HeaderName::from_static("baggage"),
            ])
            .expose_headers(exposed())
            .max_age(PREFLIGHT_AGE);
        if self.origins.iter().any(|origin| origin == ANY) {
            return Some(layer.allow_origin(AllowOrigin::any()));
        }
        let origins = self.origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
        Some(layer.allow_origin(AllowOrigin::list(origins)).allow_credentials(true))
    }

    /// Refuses a page of somebody else's that a browser sent our cookie along for.
    pub(super) fn check_origin(&self, headers: &HeaderMap, host: Option<&str>) -> Result<(), Problem> {
        self.refuse_page(headers, host, "read with a cookie")
    }

    /// Where nobody signs in, refuses a page of somebody else's what a browser lets it do without asking: to send what changes
    /// something, and to open a WebSocket. Other answers it may not read (CORS).
    pub(super) fn check_page(
        &self,
        method: &Method,
        headers: &HeaderMap,
        host: Option<&str>,
    ) -> Result<(), Problem> {
        let reads = method.is_safe() && !headers.contains_key(header::UPGRADE);
        if reads || self.origins.iter().any(|origin| origin == ANY) {
            return Ok(());
        }
        self.refuse_page(headers, host, "call")
    }

    fn refuse_page(&self, headers: &HeaderMap, host: Option<&str>, what: &str) -> Result<(), Problem> {
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
        let origin = origin.to_str().unwrap_or("?");
        let ours = host.is_some() && origin.split_once("://").map(|(_, host)| host) == host;
        if ours || self.origins.iter().any(|allowed| allowed == origin) {
            return Ok(());
        }
        let text = format!("pages of this origin may not {what} (cors.allowed_origins)");
        Err(Problem::new(Code::Forbidden, text))
    }
}
