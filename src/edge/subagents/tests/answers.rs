//! What comes back: successes, refusals, and what isn't an answer.

use proptest::test_runner::TestRunner;

use super::*;

const SUCCESS: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";

#[tokio::test]
async fn a_call_is_a_post_of_the_body_to_the_url_as_it_stands() {
    let peer = Peer::answering(SUCCESS).await;
    let mut answer = client().call(call(&peer.url("/run/%7Ea?b=c%20d"))).await.unwrap();
    assert_eq!((answer.status, answer.content_type.as_deref()), (200, Some("application/json")));
    assert_eq!(answer.body.next().await.unwrap().unwrap(), "{}");
    assert!(answer.body.next().await.is_none());

    let request = peer.request();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert_eq!(body, "{\"task\":1}");
    let mut lines = head.lines();
    assert_eq!(lines.next(), Some("POST /run/%7Ea?b=c%20d HTTP/1.1"));
    let headers: BTreeMap<&str, &str> = lines.map(|line| line.split_once(": ").unwrap()).collect();
    assert_eq!(headers["authorization"], "Bearer hunter22");
    assert_eq!(headers["accept"], "application/json");
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(headers["host"], peer.address.to_string());
    assert!(headers["user-agent"].starts_with("tributary/"));
    assert!(headers.contains_key("traceparent") && !headers.contains_key("accept-encoding"));
    assert_eq!(headers.len(), 7, "{headers:?}");
}

#[tokio::test]
async fn headers_that_frame_the_message_or_name_another_host_are_withheld() {
    let peer = Peer::answering(SUCCESS).await;
    let mut call = call(&peer.url("/"));
    for name in WITHHELD {
        call.headers.push((HeaderName::from_static(name), HeaderValue::from_static("evil")));
    }
    for value in ["1", "2"] {
        call.headers.push((HeaderName::from_static("x-tag"), HeaderValue::from_static(value)));
    }
    read(&client(), call).await.unwrap();
    let request = peer.request();
    assert!(!request.contains("evil"), "{request}");
    assert!(request.contains("x-tag: 1\r\nx-tag: 2\r\n"), "{request}");
}

#[tokio::test]
async fn more_headers_than_a_message_can_hold_are_refused() {
    let mut call = call("http://127.0.0.1:1/");
    let name = |number| HeaderName::from_bytes(format!("x-{number}").as_bytes()).unwrap();
    call.headers.extend((0..40_000).map(|number| (name(number), HeaderValue::from_static("a"))));
    assert!(matches!(read(&client(), call).await, Err(CallError::NotAllowed(_))));
}

#[tokio::test]
async fn a_body_is_read_however_it_is_framed() {
    for (framed, expected) in [
        ("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc", "abc"),
        (
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n2;x=y\r\nbc\r\n0\r\nt: u\r\n\r\n",
            "abc",
        ),
        ("HTTP/1.1 200 OK\r\n\r\nabc", "abc"),
        ("HTTP/1.0 200 OK\r\n\r\nabc", "abc"),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n", ""),
        ("HTTP/1.1 204 No Content\r\n\r\n", ""),
        ("HTTP/1.1 200 OK\r\ncontent-encoding: identity\r\ncontent-length: 1\r\n\r\na", "a"),
    ] {
        let peer = Peer::doing(vec![Step::Send(framed.into()), Step::Close]).await;
        let body = read(&client(), call(&peer.url("/"))).await.unwrap();
        assert_eq!(String::from_utf8(body).unwrap(), expected, "{framed}");
    }
}

#[tokio::test]
async fn connections_are_used_again() {
    let peer = Peer::answering(SUCCESS).await;
    let client = client();
    for _ in 0..5 {
        read(&client, call(&peer.url("/"))).await.unwrap();
    }
    let seen = peer.seen.lock();
    assert_eq!((seen.connections, seen.requests.len()), (1, 5));
}

#[tokio::test]
async fn connections_of_a_burst_are_used_again_by_the_next() {
    const CALLS: usize = 60;
    let length = 1 << 18;
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
    let peer = Peer::answering([head.into_bytes(), vec![b'a'; length]].concat()).await;
    let client = client();
    for _ in 0..2 {
        let mut answers = Vec::new();
        for _ in 0..CALLS {
            // Until it is read an answer of this length keeps its connection.
            answers.push(client.call(call(&peer.url("/"))).await.unwrap());
        }
        for answer in &mut answers {
            while let Some(chunk) = answer.body.next().await {
                chunk.unwrap();
            }
        }
    }
    let seen = peer.seen.lock();
    assert_eq!((seen.connections, seen.requests.len()), (CALLS, 2 * CALLS));
}

#[tokio::test]
async fn a_refusal_tells_status_delay_and_the_beginning_of_its_body() {
    let late = jiff::Timestamp::now() + Duration::from_secs(90);
    let date = late.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    for (head, body, status, delay, detail) in [
        ("400 Bad Request", "no", 400, None, "no".to_owned()),
        ("401 Unauthorized", "wrong key: Bearer hunter22", 401, None, "wrong key: <secret>".into()),
        ("404 Not Found", "", 404, None, String::new()),
        ("429 Too Many\r\nretry-after: 7", "slow\r\ndown\u{0}", 429, Some(7_000..=7_000), "slow down".into()),
        ("503 Busy\r\nretry-after-ms: 20", "{\"a\": 1}", 503, Some(20..=20), "{\"a\": 1}".into()),
        (&format!("503 Busy\r\nretry-after: {date}"), "", 503, Some(60_000..=90_000), String::new()),
        ("503 Busy\r\nretry-after: soon", "", 503, None, String::new()),
        ("529 Overloaded", &"é".repeat(4_000), 529, None, "é".repeat(256)),
        ("304 Not Modified", "", 304, None, String::new()),
        ("599 Odd", "x", 599, None, "x".into()),
    ] {
        let length = if status == 304 { 0 } else { body.len() };
        let bytes = format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\n\r\n{body}");
        let peer = Peer::answering(bytes).await;
        let error = read(&client(), call(&peer.url("/"))).await.unwrap_err();
        let CallError::Status { status: told, retry_after_ms, detail: text } = error else {
            panic!("{head}: {error:?}")
        };
        assert_eq!((told, text), (status, detail));
        assert_eq!(retry_after_ms.is_some(), delay.is_some(), "{head}");
        assert!(retry_after_ms.is_none_or(|ms| delay.is_some_and(|delay| delay.contains(&ms))), "{head}");
    }
}

#[tokio::test]
async fn a_refusal_whose_body_never_ends_or_breaks_off_is_a_refusal_all_the_same() {
    let head = || Step::Send(b"HTTP/1.1 503 Busy\r\ntransfer-encoding: chunked\r\n\r\n".into());
    for steps in [
        vec![head(), Step::Endless(b"5\r\nwait \r\n".into())],
        vec![head(), Step::Send(b"5\r\nwait \r\n".into()), Step::Hold],
        vec![head(), Step::Send(b"7\r\nwait ".into()), Step::Close],
    ] {
        let peer = Peer::doing(steps).await;
        let begun = Instant::now();
        let error = read(&client(), call(&peer.url("/"))).await.unwrap_err();
        assert!(begun.elapsed() < SOON, "its explanation isn't worth the whole deadline");
        let CallError::Status { status: 503, detail, .. } = error else { panic!("{error:?}") };
        assert!(detail.starts_with("wait") && detail.len() <= 512, "{detail}");
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_broken() {
    for (bytes, expected_before) in [
        ("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", "abc"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n5\r\nab", "abcab"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n", "abc"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n", "abc"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\na", ""),
    ] {
        let peer = Peer::doing(vec![Step::Send(bytes.into()), Step::Close]).await;
        let client = client();
        let mut answer = client.call(call(&peer.url("/"))).await.unwrap();
        let mut before = Vec::new();
        let error = loop {
            match answer.body.next().await.unwrap() {
                Ok(chunk) => before.extend_from_slice(&chunk),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, CallError::Broken(_)), "{bytes}: {error:?}");
        assert_eq!(String::from_utf8(before).unwrap(), expected_before);
        assert!(answer.body.next().await.is_none(), "nothing comes after an error");
    }
}

#[tokio::test]
async fn what_is_not_an_http_answer_is_broken_and_silence_is_unreachable() {
    for (bytes, code) in [
        ("SSH-2.0-OpenSSH_9.6\r\n\r\n", "broken_answer"),
        ("HTTP/1.1 abc OK\r\n\r\n", "broken_answer"),
        ("HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n", "broken_answer"),
        ("HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "broken_answer"),
        ("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\na", "compressed_answer"),
        ("", "unreachable"),
        ("HTTP/1.1 200 O", "unreachable"),
        ("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", "status_other"),
    ] {
        let peer = Peer::doing(vec![Step::Send(bytes.into()), Step::Close]).await;
        let error = read(&client(), call(&peer.url("/"))).await.unwrap_err();
        assert_eq!(error.code(), code, "{bytes}: {error:?}");
        let hung_up = matches!(error, CallError::HungUp(_));
        assert_eq!(hung_up, code == "unreachable", "it was reached: {error:?}");
    }
}

#[tokio::test]
async fn endless_headers_end_the_call() {
    for line in ["x-a: b\r\n".to_owned(), "x".repeat(4_096)] {
        let head = Step::Send(b"HTTP/1.1 200 OK\r\n".into());
        let peer = Peer::doing(vec![head, Step::Endless(line.into())]).await;
        let error = read(&client(), call(&peer.url("/"))).await.unwrap_err();
        assert_eq!(error.code(), "broken_answer", "{error:?}");
        peer.until(|seen| seen.ended == 1).await;
    }
}

#[tokio::test]
async fn a_message_that_never_gets_on_ends_at_its_limit_or_at_the_deadline() {
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    // What is skipped as it comes reaches a limit only where much of it comes at once.
    let skipped: &[_] = &["timed_out", "broken_answer"];
    for (head, endless, codes) in [
        ("", "HTTP/1.1 100 Continue\r\n\r\n", skipped),
        ("", "\r\n", skipped),
        (chunked, "0", skipped),
        (&format!("{chunked}1;"), "x=y;", &["broken_answer"]),
        (&format!("{chunked}0\r\n"), "t: u\r\n", &["broken_answer"]),
    ] {
        let peer = Peer::doing(vec![Step::Send(head.into()), Step::Endless(endless.into())]).await;
        let mut call = call(&peer.url("/"));
        // Where a limit ends it, a busy machine gets the time to reach that.
        call.patience = Duration::from_secs(if codes.len() > 1 { 1 } else { 60 });
        let error = read(&client(), call).await.unwrap_err();
        assert!(codes.contains(&error.code()), "{head:?}{endless:?}: {error:?}");
        peer.until(|seen| seen.ended == 1).await;
    }
}

#[test]
fn any_bytes_are_an_answer_or_an_error() {
    let beginnings = proptest::sample::select(vec![
        "",
        "HTTP/1.1 ",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 307 T\r\nlocation: ",
        "HTTP/1.1 503 Busy\r\nretry-after: ",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
    ]);
    let bytes = proptest::collection::vec(proptest::num::u8::ANY, 0..200);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let client = client();
    let mut runner = TestRunner::new(crate::properties::cases(200));
    let tried = runner.run(&(beginnings, bytes), |(beginning, bytes)| {
        runtime.block_on(async {
            let steps = vec![Step::Send([beginning.as_bytes(), &bytes].concat()), Step::Close];
            let peer = Peer::doing(steps).await;
            let _ = read(&client, call(&peer.url("/"))).await;
        });
        Ok(())
    });
    tried.unwrap();
}

#[tokio::test]
async fn a_body_is_read_up_to_its_limit_and_no_further() {
    let chunk = |bytes: usize| format!("{bytes:x}\r\n{}\r\n", "a".repeat(bytes));
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let client = client_with(|options| options.answer_bytes_max = 100);
    for (answer, expected) in [
        (format!("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{}", "a".repeat(100)), Some(100)),
        ("HTTP/1.1 200 OK\r\ncontent-length: 101\r\n\r\n".to_owned(), None),
        ("HTTP/1.1 200 OK\r\ncontent-length: 9223372036854775807\r\n\r\n".to_owned(), None),
        (format!("{chunked}{}{}0\r\n\r\n", chunk(60), chunk(40)), Some(100)),
        (format!("{chunked}{}{}0\r\n\r\n", chunk(60), chunk(41)), None),
    ] {
        let peer = Peer::doing(vec![Step::Send(answer.clone().into()), Step::Close]).await;
        let read = read(&client, call(&peer.url("/"))).await;
        match expected {
            Some(length) => assert_eq!(read.unwrap().len(), length, "{answer}"),
            None => assert_eq!(read.unwrap_err(), CallError::TooLarge { limit: 100 }, "{answer}"),
        }
    }
    let endless = vec![Step::Send(chunked.into()), Step::Endless(chunk(1_000).into())];
    let peer = Peer::doing(endless).await;
    assert_eq!(read(&client, call(&peer.url("/"))).await.unwrap_err(), CallError::TooLarge { limit: 100 });
    peer.until(|seen| seen.ended == 1).await;
}

#[tokio::test]
async fn a_secret_that_is_not_configured_calls_nobody() {
    let peer = Peer::answering(SUCCESS).await;
    let mut call = call(&peer.url("/"));
    call.headers.push((header::COOKIE, HeaderValue::from_static("secret:other")));
    assert_eq!(read(&client(), call).await.unwrap_err(), CallError::UnknownSecret("other".into()));
    assert_eq!(peer.seen.lock().connections, 0);
}
