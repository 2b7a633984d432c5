//! The form that a task asks for, kept by what a model writes as by what is extracted.

use super::cases::{drafted, finding, through};
use super::keeps_promises;
use super::scene::{Scene, task};
use crate::domain::aggregate::input::TaskInput;
use crate::domain::aggregate::result::{AggregatedResult, Method};
use crate::domain::aggregate::{Placed, Style};
use crate::domain::directive::{SynthesisFormat, SynthesisOptions};
use crate::domain::synthesis::draft::{Draft, DraftFinding};

/// A document of three parts, the last of which isn't the last by its name.
fn document() -> Scene {
    let method = "# Method\n\nThe pump ran for 40 days in Linz [1]. The valve of the pump was opened twice a day [1].\n\n\
        | Day | Litres |\n|---|---|\n| 1 | 1,300 |\n\n## References\n\n[1] Trial - https://trial.example/linz";
    let result = "# Result\n\nThe pump moved 52,000 litres of water in all [1]. No seal of the pump leaked [1].\n\n\
        ## References\n\n[1] Log - https://log.example/pump";
    let outlook = "# Outlook\n\nThe maker wants to sell the pump in Norway from 2027 on [1].\n\n## References\n\n\
        [1] Plan - https://plan.example/norway";
    let tasks = vec![task("a-outlook", outlook), task("c-method", method), task("b-result", result)];
    let order = ["c-method", "b-result", "a-outlook"].map(Placed::alone).into();
    Scene::styled("document", "Report on the trial of the pump.", tasks, Style::Composition { order })
}

fn all_of(scene: &Scene, contents: &[&str]) -> Vec<DraftFinding> {
    let ids: Vec<u32> = scene.baseline.sources.iter().map(|source| source.id).collect();
    contents.iter().map(|content| finding(content, &ids)).collect()
}

fn result(scene: &Scene, draft: &Draft, options: &SynthesisOptions) -> AggregatedResult {
    let (_, written) = through(scene, draft, None);
    let result = keeps_promises(scene, &written, options, &scene.name);
    assert_eq!(result.metadata.method, Method::Llm, "{:?} {:?}", result.metadata.reason, written.counts);
    result
}

#[track_caller]
fn assert_in_order(text: &str, pieces: &[&str]) {
    let mut from = 0;
    for piece in pieces {
        let at = text[from..].find(piece).unwrap_or_else(|| panic!("no `{piece}` behind {from}: {text}"));
        from += at + piece.len();
    }
}

#[test]
fn a_composition_stays_prose_with_its_parts_in_order_whatever_order_it_is_drafted_in() {
    let scene = document();
    let said = [
        "The maker wants to sell the pump in Norway from 2027 on.",
        "No seal of the pump leaked.\n\nIn all, the pump moved 52,000 litres of water.",
        "The pump ran for 40 days in Linz, and the valve of the pump was opened twice a day.",
    ];
    for format in [SynthesisFormat::Structured, SynthesisFormat::Narrative] {
        let options = SynthesisOptions { format, target_length: Some(10), ..SynthesisOptions::default() };
        let result = result(&scene, &drafted(all_of(&scene, &said)), &options);
        let pieces = [
            "## Method\n\nThe pump ran for 40 days in Linz, and the valve of the pump was opened twice a day. [",
            "]\n\n| Day | Litres |",
            "## Result\n\nNo seal of the pump leaked. [",
            "]\n\nIn all, the pump moved 52,000 litres of water. [",
            "## Outlook\n\nThe maker wants to sell the pump in Norway from 2027 on. [",
            "## Sources",
        ];
        assert_in_order(&result.synthesis, &pieces);
        for no_prose in ["\n- ", "— *", "## Findings", "“"] {
            assert!(!result.body.contains(no_prose), "{no_prose}: {}", result.body);
        }
        assert_eq!(result.findings.len(), 4, "each paragraph says something of its own");
        assert!(result.findings[0].content.contains("Linz"), "{:?}", result.findings);
        assert!(!result.body.contains("## Sources"), "a step above takes the prose alone");
    }
}

#[test]
fn a_part_that_a_draft_passes_over_is_quoted_where_it_stands() {
    let scene = document();
    let said =
        ["The maker wants to sell the pump in Norway from 2027 on.", "The pump ran for 40 days in Linz."];
    let result = result(&scene, &drafted(all_of(&scene, &said)), &SynthesisOptions::default());
    assert_in_order(&result.body, &["40 days in Linz", "## Result\n\n", "pump", "## Outlook", "Norway"]);
}

#[test]
fn a_paragraph_is_not_given_up_for_one_sentence() {
    let scene = document();
    let paragraph = "The pump ran for 40 days in Linz. Twelve thieves stole the pump in Vienna. They were convicted in 2031. \
        The valve of the pump was opened twice a day.";
    let result = result(&scene, &drafted(all_of(&scene, &[paragraph])), &SynthesisOptions::default());
    let kept = "The pump ran for 40 days in Linz. The valve of the pump was opened twice a day.";
    assert!(result.body.contains(kept), "{}", result.body);
    assert!(!result.body.contains("thieves") && !result.body.contains("2031"), "{}", result.body);
    let notes = result.metadata.synthesis.unwrap().notes;
    assert!(notes.iter().any(|note| note.contains("of its 4 sentences 2 didn't stand")), "{notes:?}");
}

#[test]
fn a_long_passage_is_read_paragraph_by_paragraph() {
    let sentence =
        |at: usize| format!("The pump numbered {at} of the plant moved {} litres of water.", 1_000 + at);
    let long: Vec<String> = (10..70).map(sentence).collect();
    let report = long.iter().map(|sentence| format!("{} [1].", sentence.trim_end_matches('.')));
    let report = format!(
        "{}\n\n## References\n\n[1] Log - https://log.example/pumps",
        report.collect::<Vec<_>>().join(" ")
    );
    let tasks = vec![task("log", &report)];
    let order = vec![Placed::alone("log")];
    for style in [Style::Findings, Style::Composition { order }] {
        let scene = Scene::styled("long", "How much did the pumps move?", tasks.clone(), style);
        let result =
            result(&scene, &drafted(all_of(&scene, &[&long.join(" ")])), &SynthesisOptions::default());
        let counts = result.metadata.synthesis.unwrap();
        assert!(counts.kept > 1 && counts.dropped == 0, "{counts:?}");
        assert!(long.iter().all(|said| result.body.contains(said.as_str())), "{}", result.body);
    }
}

/// Two who were asked the same, and disagree.
fn positions() -> Scene {
    let of = |id: &str, text: &str| TaskInput {
        task: Some("Is the site large enough?".to_owned()),
        ..task(id, text)
    };
    let room = |count: u32| {
        format!(
            "The site in Linz has room for {count} buses [1].\n\n## References\n\n[1] Plan - https://site{count}.at/1"
        )
    };
    let tasks = vec![of("a", &room(80)), of("b", &room(60))];
    Scene::styled(
        "positions",
        "Is the site large enough?",
        tasks,
        Style::Positions { order: vec!["b".into(), "a".into()] },
    )
}

#[test]
fn reasoning_has_conflicts_first_and_then_the_positions_side_by_side() {
    let scene = positions();
    let said = ["In Linz the site has room for 80 buses.", "In Linz the site has room for 60 buses."];
    for (format, item) in [(SynthesisFormat::Structured, "- "), (SynthesisFormat::Narrative, "")] {
        let options = SynthesisOptions { format, ..SynthesisOptions::default() };
        let result = result(&scene, &drafted(all_of(&scene, &said)), &options);
        assert!(result.synthesis.starts_with("## Contradictions\n"), "{}", result.synthesis);
        let [of_b, of_a] =
            ["60", "80"].map(|count| format!("{item}In Linz the site has room for {count} buses. ["));
        let pieces = [
            "## Position: Is the site large enough? (b)\n\n",
            &of_b,
            "## Position: Is the site large enough? (a)\n\n",
            &of_a,
            "## Sources",
        ];
        assert_in_order(&result.synthesis, &pieces);
    }
}

#[test]
fn a_summary_is_no_longer_than_the_answer_was_to_be() {
    let scene = document();
    let said = ["The pump ran for 40 days in Linz.", "The pump moved 52,000 litres of water in all."];
    let draft = Draft { summary: said.join(" "), ..drafted(all_of(&scene, &said)) };
    for (target_length, sentences) in [(None, 2), (Some(40), 2), (Some(8), 1), (Some(1), 1)] {
        let options = SynthesisOptions { target_length, ..SynthesisOptions::default() };
        let summary = result(&scene, &draft, &options).summary;
        let said = said.iter().filter(|said| summary.contains(**said)).count();
        assert_eq!(said, sentences, "{target_length:?}: {summary}");
        assert!(summary.ends_with(']'), "{summary}");
    }
}
