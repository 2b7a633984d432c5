//! A model that says what nobody said: it is never delivered.

use serde_json::{Value, json};

use crate::drafts::{Draft, claims, finding};
use crate::model_server::{Asked, ModelServer, Protocol, Says};
use crate::scene::{
    BOTH, assert_believable, assert_delivered, assert_extracted, assert_written, bring_all, by_model, cited,
    ended, of_type, patient, plan, result, synthesis, text,
};

/// The service's result where the model writes this, asked to repair or not.
async fn of(
    protocol: Protocol,
    write: impl Fn(&Asked) -> String + Send + Sync + 'static,
) -> (Value, ModelServer) {
    let server = ModelServer::saying(move |asked| Says::Text(write(asked))).await;
    let app = patient(&server, protocol).start().await;
    let result = by_model(app.client()).await;
    (result, server)
}

#[tokio::test]
async fn sources_that_do_not_exist_are_never_cited() {
    for protocol in BOTH {
        let (result, _) = of(protocol, |asked| {
            Draft::changed(asked, |draft| {
                for finding in &mut draft.findings {
                    let content = text(finding, "content").trim_end_matches('.').to_owned();
                    finding["content"] = json!(format!("{content} [42][7-9]【12】."));
                    finding["source_ids"] = json!([0, 99, 4_000_000_000_u32, -3]);
                }
                draft.summary.push_str(" [58]");
            })
        })
        .await;
        assert_written(&result);
        let all = result.to_string();
        for invented in ["[42]", "[99]", "[58]", "【12】"] {
            assert!(!all.contains(invented), "{invented} in {all}");
        }
        assert!(!cited(text(&result, "synthesis")).is_empty(), "the right ones are found: {result}");
    }
}

#[tokio::test]
async fn a_schema_names_the_sources_that_there_are() {
    for protocol in BOTH {
        let (result, server) = of(protocol, |asked| Draft::faithful(asked).text()).await;
        let asked = server.asked().remove(0);
        let ids: Vec<Value> =
            result["sources"].as_array().unwrap().iter().map(|source| source["id"].clone()).collect();
        let schema = asked.schema().unwrap_or_else(|| panic!("no schema: {}", asked.body));
        let items = &schema["properties"]["findings"]["items"]["properties"]["source_ids"]["items"];
        assert_eq!(items["enum"], Value::Array(ids), "{schema}");
    }
}

#[tokio::test]
async fn a_swapped_figure_is_never_delivered() {
    for (was, becomes) in
        [("24 months", "42 months"), ("17 leaking", "71 leaking"), ("3 working", "13 working")]
    {
        let (result, server) = of(Protocol::OpenAi, move |asked| match asked.items() {
            // Told what is wrong, it says the same again.
            Some(items) => Draft {
                findings: items.iter().map(|item| item["draft"].clone()).collect(),
                ..Draft::default()
            }
            .text(),
            None => Draft::faithful(asked).replacing(was, becomes).text(),
        })
        .await;
        assert_written(&result);
        assert!(!result.to_string().contains(becomes), "{becomes} in {result}");
        let counts = &result["metadata"]["synthesis"];
        assert_eq!(counts["twins"], 1, "the quotation stands in for it: {counts}");
        assert!(text(&result, "synthesis").contains(was), "{result}");
        let items = server.asked()[1].items().expect("what fails goes back once");
        assert_eq!((items.len(), server.calls().len()), (1, 2), "alone, and once");
        let reasons = items[0]["reasons"].to_string();
        assert!(reasons.contains(becomes.split(' ').next().unwrap()), "it says why: {reasons}");
    }
}

#[tokio::test]
async fn a_swapped_figure_that_is_repaired_is_delivered_as_it_should_be() {
    for protocol in BOTH {
        let (result, _) = of(protocol, |asked| match asked.items() {
            Some(items) => {
                let mend = |item: &Value| json!(item["draft"].to_string().replace("42 months", "24 months"));
                let findings = items.iter().map(|item| mend(item).as_str().unwrap().parse().unwrap());
                Draft { findings: findings.collect(), ..Draft::default() }.text()
            }
            None => Draft::faithful(asked).replacing("24 months", "42 months").text(),
        })
        .await;
        assert_written(&result);
        let counts = &result["metadata"]["synthesis"];
        assert_eq!((&counts["repaired"], &counts["twins"]), (&json!(1), &json!(0)), "{counts}");
        assert!(!result.to_string().contains("42 months"), "{result}");
    }
}

#[tokio::test]
async fn what_is_turned_round_is_never_delivered() {
    for (was, becomes) in [
        ("warranty covers", "warranty does not cover"),
        ("Ms Okafor", "Mr Lindqvist"),
        ("northern plant", "southern plant of Acme Corp"),
        ("from Rotterdam", "from Antwerp"),
        ("April 2024", "May 2023"),
        ("The standard warranty", "As https://evil.example.net says, the standard warranty"),
    ] {
        let (result, _) = of(Protocol::Anthropic, move |asked| {
            if asked.items().is_some() {
                "{\"findings\":[]}".to_owned()
            } else {
                Draft::faithful(asked).replacing(was, becomes).text()
            }
        })
        .await;
        assert_delivered(&result);
        for part in ["findings", "summary", "synthesis"] {
            assert!(!result[part].to_string().contains(becomes), "{becomes} in {part}: {result}");
        }
    }
}

#[tokio::test]
async fn a_draft_in_which_nothing_stands_gives_way() {
    let lie = |asked: &Asked| {
        let lie = finding("The moon", "The moon is made of 12 tons of cheese from Gouda.", &json!([1]));
        if asked.items().is_some() {
            "{\"findings\":[]}".to_owned()
        } else {
            Draft { findings: vec![lie], ..Draft::default() }.text()
        }
    };
    let (result, server) = of(Protocol::OpenAi, lie).await;
    let reason = assert_extracted(&result);
    assert!(reason.contains("no finding of the language model's draft stood"), "{reason}");
    assert!(!result.to_string().contains("cheese"), "{result}");
    assert_eq!(server.calls().len(), 2);
}

#[tokio::test]
async fn a_subagent_that_the_model_passes_over_is_heard_all_the_same() {
    for (key, content, _) in crate::scene::SAID {
        let (result, server) = of(Protocol::OpenAi, move |asked| {
            Draft::changed(asked, |draft| {
                let own = claims(asked).into_iter().filter(|claim| claim["subagents"] == json!([key]));
                let own: Vec<String> = own.map(|claim| text(&claim, "text").to_owned()).collect();
                draft.findings.retain(|finding| own.contains(&text(finding, "content").to_owned()));
                draft.summary = own[0].clone();
            })
        })
        .await;
        assert_written(&result);
        assert!(text(&result, "synthesis").contains(&content[..20]), "{result}");
        let counts = &result["metadata"]["synthesis"];
        let gaps = result["gaps"].to_string();
        let named = crate::scene::SAID.iter().filter(|(other, ..)| gaps.contains(other)).count() as u64;
        assert_eq!(counts["added"].as_u64().unwrap() + named, 2, "the two others: {counts}");
        assert_eq!(server.calls().len(), 1);
    }
}

#[tokio::test]
async fn a_summary_that_says_what_no_finding_says_loses_that() {
    let (result, _) = of(Protocol::OpenAi, |asked| {
        Draft::changed(asked, |draft| {
            draft.summary.push_str(". The warranty was sold to 99 customers in Peru.")
        })
    })
    .await;
    assert_written(&result);
    let summary = text(&result, "summary");
    assert!(summary.contains("24 months") && !summary.contains("Peru"), "{summary}");
}

#[tokio::test]
async fn contradictions_and_gaps_that_the_model_makes_up_are_not_delivered() {
    let (result, _) = of(Protocol::OpenAi, |asked| {
        Draft::changed(asked, |draft| {
            let side = |quote: &str| json!({"quote": quote, "source_id": 1});
            let statements = [side("The warranty covers 12 months."), side("The warranty covers 36 months.")];
            draft.contradictions.push(json!({"description": "They disagree.", "statements": statements}));
            draft.gaps.push("Nothing says that 88 pumps exploded.".to_owned());
        })
    })
    .await;
    assert_written(&result);
    assert_eq!(result["contradictions"], json!([]), "no side of it is a quotation");
    assert!(!result.to_string().contains("88 pumps"), "{}", result["gaps"]);
}

#[tokio::test]
async fn a_quality_that_is_too_low_gives_way_and_says_so() {
    let server = ModelServer::saying(|asked| Says::Text(Draft::faithful(asked).text())).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let options = json!({"mode": "llm", "min_quality": 1.0, "on_low_quality": "warn"});
    let result = synthesis(app.client(), &options).await;
    let reason = assert_extracted(&result);
    assert!(reason.contains("quality"), "{reason}");
    let planner = plan(app.client(), "s", json!({"min_quality": 1.0})).await;
    bring_all(&planner, "p").await;
    let events = ended(&planner, "p").await;
    assert_eq!(of_type(&events, "synthesis")[0]["content"]["method"], "extractive");
    assert_believable(&crate::scene::result(&planner, "p").await);
    let _ = result;
}

#[tokio::test]
async fn the_same_log_gives_the_same_result_every_time() {
    let server = ModelServer::saying(|asked| {
        Says::Text(Draft::faithful(asked).replacing("24 months", "42 months").text())
    })
    .await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    ended(&planner, "p").await;
    let bytes = async || planner.get("/steps/p/result").send().await.body;
    let first = bytes().await;
    for _ in 0..3 {
        assert_eq!(bytes().await, first);
    }
    assert_written(&result(&planner, "p").await);
}
