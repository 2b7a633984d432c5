//! What a service answers, as it arrives: head, then body, with a length or in chunks (RFC 9112, 6 and 7.1).

use anyhow::{Context, bail, ensure};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

/// Longest head or line of a chunk's size.
const HEAD_MAX: usize = 64 * 1024;

/// An answer whose body is still arriving.
#[derive(Debug)]
pub struct Incoming {
    /// The HTTP status.
    pub status: u16,
    stream: TcpStream,
    /// What arrived and wasn't handed out.
    held: Vec<u8>,
    left: Left,
}

/// What is left of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    Bytes(usize),
    /// In chunks; so much is left of the one that is coming.
    Chunks(usize),
    Nothing,
}

impl Incoming {
    /// Reads the head.
    pub async fn begin(stream: TcpStream) -> anyhow::Result<Self> {
        let mut incoming = Self { status: 0, stream, held: Vec::new(), left: Left::Nothing };
        let head = incoming.read_through(b"\r\n\r\n").await.context("no answer came")?;
        let head = String::from_utf8(head)?.to_ascii_lowercase();
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1));
        incoming.status = status.unwrap_or_default().parse().context("an answer without a status")?;
        let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        incoming.left = match (field("transfer-encoding"), field("content-length")) {
            _ if incoming.status == 204 => Left::Nothing,
            (Some(_), _) => Left::Chunks(0),
            (None, Some(length)) => Left::Bytes(length.parse()?),
            (None, None) => bail!("an answer with neither a length nor chunks"),
        };
        Ok(incoming)
    }

    /// The next bytes of the body; `None` at its end.
    ///
    /// # Errors
    /// Where the connection ends before the body does.
    pub async fn next(&mut self) -> anyhow::Result<Option<Vec<u8>>> {
        match self.left {
            Left::Nothing | Left::Bytes(0) => Ok(None),
            Left::Bytes(left) => {
                let part = self.read_some(left).await?;
                self.left = Left::Bytes(left - part.len());
                Ok(Some(part))
            }
            Left::Chunks(0) => {
                let line = self.read_through(b"\r\n").await?;
                let size = usize::from_str_radix(std::str::from_utf8(&line)?.trim(), 16)?;
                if size == 0 {
                    self.read_through(b"\r\n").await?;
                    self.left = Left::Nothing;
                    return Ok(None);
                }
                self.next_of_chunk(size).await.map(Some)
            }
            Left::Chunks(left) => self.next_of_chunk(left).await.map(Some),
        }
    }

    /// The rest of the body as text.
    pub async fn text(mut self) -> anyhow::Result<String> {
        let mut body = Vec::new();
        while let Some(part) = self.next().await? {
            body.extend(part);
        }
        Ok(String::from_utf8(body)?)
    }

    /// Breaks the connection off, as a failing network does: without a farewell.
    pub fn cut(self) -> anyhow::Result<()> {
        Ok(self.stream.set_zero_linger()?)
    }

    async fn next_of_chunk(&mut self, left: usize) -> anyhow::Result<Vec<u8>> {
        let part = self.read_some(left).await?;
        self.left = Left::Chunks(left - part.len());
        if part.len() == left {
            self.read_through(b"\r\n").await?;
        }
        Ok(part)
    }

    /// Some bytes, at most `most` and at least one.
    async fn read_some(&mut self, most: usize) -> anyhow::Result<Vec<u8>> {
        if self.held.is_empty() {
            self.read_more().await?;
        }
        let rest = self.held.split_off(self.held.len().min(most));
        Ok(std::mem::replace(&mut self.held, rest))
    }

    /// Everything through the first `end`.
    async fn read_through(&mut self, end: &[u8]) -> anyhow::Result<Vec<u8>> {
        loop {
            if let Some(at) = self.held.windows(end.len()).position(|window| window == end) {
                let rest = self.held.split_off(at + end.len());
                return Ok(std::mem::replace(&mut self.held, rest));
            }
            ensure!(self.held.len() <= HEAD_MAX, "a head of over {HEAD_MAX} bytes");
            self.read_more().await?;
        }
    }

    async fn read_more(&mut self) -> anyhow::Result<()> {
        let read = self.stream.read_buf(&mut self.held).await?;
        ensure!(read > 0, "the connection broke off");
        Ok(())
    }
}
