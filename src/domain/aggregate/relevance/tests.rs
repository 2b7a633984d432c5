//! The result that answers comes first; where nothing is asked the report counts; the order of results makes no difference.

use proptest::prelude::*;

use super::{Relevance, relevance};
use crate::domain::text::words::Lexicon;

fn measured(query: &str, goal: &str, results: &[(&str, Option<f64>)]) -> Vec<Relevance> {
    let mut lexicon = Lexicon::default();
    let read = results.iter().map(|(text, reported)| (lexicon.terms(text), *reported));
    let (terms, reported): (Vec<_>, Vec<_>) = read.unzip();
    relevance(&mut lexicon, query, goal, &terms, &reported)
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
    assert_eq!(found[0].bm25, Some(0.0));
}

#[test]
fn one_result_alone_has_a_sensible_value() {
    let alone = |text| measured("What is the limit per order?", "", &[(text, Some(1.0))])[0];
    let full = alone("The limit per order is 5.");
    assert_eq!((full.bm25, full.blended), (Some(1.0), 1.0), "it speaks of all that was asked");
    let half = alone("An order has a number.");
    assert!((0.3..0.7).contains(&half.bm25.unwrap()), "{half:?}");
    assert_eq!(alone("The weather in Paris is mild.").bm25, Some(0.0));
    assert_eq!(measured("convert a quote", "", &[("", None)])[0].bm25, Some(0.0));
    assert!(measured("convert a quote", "", &[]).is_empty());
}

#[test]
fn terms_that_all_have_count_and_repetitions_decide_between_equals() {
    let texts = ["The limit of an order is 5.", "Order limit: a limit of 5 for each order.", "The fee is 3."];
    let results = texts.map(|text| (text, Some(1.0)));
    let found = measured("What is the limit per order?", "", &results);
    assert!(found[0].bm25 > Some(0.5) && found[1].bm25 > Some(0.5), "{found:?}");
    assert_eq!(found[2].bm25, Some(0.0));
    let twice = measured("limit", "", &[("limit five", None), ("limit limit", None)]);
    assert_eq!(twice[0].blended, twice[1].blended);
    assert!(twice[1].strength > twice[0].strength, "{twice:?}");
}

#[test]
fn long_text_that_mentions_it_in_passing_is_less_relevant() {
    let long = format!("The limit per order is 5. {}", "Something else is told here at length. ".repeat(40));
    let found = measured("limit per order", "", &[(&long, None), ("The limit per order is 5.", None)]);
    assert!(found[0].bm25 < found[1].bm25 && found[1].bm25 == Some(1.0), "{found:?}");
}

#[test]
fn where_nothing_is_asked_the_reported_value_counts_alone() {
    for (query, goal) in [("", ""), ("the of and", " "), ("?!", "…")] {
        let found = measured(query, goal, &[("Anything.", Some(0.9))])[0];
        assert_eq!((found.bm25, found.blended), (None, 0.9), "{query}");
    }
}

#[test]
fn goal_counts_less_than_query() {
    let results = [("alpha beta", None), ("gamma delta", None)];
    let found = measured("alpha", "gamma", &results);
    assert!(found[0].bm25 > found[1].bm25 && found[1].bm25 > Some(0.0), "{found:?}");
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
        assert_eq!((found.reported, found.blended), (expected, expected));
        let found = measured("y", "", &[("x", reported)])[0];
        assert_eq!((found.reported, found.blended), (expected, expected / 2.0));
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
