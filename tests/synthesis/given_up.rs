//! Writings that are cancelled and calls that hang cost what was asked and what was written until then: nobody gets past a
//! session's bounds by them.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use crate::drafts::Draft;
use crate::harness::{Planner, TestApp};
use crate::model_server::{ModelServer, Protocol, Says};
use crate::scene::{assert_extracted, bring_all, ended, patient, post_step, result};

type Bound = (&'static str, &'static str, &'static str, RangeInclusive<usize>);

/// 1000 tokens in and 200 out cost 0.016.
const PRICES: [(&str, &str); 2] = [("INPUT_PRICE", "10"), ("OUTPUT_PRICE", "30")];
/// Steps that are tried at most.
const MOST: usize = 12;
/// Each bound of a session, what says that it is used up, and how many calls it may pay for.
const BOUNDS: [Bound; 3] = [
    ("SESSION__CALLS", "3", "budget_calls", 3..=3),
    ("SESSION__TOKENS", "7000", "budget_tokens", 2..=8),
    ("SESSION__COST", "0.04", "budget_money", 1..=8),
];

async fn app_with(server: &ModelServer, bound: (&str, &str)) -> TestApp {
    let mut setup = patient(server, Protocol::OpenAi).env("SYNTHESIS__ATTEMPTS", 1);
    for (name, value) in PRICES.iter().chain([&bound]) {
        setup = setup.env(&format!("SYNTHESIS__{name}"), value);
    }
    setup.start().await
}

/// Posts steps, whatever happens `meanwhile`, until one says that its session has nothing left; its calls are then as many as it
/// may pay for.
async fn assert_used_up(
    server: &ModelServer,
    (name, value, which, calls): &Bound,
    synthesis: &Value,
    meanwhile: impl AsyncFn(&Planner, &str),
) {
    let app = app_with(server, (name, value)).await;
    let planner = app.planner("s");
    let mut reason = String::new();
    for number in 0..MOST {
        let step = format!("p{number}");
        post_step(&planner, &step, synthesis.clone()).await.expect(201);
        bring_all(&planner, &step).await;
        meanwhile(&planner, &step).await;
        ended(&planner, &step).await;
        reason = assert_extracted(&result(&planner, &step).await);
        if reason.contains("budget") {
            break;
        }
    }
    assert!(reason.contains(which), "{name}: {reason}");
    let asked = server.calls().len();
    assert!(calls.contains(&asked), "{name}: {asked} calls");
}

#[tokio::test]
async fn a_session_cant_spend_without_end_by_writings_that_are_cancelled() {
    for says_something in [true, false] {
        for bound in BOUNDS {
            let server = ModelServer::start().await;
            let cancelling = async |planner: &Planner, step: &str| {
                tokio::select! {
                    mut exchange = server.next() => {
                        if says_something {
                            let draft = Draft::faithful(&exchange.asked).text();
                            exchange.begin().await;
                            exchange.say(&draft[..draft.len() / 2]).await;
                        }
                        planner.tell(&format!("/steps/{step}/cancel"), json!({})).await;
                        exchange.gone().await;
                    }
                    _ = ended(planner, step) => {}
                }
            };
            assert_used_up(&server, &bound, &json!({}), cancelling).await;
        }
    }
}

#[tokio::test]
async fn a_writing_that_is_cancelled_costs_every_call_that_it_made() {
    let server = ModelServer::start().await;
    server.script(|asked| (asked.number == 0).then(|| Says::Cut(Draft::faithful(asked).text(), 400)));
    let setup = patient(&server, Protocol::OpenAi).env("SYNTHESIS__ATTEMPTS", 2);
    let app = setup.env("SYNTHESIS__SESSION__CALLS", 2).start().await;
    let planner = app.planner("s");
    for (step, why) in [("p", "cancelled"), ("q", "budget_calls")] {
        post_step(&planner, step, json!({})).await.expect(201);
        bring_all(&planner, step).await;
        if step == "p" {
            // The first call broke off; the second is under way.
            let exchange = server.next().await;
            planner.tell("/steps/p/cancel", json!({})).await;
            exchange.gone().await;
        }
        ended(&planner, step).await;
        let reason = assert_extracted(&result(&planner, step).await);
        assert!(reason.contains(why), "{step}: {reason}");
    }
    assert_eq!(server.calls().len(), 2);
}

#[tokio::test]
async fn a_session_cant_spend_without_end_by_calls_that_hang() {
    for bound in BOUNDS {
        let server = ModelServer::saying(|_| Says::Hang).await;
        assert_used_up(&server, &bound, &json!({"budget": {"time_ms": 400}}), async |_, _| {}).await;
    }
}

#[tokio::test]
async fn a_session_cant_spend_without_end_by_servers_that_hang_up() {
    for bound in BOUNDS {
        let server = ModelServer::saying(|_| Says::HangUp).await;
        assert_used_up(&server, &bound, &json!({}), async |_, _| {}).await;
    }
}
