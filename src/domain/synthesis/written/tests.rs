//! What is promised of every delivered result, whatever a model drafts.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::*;
use crate::domain::aggregate::result::{AggregatedResult, Method};
use crate::domain::directive::{SynthesisFormat, SynthesisOptions};
use crate::domain::synthesis::draft::Draft;
use crate::domain::synthesis::verify::{Evidence, Verified, verify};
use crate::domain::text::words::Lexicon;

mod additions;
mod agencies;
mod anything;
mod cases;
mod denials;
mod false_statements;
mod forms;
mod from_outside;
mod kept_exact;
mod mutants;
mod narrowing;
mod objects;
mod outsiders;
mod paraphrases;
mod roles;
mod scene;
mod sources_of;
mod terms;
mod trials;
mod words;

use scene::Scene;

static SCENES: LazyLock<Vec<Scene>> = LazyLock::new(scene::scenes);

/// The whole way, but for the model.
fn written(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    scene: &Scene,
    draft: &Draft,
    repair: Option<&Draft>,
) -> (Verified, Written) {
    let verified = verify(lexicon, evidence, draft);
    let written = finish(lexicon, evidence, verified.clone(), repair, &scene.baseline);
    (verified, written)
}

fn narrative() -> SynthesisOptions {
    SynthesisOptions { format: SynthesisFormat::Narrative, ..SynthesisOptions::default() }
}

/// Holds a delivered result against every promise.
fn keeps_promises(
    scene: &Scene,
    written: &Written,
    options: &SynthesisOptions,
    what: &str,
) -> AggregatedResult {
    let stored = serde_json::to_string(written).unwrap();
    assert_eq!(&serde_json::from_str::<Written>(&stored).unwrap(), written, "{what}");
    let result = apply(scene.baseline.clone(), written, options);
    if what.contains("repaired") {
        assert_eq!(apply(scene.baseline.clone(), written, options), result, "{what}: not deterministic");
    }
    if result.metadata.method == Method::Extractive {
        assert!(result.metadata.reason.is_some(), "{what}");
        assert_eq!(result.synthesis, scene.baseline.synthesis, "{what}");
        return result;
    }
    let quality = &result.quality;
    assert_eq!(
        (quality.numeric_fidelity, quality.verified),
        (Some(1.0), true),
        "{what}: {:?}",
        quality.issues
    );
    let ids: BTreeSet<u32> = result.sources.iter().map(|source| source.id).collect();
    for finding in &result.findings {
        assert!(finding.sources.iter().all(|id| ids.contains(id)), "{what}");
        let quoted = written
            .findings
            .iter()
            .any(|own| own.content == finding.content && own.origin == Origin::Extractive);
        assert!(quoted || !finding.content.contains("[1]"), "{what}: {}", finding.content);
    }
    let dangling = quality.issues.iter().filter(|issue| issue.code == "dangling_citation").count();
    assert_eq!(dangling, 0, "{what}");
    if !ids.is_empty() {
        let sourced: BTreeSet<&str> = scene.sourced();
        let factual = result
            .findings
            .iter()
            .filter(|finding| finding.contributors.iter().any(|name| sourced.contains(name.as_str())));
        let (cited, all) = factual.fold((0, 0), |(cited, all), finding| {
            (cited + usize::from(!finding.sources.is_empty()), all + 1)
        });
        assert!(cited * 20 >= all * 19, "{what}: {cited} of {all} cite");
    }
    for task in &result.results {
        let heard = result.findings.iter().any(|finding| finding.contributors.contains(&task.subagent));
        let noted = result.gaps.iter().any(|gap| gap.contains(&task.subagent));
        assert!(heard || noted, "{what}: {} is neither heard nor noted", task.subagent);
    }
    for contradiction in &scene.baseline.contradictions {
        assert!(result.contradictions.contains(contradiction), "{what}: a contradiction is lost");
    }
    result
}

/// What became of the drafts of one kind.
#[derive(Default)]
struct Row {
    counts: SynthesisCounts,
    delivered: usize,
    changed: usize,
    passed: usize,
}

#[test]
fn every_delivered_result_keeps_its_promises_whatever_is_drafted() {
    let mut rows: Vec<Row> = mutants::MUTANTS.iter().map(|_| Row::default()).collect();
    for scene in SCENES.iter() {
        let mut lexicon = Lexicon::default();
        let evidence = Evidence::of(&mut lexicon, &scene.baseline, &scene.question);
        let faithful = mutants::faithful(&scene.baseline);
        for ((name, mutate), row) in mutants::MUTANTS.iter().zip(&mut rows) {
            let draft = mutate(&scene.baseline, &faithful);
            let what = |how: &str| format!("{} {name} {how}", scene.name);
            let (verified, alone) = written(&mut lexicon, &evidence, scene, &draft, None);
            tell(name, &faithful, &draft, &verified, row);
            let result = keeps_promises(scene, &alone, &SynthesisOptions::default(), &what("alone"));
            row.delivered += usize::from(result.metadata.method == Method::Llm);
            row.counts.drafted += alone.counts.drafted;
            row.counts.kept += alone.counts.kept;
            row.counts.twins += alone.counts.twins;
            row.counts.dropped += alone.counts.dropped;
            row.counts.added += alone.counts.added;
            let (_, repaired) = written(&mut lexicon, &evidence, scene, &draft, Some(&faithful));
            keeps_promises(scene, &repaired, &narrative(), &what("repaired"));
        }
    }
    for ((name, _), Row { counts, delivered, changed, passed }) in mutants::MUTANTS.iter().zip(rows) {
        let SynthesisCounts { drafted, kept, twins, dropped, added, .. } = counts;
        println!(
            "{name:21} drafted {drafted:4} kept {kept:4} twins {twins:4} dropped {dropped:4} added {added:3} \
             delivered {delivered:3}; changed {changed:4}, of them kept {passed:4}"
        );
    }
}

/// Counts the contents that were changed, and those of them that were kept.
fn tell(name: &str, faithful: &Draft, draft: &Draft, verified: &Verified, row: &mut Row) {
    let original = |at: usize| faithful.findings.get(at).map_or("", |item| item.content.as_str());
    let differs = |at: &usize| *at < faithful.findings.len() && original(*at) != draft.findings[*at].content;
    row.changed += (0..draft.findings.len()).filter(differs).count();
    for (place, finding) in verified.kept.iter().filter(|(place, _)| differs(place)) {
        row.passed += 1;
        if std::env::var("SHOW").is_ok_and(|show| show == name) {
            println!("{name}\n  WAS {}\n  NOW {} {:?}", original(*place), finding.content, finding.sources);
        }
    }
    if std::env::var("SHOW").is_ok_and(|show| show == format!("{name}!")) {
        for failing in &verified.failing {
            println!("{name}\n  FAILS {} {:?}", failing.item.content, failing.reasons);
        }
        println!("{:#?}", verified.notes);
    }
}
