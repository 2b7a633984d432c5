//! What servers say when they don't take a request.

use super::Parameter::{Format, OutputLimit, StreamOptions, Temperature};
use super::Refused::{Context, Filtered, Other, Quota};
use super::*;

const ANY_SCHEMA: Refused = Refused::Parameter(Format { only_this_schema: false });
const THIS_SCHEMA: Refused = Refused::Parameter(Format { only_this_schema: true });

#[test]
fn refusals_are_told_apart_by_status_field_and_phrase() {
    for (status, detail, refused) in [
        // OpenAI
        (
            400,
            r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}"#,
            Refused::Parameter(OutputLimit),
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}"#,
            Refused::Parameter(Temperature),
        ),
        (
            400,
            r#"{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.","type":"invalid_request_error","param":null,"code":null}}"#,
            ANY_SCHEMA,
        ),
        (
            400,
            r#"{"error":{"message":"Invalid schema for response_format 'draft': In context=(), 'required' is required","param":"response_format","code":null}}"#,
            THIS_SCHEMA,
        ),
        (
            400,
            r#"{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.","param":"messages","code":"context_length_exceeded"}}"#,
            Context,
        ),
        (
            400,
            r#"{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","code":"content_filter","status":400}}"#,
            Filtered,
        ),
        (
            429,
            r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
            Quota,
        ),
        (
            429,
            r#"{"error":{"message":"Rate limit reached. Add a payment method at https://x/account/billing.","code":"rate_limit_exceeded"}}"#,
            Other,
        ),
        // vLLM
        (
            400,
            r#"{"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: 4000. This model's maximum context length is 2048 tokens and your request has 900 input tokens","type":"BadRequestError","param":null,"code":400}}"#,
            Context,
        ),
        (
            400,
            r#"{"object":"error","message":"The grammar can't be compiled","type":"BadRequestError","code":400}"#,
            ANY_SCHEMA,
        ),
        // llama.cpp, llama-cpp-python
        (
            400,
            r#"{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size","type":"exceed_context_size_error"}}"#,
            Context,
        ),
        (
            500,
            r#"{"error":{"message":"[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema'}]","type":"internal_server_error","param":null,"code":null}}"#,
            ANY_SCHEMA,
        ),
        (500, r#"{"error":{"message":"temperature of the machine","type":"server_error"}}"#, Other),
        // FastAPI, and what is cut amid it
        (
            422,
            r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"inclu"#,
            Refused::Parameter(StreamOptions),
        ),
        (422, r#"{"detail":[{"loc":["body","messages"]}]}"#, Other),
        // Anthropic
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"`temperature` is deprecated for this model."}}"#,
            Refused::Parameter(Temperature),
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"output_config: Extra inputs are not permitted"}}"#,
            ANY_SCHEMA,
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"Schema is too complex for compilation"}}"#,
            THIS_SCHEMA,
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
            Context,
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 199000 + 4000 > 200000"}}"#,
            Context,
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}"#,
            Quota,
        ),
        (413, r#"{"type":"error","error":{"type":"request_too_large","message":"m"}}"#, Context),
        (402, "", Quota),
        (400, "", Other),
        (404, "no such schema", Other),
        (529, "", Other),
    ] {
        assert_eq!(read_model_refusal(status, detail).refused, refused, "{status} {detail}");
    }
}

#[test]
fn the_field_that_names_the_parameter_goes_before_the_prose() {
    let detail = r#"{"error":{"message":"temperature, max_tokens and response_format: one is wrong","param":"response_format"}}"#;
    assert_eq!(read_model_refusal(400, detail).refused, ANY_SCHEMA);
    assert_eq!(
        read_model_refusal(400, &detail.replace("param", "other")).refused,
        Refused::Parameter(OutputLimit)
    );
}

#[test]
fn only_a_code_goes_further() {
    for (detail, reason) in [
        (
            r#"{"error":{"message":"m","type":"invalid_request_error","code":"model_not_found"}}"#,
            Some("model_not_found"),
        ),
        (r#"{"error":{"message":"m","type":"not_found_error"}}"#, Some("not_found_error")),
        (r#"{"error":{"message":"m","code":404}}"#, None),
        (r#"{"error":{"message":"m","code":"Tell me about sk-proj-1"}}"#, None),
        (r#"{"error":{"message":"m","code":"sk-proj-1"}}"#, None),
        (r#"{"error":"secret words"}"#, None),
        ("secret_words", None),
        ("", None),
    ] {
        assert_eq!(read_model_refusal(404, detail).reason.as_deref(), reason, "{detail}");
    }
    assert_eq!(reason_of(&"a".repeat(65)), None);
}
