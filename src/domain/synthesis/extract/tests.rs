//! Central sentences are chosen, none twice, as many as may be.

use proptest::prelude::*;

use super::{Sentence, summarise};
use crate::domain::text::words::Lexicon;

fn chosen(texts: &[&str], most: usize) -> Vec<usize> {
    let sentences: Vec<_> = texts.iter().map(|text| Sentence { text, weight: 1.0, group: 0 }).collect();
    summarise(&mut Lexicon::default(), &sentences, most)
}

const REVIEWS: [&str; 6] = [
    "The battery life is great and lasts all day.",
    "We bought it in May at a shop.",
    "The battery life is great.",
    "Its screen is sharp and bright outdoors.",
    "The screen is sharp and bright.",
    "Battery life is great for days.",
];

#[test]
fn central_sentences_are_chosen_and_not_twice_the_same() {
    let summary = chosen(&REVIEWS, 2);
    assert_eq!(summary, [2, 4]);
}

#[test]
fn no_more_are_chosen_than_may_be() {
    assert!(chosen(&REVIEWS, 0).is_empty());
    assert_eq!(chosen(&REVIEWS, 1), [2]);
}

#[test]
fn weightless_sentence_is_never_chosen() {
    let mut sentences: Vec<_> = REVIEWS.iter().map(|text| Sentence { text, weight: 1.0, group: 0 }).collect();
    sentences[2].weight = 0.0;
    sentences[0].weight = f64::NAN;
    let summary = summarise(&mut Lexicon::default(), &sentences, 6);
    assert!(!summary.contains(&2) && !summary.contains(&0));
}

#[test]
fn single_sentence_is_its_own_summary() {
    assert_eq!(chosen(&["Short one."], 3), [0]);
    assert!(chosen(&[], 3).is_empty());
    assert!(chosen(&["", "…"], 3).is_empty());
}

#[test]
fn other_groups_are_heard() {
    let text = "Prices rise in the city centre.";
    let other = "Prices rise in the old centre.";
    let groups = [(text, 0), (text, 0), (other, 0), (other, 1)];
    let sentences: Vec<_> =
        groups.iter().map(|&(text, group)| Sentence { text, weight: 1.0, group }).collect();
    let summary = summarise(&mut Lexicon::default(), &sentences, 2);
    assert!(summary.contains(&3), "{summary:?}");
}

proptest! {
    #[test]
    fn any_text_gives_places_in_order_within_the_limit(
        texts in prop::collection::vec("\\PC{0,40}|[a-c ]{0,30}", 0..12), most in 0_usize..20,
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let places = chosen(&texts, most);
        prop_assert!(places.is_sorted() && places.len() <= most && places.iter().all(|&at| at < texts.len()));
    }
}
