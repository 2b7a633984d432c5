//! One call of a language model, and how it is answered.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::watch;

use super::{Asked, Ended, Protocol, Shared, wire};

/// How soon a caller goes away that wants no answer any more: sooner than for any time that it has configured.
const AT_ONCE: Duration = Duration::from_secs(8);

/// An answer that needs no pacing.
#[derive(Debug, Clone)]
pub enum Says {
    /// A stream that says this and ends well.
    Text(String),
    /// A stream that says this and ends with the API's word for why.
    Stop(String, &'static str),
    /// The body of such a stream of which only so many bytes come.
    Cut(String, usize),
    /// The same, but that the body ends there as if it were whole.
    Short(String, usize),
    /// The same stream, a byte at a time.
    Drip(String),
    /// Such an answer that isn't streamed.
    Plain(String),
    /// A status with headers and a body.
    Status(u16, Vec<(&'static str, String)>, String),
    /// A body of this media type, with status 200.
    Body(&'static str, String),
    /// Nothing: the connection is closed instead of an answer.
    HangUp,
    /// Nothing, ever.
    Hang,
    /// This, and then nothing.
    HangBehind(String),
}

/// A call that waits for its answer.
pub struct Exchange {
    /// What was asked.
    pub asked: Asked,
    write: OwnedWriteHalf,
    peer_gone: watch::Receiver<bool>,
    shared: Arc<Shared>,
}

impl Exchange {
    pub(super) fn new(
        asked: Asked,
        write: OwnedWriteHalf,
        peer_gone: watch::Receiver<bool>,
        shared: Arc<Shared>,
    ) -> Self {
        Self { asked, write, peer_gone, shared }
    }

    /// The head of a stream, and what comes before its first text.
    pub async fn begin(&mut self) {
        self.head(200, "text/event-stream", &[]).await;
        self.write(&wire::begin(self.asked.protocol)).await;
    }

    /// A piece of text.
    pub async fn say(&mut self, text: &str) {
        self.write(&wire::piece(self.asked.protocol, text)).await;
    }

    /// The end, with the API's word for why.
    pub async fn stop(mut self, reason: &str) {
        self.write(&wire::end(self.asked.protocol, reason)).await;
        self.finish().await;
    }

    /// A good end.
    pub async fn end(self) {
        let reason = self.asked.protocol.whole();
        self.stop(reason).await;
    }

    /// Breaks off.
    pub fn cut(self) {
        self.ended(Ended::Cut);
    }

    /// Says nothing more, until the caller goes away, which must be at once.
    pub async fn gone(mut self) {
        let gone = tokio::time::timeout(AT_ONCE, self.peer_gone.wait_for(|gone| *gone)).await;
        assert!(gone.is_ok(), "the connection stays open");
    }

    /// Answers without pacing.
    pub async fn answer(mut self, says: Says) {
        let protocol = self.asked.protocol;
        let (body, size, whole) = match says {
            Says::Text(text) => (wire::whole(protocol, &text, protocol.whole()).0, usize::MAX, true),
            Says::Stop(text, reason) => (wire::whole(protocol, &text, reason).0, usize::MAX, true),
            Says::Drip(text) => (wire::whole(protocol, &text, protocol.whole()).0, 1, true),
            Says::Cut(text, at) => (beginning(protocol, &text, at), usize::MAX, false),
            Says::Short(text, at) => (beginning(protocol, &text, at), usize::MAX, true),
            Says::Plain(text) => {
                return self.body(200, "application/json", &[], &wire::plain(protocol, &text)).await;
            }
            Says::Status(status, headers, body) => {
                return self.body(status, "application/json", &headers, &body).await;
            }
            Says::Body(media_type, body) => return self.body(200, media_type, &[], &body).await,
            Says::HangUp => return self.cut(),
            Says::Hang => return self.hang().await,
            Says::HangBehind(text) => {
                self.begin().await;
                self.say(&text).await;
                return self.hang().await;
            }
        };
        self.head(200, "text/event-stream", &[]).await;
        for part in body.as_bytes().chunks(size.min(body.len().max(1))) {
            self.chunk(part).await;
        }
        if whole { self.finish().await } else { self.cut() }
    }

    async fn hang(mut self) {
        let _ = self.peer_gone.wait_for(|gone| *gone).await;
    }

    async fn body(mut self, status: u16, media_type: &str, headers: &[(&str, String)], body: &str) {
        self.head(status, media_type, headers).await;
        self.write(body).await;
        self.finish().await;
    }

    async fn head(&mut self, status: u16, media_type: &str, headers: &[(&str, String)]) {
        let mut head = format!(
            "HTTP/1.1 {status} Said\r\ncontent-type: {media_type}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n"
        );
        for (name, value) in headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        // A caller that is gone is noticed where it is read.
        let _ = self.write.write_all((head + "\r\n").as_bytes()).await;
    }

    async fn write(&mut self, text: &str) {
        self.chunk(text.as_bytes()).await;
    }

    async fn chunk(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            let chunk = [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
            let _ = self.write.write_all(&chunk).await;
        }
    }

    async fn finish(mut self) {
        let _ = self.write.write_all(b"0\r\n\r\n").await;
        self.ended(Ended::Answered);
    }

    fn ended(&self, ended: Ended) {
        self.shared.ended(self.asked.number, ended);
    }
}

/// So many bytes of a whole answer's body.
fn beginning(protocol: Protocol, text: &str, bytes: usize) -> String {
    let mut body = wire::whole(protocol, text, protocol.whole()).0;
    body.truncate(bytes);
    body
}
