//! The service as hyper calls it.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::response::Response;
use http::{Method, Request};
use hyper::body::{Body as _, Incoming};

use super::Server;
use super::detach::{Detached, may_detach};
use super::half_closed::Costly;
use crate::edge::http::entrance::Answering;

/// The service of one connection.
pub(super) struct Visitor {
    server: Arc<Server>,
    peer: SocketAddr,
    sent_a_body: AtomicBool,
    asks_to_wait: Arc<AtomicBool>,
    costly: Costly,
}

impl Visitor {
    pub(super) fn new(server: Arc<Server>, peer: SocketAddr) -> Self {
        let (sent_a_body, asks_to_wait, costly) = Default::default();
        Self { server, peer, sent_a_body, asks_to_wait, costly }
    }

    /// Whether the last request asks to wait for what isn't there yet.
    pub(super) fn asks_to_wait(&self) -> &Arc<AtomicBool> {
        &self.asks_to_wait
    }

    /// Whether the answer to the last request costs.
    pub(super) fn costly(&self) -> &Costly {
        &self.costly
    }

    /// Whether the last request had a body, which may not have been read to its end.
    pub(super) fn sent_a_body(&self) -> bool {
        self.sent_a_body.load(Ordering::Relaxed)
    }
}

impl hyper::service::Service<Request<Incoming>> for Visitor {
    type Response = Response;
    type Error = Detached;
    type Future = Answer;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        self.sent_a_body.store(!request.body().is_end_stream(), Ordering::Relaxed);
        self.asks_to_wait.store(is_long_poll(&request), Ordering::Relaxed);
        self.costly.reset();
        request.extensions_mut().insert(self.costly.clone());
        let may_detach = may_detach(&request);
        Answer { answering: self.server.entrance.answer(request, self.peer), may_detach }
    }
}

/// Whether a request is complete, and says that its answer may take a while.
fn is_long_poll(request: &Request<Incoming>) -> bool {
    let mut pairs = request.uri().query().unwrap_or_default().split('&');
    request.method() == Method::GET
        && request.body().is_end_stream()
        && pairs.any(|pair| pair.starts_with("wait_ms=") || pair == "live=long-poll")
}

/// An answer, some time later. Small, because hyper keeps the room for it for as long as the connection lives, though it
/// is needed only until the answer begins.
pub(super) struct Answer {
    answering: Answering,
    may_detach: bool,
}

impl Future for Answer {
    type Output = Result<Response, Detached>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let response = ready!(self.answering.as_mut().poll(cx));
        Poll::Ready(if self.may_detach { Detached::unless_ordinary(response) } else { Ok(response) })
    }
}
