//! One attempt of the client, and what it tells its caller: that a stream was cut, how long to wait, what not to try again.
//! The caller below does no more than obey that.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use serde_json::{Value, json};
use tributary::edge::language_model::{HttpLanguageModel, ModelOptions, Provider};
use tributary::edge::subagents::{CallOptions, HttpSubagents, Secrets};
use tributary::engine::ports::language_model::{
    LanguageModel, ModelEnd, ModelError, ModelRequest, ModelSaid, StopReason,
};

use super::judge::{Judge, fail, fault, stall};

/// How long a model may keep silent; the longest stall is twice as long.
const SILENCE: Duration = Duration::from_secs(4);
const ATTEMPTS_MAX: u32 = 3;
/// What the server is told to say.
const REPLY: &str = "One finding, and a second one, and then a third, each with its source.";

fn model(judge: &Judge, provider: Provider) -> HttpLanguageModel {
    let calls = CallOptions {
        allowed_hosts: vec!["127.0.0.1".parse().unwrap()],
        allow_private: true,
        secrets: Secrets::new([("key".to_owned(), "Bearer any".to_owned())]).unwrap(),
        ca_certificates: None,
        calls_max: 10,
        connect_timeout: SILENCE,
        idle_timeout: SILENCE,
        answer_bytes_max: 1 << 20,
    };
    let (path, name) = match provider {
        Provider::OpenAi => ("/v1", "gpt-4o"),
        Provider::Anthropic => ("/anthropic", "claude-sonnet-4-5"),
    };
    let mut options = ModelOptions::new(provider, judge.url(path).parse().unwrap(), name);
    options.key = Some("secret:key".into());
    HttpLanguageModel::new(options, Arc::new(HttpSubagents::new(calls).unwrap())).unwrap()
}

fn request() -> ModelRequest {
    ModelRequest {
        system: "Be brief.".into(),
        user: "Say what you know.".into(),
        schema: None,
        temperature: 0.3,
        output_tokens_max: 500,
        patience: Duration::from_secs(20),
        traceparent: None,
    }
}

async fn attempt(model: &HttpLanguageModel) -> Result<(String, ModelEnd), ModelError> {
    let (mut stream, mut text) = (model.ask(request()), String::new());
    while let Some(said) = stream.next().await {
        match said? {
            ModelSaid::Text(new) => text.push_str(&new),
            ModelSaid::Done(end) => return Ok((text, end)),
        }
    }
    panic!("a stream ends with Done or an error");
}

/// Asks until there is an answer or no more sense in asking; the codes of what went wrong.
async fn ask(model: &HttpLanguageModel) -> (Vec<&'static str>, Option<(String, ModelEnd)>) {
    let mut codes = Vec::new();
    for number in 1..=ATTEMPTS_MAX {
        match attempt(model).await {
            Ok(answer) => return (codes, Some(answer)),
            Err(error) => {
                codes.push(error.code());
                if !error.is_retryable() || number == ATTEMPTS_MAX {
                    break;
                }
                // How long is waited is what is judged, by a clock that isn't ours to pause.
                let wait = Duration::from_millis(error.retry_after_ms().unwrap_or(100 << number) + 20);
                tokio::time::interval_at(tokio::time::Instant::now() + wait, wait).tick().await;
            }
        }
    }
    (codes, None)
}

#[tokio::test]
async fn llmock_finds_nothing_wrong_with_a_client_that_obeys_what_an_attempt_tells() {
    let judge = Judge::start().await;
    for provider in [Provider::OpenAi, Provider::Anthropic] {
        let model = model(&judge, provider);
        for (behaviors, codes, is_answered) in [
            (vec![], vec![], true),
            (vec![fault("truncate", 0)], vec!["truncated"], true),
            (vec![fault("truncate", 1)], vec!["truncated"], true),
            (vec![fault("truncate", 3)], vec!["truncated"], true),
            (vec![fault("disconnect", 2)], vec!["truncated"], true),
            (vec![fault("malformed", 2)], vec!["malformed"], true),
            (vec![stall(8)], vec!["timeout"], true),
            (vec![json!({ "type": "fail", "status": 429, "retry_after": 1.0 })], vec!["rate_limited"], true),
            (vec![fail(500), fail(529)], vec!["server_error", "overloaded"], true),
            (vec![fail(401)], vec!["unauthorised"], false),
            (vec![fail(400)], vec!["request_refused"], false),
        ] {
            judge.plan(&behaviors, REPLY).await;
            let (met, answer) = ask(&model).await;
            let scene = format!("{provider:?} {behaviors:?}: {met:?} {answer:?}");
            assert_eq!((met, answer.is_some()), (codes, is_answered), "{scene}");
            if let Some((text, end)) = answer {
                assert_eq!((text.as_str(), end.stop), (REPLY, StopReason::End), "{scene}");
                assert!(
                    end.usage.is_some_and(|usage| usage.input_tokens > 0 && usage.output_tokens > 0),
                    "{scene}"
                );
            }
            let verdict = judge.verdict().await;
            assert!(verdict["passed"] == true && is_one_call(&verdict), "{scene}: {verdict:#}");
            assert_eq!(verdict["faults_injected"], behaviors.len(), "{scene}: {verdict:#}");
        }
    }
}

/// Whether all attempts were one call. Where llmock had written its whole answer before it saw that a client had left at the
/// chunk that can't be read, it takes that for a client that read on, and the next attempt for another call.
fn is_one_call(verdict: &Value) -> bool {
    let findings = verdict["findings"].as_array().expect("a list");
    let was_too_fast = !findings.is_empty()
        && findings.iter().all(|finding| finding["code"] == "malformed_chunk_ignored")
        && verdict["attempts"] == 2;
    verdict["calls"] == 1 || (was_too_fast && verdict["calls"] == 2)
}

/// The judge is awake: whoever takes a cut stream for an answer is told off.
#[tokio::test]
async fn llmock_finds_a_client_that_takes_a_cut_stream_for_an_answer() {
    let judge = Judge::start().await;
    judge.plan(&[fault("truncate", 2)], REPLY).await;
    assert_eq!(attempt(&model(&judge, Provider::OpenAi)).await.unwrap_err(), ModelError::Truncated);
    let verdict = judge.verdict().await;
    assert_eq!(verdict["findings"][0]["code"], "truncated_stream_accepted", "{verdict:#}");
}
