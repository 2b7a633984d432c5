//! A small HTTP/1.1 client: one connection a request, the answer whole or as it comes.

use std::net::SocketAddr;

use http::HeaderMap;
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};

use super::{Incoming, Planner, SseClient, Upload, within};

/// Where a service, or a line to one, is reached.
#[derive(Debug, Clone, Copy)]
pub struct Client {
    /// Its address.
    pub address: SocketAddr,
}

impl Client {
    /// A client of whoever listens at `address`.
    pub fn new(address: SocketAddr) -> Self {
        Self { address }
    }

    /// A `GET`.
    pub fn get(&self, path: impl Into<String>) -> Request {
        self.request("GET", path)
    }

    /// A `POST`.
    pub fn post(&self, path: impl Into<String>) -> Request {
        self.request("POST", path)
    }

    /// A request.
    pub fn request(&self, method: &'static str, path: impl Into<String>) -> Request {
        let (address, path) = (self.address, path.into());
        Request { address, method, path, headers: Vec::new(), body: Vec::new(), receive_buffer: None }
    }

    /// A planner of one session.
    pub fn planner(&self, session: &str) -> Planner {
        Planner::new(*self, session)
    }

    /// Reads an event stream.
    pub async fn sse(&self, path: impl Into<String>) -> SseClient {
        self.get(path).sse().await
    }

    /// A bare connection.
    pub async fn connect(&self) -> TcpStream {
        within("a connection", TcpStream::connect(self.address)).await.unwrap()
    }
}

/// A request that isn't sent yet.
#[derive(Debug, Clone)]
pub struct Request {
    address: SocketAddr,
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    receive_buffer: Option<u32>,
}

impl Request {
    /// With a header.
    pub fn header(mut self, name: &str, value: impl ToString) -> Self {
        self.headers.push((name.to_owned(), value.to_string()));
        self
    }

    /// With a body.
    pub fn body(mut self, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header("content-type", media_type)
    }

    /// With a JSON body.
    pub fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    /// Over a socket whose receive buffer (`SO_RCVBUF`) is small, so that a reader that doesn't read is noticed soon.
    pub fn receive_buffer(mut self, bytes: u32) -> Self {
        self.receive_buffer = Some(bytes);
        self
    }

    /// Sends it and reads the whole answer.
    pub async fn send(self) -> Answer {
        let what = format!("the answer to {} {}", self.method, self.path);
        within(&what, async {
            self.open().await.unwrap().whole().await.unwrap_or_else(|e| panic!("{what}: {e}"))
        })
        .await
    }

    /// Sends it and reads the head of the answer.
    pub async fn open(self) -> std::io::Result<Incoming> {
        let mut socket = self.dial().await?;
        let mut out = self.head(&format!("content-length: {}\r\n", self.body.len()));
        out.extend_from_slice(&self.body);
        // The service may answer, and close, before it has read all of a body that it refuses.
        let _ = socket.write_all(&out).await;
        let answer = Incoming::read_head(socket).await?;
        Ok(if self.method == "HEAD" { answer.without_body() } else { answer })
    }

    /// Asks for an event stream, which must come.
    pub async fn sse(self) -> SseClient {
        let what = format!("an event stream at {}", self.path);
        let opened = within(&what, self.header("accept", "text/event-stream").open()).await.unwrap();
        let media_type = opened.headers.get("content-type").map(|value| value.to_str().unwrap().to_owned());
        assert_eq!((opened.status, media_type.as_deref()), (200, Some("text/event-stream")), "{what}");
        SseClient::new(opened)
    }

    /// Begins a body that is sent bit by bit.
    pub async fn upload(self, media_type: &str) -> Upload {
        let mut socket = within("a connection", self.dial()).await.unwrap();
        let own = format!("content-type: {media_type}\r\ntransfer-encoding: chunked\r\n");
        socket.write_all(&self.head(&own)).await.unwrap();
        Upload::new(socket)
    }

    async fn dial(&self) -> std::io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        if let Some(bytes) = self.receive_buffer {
            socket.set_recv_buffer_size(bytes)?;
        }
        let stream = socket.connect(self.address).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    fn head(&self, own: &str) -> Vec<u8> {
        let Self { method, path, headers, .. } = self;
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        // Posts of events as their senders mostly make them: on a connection that they keep.
        let keeps = *method == "POST" && path.ends_with("/events");
        let close = if keeps { "" } else { "connection: close\r\n" };
        format!("{method} {path} HTTP/1.1\r\nhost: tributary\r\n{close}{own}{headers}\r\n").into_bytes()
    }
}

/// A whole answer.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error} in {}: {:?}", self.status, self.text()))
    }

    /// A header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The body as JSON, of an answer that must have this status.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()
    }
}
