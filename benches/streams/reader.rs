//! One reader of an event stream: a socket, and the proof that it got every event once and in order.
//!
//! It looks for marks only. Decoding chunks and parsing events would make the load generator, which shares the
//! machine with the server, the thing that is measured. Where something is missing, a chunk may have ended inside of a mark:
//! only then are the chunks joined, and what is missing then is lost.

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
    carry: [u8; CARRY],
}

/// Bytes of the longest line end, size of a chunk and line end that may stand in a mark.
const SEAM: usize = 2 + 8 + 2;
/// A mark with a seam in it but for a byte.
const CARRY: usize = MARK_BYTES + SEAM - 1;

impl Reader {
    /// Takes a connected, non-blocking socket on which the request is sent or will be.
    pub fn new(socket: TcpStream) -> Self {
        Self { socket, received: 0, bytes: 0, is_open: false, carried: 0, carry: [0; CARRY] }
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
        if let Err(error) = self.scan(bytes, &mut done, &mut seen) {
            let joined = joined(&bytes[done..]);
            ensure!(joined.len() < bytes.len() - done, error);
            done = 0;
            self.scan(&joined, &mut done, &mut seen)?;
            self.keep(&joined[done..]);
            return Ok(());
        }
        let rest = &buffer[done..self.carried + count];
        self.keep(rest);
        Ok(())
    }

    /// Takes the marks in `bytes`; `done` is where the last one that was right ends.
    fn scan(&mut self, bytes: &[u8], done: &mut usize, seen: &mut impl FnMut(u64)) -> Result<()> {
        for at in memchr::memchr_iter(MARK[0], bytes) {
            let rest = &bytes[at..];
            let same = rest.iter().zip(MARK).take_while(|(byte, of_mark)| byte == of_mark).count();
            if same < MARK.len() && !matches!(rest.get(same), None | Some(b'\r')) {
                continue;
            }
            let mark = match read_mark(rest) {
                Ok(mark) => mark,
                // The next read may bring what it lacks.
                Err(_) if rest.len() <= CARRY => break,
                Err(error) => return Err(error),
            };
            ensure!(
                mark.revision == self.received + 1,
                "event {} came after event {}: lost, doubled or out of order",
                mark.revision,
                self.received
            );
            self.received = mark.revision;
            seen(mark.sent_ns);
            *done = at + MARK_BYTES;
        }
        Ok(())
    }

    /// Keeps the end of what was read for the next time.
    fn keep(&mut self, rest: &[u8]) {
        self.carried = rest.len().min(CARRY);
        self.carry[..self.carried].copy_from_slice(&rest[rest.len() - self.carried..]);
    }
}

/// The bytes without what stands between two chunks. In an event that is JSON there are no line ends of that kind.
fn joined(mut bytes: &[u8]) -> Vec<u8> {
    let mut joined = Vec::with_capacity(bytes.len());
    while let Some(at) = memmem::find(bytes, b"\r\n") {
        let size = &bytes[at + 2..];
        let digits = size.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let is_seam = digits > 0 && size[digits..].starts_with(b"\r\n");
        joined.extend_from_slice(&bytes[..if is_seam { at } else { at + 2 }]);
        bytes = if is_seam { &size[digits + 2..] } else { size };
    }
    joined.extend_from_slice(bytes);
    joined
}
