//! What comes back: answers, refusals, and what is neither.

use super::*;

#[tokio::test]
async fn an_answer_is_read_whether_it_is_a_stream_or_not() {
    for (provider, content_type, body) in [
        (Provider::OpenAi, "text/event-stream", CHAT),
        (Provider::OpenAi, "text/plain", CHAT),
        (Provider::OpenAi, "application/json", CHAT_WHOLE),
        (Provider::OpenAi, "text/event-stream", CHAT_WHOLE),
        (Provider::Anthropic, "text/event-stream; charset=utf-8", MESSAGE),
        (Provider::Anthropic, "application/json", MESSAGE_WHOLE),
    ] {
        let peer = Peer::answering(chunked(content_type, body)).await;
        assert_eq!(ask(&model(provider, &peer), request()).await.unwrap(), hello(), "{content_type}");
    }
}

#[tokio::test]
async fn a_request_is_a_post_to_the_apis_path_with_the_secret_in_its_header() {
    for (provider, body, path, header) in [
        (Provider::OpenAi, CHAT, "/v1/chat/completions", "authorization: Bearer hunter22\r\n"),
        (Provider::Anthropic, MESSAGE, "/v1/messages", "x-api-key: Bearer hunter22\r\n"),
    ] {
        let peer = Peer::answering(chunked("text/event-stream", body)).await;
        ask(&model(provider, &peer), request()).await.unwrap();
        let sent = peer.request();
        assert!(sent.starts_with(&format!("POST {path} HTTP/1.1\r\n")), "{sent}");
        assert!(sent.contains(header) && sent.contains("content-type: application/json\r\n"), "{sent}");
        assert!(sent.contains(PROMPT) && sent.contains("\"stream\":true"), "{sent}");
    }
}

#[tokio::test]
async fn connections_are_used_again() {
    for (provider, body) in STREAMS {
        let peer = Peer::answering(chunked("text/event-stream", body)).await;
        let model = model(provider, &peer);
        for _ in 0..5 {
            ask(&model, request()).await.unwrap();
        }
        let seen = peer.seen.lock();
        assert_eq!((seen.connections, seen.requests.len()), (1, 5));
    }
}

#[tokio::test]
async fn a_text_is_there_as_soon_as_it_is_sent() {
    for (provider, body) in STREAMS {
        let begun = body.find(" w").unwrap();
        let begun = body[..begun].rfind("data:").unwrap();
        let peer = Peer::doing(vec![Step::Send(unframed(&body[..begun]).into()), Step::Hold]).await;
        let mut stream = model(provider, &peer).ask(request());
        let said = tokio::time::timeout(SOON, stream.next()).await.expect("the server holds the rest back");
        assert_eq!(said.unwrap().unwrap(), ModelSaid::Text("Hello".into()));
    }
}

#[tokio::test]
async fn an_answer_that_drips_byte_by_byte_is_the_same() {
    for (provider, body) in STREAMS {
        let peer = Peer::doing(vec![Step::Drip(unframed(body).into()), Step::Close]).await;
        assert_eq!(ask(&model(provider, &peer), request()).await.unwrap(), hello());
    }
}

#[tokio::test]
async fn refusals_are_told_with_the_delay_that_they_ask_for() {
    let late = std::time::SystemTime::now() + Duration::from_secs(90);
    let date = httpdate::fmt_http_date(late);
    let echo = format!("{{\"error\":{{\"message\":\"{PROMPT} {KEY}\",\"code\":\"rate_limit_exceeded\"}}}}");
    for (head, body, code, retryable, delay) in [
        ("429 Too Many\r\nretry-after: 7", echo.as_str(), "rate_limited", true, 7_000..=7_000),
        (&format!("429 Too Many\r\nretry-after: {date}"), "", "rate_limited", true, 60_000..=90_000),
        ("429 Too Many\r\nretry-after-ms: 20", "", "rate_limited", true, 20..=20),
        ("429 Too Many", "", "rate_limited", true, 0..=0),
        ("500 Oops", PROMPT, "server_error", true, 0..=0),
        ("529 Overloaded", "{\"type\":\"error\"}", "overloaded", true, 0..=0),
        ("401 Unauthorized", &echo, "unauthorised", false, 0..=0),
        ("400 Bad Request", &echo, "request_refused", false, 0..=0),
        ("404 Not Found", "", "request_refused", false, 0..=0),
    ] {
        for (provider, _) in STREAMS {
            let answer = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            let peer = Peer::answering(answer).await;
            let error = ask(&model(provider, &peer), request()).await.unwrap_err();
            assert_eq!((error.code(), error.is_retryable()), (code, retryable), "{head}");
            assert!(delay.contains(&error.retry_after_ms().unwrap_or(0)), "{head}: {error:?}");
            assert_eq!(peer.seen.lock().requests.len(), 1, "nothing is tried again here");
        }
    }
}

#[tokio::test]
async fn what_isnt_an_answer_is_malformed_or_truncated() {
    for (answer, code) in [
        (chunked("text/html", "<html>{\"choices\":[]}</html>"), "malformed"),
        (chunked("application/json", "{\"choices\":"), "malformed"),
        (chunked("application/json", "[1]"), "malformed"),
        (chunked("application/json", "null"), "malformed"),
        (chunked("text/event-stream", "data: {\"a\":\n\n"), "malformed"),
        (chunked("text/event-stream", "data: \u{fffd}\n\n"), "malformed"),
        (chunked("text/event-stream", ""), "truncated"),
        (chunked("text/event-stream", "data: [DONE]\n\n"), "truncated"),
        ("HTTP/1.1 204 No Content\r\n\r\n".into(), "truncated"),
        ("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 1\r\n\r\na".into(), "malformed"),
        ("SSH-2.0-nonsense\r\n\r\n".into(), "malformed"),
        (
            "HTTP/1.1 301 Moved\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n".into(),
            "not_configured",
        ),
    ] {
        let peer = Peer::doing(vec![Step::Send(answer.clone().into()), Step::Close]).await;
        let error = ask(&model(Provider::OpenAi, &peer), request()).await.unwrap_err();
        assert_eq!(error.code(), code, "{answer}");
    }
}

#[tokio::test]
async fn a_parameter_that_is_refused_is_left_out_and_that_is_remembered() {
    let peer = Peer::at(Arc::new(|number| {
        let refusal = "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"`temperature` is deprecated for this model.\"}}";
        vec![Step::Send(match number {
            0 => format!("HTTP/1.1 400 Bad Request\r\ncontent-length: {}\r\n\r\n{refusal}", refusal.len()).into(),
            _ => chunked("text/event-stream", MESSAGE).into(),
        })]
    }))
    .await;
    let model = model(Provider::Anthropic, &peer);
    for _ in 0..2 {
        assert_eq!(ask(&model, request()).await.unwrap(), hello());
    }
    let requests = peer.seen.lock().requests.clone();
    let with: Vec<bool> = requests.iter().map(|request| request.contains("\"temperature\"")).collect();
    assert_eq!(with, [true, false, false]);
}

#[tokio::test]
async fn nobody_is_asked_without_a_secret_or_at_a_host_that_isnt_allowed() {
    let peer = Peer::answering(chunked("text/event-stream", CHAT)).await;
    let keyless = model_with(Provider::OpenAi, &peer, |options, _| options.key = Some("secret:other".into()));
    let elsewhere = model_with(Provider::OpenAi, &peer, |_, calls| calls.allowed_hosts.clear());
    for model in [keyless, elsewhere] {
        let error = ask(&model, request()).await.unwrap_err();
        assert_eq!((error.code(), error.is_retryable()), ("not_configured", false), "{error}");
    }
    assert!(peer.seen.lock().requests.is_empty());
}
