//! Failures in the port's words.

use super::*;

const SECRET: &str = "hunter22";

async fn error(answer: Result<Vec<Scrap>, CallError>) -> ModelError {
    let transport = Scripted::with([answer]);
    let error = ask(&model(options(Provider::OpenAi), &transport), request()).await.unwrap_err();
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains(SECRET) && !shown.contains("fence"), "{shown}");
    error
}

#[tokio::test]
async fn calls_that_give_no_answer_are_told_by_a_code() {
    let detail = |code: &str| format!(r#"{{"error":{{"message":"{SECRET}: The fence","code":"{code}"}}}}"#);
    for (answer, code, retryable, wait) in [
        (Err(CallError::Unreachable("refused".into())), "unreachable", true, None),
        (Err(CallError::HungUp("closed".into())), "unreachable", true, None),
        (Err(CallError::TimedOut), "timeout", true, None),
        (Err(CallError::Broken("no HTTP".into())), "malformed", true, None),
        (Err(CallError::NotAllowed("h".into())), "not_configured", false, None),
        (Err(CallError::UnknownSecret("synthesis_key".into())), "not_configured", false, None),
        (Err(CallError::Redirected("h".into())), "not_configured", false, None),
        (Err(CallError::TooLarge { limit: 9 }), "too_large", false, None),
        (refusal(401, &detail("invalid_api_key")), "unauthorised", false, None),
        (refusal(403, &detail("x")), "unauthorised", false, None),
        (refusal(402, &detail("x")), "quota_exhausted", false, None),
        (refusal(429, &detail("rate_limit_exceeded")), "rate_limited", true, Some(5)),
        (refusal(429, &detail("insufficient_quota")), "quota_exhausted", false, None),
        (refusal(500, SECRET), "server_error", true, Some(5)),
        (refusal(529, &detail("overloaded_error")), "overloaded", true, Some(5)),
        (refusal(404, &detail("model_not_found")), "request_refused", false, Some(5)),
        (refusal(400, &detail("context_length_exceeded")), "context_length_exceeded", false, None),
        (refusal(413, SECRET), "context_length_exceeded", false, None),
    ] {
        let error = error(answer).await;
        assert_eq!((error.code(), error.is_retryable(), error.retry_after_ms()), (code, retryable, wait));
    }
}

#[tokio::test]
async fn a_failure_amid_an_answer_is_the_status_that_it_would_have_been() {
    for (said, code, retryable) in [
        (r#"{"error":{"type":"overloaded_error","message":"hunter22"}}"#, "overloaded", true),
        (r#"{"error":{"code":"rate_limit_exceeded","message":"hunter22"}}"#, "rate_limited", true),
        (r#"{"error":{"type":"authentication_error","message":"hunter22"}}"#, "unauthorised", false),
        (r#"{"error":{"code":"insufficient_quota","message":"m"}}"#, "quota_exhausted", false),
        (
            r#"{"error":{"code":400,"message":"maximum context length is 5"}}"#,
            "context_length_exceeded",
            false,
        ),
        (r#"{"error":{"type":"server_error","message":"hunter22"}}"#, "model_failed", true),
        (r#"{"error":{"type":"api_error","message":"m"}}"#, "model_failed", true),
        (r#"{"error":{"code":"hunter22 ","message":"m"}}"#, "model_failed", false),
        (r#"{"choices":[{"finish_reason":"error"}]}"#, "model_failed", true),
    ] {
        let body: &'static str = format!("data: {said}\n\n").leak();
        let error = error(Ok(vec![Scrap::Bytes(body)])).await;
        assert_eq!((error.code(), error.is_retryable()), (code, retryable), "{said}");
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_is_truncated_and_one_without_end_too_large() {
    const BEGUN: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"}}]}\n\n";
    for (body, code) in [
        (vec![Scrap::Bytes(BEGUN)], "truncated"),
        (vec![], "truncated"),
        (vec![Scrap::Bytes(BEGUN), Scrap::Bytes("data: [DONE]\n\n")], "truncated"),
        (vec![Scrap::Bytes(BEGUN), Scrap::Fails(CallError::Broken("reset".into()))], "truncated"),
        (vec![Scrap::Bytes(BEGUN), Scrap::Fails(CallError::TimedOut)], "timeout"),
        (vec![Scrap::Bytes(BEGUN), Scrap::Fails(CallError::TooLarge { limit: 1 })], "too_large"),
        (vec![Scrap::Bytes("data: {\n\n")], "malformed"),
    ] {
        assert_eq!(error(Ok(body)).await.code(), code);
    }
    for (text_bytes_max, answer_bytes_max) in [(1, 1 << 20), (1 << 20, 10)] {
        let transport = Scripted::with([good(Provider::OpenAi)]);
        let options = ModelOptions { text_bytes_max, answer_bytes_max, ..options(Provider::OpenAi) };
        let error = ask(&model(options, &transport), request()).await.unwrap_err();
        assert_eq!(error, ModelError::TooLarge { limit: text_bytes_max.min(answer_bytes_max) });
    }
}

#[tokio::test(start_paused = true)]
async fn after_the_mark_of_the_end_nothing_takes_the_answer_away_and_little_is_waited_for() {
    const MARKED: &str =
        "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\n";
    for rest in [
        vec![],
        vec![Scrap::Silence],
        vec![Scrap::Bytes(": ping\n\n"), Scrap::Silence],
        vec![Scrap::Bytes("data: {\"cho"), Scrap::Fails(CallError::Broken("reset".into()))],
        vec![Scrap::Fails(CallError::TimedOut)],
        vec![Scrap::Bytes("nonsense: {\n\ndata: {\n\n"), Scrap::Silence],
    ] {
        let begun = tokio::time::Instant::now();
        let transport = Scripted::with([Ok([vec![Scrap::Bytes(MARKED)], rest].concat())]);
        let answered = ask(&model(options(Provider::OpenAi), &transport), request()).await;
        assert_eq!(answered.unwrap(), ("ok".into(), StopReason::End));
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    }
}

#[tokio::test(start_paused = true)]
async fn behind_the_last_message_nothing_is_waited_for() {
    let begun = tokio::time::Instant::now();
    let transport = Scripted::with([Ok(vec![Scrap::Bytes(OK), Scrap::Silence])]);
    ask(&model(options(Provider::OpenAi), &transport), request()).await.unwrap();
    assert!(begun.elapsed() < Duration::from_millis(100), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_request_that_a_filter_holds_back_is_done_without_a_text() {
    let transport = Scripted::with([refusal(400, r#"{"error":{"code":"content_filter"}}"#)]);
    let answered = ask(&model(options(Provider::OpenAi), &transport), request()).await;
    assert_eq!(answered.unwrap(), (String::new(), StopReason::Filtered));
}
