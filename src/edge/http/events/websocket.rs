//! The stream as a WebSocket (RFC 6455): a text message for each line of NDJSON.
//!
//! The reader is the same cursor as everywhere, so verdicts, frames, heartbeats and the view of those who lag are the same
//! too. It isn't asked for more before what it gave has left: a socket that isn't read holds one chunk.
//!
//! | close code | after |
//! |---|---|
//! | 1000 | `end`: nothing will follow |
//! | 1012 | `drain`: come back at the last `id` |
//! | 1008 | `error`, where coming back as before won't help; or the peer sent more than it has to say |
//! | 1013 | `error`, where it will later |
//! | 1009 | the peer sent a message that is too large |
//! | 1002, 1007 | the peer broke the protocol, or sent text that isn't UTF-8 |

use std::error::Error as _;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::Error;
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use futures::stream::SplitSink;
use futures::{SinkExt, StreamExt};
use tokio::time::{Instant, Sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::{self, error::CapacityError};

use crate::edge::http::app::App;
use crate::engine::mux::Reader;

mod handshake;
pub use handshake::handshake;

/// The name of what is spoken, where a client asks for one.
const SUBPROTOCOL: &str = "tributary.v1";
/// A peer has nothing to say but pings, pongs and its close.
const MESSAGE_BYTES_MAX: usize = 64 * 1024;
/// What it may send all the same before it is cut off.
const CHATTER_MAX: usize = 64 * 1024;
/// Held by every connection, for what comes from the peer.
const READ_BUFFER_BYTES: usize = 1024;
/// How long a peer may take to answer our close, or to take what is written last.
const CLOSE_TIME: Duration = Duration::from_secs(5);

/// Answers with the upgrade; the stream goes on in a task that the service waits for.
pub fn upgrade(app: &App, upgrade: WebSocketUpgrade, reader: Reader) -> Response {
    let (stop, tasks) = (app.streams.stop.clone(), app.streams.tasks.clone());
    let ping = Duration::from_millis(app.settings.heartbeat_ms);
    upgrade
        .protocols([SUBPROTOCOL])
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(0)
        .max_message_size(MESSAGE_BYTES_MAX)
        .max_frame_size(MESSAGE_BYTES_MAX)
        .on_failed_upgrade(|error| tracing::debug!(%error, "an upgrade failed"))
        .on_upgrade(move |socket| {
            tasks.track_future(async move {
                stop.run_until_cancelled(Box::pin(run(socket, reader, ping))).await;
            })
        })
}

async fn run(socket: WebSocket, mut reader: Reader, ping: Duration) {
    let (mut out, mut peer) = socket.split();
    let mut hearing = Hearing::new(ping);
    let close = loop {
        tokio::select! {
            biased;
            heard = peer.next() => match hearing.heard(heard) {
                Heard::Fine => {}
                Heard::Gone => return,
                Heard::Closed => {
                    // The library has its answer ready (RFC 6455, 5.5.1), and sends it with the next flush.
                    let _ = timeout(CLOSE_TIME, out.flush()).await;
                    return;
                }
                Heard::Refused(close) => break close,
            },
            () = hearing.rest() => match hearing.ask(&mut out).await {
                Ok(()) => {}
                Err(_) => return,
            },
            chunk = poll_fn(|cx| reader.poll_next(cx)) => {
                let Some(chunk) = chunk else { break close(1000, "") };
                // Reading goes on only when all is written: a peer that stops reading is found out by TCP_USER_TIMEOUT.
                match send(&mut out, &chunk).await {
                    Ok(None) => {}
                    Ok(Some(close)) => break close,
                    Err(error) => return tracing::debug!(%error, "a WebSocket ended early"),
                }
            }
        }
    };
    // The peer closes after it, or is left.
    let goodbye = async {
        if out.send(Message::Close(Some(close))).await.is_ok() {
            while let Some(Ok(_)) = peer.next().await {}
        }
    };
    let _ = timeout(CLOSE_TIME, goodbye).await;
}

/// Sends the lines of a chunk, a message each; says how to close where the last one ends the stream.
async fn send(out: &mut SplitSink<WebSocket, Message>, chunk: &Bytes) -> Result<Option<CloseFrame>, Error> {
    let mut end = None;
    let mut begin = 0;
    for newline in memchr::memchr_iter(b'\n', chunk) {
        let line = chunk.slice(std::mem::replace(&mut begin, newline + 1)..newline);
        end = ending(&line);
        let text = Utf8Bytes::try_from(line).map_err(Error::new)?;
        out.feed(Message::Text(text)).await?;
    }
    out.flush().await?;
    Ok(end)
}

/// How to close after this line, where nothing follows it.
fn ending(line: &[u8]) -> Option<CloseFrame> {
    let after = line.strip_prefix(br#"{"event":""#)?;
    let name = &after[..memchr::memchr(b'"', after)?];
    match name {
        b"end" => Some(close(1000, "the stream is complete")),
        b"drain" => Some(close(1012, "come back at the last id")),
        b"error" => {
            let later = memchr::memmem::find(line, b"\"store_unavailable\"").is_some();
            Some(if later { close(1013, "come back later") } else { close(1008, "see the error") })
        }
        _ => None,
    }
}

fn close(code: u16, reason: &'static str) -> CloseFrame {
    CloseFrame { code, reason: Utf8Bytes::from_static(reason) }
}

/// What comes from the peer, and whether it still lives.
struct Hearing {
    ping: Duration,
    heard_at: Instant,
    /// Pings since then. Not time: a peer that didn't read for long had none to answer.
    asked: u32,
    /// Armed once a ping, not once a message.
    timer: Pin<Box<Sleep>>,
    chatter: usize,
}

enum Heard {
    Fine,
    /// The peer closes.
    Closed,
    /// The connection is gone, or of no use any more.
    Gone,
    Refused(CloseFrame),
}

impl Hearing {
    /// Pings without an answer after which a peer counts as gone.
    const PINGS: u32 = 3;

    fn new(ping: Duration) -> Self {
        let heard_at = Instant::now();
        Self { ping, heard_at, asked: 0, timer: Box::pin(sleep_until(heard_at + ping)), chatter: 0 }
    }

    fn heard(&mut self, message: Option<Result<Message, Error>>) -> Heard {
        self.heard_at = Instant::now();
        self.asked = 0;
        match message {
            None => Heard::Gone,
            Some(Ok(Message::Close(_))) => Heard::Closed,
            Some(Err(error)) => refusal(&error).map_or(Heard::Gone, Heard::Refused),
            // Whoever asks often whether we live has said nothing yet.
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => Heard::Fine,
            Some(Ok(message)) => {
                self.chatter += message.into_data().len();
                if self.chatter > CHATTER_MAX {
                    return Heard::Refused(close(1008, "this stream is only for reading"));
                }
                Heard::Fine
            }
        }
    }

    /// Until it is time to look whether the peer was heard.
    async fn rest(&mut self) {
        self.timer.as_mut().await;
        self.timer.as_mut().reset(Instant::now() + self.ping);
    }

    /// Asks a peer that was silent whether it is there.
    async fn ask(&mut self, out: &mut SplitSink<WebSocket, Message>) -> Result<(), Error> {
        if self.heard_at.elapsed() < self.ping / 2 {
            return Ok(());
        }
        if self.asked == Self::PINGS {
            return Err(Error::new("the peer doesn't answer"));
        }
        self.asked += 1;
        out.send(Message::Ping(Bytes::new())).await
    }
}

/// How to close after what the peer did wrong (RFC 6455, 7.1.7); `None` where it is gone.
fn refusal(error: &Error) -> Option<CloseFrame> {
    use tungstenite::error::ProtocolError::{
        HandshakeIncomplete, ResetWithoutClosingHandshake, SendAfterClosing,
    };
    #[expect(clippy::wildcard_enum_match_arm, reason = "the library's errors, not ours")]
    match error.source()?.downcast_ref()? {
        tungstenite::Error::Capacity(CapacityError::MessageTooLong { .. }) => {
            Some(close(1009, "nothing that large is taken here"))
        }
        tungstenite::Error::Utf8(_) => Some(close(1007, "text is UTF-8")),
        tungstenite::Error::Protocol(
            ResetWithoutClosingHandshake | HandshakeIncomplete | SendAfterClosing,
        ) => None,
        tungstenite::Error::Protocol(_) => Some(close(1002, "this isn't RFC 6455")),
        _ => None,
    }
}
