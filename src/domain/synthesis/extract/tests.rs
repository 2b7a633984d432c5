//! Central sentences are chosen, none twice, within every limit.

use proptest::prelude::*;

use super::{Limit, Sentence, summarise};
use crate::domain::text::words::Lexicon;

fn chosen(texts: &[&str], limit: Limit<'_>) -> Vec<usize> {
    let sentences: Vec<_> = texts.iter().map(|text| Sentence { text, weight: 1.0, group: 0 }).collect();
    summarise(&mut Lexicon::default(), &sentences, limit)
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
    let summary = chosen(&REVIEWS, Limit::Sentences(2));
    assert_eq!(summary, [2, 4]);
}

#[test]
fn limits_are_kept() {
    assert!(chosen(&REVIEWS, Limit::Sentences(0)).is_empty());
    assert_eq!(chosen(&REVIEWS, Limit::Words(5)), [2]);
    let costs = [9, 9, 9, 9, 2, 3];
    let summary = chosen(&REVIEWS, Limit::Costs { costs: &costs, budget: 5 });
    assert_eq!(summary, [4, 5]);
}

#[test]
fn weightless_sentence_is_never_chosen() {
    let mut sentences: Vec<_> = REVIEWS.iter().map(|text| Sentence { text, weight: 1.0, group: 0 }).collect();
    sentences[2].weight = 0.0;
    sentences[0].weight = f64::NAN;
    let summary = summarise(&mut Lexicon::default(), &sentences, Limit::Sentences(6));
    assert!(!summary.contains(&2) && !summary.contains(&0));
}

#[test]
fn single_sentence_is_its_own_summary() {
    assert_eq!(chosen(&["Short one."], Limit::Sentences(3)), [0]);
    assert!(chosen(&[], Limit::Sentences(3)).is_empty());
    assert!(chosen(&["", "…"], Limit::Sentences(3)).is_empty());
}

#[test]
fn other_groups_are_heard() {
    let text = "Prices rise in the city centre.";
    let other = "Prices rise in the old centre.";
    let groups = [(text, 0), (text, 0), (other, 0), (other, 1)];
    let sentences: Vec<_> =
        groups.iter().map(|&(text, group)| Sentence { text, weight: 1.0, group }).collect();
    let summary = summarise(&mut Lexicon::default(), &sentences, Limit::Sentences(2));
    assert!(summary.contains(&3), "{summary:?}");
}

proptest! {
    #[test]
    fn any_text_gives_places_in_order_within_the_limit(
        texts in prop::collection::vec("\\PC{0,40}|[a-c ]{0,30}", 0..12), most in 0_usize..20,
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let places = chosen(&texts, Limit::Sentences(most));
        prop_assert!(places.is_sorted() && places.len() <= most && places.iter().all(|&at| at < texts.len()));
        let words = chosen(&texts, Limit::Words(most));
        let mut lexicon = Lexicon::default();
        prop_assert!(words.iter().map(|&at| lexicon.words(texts[at]).len()).sum::<usize>() <= most);
    }
}
