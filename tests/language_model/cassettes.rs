//! Recorded answers, played through the chain.

use std::sync::Arc;
use std::time::Duration;

use super::cassette::Cassette;
use tributary::domain::synthesis::budget::{Allowance, Budget, Price};
use tributary::domain::text::tokens::Tokenizer;
use tributary::engine::ports::completion_cache::CacheKey;
use tributary::engine::ports::language_model::ModelRequest;
use tributary::engine::synthesis::Purse;
use tributary::engine::synthesis::models::{
    Completed, ModelSettings, ModelSlot, Models, NoRequest, NotCompleted, TextSaid,
};

/// Asks about something; what comes is told as it comes.
async fn ask_about(tape: &Arc<Cassette>, what: &str) -> (Result<Completed, NotCompleted>, Vec<String>) {
    let slot = ModelSlot {
        model: tape.clone(),
        tokenizer: Tokenizer::o200k(),
        context_tokens: 8_000,
        price: Price::default(),
    };
    let models = Models::new(vec![slot], None, ModelSettings::default());
    let until = models.now().plus_ms(60_000);
    let budget = Purse::new(Budget::new(Allowance::default(), Allowance::default(), until));
    let request = |_: &ModelSlot| -> Result<ModelRequest, NoRequest> {
        Ok(ModelRequest {
            system: "You write a draft.".into(),
            user: format!("<fence-{}>{what}", until.0),
            schema: None,
            temperature: 0.3,
            output_tokens_max: 500,
            patience: Duration::from_secs(10),
            traceparent: None,
        })
    };
    let mut said = Vec::new();
    let mut on_text = |text: TextSaid<'_>| match text {
        TextSaid::Restart => said.push("⟲".to_owned()),
        TextSaid::Text(text) => said.push(text.to_owned()),
    };
    let done = models.complete(&request, &budget, CacheKey(1), &mut on_text).await;
    (done, said)
}

fn tape() -> Arc<Cassette> {
    Cassette::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/language_model/recorded/tea.json"))
}

#[tokio::test(start_paused = true)]
async fn a_recorded_answer_is_played_in_its_pieces() {
    let tape = tape();
    for _ in 0..2 {
        let (done, said) = ask_about(&tape, "tea").await;
        let done = done.unwrap();
        assert_eq!((said.len(), said.concat()), (2, done.text.clone()));
        assert_eq!(
            (&*done.text, done.usage.unwrap().input_tokens),
            ("{\"findings\": [], \"summary\": \"Tea\"}", 812)
        );
    }
    assert_eq!(tape.unknown(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_recorded_answer_that_broke_off_breaks_off() {
    let failed = ask_about(&tape(), "coffee").await.0.unwrap_err();
    assert_eq!((failed.tried[0].code, failed.attempts), ("truncated", 3));
}

#[tokio::test(start_paused = true)]
async fn a_request_without_a_recording_fails_at_once() {
    let tape = tape();
    let failed = ask_about(&tape, "water").await.0.unwrap_err();
    assert_eq!((failed.tried[0].code, failed.attempts, tape.unknown()), ("not_configured", 1, 1));
}
