//! As much of an HTTP/1.1 client as the demo needs: a request a connection, bodies that grow, streams that stay open.
//!
//! Of its own, so that everything goes through a real socket without an HTTP client among the dependencies. It trusts
//! the service that runs in the same process: no redirects, no compression, no limits.

use std::fmt::Write as _;
use std::net::SocketAddr;

use anyhow::{Context, bail};
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::incoming::Incoming;
use super::sse::EventStream;

/// Speaks to one service.
#[derive(Debug, Clone, Copy)]
pub struct Client {
    addr: SocketAddr,
}

/// An answer with its whole body.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: String,
}

impl Answer {
    /// The body of a success.
    ///
    /// # Errors
    /// The problem document of anything else.
    pub fn ok(self) -> anyhow::Result<String> {
        match self.status {
            200..=299 => Ok(self.body),
            status => bail!("HTTP {status}: {}", self.body),
        }
    }
}

impl Client {
    /// A client for the service at `addr`.
    pub fn new(addr: SocketAddr) -> Self {
        Self { addr }
    }

    /// A path's URL.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> anyhow::Result<Answer> {
        self.ask("GET", path, &[("accept", "application/json")], "").await
    }

    /// `POST` of JSON.
    pub async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Answer> {
        let body = body.to_string();
        let length = body.len().to_string();
        let headers = [("content-type", "application/json"), ("content-length", &length)];
        self.ask("POST", path, &headers, &body).await
    }

    /// `POST` of a body that grows while it is sent.
    pub async fn upload(&self, path: &str, media: &str) -> anyhow::Result<Upload> {
        let headers = [("content-type", media), ("transfer-encoding", "chunked")];
        Ok(Upload { stream: self.begin("POST", path, &headers, "").await? })
    }

    /// Opens an event stream, after a cursor where there is one. `None`: 204, there is nothing left to read.
    pub async fn listen(&self, path: &str, cursor: Option<&str>) -> anyhow::Result<Option<EventStream>> {
        let mut headers = vec![("accept", "text/event-stream")];
        headers.extend(cursor.map(|cursor| ("last-event-id", cursor)));
        let incoming = Incoming::begin(self.begin("GET", path, &headers, "").await?).await?;
        match incoming.status {
            200 => Ok(Some(EventStream::new(incoming))),
            204 => Ok(None),
            status => bail!("HTTP {status}: {}", incoming.text().await?),
        }
    }

    async fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> anyhow::Result<Answer> {
        answer(self.begin(method, path, headers, body).await?).await
    }

    /// Sends a request's head and what there is of its body.
    async fn begin(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> anyhow::Result<TcpStream> {
        let mut stream = TcpStream::connect(self.addr).await.context("the service can't be reached")?;
        stream.set_nodelay(true)?;
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", self.addr);
        for (name, value) in headers {
            write!(head, "{name}: {value}\r\n")?;
        }
        head.push_str("\r\n");
        head.push_str(body);
        stream.write_all(head.as_bytes()).await?;
        Ok(stream)
    }
}

async fn answer(stream: TcpStream) -> anyhow::Result<Answer> {
    let incoming = Incoming::begin(stream).await?;
    Ok(Answer { status: incoming.status, body: incoming.text().await? })
}

/// A request whose body is still being sent.
pub struct Upload {
    stream: TcpStream,
}

impl Upload {
    /// Sends a part of the body, as a chunk (RFC 9112, 7.1).
    pub async fn send(&mut self, part: &str) -> anyhow::Result<()> {
        let chunk = format!("{:x}\r\n{part}\r\n", part.len());
        Ok(self.stream.write_all(chunk.as_bytes()).await?)
    }

    /// Ends the body and waits for the answer.
    pub async fn finish(mut self) -> anyhow::Result<Answer> {
        self.stream.write_all(b"0\r\n\r\n").await?;
        answer(self.stream).await
    }
}
