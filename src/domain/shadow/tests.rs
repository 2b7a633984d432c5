//! What two answers are to each other: pairs of every kind, whole answers, and what holds for any two.

use proptest::prelude::*;

use super::pairs::Weight;
use super::*;
use crate::domain::aggregate::input::{SourceInput, TaskInput};
use crate::domain::aggregate::options::Options;
use crate::domain::aggregate::{Place, Question, Request, Style, aggregate};

/// In what a single statement of ours differs from a single one of the monolith's: `None` where they say the same.
fn kinds(ours: &str, legacy: &str) -> Vec<Kind> {
    let joined = pairs::join(vec![ours], vec![legacy]);
    let all = [joined.contradicted, joined.different_numbers, joined.missing, joined.extra];
    all.iter().flatten().map(|discrepancy| discrepancy.kind).collect()
}

const APART: [Kind; 2] = [Kind::Missing, Kind::Extra];

#[test]
fn statements_that_say_the_same_are_paired() {
    for (ours, legacy) in [
        ("A quote is valid for 30 days.", "A quote is valid for 30 days"),
        ("Revenue was $4.44 billion last year.", "Last year revenue was 4.4 billion dollars."),
        ("The office in Berlin opens at nine.", "In Berlin, the office opens at nine."),
        ("The market grew by 12.5 percent in 2024.", "However, the market grew by 12.5% in 2024."),
        ("合同的有效期为三十天，可以续签一次。", "合同的有效期为三十天，并且可以续签一次。"),
    ] {
        assert_eq!(kinds(ours, legacy), [], "{ours} | {legacy}");
        assert_eq!(kinds(legacy, ours), [], "{legacy} | {ours}");
    }
}

#[test]
fn statements_that_differ_in_figures_only_are_told_with_their_values() {
    for (ours, legacy, detail) in [
        (
            "A quote is valid for 30 days.",
            "A quote is valid for 45 days.",
            "Ours: “30 days”; the monolith's: “45 days”.",
        ),
        (
            "The battery market reached $5 billion.",
            "The battery market reached $9 billion.",
            "Ours: “$5 billion”; the monolith's: “$9 billion”.",
        ),
        (
            "The limit is 5 GB per user.",
            "The limit is 5 MB per user.",
            "Ours: “5 GB”; the monolith's: “5 MB”.",
        ),
        (
            "The company Acme was founded in 2015.",
            "The company Acme was founded in 2017.",
            "Ours: “2015”; the monolith's: “2017”.",
        ),
        (
            "The team sold 12 cars and 40 bikes in the spring.",
            "The team sold 15 cars and 44 bikes in the spring.",
            "Ours: “12”, “40”; the monolith's: “15”, “44”.",
        ),
    ] {
        let joined = pairs::join(vec![ours], vec![legacy]);
        let [found] = &joined.different_numbers[..] else { panic!("{ours} | {legacy}: {joined:?}") };
        assert_eq!((found.ours.as_deref(), found.legacy.as_deref()), (Some(ours), Some(legacy)));
        assert_eq!(found.detail, detail, "{ours} | {legacy}");
        assert_eq!(kinds(legacy, ours), [Kind::DifferentNumbers], "the other way round");
    }
}

#[test]
fn statements_that_say_the_opposite_contradict_each_other() {
    for (ours, legacy, detail) in [
        (
            "The vaccine is safe for young children.",
            "The vaccine is not safe for young children.",
            "Ours: no negation; the monolith's: “not”.",
        ),
        (
            "Exports of copper from the region increased.",
            "Exports of copper from the region decreased.",
            "Ours: “increased”; the monolith's: “decreased”.",
        ),
    ] {
        let joined = pairs::join(vec![ours], vec![legacy]);
        let [found] = &joined.contradicted[..] else { panic!("{ours} | {legacy}: {joined:?}") };
        assert_eq!(found.detail, detail);
        assert_eq!(kinds(legacy, ours), [Kind::Contradicted]);
    }
}

#[test]
fn statements_about_different_things_are_missing_and_extra() {
    for (ours, legacy) in [
        ("A quote is valid for 30 days.", "The warehouse ships on the next working day."),
        ("Acme acquired Globex in the spring.", "Globex acquired Acme in the spring."),
        ("The price in 2020 was 5 euros a box.", "The price in 2021 was 6 euros a box."),
        ("The card has the chip H100 on board.", "The new card has a chip A100 inside."),
        ("The server with the H100 renders films at night.", "The server with the A100 renders films."),
        ("The office in Berlin is open.", "The office in Madrid is open."),
    ] {
        assert_eq!(kinds(ours, legacy), APART, "{ours} | {legacy}");
        assert_eq!(kinds(legacy, ours), APART, "{legacy} | {ours}");
    }
}

#[test]
fn what_one_side_says_in_two_sentences_is_the_same() {
    let whole = "The museum in Lyon opens at nine in the morning and closes at six in the evening.";
    let parts =
        ["The museum in Lyon opens at nine in the morning.", "The museum closes at six in the evening."];
    for (ours, legacy) in [(vec![whole], parts.to_vec()), (parts.to_vec(), vec![whole])] {
        let joined = pairs::join(ours, legacy);
        assert_eq!((&joined.missing[..], &joined.extra[..]), (&[][..], &[][..]), "{joined:?}");
        let Weight { count, same } = joined.weights.ours;
        assert_eq!(count, same);
    }
}

#[test]
fn a_statement_with_more_in_it_is_extra_and_what_it_holds_is_not_missing() {
    let (more, less) =
        ("The harbour handled containers worth 12 million euros.", "The harbour handled containers.");
    assert_eq!((kinds(more, less), kinds(less, more)), (vec![Kind::Extra], vec![Kind::Missing]));
}

#[test]
fn what_is_said_twice_counts_once() {
    let joined = pairs::join(
        vec!["A quote is valid for 30 days.", "A quote is valid for 30 days", "Nobody is at the door today."],
        vec!["A quote is valid for 30 days."],
    );
    assert_eq!((joined.weights.ours.count, joined.weights.ours.same), (2, 1));
    assert_eq!((joined.same.len(), joined.extra.len()), (1, 1));
}

fn task(subagent: &str, content: &str, sources: &[&str]) -> TaskInput {
    TaskInput {
        task_id: subagent.to_owned(),
        subagent: subagent.to_owned(),
        content: content.to_owned(),
        sources: sources.iter().filter_map(|text| SourceInput::from_text(text)).collect(),
        ..TaskInput::default()
    }
}

fn result(tasks: Vec<TaskInput>) -> AggregatedResult {
    let options = Options::default();
    let question = Question::default();
    aggregate(Request { question, tasks, options, place: Place::nowhere(), style: Style::Findings })
}

fn legacy(answer: &str, sources: &[&str]) -> LegacyResponse {
    let sources = sources.iter().filter_map(|text| SourceInput::from_text(text)).collect();
    LegacyResponse {
        answer: answer.to_owned(),
        sources,
        latency_ms: Some(4_000),
        ..LegacyResponse::default()
    }
}

const TERMS: &str =
    "A quote is valid for 30 days [1]. The warehouse ships an order on the next working day [2].";
const TERMS_SOURCES: [&str; 2] = ["https://a.example/quotes", "https://b.example/orders?utm_source=x"];

#[test]
fn the_same_answer_has_no_discrepancy() {
    let ours = result(vec![task("docs", TERMS, &TERMS_SOURCES)]);
    let answer = "# Terms\n\n- A quote is valid for 30 days. [1]\n- The warehouse ships an order on the \
                  [next working day](https://www.b.example/orders).\n\n## Sources\n1. https://a.example/quotes#top";
    let found = compare(&ours, Some(1_000), &legacy(answer, &[]));
    assert_eq!(found.discrepancies().collect::<Vec<_>>(), Vec::<&Discrepancy>::new(), "{found:#?}");
    assert_eq!((found.verdict, found.agreement, found.same.len()), (Verdict::Same, 1.0, 2));
    assert_eq!(found.citations.same.len(), 2);
    assert_eq!(found.latency, Latency { ours_ms: Some(1_000), legacy_ms: Some(4_000), ratio: Some(0.25) });
}

#[test]
fn every_kind_of_discrepancy_is_listed_and_explained() {
    let ours = "A quote is valid for 30 days [1]. The vaccine is safe for young children [2]. Tigers live in the forest.";
    let ours = result(vec![task("docs", ours, &TERMS_SOURCES)]);
    let answer = "A quote is valid for 45 days [1]. The vaccine is not safe for young children. The bridge was painted red.";
    let found =
        compare(&ours, None, &legacy(answer, &["https://a.example/quotes", "https://c.example", "A book"]));
    for kind in Kind::ALL {
        assert_eq!(found.count(kind), 1, "{kind:?}: {found:#?}");
    }
    assert_eq!(found.discrepancies().count(), Kind::ALL.len());
    assert_eq!((found.verdict, found.latency.ratio), (Verdict::Different, None));
    assert_eq!(
        found.explanation,
        "0 of the monolith's 3 statements are ours too, 0 of our 3 statements are the monolith's; 1 contradicted; \
         1 different in figures; sources: 1 the same, 1 missing, 1 extra."
    );
}

#[test]
fn an_answer_to_a_step_that_failed_is_missing_as_a_whole() {
    let mut failed = task("docs", "", &[]);
    failed.status = crate::domain::aggregate::input::InputStatus::Failed(
        crate::domain::aggregate::input::FailureStatus::Timeout,
    );
    let found = compare(&result(vec![failed]), None, &legacy("A quote is valid for 30 days.", &[]));
    assert_eq!((found.missing.len(), found.extra.len()), (1, 0), "{found:#?}");
    assert_eq!((found.verdict, found.agreement), (Verdict::Different, 0.0));
}

#[test]
fn what_says_only_that_nothing_can_be_quoted_is_no_statement_of_ours() {
    for said in ["ok", "Done."] {
        let found = compare(&result(vec![task("docs", said, &[])]), None, &legacy(said, &[]));
        assert_eq!(
            (found.extra.len(), found.verdict, found.agreement),
            (0, Verdict::Same, 1.0),
            "{found:#?}"
        );
    }
}

#[test]
fn much_of_ours_on_top_is_minor_and_a_single_other_figure_among_many_too() {
    let facts = [
        "A quote is valid for 30 days.",
        "The warehouse ships on the next working day.",
        "Returns are free within the first month.",
        "The hotline is closed on Sundays.",
        "Orders above the threshold need a signature.",
        "The invoice comes by letter or mail.",
        "Gift cards never expire anywhere.",
        "Customers abroad pay the customs themselves.",
        "The newsletter is sent every Friday.",
        "A lost parcel is searched by the carrier.",
        "Damaged goods are replaced at once.",
        "The shop accepts all common cards.",
    ];
    let all = facts.join(" ");
    let ours = result(vec![task("docs", &all, &[])]);
    let other = all.replace("30 days", "60 days");
    for (answer, verdict) in [
        (facts[..6].join(" "), Verdict::Minor),
        (all.clone(), Verdict::Same),
        (other, Verdict::Minor),
        (facts[0].replace("30", "60") + " " + facts[1], Verdict::Different),
    ] {
        let found = compare(&ours, None, &legacy(&answer, &[]));
        assert_eq!(found.verdict, verdict, "{answer}: {found:#?}");
    }
}

#[test]
fn what_is_beyond_the_limits_is_counted() {
    let answer: String = (0..600).map(|n| format!("Sentence w{n} is about x{n} and y{n}.\n\n")).collect();
    let sources: Vec<String> = (0..600).map(|n| format!("https://a.example/{n}")).collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let found = compare(&result(vec![]), None, &legacy(&answer, &sources));
    assert_eq!(found.left_out, LeftOut { ours: 0, legacy: 100, citations: 100 });
    assert_eq!((found.missing.len(), found.citations.missing.len()), (STATEMENTS_MAX, CITATIONS_MAX));
}

#[test]
fn the_largest_answers_of_the_same_words_are_compared() {
    let words =
        ["market", "price", "bridge", "visitor", "quote", "order", "north", "today", "harbour", "tower"];
    let sentence = |n: usize| {
        let said: Vec<&str> = (0..40).map(|at| words[(n / 7 + at * (n % 7 + 1)) % words.len()]).collect();
        format!("The {} is {n} percent.", said.join(" the "))
    };
    let all = |from: usize| -> Vec<String> { (from..from + STATEMENTS_MAX).map(sentence).collect() };
    let (ours, legacy) = (all(0), all(250));
    let joined = pairs::join(texts(&ours), texts(&legacy));
    assert_eq!(joined.weights.ours.count + joined.weights.legacy.count, 2 * STATEMENTS_MAX);
    let listed = [&joined.contradicted, &joined.different_numbers].map(Vec::len).iter().sum::<usize>();
    assert_eq!(joined.weights.ours.same + listed + joined.extra.len(), STATEMENTS_MAX);
}

#[test]
fn a_comparison_can_be_stored_and_read_back() {
    let ours = result(vec![task("docs", TERMS, &TERMS_SOURCES)]);
    let mut response = legacy("A quote is valid for 45 days.", &[]);
    response.status = Some("ok".to_owned());
    let raw = serde_json::value::RawValue::from_string(r#"{"a":1}"#.to_owned()).unwrap();
    response.metadata = Some(ArcJson(raw.into()));
    let found = compare(&ours, Some(5), &response);
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Comparison>(&text).unwrap(), found);
}

/// Sentences that are alike in many ways.
fn sentences() -> impl Strategy<Value = Vec<String>> {
    let subject = prop::sample::select(vec!["The market", "Acme", "The new bridge", "A visitor", "价格"]);
    let verb = prop::sample::select(vec![
        "rose",
        "fell",
        "did not rise",
        "reached",
        "has no limit of",
        "was founded in",
    ]);
    let figure =
        prop::sample::select(vec!["5 percent", "7 percent", "$3 million", "2019", "March 2021", "12 km"]);
    let tail = prop::sample::select(vec![
        "in the north",
        "in Berlin last year",
        "for young people",
        "today",
        "according to Globex",
    ]);
    let one = (subject, verb, figure, tail).prop_map(|(a, b, c, d)| format!("{a} {b} {c} {d}."));
    prop::collection::vec(one, 0..12)
}

fn texts(sentences: &[String]) -> Vec<&str> {
    sentences.iter().map(String::as_str).collect()
}

proptest! {
    #[test]
    fn exchanging_the_sides_exchanges_missing_and_extra(a in sentences(), b in sentences()) {
        let one = pairs::join(texts(&a), texts(&b));
        let other = pairs::join(texts(&b), texts(&a));
        let quoted = |found: &[Discrepancy]| -> Vec<Option<String>> {
            found.iter().map(|found| found.ours.clone().or(found.legacy.clone())).collect()
        };
        prop_assert_eq!(quoted(&one.missing), quoted(&other.extra));
        prop_assert_eq!(quoted(&one.extra), quoted(&other.missing));
        prop_assert_eq!(one.contradicted.len(), other.contradicted.len());
        prop_assert_eq!(one.different_numbers.len(), other.different_numbers.len());
        prop_assert_eq!(one.weights.ours, other.weights.legacy);
    }

    #[test]
    fn a_result_against_itself_has_no_discrepancy(a in sentences(), sources in prop::collection::vec("[a-z]{1,3}", 0..4)) {
        let sources: Vec<String> = sources.iter().map(|name| format!("https://{name}.example/x")).collect();
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        let ours = result(vec![task("docs", &a.join("\n\n"), &sources)]);
        let lines: Vec<String> = ours.findings.iter().map(|finding| finding.content.clone()).collect();
        let urls: Vec<&str> = ours.sources.iter().filter_map(|source| source.url.as_deref()).collect();
        let same = legacy(&lines.join("\n\n"), &urls);
        let found = compare(&ours, None, &same);
        prop_assert_eq!(found.discrepancies().count(), 0, "{:#?}", found);
        prop_assert_eq!((found.verdict, found.agreement), (Verdict::Same, 1.0));
    }

    #[test]
    fn any_two_texts_can_be_compared(ours in "\\PC{0,200}", answer in any::<String>(), url in "\\PC{0,60}") {
        let ours = result(vec![task("docs", &ours, &[&url])]);
        let found = compare(&ours, Some(0), &legacy(&answer, &[&url, &answer]));
        prop_assert!((0.0..=1.0).contains(&found.agreement), "{}", found.agreement);
        prop_assert_eq!(&found, &compare(&ours, Some(0), &legacy(&answer, &[&url, &answer])));
    }
}
