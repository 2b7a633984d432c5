//! Requests are within the window, whatever there is to say.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::fixture::{claims, task};
use super::*;

/// The subagents that are heard in a request.
fn heard(asked: &Asked) -> BTreeSet<String> {
    let lines = lines(asked);
    let names = lines.iter().filter_map(|line| line["subagents"].as_array()).flatten();
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// The tokens that a request takes before its material.
fn base(tokenizer: &Tokenizer) -> usize {
    let (result, options) = (claims(1, 1), SynthesisOptions::default());
    ask(prompt(Purpose::Retrieval), &input(&result, &options), tokenizer, WIDE).unwrap().input_tokens
}

#[test]
fn each_level_says_less_and_keeps_every_subagent() {
    let (mut result, options, tokenizer) = (claims(60, 6), SynthesisOptions::default(), Tokenizer::o200k());
    for finding in &mut result.findings {
        finding.content = format!("{} {}", finding.content, "and so on ".repeat(20));
    }
    let base = base(&tokenizer);
    let mut seen = BTreeSet::new();
    let mut before = usize::MAX;
    for room in (3..=45).rev().map(|step| step * 200) {
        let window = Window { context_tokens: base + 500 + room, output_tokens: 500 };
        let asked = ask(prompt(Purpose::Retrieval), &input(&result, &options), &tokenizer, window).unwrap();
        assert!(asked.input_tokens <= base + room, "{room}: {}", asked.input_tokens);
        assert!(asked.shown <= before || asked.levels > 3, "{room}");
        assert_eq!(asked.shown + asked.left_out, 60);
        assert_eq!(heard(&asked).len(), 6, "{room}, level {}: {}", asked.levels, asked.user);
        seen.insert(asked.levels);
        before = asked.shown;
    }
    assert!(seen.is_superset(&BTreeSet::from([1, 2, 3])) && seen.last() > Some(&3), "{seen:?}");
}

#[test]
fn a_window_that_nothing_fits_is_not_asked() {
    let (result, options, tokenizer) = (claims(3, 3), SynthesisOptions::default(), Tokenizer::o200k());
    for context_tokens in [0, 10, 500, 900] {
        let window = Window { context_tokens, output_tokens: 300 };
        let asked = ask(prompt(Purpose::Retrieval), &input(&result, &options), &tokenizer, window);
        assert_eq!(asked, Err(NothingToSay::Window), "{context_tokens}");
    }
    let endless = Window { context_tokens: usize::MAX, output_tokens: usize::MAX };
    assert!(ask(prompt(Purpose::Retrieval), &input(&result, &options), &tokenizer, endless).is_err());
}

#[test]
fn long_wishes_are_shortened_before_the_material_is_lost() {
    let (result, options, tokenizer) = (claims(12, 4), SynthesisOptions::default(), Tokenizer::o200k());
    let long = "a \"word\" or two\n".repeat(20_000);
    let input = PromptInput { query: Some(&long), document_context: Some(&long), ..input(&result, &options) };
    let window = Window { context_tokens: 6_000, output_tokens: 1_000 };
    let asked = ask(prompt(Purpose::Retrieval), &input, &tokenizer, window).unwrap();
    assert!(asked.input_tokens <= 5_000 && heard(&asked).len() == 4, "{}", asked.user);
}

proptest! {
    #![proptest_config(crate::properties::cases(96))]

    #[test]
    fn never_beyond_the_window(
        many in 1_usize..40,
        subagents in 1_usize..9,
        room in 0_usize..4_000,
        texts in proptest::collection::vec("(\\PC{0,30} ){0,40}", 0..4),
        factor in 0.5_f64..2.0,
    ) {
        let mut result = claims(many, subagents);
        for (at, text) in texts.iter().enumerate() {
            result.results.push(task(&at.to_string(), &format!("writer-{at}"), text));
            result.findings[at % many].content.push_str(text);
        }
        let options = SynthesisOptions::default();
        let tokenizer = Tokenizer::for_model("some-model", factor);
        let window = Window { context_tokens: 1_000 + room, output_tokens: 200 };
        match ask(prompt(Purpose::Retrieval), &input(&result, &options), &tokenizer, window) {
            Err(error) => prop_assert_eq!(error, NothingToSay::Window),
            Ok(asked) => {
                let counted = tokenizer.count(&asked.system) + tokenizer.count(&asked.user);
                prop_assert!(counted <= window.context_tokens - window.output_tokens);
                prop_assert!(counted <= asked.input_tokens);
                let said = result.results.iter().filter(|brought| !brought.content.trim().is_empty()).count();
                let all = many.min(subagents) + said;
                let missing = all - heard(&asked).len().min(all);
                // Whoever isn't heard isn't because no other's second claim stands there.
                prop_assert!(missing == 0 || asked.shown <= all, "{missing} of {all} missing");
                for line in lines(&asked) {
                    for number in line["sources"].as_array().into_iter().flatten() {
                        let number = number.as_u64().unwrap() as u32;
                        prop_assert!(asked.ids.contains(&number), "{number}");
                    }
                }
            }
        }
    }
}
