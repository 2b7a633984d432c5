//! A faithful synthesis is good, and each fault has its issue.

use proptest::prelude::*;

use super::{Examined, ExaminedSentence, Gate, OnLowQuality, Scores, examine, gate};
use crate::domain::synthesis::support::{Evidence, Read};
use crate::domain::text::words::Lexicon;

fn cited<'a>(text: &'a str, citations: &[usize]) -> ExaminedSentence<'a> {
    ExaminedSentence { text, citations: citations.to_vec(), contributors: Vec::new(), again: false }
}

fn scored(sentences: Vec<ExaminedSentence<'_>>) -> Scores {
    let mut lexicon = Lexicon::default();
    let sources = [
        ["Acme opened three factories in Ohio in 2016.", "They employ 1,200 people."],
        ["The plan failed, critics say.", "Zeta mines copper in Peru."],
    ];
    let sources = sources.map(|sentences| Evidence::new(&mut lexicon, &sentences));
    let history = lexicon.words("Acme opened three factories in Ohio in 2016. They employ 1,200 people.");
    let mines = lexicon.words("Zeta mines copper in Peru.");
    let results = vec![("history", history.as_slice()), ("mines", mines.as_slice())];
    let query = "What did Acme open, and where does Zeta mine?";
    examine(&mut lexicon, &Examined { sentences, sources: &sources, results, query })
}

fn codes(scores: &Scores) -> Vec<&'static str> {
    scores.issues.iter().map(|issue| issue.code).collect()
}

#[test]
fn faithful_synthesis_is_good() {
    let scores = scored(vec![
        cited("Acme opened three factories in Ohio in 2016.", &[0]),
        cited("Zeta mines copper in Peru.", &[1]),
    ]);
    let full =
        [scores.citation_rate, scores.citation_precision, scores.citation_recall, scores.numeric_fidelity];
    assert_eq!(full, [Some(1.0); 4]);
    assert_eq!((scores.completeness, scores.balance, scores.redundancy), (Some(1.0), Some(1.0), Some(0.0)));
    assert!(scores.overall > 0.9 && scores.issues.is_empty(), "{scores:?}");
    assert_eq!(scores.extractive_coverage, Some(1.0));
    assert!(scores.density > Some(5.0));
}

#[test]
fn what_is_quoted_is_read_as_it_stands_whatever_is_known_of_it() {
    let mut lexicon = Lexicon::default();
    // As it is read for findings: without the marker's number.
    let text = "Acme opened three factories [1] in Ohio in 2016, and three factories [1] in Peru.";
    let mut words = lexicon.words(text);
    words.retain(|word| &text[word.range()] != "1");
    let known = [Evidence::of_read([Read::of(text.into(), words, false)])];
    let read = [Evidence::new(&mut lexicon, &[text])];
    let mut scores = |sources: &[Evidence<'_>]| {
        let sentences = vec![cited(text, &[0])];
        examine(&mut lexicon, &Examined { sentences, sources, ..Examined::default() })
    };
    assert_eq!(scores(&known), scores(&read));
    // Otherwise its words are known.
    let text = "Zeta mines copper in Peru.";
    let known = [Evidence::of_read([Read::of(text.into(), Vec::new(), false)])];
    let sentences = vec![cited(text, &[0])];
    let scores = examine(&mut lexicon, &Examined { sentences, sources: &known, ..Examined::default() });
    assert_eq!(scores.density, None, "no words");
}

#[test]
fn each_fault_has_its_issue() {
    let table: &[(&str, &[usize], &[&str])] = &[
        ("Acme opened three factories.", &[], &["uncited"]),
        ("Acme opened three factories in Ohio.", &[0, 7], &["dangling_citation"]),
        ("Gamma bought Delta for cash.", &[0], &["unsupported"]),
        ("Acme opened three factories in Ohio in 2016.", &[0, 1], &["irrelevant_citation"]),
        ("Acme opened three factories in Ohio in 2017.", &[0], &["unsupported", "figure_not_in_source"]),
        ("The plan failed, critics say: “it never worked”.", &[1], &["quote_not_in_source"]),
    ];
    for &(text, citations, expected) in table {
        let scores = scored(vec![cited(text, citations)]);
        let own: Vec<_> = codes(&scores)
            .into_iter()
            .filter(|code| !code.contains("not_covered") && !code.contains("query"))
            .collect();
        assert_eq!(own, expected, "{text}: {scores:?}");
    }
}

#[test]
fn headings_and_questions_need_no_citation() {
    let scores = scored(vec![cited("## Acme factories", &[]), cited("Who opened the factories?", &[])]);
    assert_eq!((scores.citation_rate, scores.citation_precision, scores.citation_recall), (None, None, None));
    assert!(!codes(&scores).contains(&"uncited"));
}

#[test]
fn bare_answer_needs_a_citation_where_nothing_else_is_said() {
    let rates = |scores: Scores| (scores.citation_rate, scores.citation_precision);
    assert_eq!(rates(scored(vec![cited("Yes.", &[])])), (Some(0.0), Some(0.0)));
    assert_eq!(rates(scored(vec![cited("Ohio.", &[0])])), (Some(1.0), Some(1.0)));
    let beside = vec![cited("Yes.", &[]), cited("Acme opened three factories in Ohio.", &[0])];
    assert_eq!(rates(scored(beside)), (Some(1.0), Some(1.0)));
}

#[test]
fn what_cannot_be_measured_is_no_share_and_counts_for_nothing() {
    let mut lexicon = Lexicon::default();
    let sources = [Evidence::new(&mut lexicon, &["Zeta mines copper in Peru."])];
    let sentences = vec![cited("Zeta mines copper in Peru.", &[0])];
    let scores = examine(&mut lexicon, &Examined { sentences, sources: &sources, ..Examined::default() });
    let none = [scores.numeric_fidelity, scores.quote_fidelity, scores.coverage, scores.balance];
    assert_eq!((none, scores.coherence, scores.completeness), ([None; 4], None, None));
    assert_eq!((scores.citation_rate, scores.redundancy), (Some(1.0), Some(0.0)));
    assert!((scores.overall - 1.0).abs() < 1e-12, "{scores:?}");
    // Half of what is measured isn't more for all that isn't.
    let half = Scores { citation_rate: Some(0.5), ..Scores::default() };
    assert_eq!((half.weighted_mean(), Scores::default().weighted_mean()), (0.5, 0.0));
}

#[test]
fn a_word_that_no_result_has_beside_its_neighbour_is_a_fragment_of_its_own() {
    let scores = scored(vec![cited("Factories delighted Ohio. Factories in Ohio", &[0])]);
    // Two fragments of one word, a word that no result has, and a fragment of three.
    assert_eq!((scores.extractive_coverage, scores.density), (Some(5.0 / 6.0), Some(11.0 / 6.0)));
}

#[test]
fn verbatim_quote_is_faithful() {
    let scores = scored(vec![cited("They wrote: “employ  1,200 people,” and \"The plan failed\".", &[])]);
    assert_eq!(scores.quote_fidelity, Some(1.0), "{scores:?}");
    let scores = scored(vec![cited("They wrote: “employ 1,300 people”.", &[])]);
    assert_eq!(scores.quote_fidelity, Some(0.0));
}

#[test]
fn silence_about_a_result_or_the_query_is_noted() {
    let scores = scored(vec![cited("Acme opened three factories in Ohio in 2016.", &[0])]);
    assert!(codes(&scores).contains(&"result_not_covered") && codes(&scores).contains(&"query_not_answered"));
    assert!(scores.per_result_coverage[0].1 > 0.6 && scores.per_result_coverage[1].1 == 0.0);
    assert_eq!(scores.balance, Some(0.0));
}

#[test]
fn repetition_is_redundant() {
    let text = "Acme opened three factories in Ohio.";
    let scores = scored(vec![cited(text, &[0]), cited(text, &[0])]);
    assert_eq!(scores.redundancy, Some(0.5));
    assert!(codes(&scores).contains(&"repeated"));
    // What contradicts another is quoted again beside it.
    let again = ExaminedSentence { again: true, ..cited(text, &[0]) };
    let scores = scored(vec![cited(text, &[0]), again]);
    assert!(scores.redundancy == Some(0.0) && !codes(&scores).contains(&"repeated"));
}

#[test]
fn another_unit_is_another_figure() {
    let first = cited("Operating margin rose 1.2 percentage points to 18.4%.", &[]);
    for (text, is_repeated) in [
        ("Operating margin rose 1.2%.", false),
        ("Operating margin rose 1.2 percentage points.", true),
        ("Operating margin rose.", true),
    ] {
        let scores = scored(vec![first.clone(), cited(text, &[])]);
        assert_eq!(codes(&scores).contains(&"repeated"), is_repeated, "{text}");
    }
}

#[test]
fn a_sentence_that_is_quoted_again_is_noted_once() {
    let text = "Acme opened three factories.";
    let scores = scored(vec![cited(text, &[]), ExaminedSentence { again: true, ..cited(text, &[]) }]);
    assert_eq!(codes(&scores).into_iter().filter(|code| *code == "uncited").count(), 1, "{scores:?}");
}

#[test]
fn words_that_ask_for_a_number_or_join_are_no_part_of_a_question() {
    for (query, said) in [
        ("How many factories did Acme open?", "Acme opened 3 factories in 2016."),
        ("How much did the factory cost?", "The factory cost 3 million euros."),
        ("What is the error rate?", "\"status\": \"degraded\", \"error_rate\": 0.07"),
        ("公司2023年的收入是多少?", "公司2023年收入为500万美元。"),
        ("この薬は安全ですか?副作用はありますか?", "この薬は安全です。副作用は頭痛です。"),
        ("Wann war der Fall der Mauer?", "Der Fall der Mauer geschah am 9. November 1989."),
    ] {
        let sentences = vec![cited(said, &[])];
        let examined = Examined { sentences, sources: &[], results: Vec::new(), query };
        let scores = examine(&mut Lexicon::default(), &examined);
        assert!(!codes(&scores).contains(&"query_not_answered"), "{query}: {scores:?}");
    }
}

#[test]
fn an_abbreviation_is_missed_as_it_is_written() {
    let query = "Who is the CEO of Acme and what is plan B?";
    let sentences = vec![cited("Acme opened three factories.", &[])];
    let examined = Examined { sentences, sources: &[], results: Vec::new(), query };
    let scores = examine(&mut Lexicon::default(), &examined);
    let missed = scores.issues.iter().find(|issue| issue.code == "query_not_answered").unwrap();
    assert_eq!(missed.text, "of the query nothing is said about: CEO, plan, B");
}

#[test]
fn chinese_that_is_missed_is_told_in_runs_of_characters() {
    for (query, said, missed) in [
        ("食谱适合高血压患者吗？运动计划", "这份食谱以小米粥为主。", "高血压患者, 运动计划"),
        ("食谱 CEO", "This is about something else.", "食谱, CEO"),
    ] {
        let sentences = vec![cited(said, &[])];
        let examined = Examined { sentences, sources: &[], results: Vec::new(), query };
        let scores = examine(&mut Lexicon::default(), &examined);
        let told = scores.issues.iter().find(|issue| issue.code == "query_not_answered").unwrap();
        let told = told.text.strip_prefix("of the query nothing is said about: ").unwrap();
        assert!(missed.split(", ").all(|run| told.split(", ").any(|words| words.contains(run))), "{told}");
        assert!(told.split(", ").count() <= 3, "{told}");
    }
}

#[test]
fn huge_sentence_is_examined_in_linear_time() {
    for text in [
        "«".repeat(1 << 15),
        "“a b".repeat(1 << 15),
        "\"".repeat(1 << 16),
        "a ".repeat(1 << 15),
        "e\u{301}\0".repeat(1 << 16),
    ] {
        let scores = scored(vec![cited(&text, &[0])]);
        assert!((0.0..=1.0).contains(&scores.overall));
    }
}

#[test]
fn nothing_is_examined_without_harm() {
    let scores = examine(&mut Lexicon::default(), &Examined::default());
    assert_eq!(scores, Scores::default());
    let weights: f64 = scores.weights().iter().map(|(_, weight)| weight).sum();
    assert!((weights - 1.0).abs() < 1e-12);
}

#[test]
fn gate_holds_what_is_not_good_enough() {
    let table = [
        (0.6, 0.6, OnLowQuality::Block, Gate::Pass),
        (0.5, 0.6, OnLowQuality::Warn, Gate::Warn),
        (0.5, 0.6, OnLowQuality::Block, Gate::Block),
        (0.0, 0.0, OnLowQuality::Block, Gate::Pass),
        (f64::NAN, 0.0, OnLowQuality::Block, Gate::Block),
    ];
    for (overall, least, policy, expected) in table {
        assert_eq!(gate(overall, least, policy), expected, "{overall} {least}");
    }
}

proptest! {
    #[test]
    fn any_text_gives_scores(
        texts in prop::collection::vec("\\PC{0,40}|[a-d0-9 \"“”,.]{0,40}", 1..6), cites in prop::collection::vec(0_usize..4, 0..4),
    ) {
        let sentences: Vec<_> = texts.iter().map(|text| cited(text, &cites)).collect();
        let mut lexicon = Lexicon::default();
        let words: Vec<_> = texts.iter().rev().map(|text| lexicon.words(text)).collect();
        let results = words.iter().map(|words| ("r", words.as_slice())).collect();
        let sources: Vec<_> = texts.iter().map(|text| Evidence::new(&mut lexicon, &[text.as_str()])).collect();
        let whole = Examined { sentences, sources: &sources, results, query: &texts[0] };
        let scores = examine(&mut Lexicon::default(), &whole);
        let weights = scores.weights();
        prop_assert!(weights.iter().filter_map(|(score, _)| *score).all(|score| (0.0..=1.0).contains(&score)), "{:?}", scores);
        prop_assert!((0.0..=1.0 + 1e-9).contains(&scores.overall));
        prop_assert_eq!(scores, examine(&mut Lexicon::default(), &whole));
    }
}

#[test]
fn who_denies_what_was_said_repeats_nothing() {
    let repeats =
        |first, second| codes(&scored(vec![cited(first, &[0]), cited(second, &[0])])).contains(&"repeated");
    let affirmed = "There are direct flights from Bern to Rome.";
    let denied = "There are no direct flights from Bern to Rome.";
    assert!(!repeats(affirmed, denied) && !repeats(denied, affirmed));
    assert!(repeats(affirmed, affirmed) && repeats(denied, denied));
}

#[test]
fn a_source_that_says_it_in_another_unit_is_needed() {
    let irrelevant = |second: &str| {
        let mut lexicon = Lexicon::default();
        let sources = ["The rod is 0.20 m long.", second];
        let sources = sources.map(|sentence| Evidence::new(&mut lexicon, &[sentence]));
        let words = lexicon.words("The rod is 0.20 m long.");
        let results = vec![("rod", words.as_slice())];
        let sentences = vec![cited("The rod is 0.20 m long.", &[0, 1])];
        let query = "How long is the rod?";
        codes(&examine(&mut lexicon, &Examined { sentences, sources: &sources, results, query }))
            .contains(&"irrelevant_citation")
    };
    assert!(!irrelevant("The rod is 20 cm long."));
    assert!(irrelevant("The rod is 25 cm long."));
}
