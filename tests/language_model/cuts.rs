//! Every answer, cut at every byte: an error or the whole, never a half.

use super::*;

/// A server that sends the first `number` bytes of `answer` to the request of that number.
async fn cutting(answer: String) -> Peer {
    let cut = move |number: usize| vec![Step::Send(answer.as_bytes()[..number].to_vec()), Step::Close];
    Peer::at(Arc::new(cut)).await
}

/// Asks once for each length of `answer`. From `whole_from` on there is the whole text.
async fn check(provider: Provider, answer: String, whole_from: usize) {
    let peer = cutting(answer.clone()).await;
    let model = model(provider, &peer);
    for cut in 0..=answer.len() {
        match ask(&model, request()).await {
            Ok((text, end)) => {
                assert!(cut >= whole_from, "a half success of {cut} bytes: {text}");
                assert_eq!((text.as_str(), end.stop), ("Hello wörld", StopReason::End), "{cut}");
            }
            Err(error) => {
                assert!(cut < whole_from, "{cut} of {}: {error}", answer.len());
                let code = error.code();
                assert!(matches!(code, "unreachable" | "malformed" | "truncated"), "{cut}: {code}");
                assert!(error.is_retryable(), "{cut}: {error}");
            }
        }
    }
    assert_eq!(peer.seen.lock().requests.len(), answer.len() + 1, "one request for each");
}

/// Where what holds `mark` ends: behind the empty line, of which a lone CR is one already, or behind its JSON where the answer ends with it.
fn after(answer: &str, mark: &str, end: &str) -> usize {
    let at = answer.find(mark).unwrap();
    at + answer[at..].find(end).unwrap() + end.len()
}

#[tokio::test]
async fn a_chat_completion_that_ends_with_the_connection() {
    let answer = unframed(CHAT);
    let whole_from = after(&answer, "\"finish_reason\":\"stop\"", "}]}");
    check(Provider::OpenAi, answer, whole_from).await;
}

#[tokio::test]
async fn a_chat_completion_in_a_chunk() {
    let answer = chunked("text/event-stream", CHAT);
    let whole_from = after(&answer, "\"finish_reason\":\"stop\"", "\n\n");
    check(Provider::OpenAi, answer, whole_from).await;
}

#[tokio::test]
async fn a_message_that_ends_with_the_connection() {
    let answer = unframed(MESSAGE);
    let whole_from = after(&answer, "\"type\":\"message_stop\"", "}");
    check(Provider::Anthropic, answer, whole_from).await;
}

#[tokio::test]
async fn whole_json_texts() {
    for (provider, body) in [(Provider::OpenAi, CHAT_WHOLE), (Provider::Anthropic, MESSAGE_WHOLE)] {
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let answer = format!("{head}{body}");
        let length = answer.len();
        check(provider, answer, length).await;
    }
}
