//! Whether the page says what the claim says: supported, not, or with another figure or name.

use std::borrow::Cow;
use std::sync::Arc;

use proptest::prelude::*;

use super::{Evidence, Kind, Place, Read, Support, support};
use crate::domain::text::words::Lexicon;

fn judged(claim: &str, sentences: &[&str]) -> Support {
    let mut lexicon = Lexicon::default();
    let evidence = Evidence::new(&mut lexicon, sentences);
    support(&mut lexicon, claim, &[&evidence])
}

const PAGE: [&str; 4] = [
    "Acme Corp opened three factories in Ohio in 2016.",
    "The factories employ 1,200 people.",
    "Critics said the plan was not finished.",
    "It was founded by Jane Doe.",
];

#[test]
fn what_the_page_says_is_supported() {
    let claims = [
        "Acme Corp opened three factories in Ohio in 2016.",
        "In 2016 Acme Corp opened 3 factories in Ohio.",
        "Acme's Ohio factories, opened in 2016, employ 1200 people.",
    ];
    for claim in claims {
        let found = judged(claim, &PAGE);
        assert!(found.is_supported() && found.missing.is_empty(), "{claim}: {found:?}");
    }
}

#[test]
fn what_the_page_does_not_say_is_not_supported() {
    let claims = [
        "Acme Corp opened seven factories in Texas in 2018.",
        "Zeta Ltd closed its mines.",
        "The weather was mild.",
        "",
        "…",
    ];
    for claim in claims {
        assert!(!judged(claim, &PAGE).is_supported(), "{claim}: {:?}", judged(claim, &PAGE));
    }
    assert_eq!(judged("Acme Corp opened.", &[]).score, 0.0);
}

#[test]
fn other_figure_or_name_lowers_the_score_and_is_named() {
    let right = judged("Acme Corp opened factories in Ohio in 2016, it was reported.", &PAGE);
    let figure = judged("Acme Corp opened factories in Ohio in 2017, it was reported.", &PAGE);
    let name = judged("Acme Corp opened factories in Iowa in 2016, it was reported.", &PAGE);
    assert!(right.score > figure.score && right.score > name.score);
    let missing = |found: &Support| found.missing.iter().map(|part| part.kind).collect::<Vec<_>>();
    assert_eq!(missing(&right), [Kind::Word]);
    assert_eq!(missing(&figure), [Kind::Figure, Kind::Word]);
    assert_eq!(missing(&name), [Kind::Name, Kind::Word]);
    let text = "Acme Corp opened factories in Iowa in 2016, it was reported.";
    assert_eq!(&text[name.missing[0].range.clone()], "Iowa");
}

#[test]
fn evidence_is_named_best_first() {
    let found = judged("Jane Doe founded Acme, which employs 1,200 people.", &PAGE);
    let places: Vec<usize> = found.sentences.iter().map(|place| place.sentence).collect();
    assert_eq!(places.len(), 3);
    assert!(places.contains(&1) && places.contains(&3) && places.contains(&0), "{found:?}");
}

#[test]
fn opposite_is_not_supported() {
    let found = judged("Critics said the plan was finished.", &PAGE);
    assert!(found.negation_differs && !found.is_supported(), "{found:?}");
    let same = judged("The plan was not finished, critics said.", &PAGE);
    assert!(!same.negation_differs && same.is_supported(), "{same:?}");
}

#[test]
fn quotation_is_fully_supported_at_word_boundaries_only() {
    assert_eq!(judged("the plan was not finished", &PAGE).score, 1.0);
    for claim in ["Critics said the plan was not finish", "he plan was not finished"] {
        let inside = judged(claim, &PAGE);
        assert!(!inside.verbatim && inside.score < 1.0, "{claim}: {inside:?}");
    }
}

#[test]
fn texts_together_support_what_none_does_alone() {
    let mut lexicon = Lexicon::default();
    let (first, second) = (["Acme opened a mine."], ["The mine is in Peru, opened by Acme in 1999."]);
    let (a, b) = (Evidence::new(&mut lexicon, &first), Evidence::new(&mut lexicon, &second));
    let claim = "Acme opened a mine in Peru.";
    let alone = support(&mut lexicon, claim, &[&a]).score;
    let both = support(&mut lexicon, claim, &[&a, &b]);
    assert!(both.score > alone);
    assert_eq!(both.sentences[0], Place { evidence: 1, sentence: 0 });
    assert_eq!(both.score, support(&mut lexicon, claim, &[&b, &a]).score);
}

#[test]
fn chinese_is_read_by_pairs() {
    assert!(
        judged("公司于2016年在俄亥俄州开设工厂", &["该公司于2016年在俄亥俄州开设了三家工厂。"])
            .is_supported()
    );
    assert!(
        !judged("公司于2017年在上海关闭矿山", &["该公司于2016年在俄亥俄州开设了三家工厂。"]).is_supported()
    );
}

#[test]
fn huge_input_is_read() {
    let long = "a".repeat(1 << 20);
    let words = "word ".repeat(200_000);
    let all: String = (0..5_000).map(|n| format!("term{n} ")).collect();
    for text in [long.as_str(), words.as_str(), all.as_str()] {
        let found = judged(text, &[text, "other"]);
        assert!((0.0..=1.0).contains(&found.score));
    }
}

proptest! {
    #[test]
    fn any_text_gives_a_score(claim in "\\PC{0,60}|[a-d0-9 ,.]{0,40}", page in prop::collection::vec("\\PC{0,60}|[a-d0-9 ,.]{0,40}", 0..6)) {
        let page: Vec<&str> = page.iter().map(String::as_str).collect();
        let found = judged(&claim, &page);
        prop_assert!((0.0..=1.0).contains(&found.score));
        for part in &found.missing {
            prop_assert!(claim.get(part.range.clone()).is_some());
        }
        prop_assert_eq!(found, judged(&claim, &page));
    }

    #[test]
    fn more_evidence_of_the_claim_never_lowers_pairs(claim in "[a-f ]{1,30}", page in prop::collection::vec("[a-f ]{0,30}", 0..5)) {
        let mut page: Vec<&str> = page.iter().map(String::as_str).collect();
        let before = judged(&claim, &page).features.pairs;
        page.push(&claim);
        prop_assert!(judged(&claim, &page).features.pairs >= before);
    }
}

/// More words than a sentence usually has, each another.
fn list(of: usize) -> String {
    let names = (0..of).map(|at| format!("harbour{at}"));
    format!("Ships call at {}.", names.collect::<Vec<_>>().join(" and "))
}

#[test]
fn long_sentence_is_read_once_for_all_that_it_is_evidence_of_and_found_as_a_short_one_is() {
    let mut lexicon = Lexicon::default();
    for of in [4, 400] {
        let text = list(of);
        let long = Read::new(&mut lexicon, Cow::Borrowed(text.as_str()));
        let other = Read::new(&mut lexicon, Cow::Borrowed(PAGE[0]));
        let sources: Vec<Evidence<'_>> =
            (0..3).map(|_| Evidence::of_read([other.clone(), long.clone(), other.clone()])).collect();
        assert_eq!(Arc::strong_count(&long), 4, "nothing is kept of it but itself");
        assert_eq!(sources[0], Evidence::new(&mut lexicon, &[PAGE[0], &text, PAGE[0]]));
        for (claim, is_supported) in [
            ("Ships call at harbour2 and harbour3.", true),
            ("Acme Corp opened three factories in Ohio in 2016.", true),
            ("Planes land at airport2 and airport3.", false),
        ] {
            let found = support(&mut lexicon, claim, &[&sources[0]]);
            assert_eq!(found.is_supported(), is_supported, "{of}: {claim} {found:?}");
        }
        let found = support(&mut lexicon, "Ships call at harbour2 and harbour3.", &[&sources[1]]);
        assert_eq!(found.sentences.first().map(|place| place.sentence), Some(1), "{of}");
    }
}
