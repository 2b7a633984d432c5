//! The result that answers comes first; nothing asked is neutral; the order of results makes no difference.

use proptest::prelude::*;

use super::{Candidate, Relevance, relevance};
use crate::domain::text::words::Lexicon;

fn measured(query: &str, goal: &str, results: &[(&str, Option<f64>)]) -> Vec<Relevance> {
    let results: Vec<_> = results.iter().map(|&(text, reported)| Candidate { text, reported }).collect();
    relevance(&mut Lexicon::default(), query, goal, &results)
}

#[test]
fn result_that_answers_comes_first() {
    let results = [
        ("The weather in Paris is mild.", None),
        ("Quotes convert to orders when they are accepted. Converting a quote is final.", None),
        ("An order has a number.", None),
    ];
    let found = measured("How do I convert a quote to an order?", "", &results);
    assert!(found[1].bm25 > found[2].bm25 && found[2].bm25 > found[0].bm25, "{found:?}");
    assert_eq!(found[0].bm25, 0.0);
}

#[test]
fn one_result_alone_has_a_sensible_value() {
    let found = measured("convert a quote", "", &[("Convert the quote, then check the quote.", None)]);
    assert!((0.4..0.8).contains(&found[0].bm25), "{found:?}");
    assert_eq!(measured("convert a quote", "", &[("", None)])[0].bm25, 0.0);
    assert!(measured("convert a quote", "", &[]).is_empty());
}

#[test]
fn nothing_asked_is_neutral() {
    for (query, goal) in [("", ""), ("the of and", " "), ("?!", "…")] {
        assert_eq!(measured(query, goal, &[("Anything.", Some(0.9))])[0].bm25, 0.5, "{query}");
    }
}

#[test]
fn goal_counts_less_than_query() {
    let results = [("alpha beta", None), ("gamma delta", None)];
    let found = measured("alpha", "gamma", &results);
    assert!(found[0].bm25 > found[1].bm25 && found[1].bm25 > 0.0, "{found:?}");
}

#[test]
fn reported_value_is_clamped_and_blended() {
    let table = [
        (None, 0.5),
        (Some(f64::NAN), 0.5),
        (Some(7.0), 1.0),
        (Some(-1.0), 0.0),
        (Some(f64::INFINITY), 1.0),
        (Some(f64::NEG_INFINITY), 0.0),
        (Some(0.3), 0.3),
    ];
    for (reported, expected) in table {
        let found = measured("", "", &[("x", reported)])[0];
        assert_eq!((found.reported, found.blended), (expected, (expected + 0.5) / 2.0));
    }
}

proptest! {
    #[test]
    fn order_of_results_makes_no_difference(
        query in ".{0,40}", texts in prop::collection::vec("[a-e ]{0,30}|\\PC{0,30}", 0..8), turn in 0usize..8,
    ) {
        let results: Vec<_> = texts.iter().map(|text| (text.as_str(), Some(0.4))).collect();
        let mut turned = results.clone();
        turned.rotate_left(turn.min(results.len()));
        let mut found = measured(&query, "a b", &results);
        found.rotate_left(turn.min(results.len()));
        prop_assert_eq!(&found, &measured(&query, "a b", &turned));
        prop_assert!(found.iter().all(|found| (0.0..=1.0).contains(&found.blended)));
    }
}
