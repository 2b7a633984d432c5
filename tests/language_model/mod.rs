//! Language models over real HTTP: a server of one script on this machine, in both APIs.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use tributary::edge::language_model::{HttpLanguageModel, ModelOptions, Provider};
use tributary::edge::subagents::{CallOptions, HttpSubagents, Secrets};
use tributary::engine::ports::language_model::{
    LanguageModel, ModelEnd, ModelError, ModelRequest, ModelSaid, ModelUsage, StopReason,
};

mod answers;
mod cassette;
mod cassettes;
mod cuts;
mod endings;
mod peer;

use peer::{Peer, Step};

/// Longer than any test waits for what is bound to happen.
const SOON: Duration = Duration::from_secs(20);
/// Long enough for an answer to be sent, short enough to wait for.
const SHORT: Duration = Duration::from_millis(300);
/// What no error may show.
const KEY: &str = "Bearer hunter22";
const PROMPT: &str = "a prompt that nobody else reads";

const CHAT: &str = "data: {\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\n\n\
    data: {\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello\"}}],\"usage\":null}\n\n\
    data: {\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" wörld\"}}]}\n\n\
    data: {\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
    data: {\"model\":\"m-1\",\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}}\n\n\
    data: [DONE]\n\n";
const MESSAGE: &str = "event: message_start\r\ndata: {\"type\":\"message_start\",\"message\":{\"model\":\"m-1\",\"content\":[],\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}}\r\n\r\n\
    event: content_block_start\r\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\r\n\r\n\
    event: ping\r\ndata: {\"type\":\"ping\"}\r\n\r\n\
    event: content_block_delta\r\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hello\"}}\r\n\r\n\
    event: content_block_delta\r\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\" wörld\"}}\r\n\r\n\
    event: message_delta\r\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":2}}\r\n\r\n\
    event: message_stop\r\ndata: {\"type\":\"message_stop\"}\r\n\r\n";
const CHAT_WHOLE: &str = "{\"model\":\"m-1\",\"choices\":[{\"message\":{\"content\":\"Hello wörld\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}}";
const MESSAGE_WHOLE: &str = "{\"type\":\"message\",\"model\":\"m-1\",\"content\":[{\"type\":\"text\",\"text\":\"Hello wörld\"}],\"stop_reason\":\"end_turn\",\"usage\":{\"input_tokens\":9,\"output_tokens\":2}}";

/// Both APIs, each with a stream.
const STREAMS: [(Provider, &str); 2] = [(Provider::OpenAi, CHAT), (Provider::Anthropic, MESSAGE)];

/// A text and how it ended, or why there is none.
type Answered = Result<(String, ModelEnd), ModelError>;

/// What all of the answers above say.
fn hello() -> (String, ModelEnd) {
    let usage = Some(ModelUsage { input_tokens: 9, output_tokens: 2 });
    ("Hello wörld".into(), ModelEnd { stop: StopReason::End, usage, model: Some("m-1".into()) })
}

/// A success whose body is chunked.
fn chunked(content_type: &str, body: &str) -> String {
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ntransfer-encoding: chunked\r\n\r\n");
    format!("{head}{:x}\r\n{body}\r\n0\r\n\r\n", body.len())
}

/// A success whose body ends with the connection.
fn unframed(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\r\n{body}")
}

fn model(provider: Provider, peer: &Peer) -> HttpLanguageModel {
    model_with(provider, peer, |_, _| {})
}

fn model_with(
    provider: Provider,
    peer: &Peer,
    change: impl FnOnce(&mut ModelOptions, &mut CallOptions),
) -> HttpLanguageModel {
    let mut calls = CallOptions {
        allowed_hosts: vec!["127.0.0.1".parse().unwrap()],
        allow_private: true,
        secrets: Secrets::new([("synthesis_key".to_owned(), KEY.to_owned())]).unwrap(),
        ca_certificates: None,
        calls_max: 100,
        connect_timeout: SOON,
        idle_timeout: SOON,
        answer_bytes_max: 1 << 26,
    };
    let mut options = ModelOptions::new(provider, peer.url("/v1").parse().unwrap(), "some-model");
    options.key = Some("secret:synthesis_key".into());
    change(&mut options, &mut calls);
    HttpLanguageModel::new(options, Arc::new(HttpSubagents::new(calls).unwrap())).unwrap()
}

fn request() -> ModelRequest {
    ModelRequest {
        system: "Be brief.".into(),
        user: PROMPT.into(),
        schema: None,
        temperature: 0.3,
        output_tokens_max: 4_000,
        patience: SOON,
        traceparent: None,
    }
}

/// Asks, and reads the stream to its end; no error shows what it mustn't.
async fn ask(model: &HttpLanguageModel, request: ModelRequest) -> Answered {
    let mut stream = model.ask(request);
    let (mut text, mut end) = (String::new(), None);
    let read = async {
        while let Some(said) = stream.next().await {
            assert!(end.is_none(), "nothing follows the end");
            match said? {
                ModelSaid::Text(new) => text.push_str(&new),
                ModelSaid::Done(done) => end = Some(done),
            }
        }
        Ok(())
    };
    let read = tokio::time::timeout(SOON * 2, read).await.expect("a call ends");
    if let Err(error) = &read {
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("hunter22") && !shown.contains(PROMPT), "{shown}");
    }
    read.map(|()| (text, end.expect("a stream ends with Done or an error")))
}
