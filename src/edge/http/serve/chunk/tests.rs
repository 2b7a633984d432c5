//! Chunks, and sockets that take little at a time.

use std::future::poll_fn;

use super::*;

#[test]
fn sizes_of_chunks_are_hex() {
    for bytes in [1, 15, 16, 255, 256, 4_095, 65_536, 1_048_577, usize::MAX] {
        assert_eq!(SizeLine::of(bytes).text(), format!("{bytes:x}\r\n").as_bytes());
    }
}

/// Takes a few bytes at a time, and none in between.
struct Narrow {
    taken: Vec<u8>,
    most: usize,
    is_full: bool,
}

impl AsyncWrite for Narrow {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.is_full = !self.is_full;
        if self.is_full {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let n = buf.len().min(self.most);
        self.taken.extend_from_slice(&buf[..n]);
        Poll::Ready(Ok(n))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let whole: Vec<u8> = bufs.iter().flat_map(|buf| buf.iter().copied()).collect();
        self.poll_write(cx, &whole)
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

async fn written(mut chunk: Chunk, most: usize) -> Vec<u8> {
    let mut socket = Narrow { taken: Vec::new(), most, is_full: false };
    poll_fn(|cx| chunk.poll_write(Pin::new(&mut socket), cx)).await.unwrap();
    socket.taken
}

fn chunk(head: &'static str, frames: &[Vec<u8>], ends_body: bool) -> Chunk {
    let mut chunk = Chunk::after(head.as_bytes().into());
    for frame in frames {
        assert!(chunk.has_room());
        chunk.add(frame.clone().into());
    }
    chunk.close(ends_body);
    chunk
}

#[tokio::test]
async fn all_parts_are_written_in_order_however_little_the_socket_takes_at_a_time() {
    let large = || vec![b'x'; COPIED_MAX];
    let cases = [vec![], vec![b"one".to_vec()], vec![b"one".to_vec(), large(), b"three".to_vec()]];
    for (frames, ends_body) in cases.into_iter().flat_map(|frames| [(frames.clone(), true), (frames, false)])
    {
        let data = frames.concat();
        let mut expected = b"head\r\n".to_vec();
        if !data.is_empty() {
            expected.extend([format!("{:x}\r\n", data.len()).as_bytes(), &data[..], b"\r\n"].concat());
        }
        if ends_body {
            expected.extend(b"0\r\n\r\n");
        }
        for most in [1, 2, 7, 4_096, usize::MAX] {
            let found = written(chunk("head\r\n", &frames, ends_body), most).await;
            assert!(found == expected, "{} frames, {most} bytes at a time", frames.len());
        }
    }
}

#[tokio::test]
async fn chunk_without_anything_is_nothing_to_write() {
    assert!(chunk("", &[], false).is_empty());
    assert_eq!(written(chunk("", &[], true), 100).await, b"0\r\n\r\n");
}

#[test]
fn chunk_is_bounded_by_its_frames_and_bytes() {
    let mut many = Chunk::default();
    (0..FRAMES_MAX).for_each(|_| {
        assert!(many.has_room());
        many.add(b"x".as_slice().into());
    });
    assert!(!many.has_room());
    let mut large = Chunk::default();
    large.add(vec![b'x'; BYTES_MAX].into());
    assert!(!large.has_room());
}
