//! What is sent, and what is made of refusals, with a transport that does as it is told.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use serde_json::value::RawValue;

use super::*;
use crate::domain::hidden_words::HiddenWords;
use crate::engine::ports::language_model::{ModelSchema, StopReason};
use crate::engine::ports::subagent::{Answer, CallError, OutboundCall};

mod bodies;
mod errors;
mod refused;

/// Gives its answers in turn, and keeps what was sent.
#[derive(Default)]
struct Scripted {
    answers: Mutex<VecDeque<Result<Vec<Scrap>, CallError>>>,
    calls: Mutex<Vec<OutboundCall>>,
}

/// A piece of a body.
#[derive(Clone)]
enum Scrap {
    Bytes(&'static str),
    Fails(CallError),
    Silence,
}

impl Subagents for Scripted {
    fn call(&self, call: OutboundCall) -> BoxFuture<'_, Result<Answer, CallError>> {
        self.calls.lock().push(call);
        let answer = self.answers.lock().pop_front().expect("an answer for every call");
        async move {
            let body = stream::iter(answer?).then(|scrap| async move {
                match scrap {
                    Scrap::Bytes(bytes) => Ok(Bytes::from_static(bytes.as_bytes())),
                    Scrap::Fails(error) => Err(error),
                    Scrap::Silence => std::future::pending().await,
                }
            });
            Ok(Answer { status: 200, content_type: None, hidden: HiddenWords::default(), body: body.boxed() })
        }
        .boxed()
    }
}

impl Scripted {
    fn with(answers: impl IntoIterator<Item = Result<Vec<Scrap>, CallError>>) -> Arc<Self> {
        Arc::new(Self { answers: Mutex::new(answers.into_iter().collect()), calls: Mutex::default() })
    }

    /// The bodies that were sent, as text.
    fn sent(&self) -> Vec<String> {
        self.calls.lock().iter().map(|call| String::from_utf8(call.body.to_vec()).unwrap()).collect()
    }
}

const OK: &str =
    "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
const MESSAGE_OK: &str =
    "{\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":\"ok\"}],\"stop_reason\":\"end_turn\"}";

/// A success in either API.
fn good(provider: Provider) -> Result<Vec<Scrap>, CallError> {
    Ok(vec![Scrap::Bytes(match provider {
        Provider::OpenAi => OK,
        Provider::Anthropic => MESSAGE_OK,
    })])
}

fn refusal(status: u16, detail: &str) -> Result<Vec<Scrap>, CallError> {
    Err(CallError::Status { status, retry_after_ms: Some(5), detail: detail.to_owned() })
}

fn options(provider: Provider) -> ModelOptions {
    ModelOptions {
        key: Some("secret:synthesis_key".into()),
        ..ModelOptions::new(provider, "http://127.0.0.1:9/v1".parse().unwrap(), "some-model")
    }
}

fn model(options: ModelOptions, transport: &Arc<Scripted>) -> HttpLanguageModel {
    HttpLanguageModel::new(options, transport.clone()).unwrap()
}

fn request() -> ModelRequest {
    let json = RawValue::from_string(r#"{"type":"object"}"#.into()).unwrap();
    ModelRequest {
        system: "Be brief.".into(),
        user: "The \"fence\"\nä".into(),
        schema: Some(ModelSchema { name: "draft", json: json.into() }),
        temperature: 0.3,
        output_tokens_max: 4_000,
        patience: Duration::from_secs(9),
        traceparent: None,
    }
}

/// The text and the reason to stop, or why there is none.
async fn ask(model: &HttpLanguageModel, request: ModelRequest) -> Result<(String, StopReason), ModelError> {
    let mut stream = model.ask(request);
    let (mut text, mut stop) = (String::new(), None);
    while let Some(said) = stream.next().await {
        assert!(stop.is_none(), "nothing comes after the end");
        match said? {
            ModelSaid::Text(new) => {
                assert!(!new.is_empty());
                text.push_str(&new);
            }
            ModelSaid::Done(end) => stop = Some(end.stop),
        }
    }
    Ok((text, stop.expect("a stream ends with Done or an error")))
}
