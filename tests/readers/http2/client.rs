//! One connection of HTTP/2.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use http::request::Builder;
use http::{HeaderMap, HeaderValue, Request};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::client::conn::http2::{self, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, pem::PemObject};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto};

use crate::harness::{Answer, within};

type Sent = StreamBody<UnboundedReceiver<Result<Frame<Bytes>, Infallible>>>;

/// A connection. Requests on it run at once.
#[derive(Clone)]
pub struct Http2 {
    send: SendRequest<Sent>,
}

impl Http2 {
    /// By prior knowledge.
    pub async fn plain(address: SocketAddr) -> Self {
        Self::over(TcpStream::connect(address).await.unwrap()).await
    }

    /// Over TLS; the handshake must agree on it.
    pub async fn encrypted(address: SocketAddr, authority: &Path) -> Self {
        let stream =
            within("a TLS handshake", handshake(address, authority, &["h2", "http/1.1"])).await.unwrap();
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
        Self::over(stream).await
    }

    async fn over(io: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) -> Self {
        let mut http = http2::Builder::new(TokioExecutor::new());
        http.initial_stream_window_size(65_535).initial_connection_window_size(8 << 20);
        let (send, connection) = within("HTTP/2", http.handshake(TokioIo::new(io))).await.unwrap();
        tokio::spawn(connection);
        Self { send }
    }

    /// Sends a request, once the service lets it; the head of the answer.
    async fn ask(&self, request: Builder, path: &str, body: Sent) -> hyper::Result<Body> {
        let mut send = self.send.clone();
        let request = request.uri(format!("http://tributary{path}"));
        send.ready().await?;
        let (head, body) = send.send_request(request.body(body).unwrap()).await?.into_parts();
        Ok(Body { status: head.status.as_u16(), headers: head.headers, body, text: String::new() })
    }

    /// Opens a stream.
    pub async fn open(&self, path: &str, accept: &str) -> Body {
        let asked = self.ask(Request::get("/").header("accept", accept), path, whole(""));
        within(format!("an answer to {path}"), asked)
            .await
            .unwrap_or_else(|error| panic!("{path}: {error:?}"))
    }

    /// Opens an event stream, which must be given.
    pub async fn events(&self, path: &str) -> Body {
        let mut stream = self.open(path, "text/event-stream").await;
        assert_eq!(
            (stream.status, &stream.headers["content-type"]),
            (200, &HeaderValue::from_static("text/event-stream"))
        );
        stream.until("event: open").await;
        stream
    }

    /// Sends JSON and reads the whole answer.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send_body(path, "application/json", whole(&body.to_string())).await
    }

    /// Sends lines of JSON as they come and reads the whole answer.
    pub async fn post_lines(&self, path: &str, body: Sent) -> Answer {
        self.send_body(path, "application/x-ndjson", body).await
    }

    async fn send_body(&self, path: &str, media_type: &str, body: Sent) -> Answer {
        let request = Request::post("/").header("content-type", media_type);
        let answering = async { self.ask(request, path, body).await.unwrap().whole().await };
        within(format!("the answer to {path}"), answering).await
    }
}

/// A body that is there.
fn whole(text: &str) -> Sent {
    let (send, body) = upload();
    send.unbounded_send(Ok(Frame::data(Bytes::copy_from_slice(text.as_bytes())))).unwrap();
    body
}

/// A body that is sent bit by bit.
pub fn upload() -> (UnboundedSender<Result<Frame<Bytes>, Infallible>>, Sent) {
    let (send, frames) = unbounded();
    (send, StreamBody::new(frames))
}

/// An answer on its way.
pub struct Body {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    body: Incoming,
    text: String,
}

impl Body {
    /// Reads until there is `wanted`; what came so far up to its end is taken away.
    pub async fn until(&mut self, wanted: &str) -> String {
        loop {
            if let Some(at) = self.text.find(wanted) {
                let rest = self.text.split_off(at + wanted.len());
                return std::mem::replace(&mut self.text, rest);
            }
            assert!(self.more().await, "the body ended before `{wanted}`: {}", self.text);
        }
    }

    /// All that is left, up to the clean end.
    pub async fn rest(mut self) -> String {
        while self.more().await {}
        self.text
    }

    async fn more(&mut self) -> bool {
        let Some(frame) = within("more of a body", self.body.frame()).await else { return false };
        let data = frame.unwrap().into_data().unwrap_or_default();
        self.text.push_str(std::str::from_utf8(&data).unwrap());
        true
    }

    /// The whole answer.
    pub async fn whole(self) -> Answer {
        let (status, headers) = (self.status, self.headers.clone());
        Answer { status, headers, body: self.rest().await.into_bytes() }
    }
}

/// A connection with TLS that trusts `authority` and offers these protocols.
///
/// # Errors
/// Where the service doesn't complete the handshake.
pub async fn handshake(
    address: SocketAddr,
    authority: &Path,
    protocols: &[&str],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(authority).unwrap()).unwrap();
    let provider = Arc::new(crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::from(std::net::IpAddr::from([127, 0, 0, 1]));
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}
