//! How calls end early: by time, by whoever made them, by a limit.

use super::*;

fn head() -> Step {
    Step::Send(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n".into())
}

fn part_of_a_chunk() -> Step {
    Step::Send(b"5\r\nab".into())
}

/// Long enough to be sent, short enough to wait for.
const SHORT: Duration = Duration::from_millis(300);

#[tokio::test]
async fn no_answer_until_the_deadline_is_too_late() {
    let peer = Peer::doing(vec![Step::Hold]).await;
    let mut call = call(&peer.url("/"));
    call.patience = SHORT;
    assert_eq!(read(&client(), call).await.unwrap_err(), CallError::TimedOut);
    peer.until(|seen| seen.ended == 1).await;
}

#[tokio::test]
async fn without_patience_nobody_is_called_even_where_a_connection_is_at_hand() {
    let peer = Peer::answering("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let client = client();
    for (path, patience, is_read) in [("/1", SOON, true), ("/2", Duration::ZERO, false), ("/3", SOON, true)] {
        let mut call = call(&peer.url(path));
        call.patience = patience;
        assert_eq!(read(&client, call).await.is_ok(), is_read);
    }
    peer.until(|seen| seen.requests.last().is_some_and(|request| request.starts_with("POST /3 "))).await;
    assert_eq!(peer.seen.lock().requests.len(), 2);
}

#[tokio::test]
async fn endless_patience_is_no_overflow() {
    let peer = Peer::doing(vec![Step::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".into())]).await;
    let client = client_with(|options| {
        options.idle_timeout = Duration::MAX;
        options.connect_timeout = Duration::from_secs(1 << 20);
    });
    let mut call = call(&peer.url("/"));
    call.patience = Duration::MAX;
    assert!(read(&client, call).await.unwrap().is_empty());
}

#[tokio::test]
async fn silence_ends_a_call_before_the_head_and_within_the_body() {
    for steps in [vec![Step::Hold], vec![head(), Step::Hold]] {
        let peer = Peer::doing(steps).await;
        let client = client_with(|options| options.idle_timeout = SHORT);
        let begun = Instant::now();
        assert_eq!(read(&client, call(&peer.url("/"))).await.unwrap_err(), CallError::TimedOut);
        assert!(begun.elapsed() < SOON, "that was the deadline");
        peer.until(|seen| seen.ended == 1).await;
    }
}

#[tokio::test]
async fn a_body_that_drips_is_over_at_the_deadline() {
    let peer = Peer::doing(vec![head(), Step::Endless(b"1\r\na\r\n".into())]).await;
    let mut call = call(&peer.url("/"));
    call.patience = SHORT;
    let client = client_with(|options| options.answer_bytes_max = usize::MAX);
    assert_eq!(read(&client, call).await.unwrap_err(), CallError::TimedOut);
    peer.until(|seen| seen.ended == 1).await;
}

#[tokio::test]
async fn what_is_read_after_the_deadline_is_too_late_even_if_it_came_before() {
    let peer = Peer::doing(vec![head(), part_of_a_chunk(), Step::Hold]).await;
    let mut answer = client().call(call(&peer.url("/"))).await.unwrap();
    assert_eq!(answer.body.next().await.unwrap().unwrap(), "a");
    for _ in 0..100 {
        tokio::task::yield_now().await; // The next chunk comes.
    }
    tokio::time::pause();
    tokio::time::advance(SOON * 2).await;
    assert_eq!(answer.body.next().await.unwrap().unwrap_err(), CallError::TimedOut);
}

#[tokio::test]
async fn a_connection_that_is_not_made_in_time_is_unreachable() {
    // A full queue of connections that nobody accepts: the system leaves further ones without an answer.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = Vec::new();
    while let Ok(connected) = tokio::time::timeout(SHORT, tokio::net::TcpStream::connect(address)).await {
        waiting.push(connected.unwrap());
        assert!(waiting.len() < 100, "the queue is never full here");
    }
    let client = client_with(|options| options.connect_timeout = SHORT);
    let error = read(&client, call(&format!("http://{address}/"))).await.unwrap_err();
    assert_eq!(error, CallError::Unreachable("no connection in time".into()));
}

#[tokio::test]
async fn dropping_the_call_closes_the_connection() {
    let peer = Peer::doing(vec![Step::Hold]).await;
    let client = std::sync::Arc::new(client());
    let (caller, url) = (client.clone(), peer.url("/"));
    let calling = tokio::spawn(async move { caller.call(call(&url)).await.map(|_| ()) });
    peer.until(|seen| seen.requests.len() == 1).await;
    assert_eq!(peer.seen.lock().ended, 0);
    calling.abort();
    peer.until(|seen| seen.ended == 1).await;
}

#[tokio::test]
async fn dropping_the_body_closes_the_connection() {
    let peer = Peer::doing(vec![head(), Step::Hold]).await;
    let client = client();
    let mut answer = client.call(call(&peer.url("/"))).await.unwrap();
    assert_eq!(answer.body.next().await.unwrap().unwrap(), "a");
    assert_eq!(peer.seen.lock().ended, 0);
    drop(answer);
    peer.until(|seen| seen.ended == 1).await;
}
