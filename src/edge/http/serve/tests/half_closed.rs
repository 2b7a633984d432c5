//! Callers that close their side after the request.

use axum::Extension;

use super::half_closed::Costly;
use super::*;

/// Answers after so long, with so many bytes; `open` counts who works at an answer.
fn slow(after: Duration, bytes: usize, open: Arc<AtomicUsize>) -> Router {
    Router::new().fallback(move || {
        let alive = Alive::new(&open);
        async move {
            sleep(after).await;
            drop(alive);
            "x".repeat(bytes)
        }
    })
}

#[tokio::test]
async fn who_has_said_all_there_is_to_say_is_answered() {
    for (after_ms, bytes) in [(0, 1), (200, 1), (0, 4 << 20), (200, 4 << 20)] {
        let router = slow(Duration::from_millis(after_ms), bytes, Arc::default());
        let server = start(router, settings()).await;
        for request in
            ["GET / HTTP/1.1\r\nhost: t\r\n\r\n", "POST / HTTP/1.1\r\nhost: t\r\ncontent-length: 1\r\n\r\nx"]
        {
            let mut stream = server.send(request).await;
            stream.shutdown().await.unwrap();
            // What doesn't fit in waits for its reader.
            sleep(Duration::from_millis(300)).await;
            let answer = read_all(stream).await;
            assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{after_ms} ms: {answer:.100}");
            assert!(answer.len() > bytes, "{after_ms} ms: {} of {bytes}", answer.len());
        }
    }
}

#[tokio::test]
async fn who_hangs_up_is_not_worked_for_much_longer() {
    let open = Arc::new(AtomicUsize::new(0));
    let server = start(slow(Duration::from_secs(60), 1, open.clone()), settings()).await;
    let stream = server.send(CLOSE).await;
    until(|| open.load(Ordering::SeqCst) == 1).await;
    drop(stream);
    until(|| open.load(Ordering::SeqCst) == 0).await;

    // Who was answered is gone at once, and has no place any more.
    let mut one = settings();
    one.connections_max = 1;
    let server = start(slow(Duration::ZERO, 1, open.clone()), one).await;
    for _ in 0..3 {
        let mut stream = server.send("GET / HTTP/1.1\r\nhost: t\r\n\r\n").await;
        let answer = read_until(&mut stream, "\r\n\r\nx").await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        stream.shutdown().await.unwrap();
        let closed = tokio::time::timeout(Duration::from_millis(500), stream.read(&mut [0; 16])).await;
        assert_eq!(closed.expect("it closes at once").unwrap(), 0);
    }
}

/// A second is what an answer may take that nobody asked to wait for.
#[tokio::test]
async fn who_asks_to_wait_is_answered_however_long_that_takes() {
    let router = slow(Duration::from_millis(1_500), 1, Arc::default());
    let server = start(router, settings()).await;
    for (query, is_answered) in [("?wait_ms=1500", true), ("?offset=now&live=long-poll", true), ("", false)] {
        let mut stream = server.send(&format!("GET /{query} HTTP/1.1\r\nhost: t\r\n\r\n")).await;
        stream.shutdown().await.unwrap();
        let answer = read_all(stream).await;
        assert_eq!(answer.starts_with("HTTP/1.1 200 OK\r\n"), is_answered, "{query}: {answer}");
    }
}

/// Where each second costs, whoever goes is gone, though he asked to wait; but for who had said all before.
#[tokio::test]
async fn who_hangs_up_on_an_answer_that_costs_is_gone_at_once() {
    let open = Arc::new(AtomicUsize::new(0));
    let (begun, counted) = (Arc::new(AtomicUsize::new(0)), open.clone());
    let begins = begun.clone();
    let router = Router::new().fallback(move |Extension(costly): Extension<Costly>| {
        let alive = Alive::new(&counted);
        begins.fetch_add(1, Ordering::SeqCst);
        async move {
            costly.begin();
            std::future::pending::<()>().await;
            drop(alive);
        }
    });
    let server = start(router, settings()).await;
    let stream = server.send("GET /?wait_ms=60000 HTTP/1.1\r\nhost: t\r\n\r\n").await;
    until(|| begun.load(Ordering::SeqCst) == 1).await;
    drop(stream);
    until(|| open.load(Ordering::SeqCst) == 0).await;
}

#[tokio::test]
async fn who_reads_an_event_stream_so_reads_it_to_its_end() {
    for _ in 0..20 {
        let (send, feed) = mpsc::unbounded();
        let open = Arc::new(AtomicUsize::new(0));
        let server = start(fed(feed, open.clone(), true), settings()).await;
        send.unbounded_send(Ok(Bytes::from_static(b"frame"))).unwrap();
        let mut stream = server.send(EVENTS).await;
        stream.shutdown().await.unwrap();
        // What it is asked with is a part of the next chunk's size.
        let answer = read_until(&mut stream, "\r\n\r\n5\r\nframe\r\n0").await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        send.unbounded_send(Ok(Bytes::from_static(b"later"))).unwrap();
        read_until(&mut stream, "5\r\nlater\r\n").await;
        assert_eq!(open.load(Ordering::SeqCst), 1);
        drop(send);
        assert_eq!(read_all(stream).await, "0\r\n\r\n");
        until(|| open.load(Ordering::SeqCst) == 0).await;
    }
}

#[tokio::test]
async fn who_hung_up_on_an_event_stream_has_no_place_any_more_though_nothing_happens() {
    let (send, feed) = mpsc::unbounded();
    let open = Arc::new(AtomicUsize::new(0));
    let server = start(fed(feed, open.clone(), true), settings()).await;
    let mut stream = server.send(EVENTS).await;
    send.unbounded_send(Ok(Bytes::from_static(b"frame"))).unwrap();
    read_until(&mut stream, "5\r\nframe\r\n").await;
    drop(stream);
    until(|| open.load(Ordering::SeqCst) == 0).await;
    drop(send);
}
