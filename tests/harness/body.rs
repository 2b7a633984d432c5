//! Bodies on their way: what comes in (by length, in chunks or until the end), and what goes out bit by bit.

use std::io::{Error, ErrorKind, Result};

use bytes::{Buf, BytesMut};
use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Answer, within};

/// How the end of a body is known (RFC 9112, 6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// So many bytes are left.
    Length(usize),
    /// A chunk's size comes next.
    Size,
    /// So many bytes of a chunk are left.
    Chunk(usize),
    /// All until the connection closes.
    UntilClose,
    /// Nothing is left.
    Nothing,
}

/// An answer whose head is there.
pub struct Incoming {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    socket: TcpStream,
    raw: BytesMut,
    rest: Rest,
}

impl Incoming {
    /// Reads the head of an answer.
    pub async fn read_head(mut socket: TcpStream) -> Result<Self> {
        let mut raw = BytesMut::new();
        let end = loop {
            if let Some(at) = raw.windows(4).position(|four| four == b"\r\n\r\n") {
                break at;
            }
            if socket.read_buf(&mut raw).await? == 0 {
                return Err(Error::new(ErrorKind::UnexpectedEof, format!("no whole head: {raw:?}")));
            }
        };
        let head = String::from_utf8(raw[..end].to_vec()).unwrap();
        raw.advance(end + 4);
        let mut lines = head.split("\r\n");
        let status: u16 = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = HeaderMap::new();
        for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
            headers.append(
                HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_str(value).unwrap(),
            );
        }
        let length = headers.get("content-length").map(|value| value.to_str().unwrap().parse().unwrap());
        let rest = match length {
            _ if status == 204 => Rest::Nothing,
            _ if headers.contains_key("transfer-encoding") => Rest::Size,
            Some(length) => Rest::Length(length),
            None => Rest::UntilClose,
        };
        Ok(Self { status, headers, socket, raw, rest })
    }

    /// An answer to `HEAD`: it says what there would be, and nothing follows (RFC 9110, 9.3.2).
    pub(super) fn without_body(mut self) -> Self {
        self.rest = Rest::Nothing;
        self
    }

    /// The next bytes of the body, `None` after its end.
    ///
    /// # Errors
    /// Where the connection ends before the body does.
    pub async fn next(&mut self) -> Result<Option<BytesMut>> {
        loop {
            let decoded = self.decode();
            if !decoded.is_empty() {
                return Ok(Some(decoded));
            }
            if matches!(self.rest, Rest::Nothing | Rest::Length(0)) {
                return Ok(None);
            }
            if self.socket.read_buf(&mut self.raw).await? == 0 {
                let whole = self.rest == Rest::UntilClose;
                return if whole {
                    Ok(None)
                } else {
                    Err(Error::new(ErrorKind::UnexpectedEof, "the body broke off"))
                };
            }
        }
    }

    /// The rest of the body, and with it the answer.
    pub async fn whole(mut self) -> Result<Answer> {
        let mut body = Vec::new();
        while let Some(bytes) = self.next().await? {
            body.extend_from_slice(&bytes);
        }
        Ok(Answer { status: self.status, headers: self.headers, body })
    }

    fn decode(&mut self) -> BytesMut {
        let mut out = BytesMut::new();
        loop {
            match &mut self.rest {
                Rest::Nothing => return out,
                Rest::UntilClose => return self.raw.split(),
                Rest::Length(left) | Rest::Chunk(left) if *left > 0 => {
                    let taken = self.raw.split_to(self.raw.len().min(*left));
                    *left -= taken.len();
                    if taken.is_empty() {
                        return out;
                    }
                    out.unsplit(taken);
                }
                Rest::Length(_) => return out,
                Rest::Chunk(_) if self.raw.len() < 2 => return out,
                Rest::Chunk(_) => {
                    self.raw.advance(2);
                    self.rest = Rest::Size;
                }
                Rest::Size => {
                    let Some(end) = self.raw.windows(2).position(|two| two == b"\r\n") else { return out };
                    let size =
                        usize::from_str_radix(std::str::from_utf8(&self.raw[..end]).unwrap(), 16).unwrap();
                    self.raw.advance(end + 2);
                    self.rest = if size == 0 { Rest::Nothing } else { Rest::Chunk(size) };
                }
            }
        }
    }
}

/// A body that is sent bit by bit.
pub struct Upload {
    socket: TcpStream,
}

impl Upload {
    pub(super) fn new(socket: TcpStream) -> Self {
        Self { socket }
    }

    /// Sends some of it.
    pub async fn send(&mut self, text: &str) {
        assert!(self.offer(text).await, "the service has closed the connection");
    }

    /// Sends some of it, unless the service has closed the connection.
    pub async fn offer(&mut self, text: &str) -> bool {
        let chunk = format!("{:x}\r\n{text}\r\n", text.len());
        within("room for a chunk", self.socket.write_all(chunk.as_bytes())).await.is_ok()
    }

    /// Breaks its framing, and reads the answer to that.
    pub async fn break_off(mut self) -> Answer {
        self.socket.write_all(b"no length\r\n").await.unwrap();
        self.answer().await
    }

    /// Ends it and reads the answer.
    pub async fn finish(mut self) -> Answer {
        self.socket.write_all(b"0\r\n\r\n").await.unwrap();
        self.answer().await
    }

    /// Reads the answer to what was sent so far.
    pub async fn answer(self) -> Answer {
        let read = async { Incoming::read_head(self.socket).await.unwrap().whole().await.unwrap() };
        within("the answer to a streamed body", read).await
    }

    /// Reads the answer to what was sent so far; `None` where the service closed the connection without a word.
    pub async fn maybe_answer(self) -> Option<Answer> {
        let read = async { Incoming::read_head(self.socket).await.ok()?.whole().await.ok() };
        within("the answer to a streamed body, or the end", read).await
    }

    /// Goes away in the middle.
    pub fn hang_up(self) {}
}
