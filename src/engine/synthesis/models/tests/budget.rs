//! What calls may cost, and what they did.

use super::scripted::*;
use crate::domain::synthesis::budget::{Allowance, Price, Spent, Tokens};
use crate::engine::ports::language_model::{ModelError, StopReason};
use crate::engine::synthesis::Purse;
use crate::engine::synthesis::models::*;

fn tokens(tokens: u64) -> Allowance {
    Allowance { tokens, ..Allowance::default() }
}

#[tokio::test(start_paused = true)]
async fn a_budget_that_is_used_up_before_makes_no_call() {
    let cases = [
        tokens(200),
        Allowance { calls: 0, ..Allowance::default() },
        Allowance { micros: 100, ..Allowance::default() },
    ];
    let codes_of = ["budget_tokens", "budget_calls", "budget_money"];
    for (allowance, code) in cases.into_iter().zip(codes_of) {
        let a = Scripted::new("a", vec![], answers("a"));
        let models = models(&[&a], settings());
        let budget = budget_of(&models, 60_000, allowance);
        let failed = heard(&models, &budget).await.0.unwrap_err();
        assert_eq!((failed.code, codes(&failed.tried)), ("budget_exhausted", vec![("a", code, 1)]));
        assert_eq!((a.asked(), budget.spent()), (0, Spent::default()));
    }
    let a = Scripted::new("a", vec![], answers("a"));
    let models = models(&[&a], settings());
    let failed = heard(&models, &budget(&models, 0)).await.0.unwrap_err();
    assert_eq!((failed.code, a.asked()), ("deadline_exceeded", 0));
}

#[tokio::test(start_paused = true)]
async fn a_cheaper_model_is_asked_where_the_first_costs_too_much() {
    let a = Scripted::new("a", vec![], answers("a"));
    let b = Scripted::new("b", vec![], answers("b"));
    let cheap = ModelSlot { price: Price { input_micros: 1, output_micros: 1 }, ..slot(&b) };
    let models = Models::new(vec![slot(&a), cheap], None, settings());
    let budget = budget_of(&models, 60_000, Allowance { micros: 1_000, ..Allowance::default() });
    let done = heard(&models, &budget).await.0.unwrap();
    assert_eq!((&*done.text, codes(&done.tried)), ("b", vec![("a", "budget_money", 1)]));
}

#[tokio::test(start_paused = true)]
async fn the_budget_runs_out_in_the_middle() {
    // Each attempt begins to answer, so each costs a call, its input and what was written of it.
    let a = Scripted::new("a", vec![], vec![Says("half an"), Says(" answer"), Fails(ModelError::Truncated)]);
    let models = models(&[&a], ModelSettings { attempts: 10, ..settings() });
    let budget = budget_of(&models, 60_000, Allowance { calls: 2, ..Allowance::default() });
    let failed = heard(&models, &budget).await.0.unwrap_err();
    assert_eq!(codes(&failed.tried), [("a", "truncated", 2), ("a", "budget_calls", 1)]);
    assert_eq!((failed.code, failed.spent.calls, failed.spent.tokens.output), ("budget_exhausted", 2, 6));
    assert_eq!((budget.spent(), budget.held()), (failed.spent, Spent::default()));
}

#[tokio::test(start_paused = true)]
async fn the_output_is_lowered_to_what_is_left() {
    let a = Scripted::new("a", vec![], answers("a"));
    let models = models(&[&a], settings());
    let done = heard(&models, &budget_of(&models, 60_000, tokens(400))).await.0.unwrap();
    let output = a.calls.lock()[0].request.output_tokens_max;
    assert!((300..400).contains(&output), "{output}");
    // Corrected by the server's count.
    let expected = Tokens { input: 100, output: 20 };
    assert_eq!((done.spent.tokens, done.spent.micros), (expected, 100 * 3 + 20 * 15));
}

#[tokio::test(start_paused = true)]
async fn without_a_count_the_estimate_stands_and_a_refused_call_costs_nothing() {
    let uncounted = vec![Says("a"), Stops(StopReason::End, None)];
    let a = Scripted::new("a", vec![status(429, None), status(500, None)], uncounted);
    let models = models(&[&a], settings());
    let done = complete(&models).await.unwrap();
    assert_eq!((done.attempts, done.spent.calls, done.spent.tokens.output), (3, 1, 1_000));
    assert!((17..40).contains(&done.spent.tokens.input));
}

#[tokio::test(start_paused = true)]
async fn a_count_that_no_server_can_have_made_is_none() {
    for counted in [(u64::MAX, 20), (100, u64::MAX), (8_000 * 8 + 1, 20)] {
        let a = Scripted::new("a", vec![], vec![Says("a"), Stops(StopReason::End, Some(counted))]);
        let models = models(&[&a], settings());
        let budget = budget(&models, 60_000);
        let done = heard(&models, &budget).await.0.unwrap();
        assert_eq!((done.usage, done.spent.tokens.output), (None, 1_000), "{counted:?}");
        assert!(budget.spent().tokens.sum() < 2_000, "{counted:?}: {:?}", budget.spent());
    }
    let most = vec![Says("a"), Stops(StopReason::End, Some((8_000 * 8, 20)))];
    let done = complete(&models(&[&Scripted::new("a", vec![], most)], settings())).await.unwrap();
    assert_eq!(done.spent.tokens, Tokens { input: 64_000, output: 20 });
}

#[tokio::test(start_paused = true)]
async fn a_call_that_hangs_costs_what_was_asked_and_one_that_never_came_there_nothing() {
    let fails = |error| vec![Waits(1), Fails(error)];
    for (script, calls) in [
        (vec![Hangs], 1),
        (fails(ModelError::TimedOut), 1),
        (status(504, None), 1),
        (status(503, None), 0),
        (fails(ModelError::HungUp("closed".into())), 1),
        (fails(ModelError::Unreachable("refused".into())), 0),
    ] {
        let a = Scripted::new("a", vec![], script.clone());
        let models = models(&[&a], ModelSettings { attempts: 1, ..settings() });
        let failed = heard(&models, &budget(&models, 2_000)).await.0.unwrap_err();
        let Spent { calls: counted, tokens, micros } = failed.spent;
        assert_eq!((counted, tokens.output), (calls, 0), "{script:?}");
        assert_eq!(tokens.input > 16 && micros > 0, calls > 0, "{script:?}: {tokens:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn calls_that_hang_use_the_budget_up() {
    let a = Scripted::new("a", vec![], vec![Fails(ModelError::TimedOut)]);
    let models = models(&[&a], ModelSettings { attempts: 10, ..settings() });
    let budget = budget_of(&models, 60_000, Allowance { calls: 2, ..Allowance::default() });
    let failed = heard(&models, &budget).await.0.unwrap_err();
    assert_eq!((failed.code, a.asked(), budget.spent().calls), ("budget_exhausted", 2, 2));
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_paid_for() {
    let refuses = vec![Stops(StopReason::Refusal, Some((90, 5)))];
    let (a, b) = (Scripted::new("a", vec![], refuses), Scripted::new("b", vec![], answers("b")));
    let done = complete(&models(&[&a, &b], settings())).await.unwrap();
    assert_eq!((done.spent.calls, done.spent.tokens), (2, Tokens { input: 190, output: 25 }));
}

#[tokio::test(start_paused = true)]
async fn calls_at_once_share_one_budget() {
    let a = Scripted::new("a", vec![], answers("a"));
    let models = models(&[&a], settings());
    let allowance = Allowance { calls: 3, ..Allowance::default() };
    let budget: Purse = budget_of(&models, 60_000, allowance);
    let all = futures::future::join_all((0..10).map(|_| heard(&models, &budget))).await;
    assert_eq!(all.iter().filter(|(done, _)| done.is_ok()).count(), 3);
    assert_eq!((a.asked(), budget.spent().calls), (3, 3));
}
