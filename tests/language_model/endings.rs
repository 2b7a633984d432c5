//! How calls end early: by time, by a bound, by whoever asked.

use super::*;

/// An answer up to and with its first text.
fn begun(body: &str) -> Vec<u8> {
    let end = body.find("Hello").unwrap();
    let end = end + body[end..].find("data:").unwrap();
    unframed(&body[..end]).into()
}

#[tokio::test]
async fn a_hang_before_the_head_and_amid_the_answer_is_over_with_the_patience() {
    for (provider, body) in STREAMS {
        for steps in [vec![Step::Hold], vec![Step::Send(begun(body)), Step::Hold]] {
            let peer = Peer::doing(steps).await;
            let error = ask(&model(provider, &peer), ModelRequest { patience: SHORT, ..request() }).await;
            let error = error.unwrap_err();
            assert_eq!((error.code(), error.is_retryable()), ("timeout", true));
            peer.until(|seen| seen.ended == 1).await;
        }
    }
}

#[tokio::test]
async fn a_silence_is_over_with_the_transports_bound() {
    let peer = Peer::doing(vec![Step::Send(begun(CHAT)), Step::Hold]).await;
    let model = model_with(Provider::OpenAi, &peer, |_, calls| calls.idle_timeout = SHORT);
    assert_eq!(ask(&model, request()).await.unwrap_err(), ModelError::TimedOut);
}

#[tokio::test]
async fn signs_of_life_dont_outlast_the_patience() {
    for life in [": ping\n\n", "event: ping\ndata: {\"type\": \"ping\"}\n\n"] {
        let peer = Peer::doing(vec![Step::Send(begun(MESSAGE)), Step::Endless(life.into())]).await;
        let endless = ModelRequest { patience: SHORT, ..request() };
        let model = model_with(Provider::Anthropic, &peer, |options, calls| {
            options.answer_bytes_max = usize::MAX;
            calls.answer_bytes_max = usize::MAX;
        });
        assert_eq!(ask(&model, endless).await.unwrap_err(), ModelError::TimedOut);
    }
}

#[tokio::test]
async fn an_endless_answer_is_too_large_by_its_text_and_by_its_body() {
    let repeat = "data: {\"choices\":[{\"delta\":{\"content\":\"again and again \"}}]}\n\n";
    for (life, text, body) in
        [(repeat, 10_000, 1 << 25), (repeat, 1 << 20, 10_000), (": ping\n\n", 1 << 20, 10_000)]
    {
        let peer = Peer::doing(vec![Step::Send(begun(CHAT)), Step::Endless(life.into())]).await;
        let model = model_with(Provider::OpenAi, &peer, |options, _| {
            (options.text_bytes_max, options.answer_bytes_max) = (text, body);
        });
        assert_eq!(ask(&model, request()).await.unwrap_err(), ModelError::TooLarge { limit: 10_000 });
        peer.until(|seen| seen.ended == 1).await;
    }
}

#[tokio::test]
async fn a_server_that_never_ends_a_whole_answer_isnt_waited_for() {
    let whole = CHAT.find("data: {\"model\":\"m-1\",\"choices\":[],").unwrap();
    let peer = Peer::doing(vec![Step::Send(unframed(&CHAT[..whole]).into()), Step::Hold]).await;
    let (text, end) = ask(&model(Provider::OpenAi, &peer), request()).await.unwrap();
    assert_eq!((text.as_str(), end.stop, end.usage), ("Hello wörld", StopReason::End, None));
    peer.until(|seen| seen.ended == 1).await;
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connection_before_the_head_and_amid_the_answer() {
    for (provider, body) in STREAMS {
        let peer = Peer::doing(vec![Step::Hold]).await;
        let mut stream = model(provider, &peer).ask(request());
        let asking = tokio::spawn(async move { stream.next().await });
        peer.until(|seen| seen.requests.len() == 1).await;
        asking.abort();
        peer.until(|seen| seen.ended == 1).await;

        let peer = Peer::doing(vec![Step::Send(begun(body)), Step::Hold]).await;
        let mut stream = model(provider, &peer).ask(request());
        assert_eq!(stream.next().await.unwrap().unwrap(), ModelSaid::Text("Hello".into()));
        assert_eq!(peer.seen.lock().ended, 0);
        drop(stream);
        peer.until(|seen| seen.ended == 1).await;
    }
}

#[tokio::test]
async fn nobody_there_is_unreachable() {
    let peer = Peer::doing(vec![]).await;
    let model = model(Provider::OpenAi, &peer);
    let address = peer.address;
    drop(peer);
    while tokio::net::TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    let error = ask(&model, request()).await.unwrap_err();
    assert_eq!((error.code(), error.is_retryable()), ("unreachable", true), "{error}");
}
