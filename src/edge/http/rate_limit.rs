//! Requests a second, by client address and by token; each off where it isn't configured.
//!
//! Who has a rate reads in each answer how much of it is left (`RateLimit` and `RateLimit-Policy`,
//! draft-ietf-httpapi-ratelimit-headers). Health isn't limited: whoever watches the service would take it for dead because
//! it is busy.

use std::hash::Hash;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use super::access::Caller;
use super::app::App;
use super::in_stream;
use super::problem::Problem;
use crate::domain::ids::TenantId;
use crate::domain::verdict::Code;

/// Requests between two looks at who is idle and can be forgotten. A look goes through all that are remembered, so it is
/// no part of every request; between two, no more than this come anew.
const LOOK_AFTER: usize = 10_000;

/// The rates of the service.
#[derive(Default)]
pub struct RateLimits {
    address: Option<Limiter<IpAddr>>,
    token: Option<Limiter<(TenantId, std::sync::Arc<str>)>>,
}

impl RateLimits {
    /// Requests a second; 0: no bound.
    pub fn new(by_address: u32, by_token: u32) -> Self {
        Self { address: Limiter::new("address", by_address), token: Limiter::new("token", by_token) }
    }

    /// Whether any request is counted.
    pub fn are_off(&self) -> bool {
        self.address.is_none() && self.token.is_none()
    }
}

struct Limiter<K: Hash + Eq + Clone> {
    name: &'static str,
    rate: NonZeroU32,
    seen: AtomicUsize,
    counts: RateLimiter<K, DashMapStateStore<K>, DefaultClock, StateInformationMiddleware>,
}

impl<K: Hash + Eq + Clone> Limiter<K> {
    fn new(name: &'static str, rate: u32) -> Option<Self> {
        let rate = NonZeroU32::new(rate)?;
        let counts = RateLimiter::dashmap(Quota::per_second(rate)).with_middleware();
        Some(Self { name, rate, seen: AtomicUsize::new(1), counts })
    }

    /// Counts a request: how many are left, or in how many seconds there is one again.
    fn count(&self, key: &K) -> Result<u32, u64> {
        if self.seen.fetch_add(1, Ordering::Relaxed).is_multiple_of(LOOK_AFTER) {
            self.counts.retain_recent();
        }
        match self.counts.check_key(key) {
            Ok(state) => Ok(state.remaining_burst_capacity()),
            Err(until) => Err(until.wait_time_from(DefaultClock::default().now()).as_secs() + 1),
        }
    }

    async fn answered(&self, key: &K, request: Request, next: Next) -> Response {
        let (mut response, left) = match self.count(key) {
            Ok(left) => (next.run(request).await, left),
            Err(seconds) => (self.refusal(&request, seconds), 0),
        };
        self.tell(response.headers_mut(), left);
        response
    }

    fn tell(&self, headers: &mut HeaderMap, left: u32) {
        const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
        const STATE: HeaderName = HeaderName::from_static("ratelimit");
        let Self { name, rate, .. } = self;
        for (header, text) in
            [(POLICY, format!("\"{name}\";q={rate};w=1")), (STATE, format!("\"{name}\";r={left};t=1"))]
        {
            if let Ok(value) = HeaderValue::from_str(&text) {
                headers.append(header, value);
            }
        }
    }

    /// 429, or for a reader of event streams, who would never come back after that, the same in a stream.
    fn refusal(&self, request: &Request, seconds: u64) -> Response {
        let text = format!("too many requests from this {}: {} a second are taken", self.name, self.rate);
        let problem =
            Problem::new(Code::RateLimited, text).retry_after(u32::try_from(seconds).unwrap_or(u32::MAX));
        if in_stream::is_taken_by(request.method(), request.headers()) {
            return in_stream::refusal(&problem, in_stream::spread(seconds.saturating_mul(1_000)));
        }
        problem.into_response()
    }
}

/// By the address that the connection is from: before it is known who calls.
pub async fn by_address(State(app): State<App>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    match (&app.rate_limits.address, peer) {
        (Some(limiter), Some(peer)) => limiter.answered(&peer, request, next).await,
        (None, _) | (_, None) => next.run(request).await,
    }
}

/// By what the caller was granted, wherever it calls from.
pub async fn by_token(State(app): State<App>, caller: Caller, request: Request, next: Next) -> Response {
    let Some(limiter) = &app.rate_limits.token else { return next.run(request).await };
    let grant = caller.grant();
    limiter.answered(&(grant.tenant.clone(), grant.name.clone()), request, next).await
}
