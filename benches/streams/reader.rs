//! One reader of an event stream: a socket, and the proof that it got every event once and in order.
//!
//! It looks for marks only. Decoding chunks and parsing events would make the load generator, which shares the
//! machine with the server, the thing that is measured.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;

use anyhow::{Context, Result, bail, ensure};
use memchr::memmem;

use crate::event::{MARK, MARK_BYTES, read_mark};

/// A reader. Its events must be revisions 1, 2, 3, … of one stream.
pub struct Reader {
    pub socket: TcpStream,
    /// The last revision seen, which is also the number of events received.
    pub received: u64,
    /// All bytes received, framing included.
    pub bytes: u64,
    /// The answer's head came, and it was a 200.
    pub is_open: bool,
    carried: usize,
    /// The end of the last read, where it may hold the beginning of a mark.
    carry: [u8; MARK_BYTES - 1],
}

impl Reader {
    /// Takes a connected, non-blocking socket on which the request is sent or will be.
    pub fn new(socket: TcpStream) -> Self {
        Self { socket, received: 0, bytes: 0, is_open: false, carried: 0, carry: [0; MARK_BYTES - 1] }
    }

    /// Reads once, into `buffer`, and hands the send time of each event to `seen`.
    ///
    /// Errors: the server hung up, answered something else than 200, or lost, doubled or swapped an event.
    pub fn read(&mut self, buffer: &mut [u8], mut seen: impl FnMut(u64)) -> Result<()> {
        buffer[..self.carried].copy_from_slice(&self.carry[..self.carried]);
        let count = match self.socket.read(&mut buffer[self.carried..]) {
            Ok(0) => bail!("the server closed the stream after event {}", self.received),
            Ok(count) => count,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                return Ok(());
            }
            Err(error) => return Err(error).context("reading a stream"),
        };
        let bytes = &buffer[..self.carried + count];
        self.bytes += count as u64;
        if !self.is_open {
            let head = String::from_utf8_lossy(&bytes[..bytes.len().min(500)]);
            ensure!(head.starts_with("HTTP/1.1 200"), "a reader was refused: {head}");
            self.is_open = true;
        }
        let mut done = 0;
        for at in memmem::find_iter(bytes, MARK) {
            if at + MARK_BYTES > bytes.len() {
                break;
            }
            let mark = read_mark(&bytes[at..])?;
            ensure!(
                mark.revision == self.received + 1,
                "event {} came after event {}: lost, doubled or out of order",
                mark.revision,
                self.received
            );
            self.received = mark.revision;
            seen(mark.sent_ns);
            done = at + MARK_BYTES;
        }
        self.carried = (bytes.len() - done).min(MARK_BYTES - 1);
        self.carry[..self.carried].copy_from_slice(&bytes[bytes.len() - self.carried..]);
        Ok(())
    }
}
