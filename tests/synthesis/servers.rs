//! A model's server that refuses, fails, hangs or dawdles.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::drafts::faithful;
use crate::harness::TestApp;
use crate::model_server::{Asked, Call, Ended, ModelServer, Protocol, Says};
use crate::scene::{
    BOTH, assert_extracted, assert_written, bring_all, by_model, ended, patient, plan, result, written_by,
};

/// A status, as each API says it.
fn status(asked: &Asked, status: u16, headers: &[(&'static str, &str)]) -> Says {
    let kind = match status {
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    };
    let error = match asked.protocol {
        Protocol::OpenAi => json!({"error": {"message": "no", "type": kind, "code": kind}}),
        Protocol::Anthropic => json!({"type": "error", "error": {"type": kind, "message": "no"}}),
    };
    let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    Says::Status(status, headers, error.to_string())
}

/// Fails the first `failures` times, then answers.
async fn failing(failures: usize, fail: impl Fn(&Asked) -> Says + Send + Sync + 'static) -> ModelServer {
    ModelServer::saying(
        move |asked| if asked.number < failures { fail(asked) } else { Says::Text(faithful(asked)) },
    )
    .await
}

fn pauses(calls: &[Call]) -> Vec<Duration> {
    calls.windows(2).map(|two| two[1].asked.at - two[0].asked.at).collect()
}

#[tokio::test]
async fn a_429_is_waited_for_as_long_as_it_says_and_spends_no_attempt() {
    for protocol in BOTH {
        let server = failing(2, |asked| status(asked, 429, &[("retry-after", "1")])).await;
        let app = patient(&server, protocol).env("SYNTHESIS__ATTEMPTS", 1).start().await;
        assert_written(&by_model(app.client()).await);
        let pauses = pauses(&server.calls());
        assert_eq!(pauses.len(), 2);
        for pause in pauses {
            assert!((Duration::from_secs(1)..Duration::from_secs(8)).contains(&pause), "{pause:?}");
        }
    }
}

#[tokio::test]
async fn a_429_without_a_time_is_tried_again_after_a_while() {
    let server = failing(2, |asked| status(asked, 429, &[])).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    assert_written(&by_model(app.client()).await);
    assert_eq!(server.calls().len(), 3);
}

#[tokio::test]
async fn a_429_without_a_time_is_tried_as_often_as_any_failure() {
    let server = failing(usize::MAX, |asked| status(asked, 429, &[])).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let reason = assert_extracted(&by_model(app.client()).await);
    assert!(reason.contains("rate limit") && reason.contains("rate_limited (3 times)"), "{reason}");
    assert_eq!(server.calls().len(), 3);
}

#[tokio::test]
async fn a_429_that_asks_for_patience_again_and_again_is_named_when_time_is_over() {
    let server = failing(usize::MAX, |asked| status(asked, 429, &[("retry-after", "1")])).await;
    let app = patient(&server, Protocol::OpenAi).env("SYNTHESIS__TIMEOUT_MS", 6_000).start().await;
    let reason = assert_extracted(&by_model(app.client()).await);
    assert!(reason.contains("rate_limited"), "{reason}");
    assert!((2..=6).contains(&server.calls().len()), "{}", server.calls().len());
}

#[tokio::test]
async fn a_429_that_asks_for_more_time_than_there_is_ends_in_time_with_the_extractive_answer() {
    let server = failing(usize::MAX, |asked| status(asked, 429, &[("retry-after", "600")])).await;
    let app = patient(&server, Protocol::OpenAi).env("SYNTHESIS__TIMEOUT_MS", 8_000).start().await;
    let begun = Instant::now();
    let reason = assert_extracted(&by_model(app.client()).await);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert!(reason.contains("rate_limited"), "{reason}");
    assert_eq!(server.calls().len(), 1, "it isn't asked before its time");
}

#[tokio::test]
async fn a_429_is_no_verdict_and_a_500_is_one() {
    for (status_code, wanted_calls) in [(429, 3), (500, 2)] {
        // Two failures, then it would answer: only who is still asked learns that.
        let asks: &[_] = if status_code == 429 { &[("retry-after", "1")] } else { &[] };
        let server = failing(2, move |asked| status(asked, status_code, asks)).await;
        let setup = written_by(&server, Protocol::OpenAi).env("SYNTHESIS__ATTEMPTS", 2);
        let setup = setup.env("SYNTHESIS__TIMEOUT_MS", 20_000).env("BREAKER__MINIMUM_CALLS", 2);
        let app = setup.env("BREAKER__OPEN_MS", 100_000).start().await;
        let first = by_model(app.client()).await;
        if status_code == 429 {
            assert_written(&first);
        } else {
            assert!(assert_extracted(&first).contains("server_error (2 times)"), "{first}");
            let reason = assert_extracted(&by_model(app.client()).await);
            assert!(reason.contains("breaker_open"), "{reason}");
            app.logged("keeps failing").await;
        }
        assert_eq!(server.calls().len(), wanted_calls, "after {status_code}");
    }
}

#[tokio::test]
async fn a_server_error_is_tried_again_and_then_given_up() {
    let codes = [(500, "server_error"), (502, "server_error"), (503, "overloaded"), (529, "overloaded")];
    for protocol in BOTH {
        let server = ModelServer::start().await;
        let app = patient(&server, protocol).start().await;
        for (code, said) in codes {
            let before = server.calls().len();
            server.script(move |asked| {
                let fails = asked.number < before + 2;
                Some(if fails { status(asked, code, &[]) } else { Says::Text(faithful(asked)) })
            });
            assert_written(&by_model(app.client()).await);
            assert_eq!(server.calls().len() - before, 3, "{code}");

            server.script(move |asked| Some(status(asked, code, &[])));
            let reason = assert_extracted(&by_model(app.client()).await);
            assert!(reason.contains(&format!("{said} (3 times)")), "{code}: {reason}");
        }
    }
}

#[tokio::test]
async fn a_request_that_is_refused_is_not_tried_again() {
    for (code, said) in [(401, "unauthorised"), (403, "unauthorised"), (404, "request_refused")] {
        let server = failing(usize::MAX, move |asked| status(asked, code, &[])).await;
        let app = patient(&server, Protocol::OpenAi).start().await;
        let reason = assert_extracted(&by_model(app.client()).await);
        assert!(reason.contains(said), "{code}: {reason}");
        assert_eq!(server.calls().len(), 1, "{code}");
    }
}

#[tokio::test]
async fn a_server_without_schemas_is_asked_without_one_and_remembered() {
    for protocol in BOTH {
        let server = ModelServer::saying(|asked| {
            if asked.schema().is_none() && asked.body["response_format"].is_null() {
                return Says::Text(faithful(asked));
            }
            let parameter =
                if asked.protocol == Protocol::OpenAi { "response_format" } else { "output_config" };
            let message = format!("{parameter} is not supported");
            Says::Status(
                400,
                vec![],
                json!({"error": {"type": "invalid_request_error", "message": message}}).to_string(),
            )
        })
        .await;
        let app = patient(&server, protocol).start().await;
        assert_written(&by_model(app.client()).await);
        let first = server.calls().len();
        assert!((2..=3).contains(&first), "{first} calls");
        assert_written(&by_model(app.client()).await);
        assert_eq!(server.calls().len(), first + 1, "asked without one at once");
    }
}

#[tokio::test]
async fn a_server_that_hangs_gives_way_in_time() {
    for (says, protocol) in [
        (Says::Hang, Protocol::OpenAi),
        (Says::HangBehind("{\"findings\":[{\"topic\":\"a".to_owned()), Protocol::Anthropic),
    ] {
        let server = ModelServer::saying(move |_| says.clone()).await;
        let app = patient(&server, protocol).env("SYNTHESIS__TIMEOUT_MS", 1_500).start().await;
        let begun = Instant::now();
        let planner = plan(app.client(), "s", json!({})).await;
        bring_all(&planner, "p").await;
        ended(&planner, "p").await;
        assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
        let reason = assert_extracted(&result(&planner, "p").await);
        assert!(reason.contains("in time") || reason.contains("time was over"), "{reason}");
        let hung_up = |calls: &[Call]| calls.iter().all(|call| call.ended == Some(Ended::PeerGone));
        server.until("the service to hang up", hung_up).await;
    }
}

#[tokio::test]
async fn a_server_that_falls_silent_is_asked_again() {
    for protocol in BOTH {
        let server = failing(1, |_| Says::HangBehind("{\"findings\":[".to_owned())).await;
        let app = patient(&server, protocol).env("SYNTHESIS__IDLE_TIMEOUT_MS", 3_000).start().await;
        assert_written(&by_model(app.client()).await);
        let calls = server.calls();
        assert_eq!((calls.len(), calls[0].ended), (2, Some(Ended::PeerGone)));
    }
}

#[tokio::test]
async fn a_server_that_dawdles_byte_by_byte_is_understood() {
    for protocol in BOTH {
        let server = ModelServer::saying(|asked| Says::Drip(faithful(asked))).await;
        let app = patient(&server, protocol).start().await;
        assert_written(&by_model(app.client()).await);
        assert_eq!(server.calls().len(), 1);
    }
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_understood() {
    for protocol in BOTH {
        let server = ModelServer::saying(|asked| Says::Plain(faithful(asked))).await;
        let app = patient(&server, protocol).start().await;
        assert_written(&by_model(app.client()).await);
    }
}

#[tokio::test]
async fn a_page_of_a_proxy_is_no_answer() {
    let server = failing(1, |_| Says::Body("text/html", "<html>Bad gateway</html>".to_owned())).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    assert_written(&by_model(app.client()).await);
    assert_eq!(server.calls().len(), 2);
}

#[tokio::test]
async fn a_server_that_is_not_there_gives_way() {
    let server = ModelServer::start().await;
    let setup = patient(&server, Protocol::OpenAi).env("SYNTHESIS__BASE_URL", "http://127.0.0.1:9/v1");
    let app: TestApp = setup.start().await;
    let reason = assert_extracted(&by_model(app.client()).await);
    assert!(reason.contains("unreachable (3 times)"), "{reason}");
}
