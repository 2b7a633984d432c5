//! Sources: what is one, what is two, what it is, and which number it has.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::scene::{aggregate, assert_order, combine, each, task, text};

/// One result that cites each of these in a sentence of its own.
fn citing(id: &str, sources: &[&str]) -> Value {
    let things =
        ["pump", "valve", "filter", "gasket", "motor", "sensor", "cable", "fuse", "switch", "housing"];
    let sentence = |(n, _): (usize, &&str)| {
        let thing = things[n % things.len()];
        format!("The {thing} of the plant has to be replaced after {} months of service [{}].", 3 + n, n + 1)
    };
    let content: Vec<String> = sources.iter().enumerate().map(sentence).collect();
    task(id, &content.join(" "), sources)
}

async fn urls(app: &TestApp, sources: &[&str]) -> Vec<String> {
    let result = aggregate(app.client(), &[citing("a", sources)]).await;
    each(&result["sources"], "url").into_iter().map(str::to_owned).collect()
}

#[tokio::test]
async fn ways_to_write_one_address_are_one_source() {
    let app = TestApp::new().start().await;
    let same = [
        "https://www.example.com/guide/?utm_source=mail&utm_medium=x",
        "https://example.com/guide",
        "http://EXAMPLE.com:80/guide/",
        "https://example.com/guide#part-2",
        "https://example.com/guide?gclid=1",
        "https://example.com/a/../guide",
    ];
    let result = aggregate(app.client(), &[citing("a", &same)]).await;
    let [source] = &result["sources"].as_array().unwrap()[..] else { panic!("one: {}", result["sources"]) };
    let url = text(source, "url");
    assert!(!url.contains("utm_") && !url.contains("gclid") && url.contains("example.com/guide"), "{url}");
    assert_eq!(result["metadata"]["total_sources"], 1);
    let content = text(&result["results"][0], "content");
    assert_eq!((content.matches("[1]").count(), content.contains("[2]")), (same.len(), false), "{content}");
}

#[tokio::test]
async fn addresses_that_differ_are_sources_of_their_own() {
    let app = TestApp::new().start().await;
    let other = [
        "https://example.com/p?id=1",
        "https://example.com/p?id=9",
        "https://example.com/P?id=1",
        "https://example.com:8443/p?id=1",
        "https://shop.example.com/p?id=1",
        "https://example.com/a%2Fb",
        "https://example.com/a/b",
        "https://example.com/#/one",
        "https://example.com/#/two",
        "https://example.com/p?id=1&ref=7",
    ];
    assert_eq!(urls(&app, &other).await.len(), other.len());
}

#[tokio::test]
async fn type_of_a_source_goes_by_its_registrable_domain() {
    let app = TestApp::new().start().await;
    let known = [
        ("https://acme.slack.com/archives/C1/p2", "slack"),
        ("https://slack.com.evil.org/archives/C1", "web"),
        ("https://notslack.com/archives/C1", "web"),
        ("https://evil.org/slack.com", "web"),
        ("https://acme.atlassian.net/wiki/spaces/A", "confluence"),
        ("https://docs.google.com/document/d/1", "document"),
        ("https://www.notion.so/page-1", "document"),
        ("handbook, page 3", "other"),
    ];
    let sources: Vec<&str> = known.iter().map(|(source, _)| *source).collect();
    let result = aggregate(app.client(), &[citing("a", &sources)]).await;
    assert_eq!(result["sources"].as_array().unwrap().len(), known.len(), "{}", result["sources"]);
    for (address, kind) in known {
        let mut sources = result["sources"].as_array().unwrap().iter();
        let name = address.trim_start_matches("https://").trim_start_matches("www.");
        let found = sources.find(|source| {
            [&source["url"], &source["title"]]
                .iter()
                .any(|text| text.as_str().is_some_and(|text| text.ends_with(name)))
        });
        let found = found.unwrap_or_else(|| panic!("{address} isn't in {}", result["sources"]));
        assert_eq!(found["type"], kind, "{address}");
        let ids = result["sources_by_type"][kind].as_array().unwrap();
        assert!(ids.contains(&found["id"]), "{address}: {}", result["sources_by_type"]);
    }
    assert_eq!(result["metadata"]["source_type_distribution"]["web"], 3);
}

#[tokio::test]
async fn unsafe_scheme_never_becomes_a_link() {
    let app = TestApp::new().start().await;
    let sources = [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)//https://a.org",
        " \tjavascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.org/x",
    ];
    let mut objects: Vec<Value> =
        sources.iter().map(|url| json!({"url": url, "title": "Click here"})).collect();
    objects.extend(sources.iter().map(|url| json!(url)));
    let content = "The pump needs oil every 30 days [1]. The valve is cleaned every 40 days [2].";
    let body = json!({"results": [{"task_id": "a", "subagent": "a", "success": true, "content": content, "sources": objects}]});
    let result = app.post("/aggregations").json(&body).send().await.expect(200);
    for source in result["sources"].as_array().unwrap() {
        // In a text an address may be found, and that one is a site's.
        let is_site = source["url"].as_str().is_some_and(|url| url == "https://a.org/");
        assert!(source["url"].is_null() || is_site, "{source}");
    }
    assert!(!text(&result, "synthesis").contains("](<"), "{}", result["synthesis"]);
    for format in ["llm", "html"] {
        let page = app.post(format!("/aggregations?format={format}")).json(&body).send().await;
        for link in ["](javascript", "](<javascript", "href=\"javascript", "href=\"data", "href=\"file"] {
            assert!(!page.text().to_lowercase().contains(link), "{link}: {}", page.text());
        }
    }
}

#[tokio::test]
async fn sources_are_numbered_by_first_use_and_those_not_used_come_last() {
    let app = TestApp::new().start().await;
    let content =
        "The pump of the plant needs oil every 30 days [3]. The valve behind it is cleaned each April [2].";
    let sources = ["https://unused.org", "https://second.org", "https://first.org", "https://third.org"];
    let other = task("b", "The filter in the cellar is changed after 900 hours [1].", &["https://third.org"]);
    let result = aggregate(app.client(), &[task("a", content, &sources), other]).await;
    let synthesis = text(&result, "synthesis");
    let mut numbers = Vec::new();
    let body = synthesis.split("## Sources").next().unwrap();
    for rest in body.split('[').skip(1) {
        if let Ok(number) = rest.split(']').next().unwrap().parse::<u64>()
            && !numbers.contains(&number)
        {
            numbers.push(number);
        }
    }
    assert_eq!(numbers, [1, 2, 3], "{synthesis}");
    let listed = result["sources"].as_array().unwrap();
    let ids: Vec<u64> = listed.iter().map(|source| source["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [1, 2, 3, 4]);
    assert_eq!((&listed[3]["url"], &listed[3]["used"]), (&json!("https://unused.org/"), &json!(false)));
    assert!(listed[..3].iter().all(|source| source["used"] == true), "{listed:?}");
    // Wherever a sentence stands, its number leads to its source.
    for (words, url) in [
        ("needs oil", "https://first.org/"),
        ("is cleaned", "https://second.org/"),
        ("is changed", "https://third.org/"),
    ] {
        let id = listed.iter().find(|source| source["url"] == url).unwrap()["id"].as_u64().unwrap();
        let marker = format!("[{id}]");
        assert_order(body, &[words, &marker]);
        let near = &body[body.find(words).unwrap()..];
        assert!(near.find(&marker).unwrap() < near.find('\n').unwrap_or(near.len()), "{words}: {body}");
    }
    assert!(!synthesis.contains("unused.org"), "{synthesis}");
}

#[tokio::test]
async fn merged_source_keeps_its_titles_its_excerpts_and_who_cites_it() {
    let app = TestApp::new().start().await;
    let source = |title: &str, snippet: &str, url: &str| json!([{"url": url, "title": title, "snippet": snippet, "quality": "HIGH"}]);
    let one = json!({"task_id": "a", "subagent": "docs", "success": true, "content": "The pump of the plant needs oil every 30 days [1].",
        "sources": source("The manual", "Oil: 30 days", "https://a.org/m?utm_source=x")});
    let two = json!({"task_id": "b", "subagent": "web", "success": true, "content": "The valve behind it is cleaned each April [1].",
        "sources": source("Manual of pumps, second edition", "Valves: April", "https://www.a.org/m/")});
    let result = aggregate(app.client(), &[one, two]).await;
    let [source] = &result["sources"].as_array().unwrap()[..] else {
        panic!("one source: {}", result["sources"])
    };
    assert_eq!((&source["cited_by"], &source["quality"]), (&json!(["docs", "web"]), &json!("HIGH")));
    let shown = source.to_string();
    for kept in ["The manual", "Manual of pumps, second edition", "Oil: 30 days", "Valves: April"] {
        assert!(shown.contains(kept), "{kept}: {shown}");
    }
}

#[tokio::test]
async fn citation_without_a_source_is_taken_out_and_told() {
    let app = TestApp::new().start().await;
    let content = "The pump of the plant needs oil every 30 days [1]. The valve is cleaned each April [7].\n\n## References\n\n[1] https://made.up/x";
    let result = aggregate(app.client(), &[task("a", content, &["https://a.org/m"])]).await;
    let shown = text(&result["results"][0], "content");
    assert!(shown.contains("[1]") && !shown.contains("[7]"), "{shown}");
    assert!(!shown.contains("made.up") && !shown.contains("References"), "{shown}");
    assert!(result["results"][0]["notes"].to_string().contains("[7]"), "{}", result["results"]);
}

#[tokio::test]
async fn what_the_summary_cites_is_used() {
    const OF: [&str; 8] = ["pumps", "valves", "pipes", "tanks", "boilers", "filters", "meters", "seals"];
    let app = TestApp::new().start().await;
    for subagents in 1..5 {
        let results: Vec<Value> = (0..subagents)
            .map(|own| {
                let said = |at: usize| {
                    let (what, plant, litres, number) = (OF[at % 8], own * 40 + at, at * 7 + 3, at + 1);
                    format!("The {what} of plant {plant} need {litres} litres of oil in each year of use [{number}].")
                };
                let sources: Vec<String> =
                    (0..40).map(|at| format!("https://site{own}-{at}.example/p")).collect();
                let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
                task(&format!("t{own}"), &(0..40).map(said).collect::<Vec<_>>().join("\n\n"), &sources)
            })
            .collect();
        let body = json!({"query": "What is the oil use?", "results": results});
        let result = combine(app.client(), "/aggregations", body).await;
        let sources = result["sources"].as_array().unwrap();
        let summary = text(&result, "summary");
        let cited = sources.iter().filter(|source| summary.contains(&format!("[{}]", source["id"])));
        let cited: Vec<&Value> = cited.collect();
        assert!(!cited.is_empty(), "{summary}");
        for source in cited {
            assert_eq!(source["used"], true, "{source}: {summary}");
            let listed = format!("{}. ", source["id"]);
            let synthesis = text(&result, "synthesis");
            assert!(
                synthesis.lines().any(|line| line.starts_with(&listed) && line.contains(text(source, "url"))),
                "{listed}: {synthesis}"
            );
        }
    }
}
