//! Requests a second and client address; off where it isn't configured.
//!
//! Health isn't limited: whoever watches the service would take it for dead because it is busy.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::Method;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::app::App;
use super::in_stream;
use super::problem::Problem;
use crate::domain::verdict::Code;

/// Addresses that are remembered before those that are idle are let go.
const ADDRESSES: usize = 10_000;

/// Wraps a router, where a rate is configured.
pub fn limited(router: Router<App>, app: &App) -> Router<App> {
    let Some(rate) = NonZeroU32::new(app.settings.requests_per_second) else { return router };
    let limiter = Arc::new(RateLimiter::keyed(Quota::per_second(rate)));
    router.layer(from_fn(move |request: Request, next: Next| check(limiter.clone(), request, next)))
}

async fn check(limiter: Arc<DefaultKeyedRateLimiter<IpAddr>>, request: Request, next: Next) -> Response {
    if limiter.len() > ADDRESSES {
        limiter.retain_recent();
    }
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    if let Some(Err(until)) = peer.map(|peer| limiter.check_key(&peer)) {
        let wait = until.wait_time_from(DefaultClock::default().now());
        return refusal(&request, wait.as_secs() + 1);
    }
    next.run(request).await
}

/// 429, or for a reader of event streams, who would never come back after that, the same in a stream.
fn refusal(request: &Request, seconds: u64) -> Response {
    let problem = Problem::new(Code::RateLimited, "too many requests from this address")
        .retry_after(u32::try_from(seconds).unwrap_or(u32::MAX));
    if request.method() == Method::GET && in_stream::is_taken_by(request.headers()) {
        return in_stream::refusal(&problem, in_stream::spread(seconds.saturating_mul(1_000)));
    }
    problem.into_response()
}
