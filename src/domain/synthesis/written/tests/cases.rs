//! Single drafts, and what becomes of them.

use super::scene::{Scene, small, task};
use super::{keeps_promises, written};
use crate::domain::aggregate::input::{SourceInput, TaskInput};
use crate::domain::aggregate::result::{ContradictionKind, Level, Method};
use crate::domain::directive::SynthesisOptions;
use crate::domain::synthesis::draft::*;
use crate::domain::synthesis::verify::{Evidence, Origin, Verified, verify};
use crate::domain::synthesis::written::{Written, apply};
use crate::domain::text::words::Lexicon;

pub fn finding(content: &str, source_ids: &[u32]) -> DraftFinding {
    DraftFinding {
        topic: "Acme".to_owned(),
        content: content.to_owned(),
        source_ids: source_ids.to_vec(),
        confidence: Some(Level::Medium),
        transition: None,
    }
}

pub fn drafted(findings: Vec<DraftFinding>) -> Draft {
    Draft { findings, ..Draft::default() }
}

pub fn through(scene: &Scene, draft: &Draft, repair: Option<&Draft>) -> (Verified, Written) {
    let mut lexicon = Lexicon::default();
    let evidence = Evidence::of(&mut lexicon, &scene.baseline, &scene.question);
    written(&mut lexicon, &evidence, scene, draft, repair)
}

/// The number of a source by its address.
pub fn id(scene: &Scene, part: &str) -> u32 {
    let source =
        scene.baseline.sources.iter().find(|source| source.url.as_deref().unwrap_or("").contains(part));
    source.unwrap().id
}

#[test]
fn each_fault_has_its_reason() {
    let scene = small();
    let history = id(&scene, "history");
    let table: &[(&str, &[u32], &str)] = &[
        ("Acme opened three factories in Ohio in 2017.", &[history], "figure_not_in_source"),
        ("Acme opened five factories in Ohio in 2016.", &[history], "figure_not_in_source"),
        ("Acme opened three factories in Brazil in 2016.", &[history], "name_not_in_source"),
        ("Zeta opened three factories in Ohio in 2016.", &[history], "names_swapped"),
        ("Acme never opened three factories in Ohio in 2016.", &[history], "negation_turned"),
        ("Annual revenue of Acme in Ohio fell by 42 % in 2020.", &[id(&scene, "reports")], "opposite"),
        ("The factories employ 1,200 people, “the best of all”.", &[history], "quote_not_in_source"),
        ("Acme opened three factories in Ohio, see https://evil.example/x.", &[history], "url_not_in_source"),
        ("They ripen slowly when refrigerated overnight.", &[history], "unsupported"),
        ("Bananas ripen slowly when refrigerated overnight.", &[], "no_source"),
    ];
    for (content, ids, code) in table {
        let (verified, _) = through(&scene, &drafted(vec![finding(content, ids)]), None);
        let codes: Vec<&str> =
            verified.failing.iter().flat_map(|failing| &failing.reasons).map(|reason| reason.code).collect();
        assert!(codes.contains(code), "{content}: {codes:?} {:?}", verified.kept);
    }
}

#[test]
fn honest_paraphrases_stand() {
    let scene = small();
    let history = id(&scene, "history");
    for content in [
        "In 2016, Acme opened three factories in Ohio.",
        "Acme opened 3 factories in Ohio in 2016, and the factories employ 1,200 people.",
        "The factories in Ohio employ 1,200 people.",
    ] {
        let (verified, _) = through(&scene, &drafted(vec![finding(content, &[history])]), None);
        assert_eq!(verified.kept.len(), 1, "{content}: {:?}", verified.failing);
        assert_eq!(verified.kept[0].1.contributors, ["history"]);
    }
}

#[test]
fn wrong_citation_is_corrected_and_an_invented_one_taken_out() {
    let scene = small();
    let (history, copper) = (id(&scene, "history"), id(&scene, "copper"));
    let content = "Acme opened three factories in Ohio in 2016.";
    for ids in [vec![copper], vec![999], vec![0, u32::MAX], vec![history, copper, 77]] {
        let (verified, written) = through(&scene, &drafted(vec![finding(content, &ids)]), None);
        assert_eq!(verified.kept[0].1.sources, [history], "{ids:?}");
        assert!(!written.counts.notes.is_empty(), "{ids:?}");
    }
}

#[test]
fn result_without_sources_is_evidence_for_its_subagent() {
    let scene = small();
    let content = "The customer asked for a quotation of 350 pumps on Monday.";
    let (_, written) = through(&scene, &drafted(vec![finding(content, &[])]), None);
    let own = written.findings.iter().find(|finding| finding.content == content).unwrap();
    assert_eq!(
        (own.contributors.as_slice(), own.sources.as_slice()),
        (["crm".to_owned()].as_slice(), [].as_slice())
    );
    let result = keeps_promises(&scene, &written, &SynthesisOptions::default(), "crm");
    assert_eq!(result.metadata.method, Method::Llm, "{:?}", result.metadata.reason);
}

#[test]
fn what_fails_is_left_out_where_another_finding_says_what_its_twin_would() {
    let scene = small();
    let history = id(&scene, "history");
    let bad = finding("Acme opened three factories in Ohio in 1816.", &[history]);
    for (content, twins) in [
        ("Acme inaugurated three factories in Ohio in 2016.", 0),
        ("Acme opened three factories in Ohio in 2016.", 0),
        // The quotation says when.
        ("Acme inaugurated three factories in Ohio.", 1),
    ] {
        let draft = drafted(vec![bad.clone(), finding(content, &[history])]);
        let (_, written) = through(&scene, &draft, None);
        let counts = &written.counts;
        assert_eq!(
            (counts.kept, counts.twins, counts.dropped),
            (1, twins, 1 - twins),
            "{content}: {counts:?}"
        );
        let is_noted =
            counts.notes.iter().any(|note| note.contains("another one says what its quotation would"));
        assert_eq!(is_noted, twins == 0, "{:?}", counts.notes);
    }
}

#[test]
fn what_fails_is_repaired_or_replaced_by_its_twin() {
    let scene = small();
    let history = id(&scene, "history");
    let good = finding("The factories employ 1,200 people.", &[history]);
    let bad = finding("Acme opened three factories in Ohio in 1816.", &[history]);
    let fixed = finding("Acme opened three factories in Ohio.", &[history]);
    let draft = drafted(vec![bad.clone(), good]);
    let (verified, repaired) = through(&scene, &draft, Some(&drafted(vec![fixed])));
    assert_eq!(verified.repair_items().len(), 1);
    assert!(verified.repair_items()[0].1[0].contains("1816"), "{:?}", verified.repair_items());
    assert_eq!((repaired.counts.kept, repaired.counts.repaired, repaired.counts.twins), (1, 1, 0));
    assert_eq!(repaired.findings[0].origin, Origin::Repaired);
    let (_, replaced) = through(&scene, &draft, Some(&drafted(vec![bad])));
    assert_eq!((replaced.counts.kept, replaced.counts.repaired, replaced.counts.twins), (1, 0, 1));
    assert_eq!(replaced.findings[0].content, "Acme opened three factories in Ohio in 2016");
    let options = SynthesisOptions { language: Some("en".to_owned()), ..SynthesisOptions::default() };
    let body = apply(scene.baseline.clone(), &replaced, &options).body;
    assert!(body.contains("- “Acme opened three factories in Ohio in 2016”"), "{body}");
    assert!(
        body.contains(&format!("- The factories employ 1,200 people. [{history}] — *history*")),
        "{body}"
    );
}

#[test]
fn contradictions_need_two_different_sentences_word_for_word() {
    let scene = small();
    let said = |quote: &str| DraftStatement { quote: quote.to_owned(), source_id: None };
    let (peru, brazil) = ("Zeta mines copper in Peru", "Zeta sold 9,000 tonnes of copper to Brazil in 2019");
    let table = [
        (vec![said(peru), said(brazil)], 1),
        (vec![said(peru), said(peru)], 0),
        (vec![said(peru), said("Zeta mines copper")], 0),
        (vec![said(peru), said("Zeta mines gold in Peru")], 0),
        (vec![said(peru), said("Delivery is expected within 14 days")], 0),
        (vec![said(peru)], 0),
        // Seen by the baseline already.
        (
            vec![
                said("Annual revenue of Acme in Ohio rose by 42 % in 2020"),
                said("Annual revenue of Acme in Ohio rose by 24 % in 2020"),
            ],
            0,
        ),
    ];
    let mut lexicon = Lexicon::default();
    let evidence = Evidence::of(&mut lexicon, &scene.baseline, &scene.question);
    for (statements, expected) in table {
        let item = DraftContradiction { description: "Peru or Mars 77?".to_owned(), statements };
        let draft = Draft { contradictions: vec![item.clone()], ..Draft::default() };
        let verified = verify(&mut lexicon, &evidence, &draft);
        assert_eq!(verified.contradictions.len(), expected, "{item:?} {:?}", verified.notes);
        for found in &verified.contradictions {
            assert_eq!(found.kind, ContradictionKind::Reported);
            assert!(!found.description.contains("77"), "{}", found.description);
        }
    }
}

#[test]
fn gaps_and_transitions_claim_nothing() {
    let scene = small();
    let mut lexicon = Lexicon::default();
    let evidence = Evidence::of(&mut lexicon, &scene.baseline, &scene.question);
    let gaps = [
        ("The sources give no information on the revenue of Zeta.", true),
        ("Die Quellen nennen keine Laufzeit.", true),
        ("Les sources ne précisent pas la durée du contrat.", true),
        ("La duración del contrato no se menciona.", true),
        ("Le fonti non indicano la durata del contratto.", true),
        ("资料没有提及合同期限。", true),
        ("契約期間については記載がありません。", true),
        ("계약 기간은 언급되지 않았습니다.", true),
        ("Acme hat den Preis nicht genannt.", false),
        ("Warum Zeta in Konkurs ging, sagen die Quellen nicht.", false),
        ("Les sources ne disent pas pourquoi Zeta a fait faillite.", false),
        ("Nothing is said about 77 factories.", false),
        ("The bankruptcy of Enron remains undisclosed everywhere.", false),
        ("", false),
    ];
    for (gap, kept) in gaps {
        let draft = Draft { gaps: vec![gap.to_owned()], ..Draft::default() };
        assert_eq!(verify(&mut lexicon, &evidence, &draft).gaps.len(), usize::from(kept), "{gap}");
    }
    let transitions = [
        ("Beyond that", true),
        ("Turning to Acme", true),
        ("However, sales collapsed", false),
        ("In 2016", false),
        ("As Zeta shows", false),
        ("此外", true),
        ("此外，销量下降", false),
    ];
    for (transition, kept) in transitions {
        let mut item = finding("Acme opened three factories in Ohio in 2016.", &[1, 2, 3, 4]);
        item.transition = Some(transition.to_owned());
        let verified = verify(&mut lexicon, &evidence, &drafted(vec![item]));
        assert_eq!(verified.kept[0].1.transition.is_some(), kept, "{transition}");
    }
}

#[test]
fn summary_is_rebuilt_sentence_by_sentence() {
    let scene = small();
    let history = id(&scene, "history");
    let draft = Draft {
        findings: vec![finding("Acme opened three factories in Ohio in 2016.", &[history])],
        summary: "Acme opened three factories in Ohio [999]. It owns the moon [1].".to_owned(),
        ..Draft::default()
    };
    let (_, written) = through(&scene, &draft, None);
    assert_eq!(written.summary, format!("Acme opened three factories in Ohio. [{history}]"));
}

#[test]
fn below_the_wanted_quality_the_baseline_is_delivered_and_says_so() {
    let scene = small();
    let history = id(&scene, "history");
    let (_, written) = through(
        &scene,
        &drafted(vec![finding("Acme opened three factories in Ohio in 2016.", &[history])]),
        None,
    );
    let options = SynthesisOptions { min_quality: 1.0, ..SynthesisOptions::default() };
    let result = apply(scene.baseline.clone(), &written, &options);
    assert_eq!((result.metadata.method, &result.synthesis), (Method::Extractive, &scene.baseline.synthesis));
    assert!(result.metadata.reason.unwrap().contains("wanted is 1"));
    let fallen = apply(scene.baseline.clone(), &Written::extractive("the budget is used up"), &options);
    assert_eq!(fallen.metadata.reason.as_deref(), Some("the budget is used up"));
}

#[test]
fn stored_document_reads_what_it_knows_and_ignores_the_rest() {
    let read: Written =
        serde_json::from_str(r#"{"v":1,"findings":[{"content":"x","new":1}],"new":[]}"#).unwrap();
    assert_eq!((read.findings[0].content.as_str(), read.findings[0].origin), ("x", Origin::Extractive));
    assert_eq!(serde_json::from_str::<Written>("{}").unwrap(), Written::default());
}

#[test]
fn what_cites_nowhere_can_be_quoted_by_the_few_sources_it_names_or_by_none() {
    let of = |sources: &[&str]| {
        let text = "A quote is converted into an order when the customer accepts it. It takes 14 days.";
        let sources = sources.iter().filter_map(|url| SourceInput::from_text(url)).collect();
        let tasks = vec![TaskInput { sources, ..task("docs", text) }];
        Scene::of("uncited", "When is a quote converted?", tasks)
    };
    let said = "A quote is converted into an order when the customer accepts it.";
    for (scene, cited) in [
        (of(&["https://a.example/x"]), vec![1]),
        (of(&["https://a.example/x", "https://b.example/y"]), vec![1, 2]),
        (of(&["a.eu/1", "a.eu/2", "a.eu/3", "a.eu/4", "a.eu/5", "a.eu/6"]), vec![]),
    ] {
        let (verified, written) = through(&scene, &drafted(vec![finding(said, &cited)]), None);
        assert!(verified.failing.is_empty(), "{:?}", verified.failing);
        let result = apply(scene.baseline.clone(), &written, &SynthesisOptions::default());
        let delivered = result.findings.iter().find(|finding| finding.content == said);
        assert_eq!(delivered.map(|finding| finding.sources.clone()), Some(cited), "{:?}", result.findings);
        assert_eq!(result.metadata.method, Method::Llm, "{:?}", result.metadata.reason);
    }
}

/// Where a report cites, what it says without is its opening or its transitions: no finding to deliver without a source.
#[test]
fn what_one_who_cites_says_without_a_source_is_no_finding() {
    let opening = "The analysis covers process node scaling and the evolution of transistors.";
    let report = format!(
        "{opening} Zeta sold 9,000 tonnes of copper to Brazil in 2019 [1].\n\n## References\n\n\
         [1] Trade - https://trade.example/copper"
    );
    let scene = Scene::of("opening", "How are transistors scaled?", vec![task("mines", &report)]);
    let (verified, written) = through(&scene, &drafted(vec![finding(opening, &[1])]), None);
    assert_eq!(verified.failing.len(), 1, "{:?}", written.findings);
    assert!(written.findings.iter().all(|finding| !finding.sources.is_empty()), "{:?}", written.findings);
    keeps_promises(&scene, &written, &SynthesisOptions::default(), "opening");
}

#[test]
fn gaps_speak_of_the_findings_that_are_delivered() {
    let scene = small();
    let one = finding("Acme opened three factories in Ohio in 2016.", &[id(&scene, "history")]);
    let (_, written) = through(&scene, &drafted(vec![one]), None);
    let result = keeps_promises(&scene, &written, &SynthesisOptions::default(), "gaps");
    assert_eq!(result.metadata.method, Method::Llm);
    let single: Vec<&String> = result.gaps.iter().filter(|gap| gap.contains("single source")).collect();
    let count = result.findings.iter().filter(|finding| finding.sources.len() == 1).count();
    let told = single
        .iter()
        .all(|gap| gap.starts_with(&format!("{count} of {}", result.findings.len())) || count == 1);
    assert!(single.len() == 1 && told, "{count} of {}: {single:?}", result.findings.len());
    // A topic is the model's word, as what it says is.
    let mut topics = result.findings.iter().filter(|finding| finding.by_model).map(|finding| &finding.topic);
    assert!(topics.clone().count() > 0 && topics.all(|topic| !single[0].contains(&format!("“{topic}”"))));
}
