//! Calls of real servers on this machine that speak raw HTTP, well or badly.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use futures::StreamExt;
use futures::future::BoxFuture;

use super::*;

mod answers;
mod endings;
mod peer;
mod places;
mod tls;

use peer::{Peer, Step};

/// Longer than any test waits for what is bound to happen.
const SOON: Duration = Duration::from_secs(20);

/// Everything on this machine may be called.
fn options() -> CallOptions {
    let hosts = ["127.0.0.1", "[::1]", "localhost"].map(|host| host.parse().unwrap());
    let secrets = [("crm_token".to_owned(), "Bearer hunter22".to_owned())];
    CallOptions {
        allowed_hosts: hosts.into(),
        allow_private: true,
        secrets: Secrets::new(secrets).unwrap(),
        ca_certificates: None,
        calls_max: 100,
        connect_timeout: SOON,
        idle_timeout: SOON,
        answer_bytes_max: 1 << 20,
    }
}

fn client() -> HttpSubagents {
    client_with(|_| {})
}

fn client_with(change: impl FnOnce(&mut CallOptions)) -> HttpSubagents {
    let mut options = options();
    change(&mut options);
    HttpSubagents::new(options).unwrap()
}

/// A call with a secret, which no error may show.
fn call(url: &str) -> OutboundCall {
    let header = |name, value| (HeaderName::from_static(name), HeaderValue::from_static(value));
    OutboundCall {
        url: url.parse().unwrap(),
        headers: vec![
            header("content-type", "application/json"),
            header("authorization", "secret:crm_token"),
            header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        ],
        body: bytes::Bytes::from_static(b"{\"task\":1}"),
        accept: "application/json",
        patience: SOON,
    }
}

/// The whole answer, or why there is none.
async fn read(client: &HttpSubagents, call: OutboundCall) -> Result<Vec<u8>, CallError> {
    let url = call.url.to_string();
    let read = async {
        let mut answer = client.call(call).await?;
        let mut read = Vec::new();
        while let Some(chunk) = answer.body.next().await {
            read.extend_from_slice(&chunk?);
        }
        Ok(read)
    };
    let read = tokio::time::timeout(SOON * 2, read).await.expect("a call ends");
    if let Err(error) = &read {
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("hunter22"), "{url}: {shown}");
    }
    read
}
