//! What one write of an event stream puts into the socket: a chunk (RFC 9112, 7.1) of the frames that are there.

use std::cell::RefCell;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use tokio::io::AsyncWrite;

/// Frames and bytes of one write.
const FRAMES_MAX: usize = 16;
const BYTES_MAX: usize = 64 * 1024;
/// Up to here, copying the parts into one place costs less than telling the kernel of each.
const COPIED_MAX: usize = 4 * 1024;
/// What may stand around the frames.
const PARTS_MAX: usize = FRAMES_MAX + 3;

const END_OF_CHUNK: &[u8] = b"\r\n";
const END_OF_BODY: &[u8] = b"0\r\n\r\n";
const BOTH_ENDS: &[u8] = b"\r\n0\r\n\r\n";

/// Frames, and the bytes around them. Nearly always there is one frame, so that one needs no list.
#[derive(Default)]
pub(super) struct Chunk {
    /// What goes before the chunk: an answer's head.
    before: Bytes,
    size: SizeLine,
    first: Bytes,
    more: Vec<Bytes>,
    end: &'static [u8],
    /// Bytes of the frames.
    bytes: usize,
    /// Bytes of everything that are written.
    written: usize,
    is_closed: bool,
}

impl Chunk {
    pub(super) fn after(before: Bytes) -> Self {
        Self { before, ..Self::default() }
    }

    /// Whether frames may be added.
    pub(super) fn is_open(&self) -> bool {
        !self.is_closed
    }

    pub(super) fn has_room(&self) -> bool {
        self.bytes < BYTES_MAX && self.more.len() + 1 < FRAMES_MAX
    }

    pub(super) fn add(&mut self, frame: Bytes) {
        self.bytes += frame.len();
        if self.first.is_empty() {
            self.first = frame;
        } else if !frame.is_empty() {
            self.more.push(frame);
        }
    }

    /// No more frames come; `ends_body`: in no later chunk either.
    pub(super) fn close(&mut self, ends_body: bool) {
        self.is_closed = true;
        if self.bytes > 0 {
            self.size = SizeLine::of(self.bytes);
        }
        self.end = match (self.bytes > 0, ends_body) {
            (true, true) => BOTH_ENDS,
            (true, false) => END_OF_CHUNK,
            (false, true) => END_OF_BODY,
            (false, false) => b"",
        };
    }

    /// Whether there is nothing to write.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn len(&self) -> usize {
        self.before.len() + self.size.text().len() + self.bytes + self.end.len()
    }

    fn parts(&self) -> impl Iterator<Item = &[u8]> {
        let around = [&self.before[..], self.size.text(), &self.first[..]];
        around.into_iter().chain(self.more.iter().map(|frame| &frame[..])).chain([self.end])
    }

    fn copy_into(&self, copy: &mut Vec<u8>) {
        for part in [&self.before[..], self.size.text(), &self.first[..]] {
            copy.extend_from_slice(part);
        }
        self.more.iter().for_each(|frame| copy.extend_from_slice(frame));
        copy.extend_from_slice(self.end);
    }

    /// Writes all that isn't written yet.
    pub(super) fn poll_write<W: AsyncWrite>(
        &mut self,
        mut socket: Pin<&mut W>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        let len = self.len();
        while self.written < len {
            let written = if len - self.written <= COPIED_MAX {
                ready!(self.poll_write_copied(socket.as_mut(), cx))?
            } else {
                ready!(self.poll_write_parts(socket.as_mut(), cx))?
            };
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.written += written;
        }
        // What is encrypted may wait above the socket.
        socket.poll_flush(cx)
    }

    fn poll_write_copied<W: AsyncWrite>(
        &self,
        socket: Pin<&mut W>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        thread_local! {
            static COPY: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        }
        COPY.with_borrow_mut(|copy| {
            copy.clear();
            if self.written == 0 {
                self.copy_into(copy);
            } else {
                self.unwritten().for_each(|part| copy.extend_from_slice(part));
            }
            socket.poll_write(cx, copy)
        })
    }

    fn poll_write_parts<W: AsyncWrite>(
        &self,
        socket: Pin<&mut W>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        let mut slices = [IoSlice::new(&[]); PARTS_MAX];
        let mut count = 0;
        for (slice, part) in slices.iter_mut().zip(self.unwritten()) {
            *slice = IoSlice::new(part);
            count += 1;
        }
        socket.poll_write_vectored(cx, &slices[..count])
    }

    /// What lies behind the bytes that are written.
    fn unwritten(&self) -> impl Iterator<Item = &[u8]> {
        let mut skip = self.written;
        self.parts().filter_map(move |part| {
            let rest = part.get(skip..).unwrap_or_default();
            skip = skip.saturating_sub(part.len());
            (!rest.is_empty()).then_some(rest)
        })
    }
}

/// The line before a chunk: its size in hex. It is written for every reader and event, so it is put together without
/// `fmt`, in its place.
#[derive(Default)]
struct SizeLine {
    text: [u8; SizeLine::BYTES],
    len: usize,
}

impl SizeLine {
    /// The digits of the largest size, and the end of the line.
    const BYTES: usize = usize::BITS as usize / 4 + 2;

    fn of(bytes: usize) -> Self {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let digits = (usize::BITS - bytes.leading_zeros()).div_ceil(4).max(1) as usize;
        let mut text = [0; Self::BYTES];
        for (at, digit) in text[..digits].iter_mut().enumerate() {
            *digit = HEX[bytes >> (4 * (digits - 1 - at)) & 15];
        }
        text[digits..digits + 2].copy_from_slice(b"\r\n");
        Self { text, len: digits + 2 }
    }

    fn text(&self) -> &[u8] {
        &self.text[..self.len]
    }
}

#[cfg(test)]
mod tests;
