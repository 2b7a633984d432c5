//! Parameters that a server refuses by name.

use super::*;

const NO_SCHEMA: &str =
    r#"{"error":{"message":"response_format.type must be text or json_object","param":"response_format"}}"#;
const BAD_SCHEMA: &str =
    r#"{"error":{"message":"Invalid schema for response_format 'draft'","param":"response_format"}}"#;
const NO_OBJECT: &str = r#"{"error":{"message":"response_format isn't supported"}}"#;
const NO_MAX_TOKENS: &str =
    r#"{"error":{"message":"Unsupported parameter: 'max_tokens'","param":"max_tokens"}}"#;
const NO_MAX_COMPLETION: &str = r#"{"error":{"message":"Unknown parameter: 'max_completion_tokens'"}}"#;
const NO_TEMPERATURE: &str = r#"{"type":"error","error":{"type":"invalid_request_error","message":"`temperature` is deprecated for this model."}}"#;
const NO_OPTIONS: &str = r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"]}]}"#;

/// What of a body may be refused, in a few letters.
fn written(body: &str) -> String {
    let parts = [
        ("schema", "\"strict\":true"),
        ("schema", "output_config"),
        ("object+schema", "\"json_object\",\"schema\""),
        ("object", "\"json_object\"}"),
        ("max_tokens", "\"max_tokens\""),
        ("max_completion_tokens", "\"max_completion_tokens\""),
        ("temperature", "\"temperature\""),
        ("usage", "stream_options"),
    ];
    let has = parts.iter().filter(|(_, mark)| body.contains(mark));
    has.map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
}

/// Asks once, against these refusals and then a success, and once more; what was written each time.
async fn asked_twice(options: ModelOptions, refusals: &[(u16, &str)]) -> Vec<String> {
    let refusals = refusals.iter().map(|(status, detail)| refusal(*status, detail));
    let provider = options.provider;
    let transport = Scripted::with(refusals.chain([good(provider), good(provider)]));
    let model = model(options, &transport);
    for _ in 0..2 {
        assert_eq!(ask(&model, request()).await.unwrap(), ("ok".into(), StopReason::End));
    }
    transport.sent().iter().map(|body| written(body)).collect()
}

#[tokio::test]
async fn what_is_refused_by_name_is_left_out_then_and_ever_after() {
    let (chat, messages) = (Provider::OpenAi, Provider::Anthropic);
    let first = "schema max_tokens temperature usage";
    for (provider, refusals, then) in [
        (chat, vec![(400, NO_SCHEMA)], vec!["object+schema max_tokens temperature usage"]),
        (chat, vec![(500, NO_SCHEMA)], vec!["object+schema max_tokens temperature usage"]),
        (
            chat,
            vec![(422, NO_SCHEMA), (400, NO_OBJECT)],
            vec!["object+schema max_tokens temperature usage", "max_tokens temperature usage"],
        ),
        (chat, vec![(400, NO_MAX_TOKENS)], vec!["schema max_completion_tokens temperature usage"]),
        (chat, vec![(400, NO_TEMPERATURE)], vec!["schema max_tokens usage"]),
        (chat, vec![(422, NO_OPTIONS)], vec!["schema max_tokens temperature"]),
        (
            chat,
            vec![
                (400, NO_MAX_TOKENS),
                (400, NO_TEMPERATURE),
                (422, NO_OPTIONS),
                (400, NO_SCHEMA),
                (400, NO_OBJECT),
            ],
            vec![
                "schema max_completion_tokens temperature usage",
                "schema max_completion_tokens usage",
                "schema max_completion_tokens",
                "object+schema max_completion_tokens",
                "max_completion_tokens",
            ],
        ),
        (messages, vec![(400, NO_SCHEMA)], vec!["max_tokens temperature"]),
        (messages, vec![(400, NO_TEMPERATURE)], vec!["schema max_tokens"]),
    ] {
        let first = if provider == chat { first } else { "schema max_tokens temperature" };
        let last = *then.last().unwrap();
        let expected = [vec![first], then, vec![last]].concat();
        assert_eq!(asked_twice(options(provider), &refusals).await, expected, "{refusals:?}");
    }
}

/// What is asked for as the longest answer.
fn limit(body: &str) -> (bool, u64) {
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    let of = |name: &str| body[name].as_u64();
    of("max_tokens").map_or_else(|| (true, of("max_completion_tokens").unwrap()), |limit| (false, limit))
}

#[tokio::test]
async fn a_server_that_names_the_longest_answer_is_asked_for_no_longer_one() {
    const AT_MOST: &str = r#"{"error":{"message":"max_tokens is too large: 4000. This model supports at most 2048 completion tokens, whereas you provided 4000.","param":"max_tokens","code":"invalid_value"}}"#;
    const ABOVE: &str = r#"{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 4000 > 2048, which is the maximum allowed number of output tokens for claude-3-opus-20240229"}}"#;
    let (chat, messages) = (Provider::OpenAi, Provider::Anthropic);
    let (old, new) = (|limit| (false, limit), |limit| (true, limit));
    for (provider, refusals, sent) in [
        (chat, vec![AT_MOST], vec![old(4_000), old(2_048), old(2_048)]),
        (chat, vec![NO_MAX_TOKENS, AT_MOST], vec![old(4_000), new(4_000), new(2_048), new(2_048)]),
        (messages, vec![ABOVE], vec![old(4_000), old(2_048), old(2_048)]),
    ] {
        let refusals = refusals.into_iter().map(|detail| refusal(400, detail));
        let transport = Scripted::with(refusals.chain([good(provider), good(provider)]));
        let model = model(options(provider), &transport);
        assert_eq!(model.output_tokens_max(), None);
        for _ in 0..2 {
            assert_eq!(ask(&model, request()).await.unwrap(), ("ok".into(), StopReason::End));
        }
        let limits: Vec<_> = transport.sent().iter().map(|body| limit(body)).collect();
        assert_eq!((limits, model.output_tokens_max()), (sent, Some(2_048)));
    }
    // It is shortened once: who names another number then isn't to be asked for ever.
    let again = AT_MOST.replace("2048", "1024");
    let transport = Scripted::with([refusal(400, ABOVE), refusal(400, &again)]);
    let error = ask(&model(options(messages), &transport), request()).await.unwrap_err();
    assert_eq!((error.code(), transport.sent().len()), ("request_refused", 2));
}

#[tokio::test]
async fn that_one_schema_is_bad_isnt_remembered() {
    let written = asked_twice(options(Provider::OpenAi), &[(400, BAD_SCHEMA)]).await;
    let full = "schema max_tokens temperature usage";
    assert_eq!(written, [full, "object+schema max_tokens temperature usage", full]);
}

#[tokio::test]
async fn nothing_is_remembered_of_a_way_that_went_wrong() {
    let transport =
        Scripted::with([refusal(400, NO_TEMPERATURE), refusal(503, "busy"), good(Provider::OpenAi)]);
    let model = model(options(Provider::OpenAi), &transport);
    let error = ask(&model, request()).await.unwrap_err();
    assert_eq!((error.code(), error.is_retryable(), error.retry_after_ms()), ("overloaded", true, Some(5)));
    ask(&model, request()).await.unwrap();
    assert!(transport.sent()[2].contains("temperature"));
}

#[tokio::test]
async fn a_refusal_that_no_other_way_answers_is_an_error_and_sends_end() {
    let strict = ModelOptions { schema: SchemaMode::JsonSchema, ..options(Provider::OpenAi) };
    for (options, refusals, sends) in [
        (strict, vec![(400, NO_SCHEMA)], 1),
        (options(Provider::OpenAi), vec![(400, NO_MAX_TOKENS), (400, NO_MAX_COMPLETION)], 2),
        (options(Provider::OpenAi), vec![(400, NO_SCHEMA), (400, NO_SCHEMA), (400, NO_SCHEMA)], 3),
        (options(Provider::OpenAi), vec![(400, NO_TEMPERATURE), (400, NO_TEMPERATURE)], 2),
        (options(Provider::Anthropic), vec![(400, NO_MAX_TOKENS)], 1),
        (options(Provider::OpenAi), vec![(404, NO_SCHEMA)], 1),
    ] {
        let transport = Scripted::with(refusals.iter().map(|(status, detail)| refusal(*status, detail)));
        let error = ask(&model(options, &transport), request()).await.unwrap_err();
        assert_eq!((error.code(), error.is_retryable()), ("request_refused", false), "{refusals:?}");
        assert_eq!(transport.sent().len(), sends, "{refusals:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn sending_again_is_inside_the_same_patience() {
    let transport = Scripted::with([refusal(400, NO_TEMPERATURE), good(Provider::OpenAi)]);
    ask(&model(options(Provider::OpenAi), &transport), request()).await.unwrap();
    let calls = transport.calls.lock();
    assert!(calls[1].patience <= calls[0].patience && calls[0].patience == request().patience);
}

#[tokio::test]
async fn nothing_is_sent_before_the_stream_is_polled() {
    let transport = Scripted::with([]);
    drop(model(options(Provider::OpenAi), &transport).ask(request()));
    assert!(transport.sent().is_empty());
}
