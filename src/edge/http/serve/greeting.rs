//! What a caller speaks: found out before anything is set up for it.
//!
//! Over TLS the handshake agrees on it (ALPN, RFC 7301). Without, HTTP/2 begins with a preface that no request of HTTP/1.1
//! can begin with (RFC 9113, 3.4), so the first bytes are looked at and left where they are.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use super::connection::linger;
use super::sockets::Socket;

/// How HTTP/2 without TLS begins; no method of HTTP/1.1 does.
const PREFACE: &[u8; 4] = b"PRI ";
/// How TLS begins: a record with a message of the handshake (RFC 8446, 5.1).
const HANDSHAKE: u8 = 22;
/// For who speaks plain HTTP where TLS is spoken: an alert, which is what TLS has for it, would tell them nothing.
const SPEAK_TLS: &[u8] = b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\ncontent-length: 43\r\n\
    connection: close\r\n\r\nThis port speaks TLS: begin with https://.\n";
/// Until a caller who sent less than that is looked at again. Nobody does it but to try.
const AGAIN: Duration = Duration::from_millis(20);
/// Versions of HTTP by their names in the handshake, the better first.
pub(super) const ALPN: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// The version that a caller speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spoken {
    /// HTTP/1.1 or 1.0.
    Http1,
    /// HTTP/2.
    Http2,
}

/// A connection as it was accepted.
pub(super) struct Accepted {
    pub(super) stream: TcpStream,
    pub(super) permit: OwnedSemaphorePermit,
}

impl Accepted {
    /// Waits for the caller's first bytes, at most `patience`. `None` where nothing sensible came in that time.
    pub(super) async fn greet(
        self,
        tls: Option<&TlsAcceptor>,
        patience: Duration,
    ) -> Option<(Socket, Spoken)> {
        let Self { stream, permit } = self;
        let Some(tls) = tls else {
            let spoken = timeout(patience, spoken(&stream)).await.ok()?.ok()?;
            return Some((Socket::plain(stream, permit), spoken));
        };
        if timeout(patience, first_byte(&stream)).await.ok()?.ok()? != HANDSHAKE {
            let mut socket = Socket::plain(stream, permit);
            if socket.write_all(SPEAK_TLS).await.is_ok() && socket.shutdown().await.is_ok() {
                linger(socket).await;
            }
            return None;
        }
        let stream = match timeout(patience, tls.accept(stream)).await.ok()? {
            Ok(stream) => stream,
            Err(error) => {
                tracing::debug!(%error, "a TLS handshake failed");
                return None;
            }
        };
        let agreed = stream.get_ref().1.alpn_protocol();
        let spoken = if agreed == Some(ALPN[0]) { Spoken::Http2 } else { Spoken::Http1 };
        Some((Socket::encrypted(stream, permit), spoken))
    }
}

/// Looks at it, and leaves it where it is.
async fn first_byte(stream: &TcpStream) -> io::Result<u8> {
    let mut first = [0];
    match stream.peek(&mut first).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(first[0]),
    }
}

async fn spoken(stream: &TcpStream) -> io::Result<Spoken> {
    let mut first = [0; PREFACE.len()];
    loop {
        let n = stream.peek(&mut first).await?;
        if n == 0 || !PREFACE.starts_with(&first[..n]) {
            return Ok(Spoken::Http1);
        }
        if n == PREFACE.len() {
            return Ok(Spoken::Http2);
        }
        sleep(AGAIN).await;
    }
}

/// What is needed to take connections with TLS.
#[derive(Clone)]
pub struct Tls(pub(super) TlsAcceptor);

impl Tls {
    /// From a certificate chain and its key.
    pub fn new(config: tokio_rustls::rustls::ServerConfig) -> Self {
        let mut config = config;
        config.alpn_protocols = ALPN.iter().map(|name| name.to_vec()).collect();
        Self(TlsAcceptor::from(Arc::new(config)))
    }
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tls")
    }
}
