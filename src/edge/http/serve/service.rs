//! The router as hyper calls it.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::Response;
use http::Request;
use hyper::body::{Body as _, Incoming};
use tower::Service as _;

use super::Server;
use super::detach::{Detached, may_detach};

/// The service of one connection.
pub(super) struct Visitor {
    server: Arc<Server>,
    peer: SocketAddr,
    sent_a_body: AtomicBool,
}

impl Visitor {
    pub(super) fn new(server: Arc<Server>, peer: SocketAddr) -> Self {
        Self { server, peer, sent_a_body: AtomicBool::new(false) }
    }

    /// Whether the last request had a body, which may not have been read to its end.
    pub(super) fn sent_a_body(&self) -> bool {
        self.sent_a_body.load(Ordering::Relaxed)
    }
}

impl hyper::service::Service<Request<Incoming>> for Visitor {
    type Response = Response;
    type Error = Detached;
    /// Boxed: hyper keeps the room of this type for as long as the connection lives, and it is needed only until the
    /// answer begins.
    type Future = Pin<Box<dyn Future<Output = Result<Response, Detached>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        self.sent_a_body.store(!request.body().is_end_stream(), Ordering::Relaxed);
        let may_detach = may_detach(&request);
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let answer = self.server.router.clone().call(request.map(Body::new));
        Box::pin(async move {
            let response = match answer.await {
                Ok(response) => response,
                Err(never) => match never {},
            };
            if may_detach { Detached::unless_ordinary(response) } else { Ok(response) }
        })
    }
}
