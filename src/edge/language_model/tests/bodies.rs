//! Requests as they are sent.

use insta::assert_snapshot;

use super::*;

async fn sent(options: ModelOptions, request: ModelRequest) -> String {
    let transport = Scripted::with([good(options.provider)]);
    ask(&model(options, &transport), request).await.unwrap();
    transport.sent().remove(0)
}

#[tokio::test]
async fn a_chat_completion_is_asked_for_with_a_strict_schema_and_its_usage() {
    assert_snapshot!(sent(options(Provider::OpenAi), request()).await, @r##"{"model":"some-model","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"The \"fence\"\nä"}],"max_tokens":4000,"temperature":0.3,"response_format":{"type":"json_schema","json_schema":{"name":"draft","strict":true,"schema":{"type":"object"}}},"stream":true,"stream_options":{"include_usage":true}}"##);
}

#[tokio::test]
async fn a_message_is_asked_for_with_the_schema_in_its_output_config() {
    assert_snapshot!(sent(options(Provider::Anthropic), request()).await, @r##"{"model":"some-model","max_tokens":4000,"system":"Be brief.","messages":[{"role":"user","content":"The \"fence\"\nä"}],"temperature":0.3,"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}},"stream":true}"##);
}

#[tokio::test]
async fn what_is_empty_or_no_number_is_left_out() {
    let bare = ModelRequest { system: String::new(), schema: None, temperature: f64::NAN, ..request() };
    assert_snapshot!(sent(options(Provider::OpenAi), bare.clone()).await, @r##"{"model":"some-model","messages":[{"role":"user","content":"The \"fence\"\nä"}],"max_tokens":4000,"stream":true,"stream_options":{"include_usage":true}}"##);
    assert_snapshot!(sent(options(Provider::Anthropic), bare).await, @r##"{"model":"some-model","max_tokens":4000,"messages":[{"role":"user","content":"The \"fence\"\nä"}],"stream":true}"##);
}

#[tokio::test]
async fn a_mode_of_the_schema_is_kept() {
    for (provider, mode, has, hasnt) in [
        (
            Provider::OpenAi,
            SchemaMode::JsonSchema,
            "\"json_schema\":{\"name\":\"draft\",\"strict\":true",
            "json_object",
        ),
        (
            Provider::OpenAi,
            SchemaMode::JsonObject,
            "\"response_format\":{\"type\":\"json_object\"}",
            "schema",
        ),
        (Provider::OpenAi, SchemaMode::None, "\"stream\":true", "response_format"),
        (Provider::Anthropic, SchemaMode::JsonSchema, "\"output_config\"", "response_format"),
        (Provider::Anthropic, SchemaMode::JsonObject, "\"stream\":true", "output_config"),
        (Provider::Anthropic, SchemaMode::None, "\"stream\":true", "output_config"),
    ] {
        let body = sent(ModelOptions { schema: mode, ..options(provider) }, request()).await;
        assert!(body.contains(has) && !body.contains(hasnt), "{provider:?} {mode:?}: {body}");
    }
}

#[tokio::test]
async fn a_temperature_is_one_that_the_api_knows() {
    for (provider, asked, body) in [
        (Provider::OpenAi, 9.0, "\"temperature\":2.0"),
        (Provider::Anthropic, 9.0, "\"temperature\":1.0"),
        (Provider::Anthropic, -1.0, "\"temperature\":0.0"),
    ] {
        let sent = sent(options(provider), ModelRequest { temperature: asked, ..request() }).await;
        assert!(sent.contains(body), "{sent}");
    }
}

#[tokio::test]
async fn openais_own_hosts_are_asked_by_the_newer_name_of_the_limit() {
    for (base, newer) in [
        ("https://api.openai.com/v1", true),
        ("https://mine.openai.azure.com/openai/v1/", true),
        ("https://openai.example.com/v1", false),
        ("http://127.0.0.1:11434/v1", false),
    ] {
        let options = ModelOptions { base_url: base.parse().unwrap(), ..options(Provider::OpenAi) };
        let body = sent(options, request()).await;
        assert_eq!(body.contains("\"max_completion_tokens\":4000"), newer, "{base}: {body}");
        assert_eq!(body.contains("\"max_tokens\":4000"), !newer, "{base}: {body}");
    }
}

#[tokio::test]
async fn headers_name_the_version_and_the_secret_where_the_api_looks_for_it() {
    let custom =
        ModelOptions { key_header: Some(HeaderName::from_static("api-key")), ..options(Provider::OpenAi) };
    let keyless = ModelOptions { key: None, ..options(Provider::OpenAi) };
    for (options, expected) in [
        (options(Provider::OpenAi), "content-type: application/json; authorization: secret:synthesis_key"),
        (
            options(Provider::Anthropic),
            "content-type: application/json; anthropic-version: 2023-06-01; x-api-key: secret:synthesis_key",
        ),
        (custom, "content-type: application/json; api-key: secret:synthesis_key"),
        (keyless, "content-type: application/json"),
    ] {
        let transport = Scripted::with([good(options.provider)]);
        ask(&model(options, &transport), request()).await.unwrap();
        let headers = transport.calls.lock().remove(0).headers;
        let shown = headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()));
        assert_eq!(shown.collect::<Vec<_>>().join("; "), expected);
    }
}

#[test]
fn a_base_url_becomes_an_endpoint_by_the_rule_of_its_api() {
    let chat = Provider::OpenAi;
    let messages = Provider::Anthropic;
    for (provider, base, endpoint) in [
        (chat, chat.default_base_url(), "https://api.openai.com/v1/chat/completions"),
        (chat, "https://api.openai.com", "https://api.openai.com/v1/chat/completions"),
        (chat, "https://api.openai.com/v1/", "https://api.openai.com/v1/chat/completions"),
        (chat, "http://[::1]:8000//", "http://[::1]:8000/v1/chat/completions"),
        (chat, "https://h/openai/v1//", "https://h/openai/v1/chat/completions"),
        (chat, "https://h/v1beta/openai", "https://h/v1beta/openai/chat/completions"),
        (
            chat,
            "https://h/deployments/a%20b?api-version=1",
            "https://h/deployments/a%20b/chat/completions?api-version=1",
        ),
        (chat, "https://h/v1/chat/completions/#x", "https://h/v1/chat/completions"),
        (messages, messages.default_base_url(), "https://api.anthropic.com/v1/messages"),
        (messages, "https://api.anthropic.com", "https://api.anthropic.com/v1/messages"),
        (messages, "https://api.anthropic.com/v1/", "https://api.anthropic.com/v1/messages"),
        (messages, "http://h:4020/anthropic/", "http://h:4020/anthropic/v1/messages"),
        (messages, "http://h/anthropic/v2beta", "http://h/anthropic/v2beta/messages"),
        (messages, "http://h/vault", "http://h/vault/v1/messages"),
        (messages, "http://h/v1/messages", "http://h/v1/messages"),
    ] {
        let options = ModelOptions { base_url: base.parse().unwrap(), ..options(provider) };
        assert_eq!(options.endpoint().unwrap().as_str(), endpoint, "{base}");
    }
}

#[test]
fn what_could_never_be_sent_is_no_model() {
    let transport = Scripted::with([]);
    let ftp = ModelOptions { base_url: "ftp://h/".parse().unwrap(), ..options(Provider::OpenAi) };
    let nameless = ModelOptions { model: " ".into(), ..options(Provider::OpenAi) };
    let key = ModelOptions { key: Some("Bearer hunter\n22".into()), ..options(Provider::OpenAi) };
    for (options, why) in [(ftp, "neither http"), (nameless, "no name"), (key, "can't be sent")] {
        let error = HttpLanguageModel::new(options, transport.clone()).unwrap_err().to_string();
        assert!(error.contains(why) && !error.contains("hunter"), "{error}");
    }
}

#[test]
fn a_model_shows_no_key_and_no_query() {
    let base_url = "https://h/v1?key=hunter22".parse().unwrap();
    let options = ModelOptions { key: Some("Bearer hunter22".into()), base_url, ..options(Provider::OpenAi) };
    let model = model(options, &Scripted::with([]));
    let shown = format!("{model:?}");
    assert!(!shown.contains("hunter22") && shown.contains("some-model"), "{shown}");
    assert_eq!((model.model(), model.provider()), ("some-model", "openai"));
}

#[tokio::test]
async fn a_configured_server_is_told_the_span_and_the_makers_own_isnt() {
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    for (base, provider, is_told) in [
        ("http://127.0.0.1:11434/v1", Provider::OpenAi, true),
        ("https://gateway.example.com", Provider::Anthropic, true),
        ("https://api.openai.com/v1", Provider::OpenAi, false),
        ("https://api.anthropic.com", Provider::Anthropic, false),
    ] {
        let transport = Scripted::with([good(provider), good(provider)]);
        let options = ModelOptions { base_url: base.parse().unwrap(), ..options(provider) };
        let model = model(options, &transport);
        ask(&model, request()).await.unwrap();
        ask(&model, ModelRequest { traceparent: Some(parent.to_owned()), ..request() }).await.unwrap();
        let told = |call: &OutboundCall| {
            let mut headers = call.headers.iter().filter(|(name, _)| name == "traceparent");
            headers.next().map(|(_, value)| value.to_str().unwrap().to_owned())
        };
        let told: Vec<_> = transport.calls.lock().iter().map(told).collect();
        assert_eq!(told, [None, is_told.then(|| parent.to_owned())], "{base}");
    }
}
