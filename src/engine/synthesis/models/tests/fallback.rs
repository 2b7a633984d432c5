//! Who is asked after whom.

use std::sync::Arc;

use futures::stream::BoxStream;

use super::scripted::*;
use crate::domain::synthesis::prompt::{BUILT_IN, PromptLibrary, Purpose};
use crate::engine::ports::language_model::{LanguageModel, ModelError, ModelRequest, ModelSaid, StopReason};
use crate::engine::synthesis::models::*;

#[tokio::test(start_paused = true)]
async fn models_are_asked_in_order_and_the_first_answer_counts() {
    let a = Scripted::new("a", vec![], status(500, None));
    let b = Scripted::new("b", vec![], vec![Fails(ModelError::ContextExceeded)]);
    let c = Scripted::new("c", vec![], answers("c"));
    let d = Scripted::new("d", vec![], answers("d"));
    let done = complete(&models(&[&a, &b, &c, &d], settings())).await.unwrap();
    assert_eq!((&*done.model, done.provider, done.attempts, d.asked()), ("c", "scripted", 5, 0));
    assert_eq!(codes(&done.tried), [("a", "server_error", 3), ("b", "context_length_exceeded", 1)]);
    assert_eq!(done.answered_by.as_deref(), Some("dated"));
    assert_eq!(done.usage.map(|usage| (usage.input_tokens, usage.output_tokens)), Some((100, 20)));
}

#[tokio::test(start_paused = true)]
async fn a_refusal_goes_to_the_next_model_and_not_to_another_attempt() {
    let cases = [
        (vec![Says("I can't"), Stops(StopReason::Refusal, None)], "refusal"),
        (vec![Says("It"), Stops(StopReason::Filtered, None)], "filtered"),
        (vec![Says(" \n"), Stops(StopReason::End, None)], "empty_answer"),
        (vec![Stops(StopReason::Length, None)], "empty_answer"),
    ];
    for (does, code) in cases {
        let a = Scripted::new("a", vec![], does);
        let b = Scripted::new("b", vec![], answers("b"));
        let models = models(&[&a, &b], settings());
        let (done, said) = heard(&models, &budget(&models, 60_000)).await;
        assert_eq!((codes(&done.unwrap().tried), a.asked()), (vec![("a", code, 1)], 1));
        assert_eq!(said.last().map(|last| &**last), Some("b"));
        assert_eq!(said.len() > 1, said.contains(&"⟲".to_owned()), "{said:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_cut_answer_is_a_completion_and_so_is_one_that_stopped_for_another_reason() {
    for stop in [StopReason::Length, StopReason::Other("tool_use".into())] {
        let a = Scripted::new("a", vec![], vec![Says("{\"findings\": ["), Stops(stop.clone(), None)]);
        let done = complete(&models(&[&a], settings())).await.unwrap();
        assert_eq!((&*done.text, done.stop, done.attempts), ("{\"findings\": [", stop, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn an_endless_answer_is_cut_between_characters() {
    let a = Scripted::new("a", vec![], vec![Says("ééé"); 100_000]);
    let models = models(&[&a], ModelSettings { answer_bytes_max: 1_001, ..settings() });
    let (done, said) = heard(&models, &budget(&models, 60_000)).await;
    let done = done.unwrap();
    assert_eq!((done.text.len(), done.stop, a.running()), (1_000, StopReason::Length, 0));
    assert_eq!(said.concat(), done.text);
}

#[tokio::test(start_paused = true)]
async fn requests_are_built_for_each_window_and_those_that_do_not_fit_are_not_sent() {
    let a = Scripted::new("a", vec![], answers("a"));
    let b = Scripted::new("b", vec![], answers("b"));
    let c = Scripted::new("c", vec![], answers("c"));
    let windows = [(&a, 200), (&b, 500), (&c, 8_000)];
    let chain = windows.map(|(model, context_tokens)| ModelSlot { context_tokens, ..slot(model) });
    let models = Models::new(chain.into(), None, settings());
    let ask = |slot: &ModelSlot| match slot.context_tokens {
        500 => Err(NoRequest { code: "prompt_too_long", message: "nothing is left".into() }),
        _ => request(slot),
    };
    let done = models.complete(&ask, &budget(&models, 1_000), key(), &mut |_| {}).await.unwrap();
    let tried = [("a", "context_length_exceeded", 1), ("b", "prompt_too_long", 1)];
    assert_eq!((codes(&done.tried), &*done.text), (tried.to_vec(), "c"));
    assert_eq!((a.asked(), b.asked(), done.attempts), (0, 0, 1));
}

/// A model whose server said how long an answer may be.
struct Short(Arc<Scripted>);

impl LanguageModel for Short {
    fn model(&self) -> &str {
        self.0.model()
    }

    fn provider(&self) -> &'static str {
        self.0.provider()
    }

    fn output_tokens_max(&self) -> Option<u32> {
        Some(600)
    }

    fn ask(&self, request: ModelRequest) -> BoxStream<'static, Result<ModelSaid, ModelError>> {
        self.0.ask(request)
    }
}

#[tokio::test(start_paused = true)]
async fn no_longer_answer_is_asked_for_than_the_server_gives() {
    let a = Scripted::new("a", vec![], answers("a"));
    let slot = ModelSlot { model: Arc::new(Short(a.clone())), ..slot(&a) };
    let prompts = PromptLibrary::new(&BUILT_IN, &[]).unwrap();
    let prompt = prompts.get(None, Purpose::Composition).unwrap();
    assert_eq!((prompt.output_tokens, slot.window(prompt).output_tokens), (8_000, 600));
    complete(&Models::new(vec![slot], None, settings())).await.unwrap();
    assert_eq!(a.calls.lock()[0].request.output_tokens_max, 600);
}

#[tokio::test(start_paused = true)]
async fn the_output_is_lowered_to_what_the_window_leaves() {
    let a = Scripted::new("a", vec![], answers("a"));
    let chain = vec![ModelSlot { context_tokens: 500, ..slot(&a) }];
    complete(&Models::new(chain, None, settings())).await.unwrap();
    let output = a.calls.lock()[0].request.output_tokens_max;
    assert!((450..500).contains(&output), "{output}");
}

#[tokio::test(start_paused = true)]
async fn why_nothing_came_is_told_by_a_code() {
    let refusing: Vec<Does> = vec![Stops(StopReason::Refusal, None)];
    let cases: [(Vec<Vec<Does>>, &str); 4] = [
        (vec![], "no_model"),
        (vec![refusing.clone(), refusing.clone()], "refused"),
        (vec![refusing, status(500, None)], "models_failed"),
        (vec![vec![Fails(ModelError::ContextExceeded)]], "prompt_too_long"),
    ];
    for (chain, code) in cases {
        let chain: Vec<Arc<Scripted>> = chain
            .into_iter()
            .enumerate()
            .map(|(n, does)| Scripted::new(&format!("m{n}"), vec![], does))
            .collect();
        let failed = complete(&models(&chain.iter().collect::<Vec<_>>(), settings())).await.unwrap_err();
        assert_eq!(failed.code, code);
        assert_eq!(failed.tried.len(), chain.len());
        assert!(chain.is_empty() || failed.message.contains("scripted m0: "), "{}", failed.message);
    }
}
