//! Outputs as agents write them, read sentence by sentence: what each says, and whose it is.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::scene::{aggregate, each, text};

const ONE: &str = "https://one.example/a";
const TWO: &str = "https://two.example/b";

/// What is quoted, in order of its words, with the addresses that it cites.
fn quoted(result: &Value) -> Vec<(&str, Vec<&str>)> {
    let url = |number: &Value| {
        let sources = result["sources"].as_array().unwrap();
        text(sources.iter().find(|source| source["id"] == *number).unwrap(), "url")
    };
    let findings = result["findings"].as_array().unwrap().iter();
    let mut found: Vec<(&str, Vec<&str>)> = findings
        .map(|found| (text(found, "content"), found["sources"].as_array().unwrap().iter().map(url).collect()))
        .collect();
    found.sort_unstable();
    found
}

fn says(content: &str, sources: &[&str]) -> Value {
    json!({"task_id": "a", "subagent": "a", "success": true, "content": content, "sources": sources})
}

#[tokio::test]
async fn each_says_what_it_says_and_cites_what_it_cites() {
    let app = TestApp::new().start().await;
    for (content, sources, expected) in [
        // What cites stands before what it is cited for.
        (
            "[1] Alpha grew by 5% in 2023. [2] Beta fell by 3% in 2023.",
            vec![ONE, TWO],
            vec![("Alpha grew by 5% in 2023.", vec![ONE]), ("Beta fell by 3% in 2023.", vec![TWO])],
        ),
        (
            "Alpha grew by 5% in 2023. [1] Beta fell by 3% in 2023. [2]",
            vec![ONE, TWO],
            vec![("Alpha grew by 5% in 2023.", vec![ONE]), ("Beta fell by 3% in 2023.", vec![TWO])],
        ),
        (
            "Founded: 2015 [1]\nHQ: Berlin, Germany\nCEO: Anna Schmidt [2]",
            vec![ONE, TWO],
            vec![
                ("CEO: Anna Schmidt", vec![TWO]),
                ("Founded: 2015", vec![ONE]),
                ("HQ: Berlin, Germany", vec![]),
            ],
        ),
        // Lines with bold labels: each cites its own source.
        (
            "**Founded:** 2015 [1]\n**HQ:** Berlin, Germany\n**CEO:** Anna Schmidt [2]",
            vec![ONE, TWO],
            vec![
                ("**CEO:** Anna Schmidt", vec![TWO]),
                ("**Founded:** 2015", vec![ONE]),
                ("**HQ:** Berlin, Germany", vec![]),
            ],
        ),
        // A few words that cite.
        (
            "✅ Fast setup in 5 minutes [1]\n❌ No offline mode [2]\n✅ The free plan has 3 users",
            vec![ONE, TWO],
            vec![
                ("✅ Fast setup in 5 minutes", vec![ONE]),
                ("✅ The free plan has 3 users", vec![]),
                ("❌ No offline mode", vec![TWO]),
            ],
        ),
        // What an agent says before it answers.
        (
            "Of course! Prices rose by 5% in May [1].",
            vec![ONE],
            vec![("Prices rose by 5% in May", vec![ONE])],
        ),
        (
            "[1] notes that prices rose by 5%. Costs fell by 3% in the same year [2]. Overall the market is stable.",
            vec![ONE, TWO],
            vec![
                ("Costs fell by 3% in the same year", vec![TWO]),
                ("Overall the market is stable.", vec![]),
                ("[1] notes that prices rose by 5%.", vec![ONE]),
            ],
        ),
        // Another author is no source that was named.
        (
            "The rate rose in the whole region. It fell later (Smith et al., 2020).",
            vec![ONE],
            vec![
                ("It fell later (Smith et al., 2020).", vec![]),
                ("The rate rose in the whole region.", vec![ONE]),
            ],
        ),
        // Each ends in its source.
        (
            "- The fee is 12 euros (source: https://one.example/a)\n- The lake covers 500 km², Quelle: https://two.example/b",
            vec![],
            vec![("The fee is 12 euros", vec![ONE]), ("The lake covers 500 km²", vec![TWO])],
        ),
        // What ends a text whole, and what its author didn't find out.
        (
            "All 42 segments are translated. I was unable to find prices for groups.\n\nBLEU: 41.3",
            vec![],
            vec![("All 42 segments are translated.", vec![]), ("BLEU: 41.3", vec![])],
        ),
        // References without an address and without a heading are none of what is said.
        (
            "Turnout was 42.2%, up from 42.0% in 2021.[1]\n\n[1] BBC News, \"Sadiq Khan wins third term\", 4 May 2024.",
            vec![ONE],
            vec![("Turnout was 42.2%, up from 42.0% in 2021.", vec![ONE])],
        ),
    ] {
        let result = aggregate(app.client(), &[says(content, &sources)]).await;
        assert_eq!(quoted(&result), expected, "{content}: {result}");
    }
}

#[tokio::test]
async fn what_several_say_contradicts_another_once() {
    let app = TestApp::new().start().await;
    let says = |id: &str, content: &str, url: &str| json!({"task_id": id, "subagent": id, "success": true, "content": content, "sources": [url]});
    let results = [
        says("a", "Mount Everest is 8,849 metres tall [1].", ONE),
        says("b", "Mount Everest is 8,849 meters tall [1].", TWO),
        says("c", "Mount Everest is 8,848 metres tall [1].", "https://three.example/c"),
    ];
    let result = aggregate(app.client(), &results).await;
    assert_eq!(each(&result["contradictions"], "kind"), ["number"], "{result}");
    assert_eq!(result["contradictions"][0]["sources"].as_array().unwrap().len(), 3, "{result}");
}
