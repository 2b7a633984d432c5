//! What a result's text cites, in whatever way, stands under its sentences.

use serde_json::{Value, json};

use crate::domain::aggregate::options::Options;
use crate::domain::aggregate::request::{AggregateRequest, parse_aggregation};
use crate::domain::aggregate::{Place, Question, Request, Style, aggregate};

/// The findings of one result in the order of their texts, each with its addresses.
fn cited(content: &str, sources: &Value) -> Vec<(String, Vec<String>)> {
    let result =
        json!({"task_id": "t", "subagent": "a", "success": true, "content": content, "sources": sources});
    let result = aggregated(&json!({"query": "When did it open?", "results": [result]}).to_string());
    let url = |id: &Value| {
        let source = result["sources"].as_array().unwrap().iter().find(|source| source["id"] == *id);
        source.unwrap()["url"].as_str().unwrap_or_default().to_owned()
    };
    let findings = result["findings"].as_array().unwrap().iter();
    let mut found: Vec<(String, Vec<String>)> = findings
        .map(|found| {
            let sources = found["sources"].as_array().unwrap().iter().map(url).collect();
            (found["content"].as_str().unwrap().trim_end_matches('.').to_owned(), sources)
        })
        .collect();
    found.sort();
    found
}

fn aggregated(body: &str) -> Value {
    let AggregateRequest { query, results, options } = parse_aggregation(body).unwrap();
    let options = Options { aggregation: options, ..Options::default() };
    let question = Question { query, goal: None };
    let request =
        Request { question, tasks: results, options, place: Place::nowhere(), style: Style::Findings };
    serde_json::to_value(aggregate(request)).unwrap()
}

#[test]
fn sentences_keep_their_sources_whatever_they_are_cited_by() {
    let (x, y) = ("https://x.example/0", "https://y.example/1");
    let text = |one: &str, other: &str| {
        format!("The bridge opened in 1932 {one}. The tunnel was opened by the king in 1950 {other}.")
    };
    for (content, sources) in [
        (text("[0]", "[1]"), json!([x, y])),
        (text("[1]", "[2]"), json!([x, y])),
        (text("[doc-7]", "[doc-9]"), json!([{"id": "doc-7", "url": x}, {"id": "doc-9", "url": y}])),
        (text("[b]", "[a]"), json!([{"id": "a", "url": y}, {"id": "b", "url": x}])),
        (format!("{}\n\n[S1] {x}\n[S2] The Tunnel, {y}", text("[S1]", "[S2]")), json!([])),
        (format!("{}\n\n## Sources\n\n[a]: {x}\n[b]: {y}", text("[a]", "[b]")), json!([])),
    ] {
        let expected = [
            ("The bridge opened in 1932".to_owned(), vec![x.to_owned()]),
            ("The tunnel was opened by the king in 1950".to_owned(), vec![y.to_owned()]),
        ];
        assert_eq!(cited(&content, &sources), expected, "{content}");
    }
}

#[test]
fn what_cites_nothing_rests_on_all_that_it_names_together() {
    let urls = |count: usize| (1..=count).map(|at| format!("https://s{at}.example/x")).collect::<Vec<_>>();
    let tower = "The tower is 324 m high";
    assert_eq!(cited(tower, &json!(urls(2))), [(tower.to_owned(), urls(2))]);
    assert_eq!(cited(tower, &json!(urls(6))), [(tower.to_owned(), vec![])], "too many to be told apart");
    for content in [
        format!("{tower}. It was built for a fair [1]."),
        format!("{tower}. It was built for a fair [9]."),
        format!("{tower}. It was built for a fair, see https://s1.example/x."),
    ] {
        let found = cited(&content, &json!(urls(2)));
        assert!(found.contains(&(tower.to_owned(), vec![])), "{content}: {found:?}");
    }
    let told = |sources: Value, other: Value| {
        let result = |id: &str, sources: Value| json!({"task_id": id, "subagent": id, "success": true, "content": format!("{tower}."), "sources": sources});
        let results = json!([result("a", sources), result("b", other)]);
        let result = aggregated(&json!({"query": "How high?", "results": results}).to_string());
        let found = &result["findings"][0];
        (found["confidence"].clone(), found["verify"].as_str().unwrap_or_default().to_owned())
    };
    let (sure, verify) = told(json!(urls(3)), json!([]));
    assert_eq!((sure, verify.contains("which of its 3 sources")), (json!("medium"), true), "{verify}");
    let (sure, verify) = told(json!(urls(12)), json!([]));
    assert_eq!((sure, verify.contains("rests on 12 sources")), (json!("low"), true), "{verify}");
    assert_eq!(told(json!(urls(3)), json!(urls(2))).0, json!("medium"), "both may have it from one");
    assert_eq!(told(json!(urls(3)), json!(["https://other.example/y"])).0, json!("high"));
}

#[test]
fn a_merged_twin_brings_its_sources_along() {
    let result = |id: &str, url: &str| {
        let content = "The tower is 324 m high [1].";
        json!({"task_id": id, "subagent": id, "success": true, "content": content, "sources": [url]})
    };
    let results = json!([result("t1", "https://a.com/x"), result("t2", "https://b.com/y")]);
    let result = aggregated(&json!({"query": "How high?", "results": results}).to_string());
    let listed = &result["results"];
    assert_eq!((&listed[0]["sources"], &listed[0]["merged"]), (&json!([1, 2]), &json!(["t2"])), "{listed}");
    assert_eq!(listed[0]["content"], "The tower is 324 m high [1].", "as it was said");
}

#[test]
fn used_is_what_the_synthesis_or_the_summary_cites() {
    let wind = ["north", "south", "east", "west", "coast", "lake", "hill", "river", "plain", "wood"];
    let filler = |at: usize| {
        let (one, other) = (wind[at % 10], wind[at / 10]);
        format!(
            "The report of the year names {at} sheds and a yard near the {one} and the {other} of Acme [1]."
        )
    };
    let text: Vec<String> = (0..40).map(filler).collect();
    let boss = "Its boss since the spring of last year is Jane Roe, an engineer [2].";
    let content = format!("{} {boss}", text.join(" "));
    let sources = json!(["https://a.com/x", "https://b.com/y"]);
    let result =
        json!({"task_id": "t", "subagent": "a", "success": true, "content": content, "sources": sources});
    let query = "Which sheds does Acme have? Who is its boss?";
    let result = aggregated(&json!({"query": query, "results": [result]}).to_string());
    let synthesis = result["synthesis"].as_str().unwrap();
    assert!(!synthesis.contains("[2]") && result["summary"].as_str().unwrap().contains("[2]"), "{result}");
    let used: Vec<&Value> =
        result["sources"].as_array().unwrap().iter().map(|source| &source["used"]).collect();
    // Who reads the summary alone finds its source in the list.
    assert_eq!(used, [&json!(true), &json!(true)]);
    assert!(synthesis.contains("b.com"), "{synthesis}");
}

#[test]
fn markers_with_more_than_a_number_cite() {
    let text = |one: &str| {
        format!(
            "The tunnel was opened by the king in 1950 [3]. The bridge opened in 1932 {one} with eight lanes."
        )
    };
    let sources = json!(["https://a.example/x", "https://b.example/y", "https://c.example/z"]);
    for one in
        ["[1: 12-14]", "[see 1]", "^1^", "\\[1\\]", "<sup>1</sup>", "[1 p. 5]", "[1 & 1]", "[١]", "[۱]"]
    {
        let (said, of) = &cited(&text(one), &sources)[0];
        let said = said.replace("[2]", "[1]");
        assert_eq!((said.as_str(), of.len()), ("The bridge opened in 1932 [1] with eight lanes", 1), "{one}");
        assert_eq!(of, &["https://a.example/x"], "{one}");
    }
    for one in ["[1:12]", "(1)", "[e.g. 1]", "\\[9\\]", "= [1]"] {
        let (said, of) = &cited(&text(one), &sources)[0];
        assert_eq!((said.contains(one), of.len()), (true, 0), "{one}");
    }
}

#[test]
fn what_an_api_gives_beside_its_text_is_cited() {
    let (x, y) = ("https://x.example/0", "https://y.example/1");
    let said = "The bridge opened in 1932 [1]. The tunnel was opened by the king in 1950 [2].";
    let content = json!({"content": said, "citations": [x, y], "search_results": [{"title": "X", "url": x}]});
    for content in [content.clone(), Value::from(content.to_string())] {
        let result = json!({"task_id": "t", "subagent": "a", "success": true, "content": content});
        let result = aggregated(&json!({"query": "When did it open?", "results": [result]}).to_string());
        let sources = result["sources"].as_array().unwrap().iter();
        let shown = |source: &Value| (source["title"].as_str().unwrap().to_owned(), source["used"] == true);
        let mut sources: Vec<(String, bool)> = sources.map(shown).collect();
        sources.sort();
        assert_eq!(sources, [("X".to_owned(), true), (y.to_owned(), true)], "{content}");
    }
}

#[test]
fn accents_spelled_otherwise_say_the_same() {
    let said = "Das Café Zürich wurde 1932 eröffnet und hat heute über vierzig Plätze.";
    let other = "Das Cafe\u{301} Zu\u{308}rich wurde 1932 ero\u{308}ffnet und hat heute u\u{308}ber vierzig Pla\u{308}tze.";
    let result =
        |id: &str, content: &str| json!({"task_id": id, "subagent": id, "success": true, "content": content});
    for deduplicate in [true, false] {
        let body = |other: &str| {
            let results = [result("a", said), result("b", other)];
            json!({"query": "Wann?", "results": results, "options": {"deduplicate": deduplicate}}).to_string()
        };
        let found = aggregated(&body(other));
        assert_eq!(found["findings"].as_array().unwrap().len(), 1, "{found}");
        assert_eq!(found["findings"][0]["contributors"], json!(["a", "b"]));
        assert_eq!(found["results"].as_array().unwrap().len(), if deduplicate { 1 } else { 2 });
        let found = aggregated(&body(&other.replace("1932", "1933")));
        assert_eq!(found["findings"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn a_paper_at_the_end_is_a_source() {
    let text = "Drug X reduced it by 1.2% [1].\n\n1. Smith J, et al. Drug X in T2DM. N Engl J Med. 2022;386:1-10. doi:10.1056/NEJMoa2100001";
    let doi = "https://doi.org/10.1056/nejmoa2100001".to_owned();
    let found = cited(text, &json!([]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].0.as_str(), found[0].1[0].to_lowercase()), ("Drug X reduced it by 1.2%", doi));
}

#[test]
fn code_is_quoted_as_it_is() {
    let text = "Other costs rose a lot [1].\nPass sys.argv[1] to the parser when it opens [2].\n\n[1] https://c.example/y\n[2] https://b.example/y";
    let (_, sources) = &cited(text, &json!([]))[1];
    assert_eq!(sources, &["https://b.example/y"]);
    assert_eq!(cited(text, &json!([]))[1].0, "Pass sys.argv[1] to the parser when it opens");
}

#[test]
fn a_number_that_a_real_list_has_for_another_page_cites_no_declared_source() {
    let said = "The bridge is 5 km long [1]. It opened in 1998 [2].";
    let text =
        format!("{said}\n\n## Sources\n[1] Length report https://e1.com/x\n[2] History https://e2.com/x");
    let expected = |one: &[&str], other: &[&str]| {
        let urls = |urls: &[&str]| urls.iter().map(|url| (*url).to_owned()).collect::<Vec<_>>();
        vec![("It opened in 1998".to_owned(), urls(other)), ("The bridge is 5 km long".to_owned(), urls(one))]
    };
    let given = "https://given.com/";
    // A list of which nothing is declared, and which is no longer, is what models make up below numbers that they were given.
    for (sources, one, other) in [
        (json!([given]), &[][..], &[][..]),
        (json!([given, "https://h.com/"]), &[given], &["https://h.com/"]),
        (json!([given, "https://e2.com/x"]), &[], &["https://e2.com/x"]),
        (json!([{"url": given, "id": "1"}]), &[], &[]),
        (json!([{"url": given, "title": "Length report"}]), &[given], &[]),
        (json!(["https://e1.com/x", "https://e2.com/x"]), &["https://e1.com/x"], &["https://e2.com/x"]),
    ] {
        assert_eq!(cited(&text, &sources), expected(one, other), "{sources}");
    }
    // A list of titles only names the declared sources by their places.
    let titles = format!("{said}\n\n## Sources\n[1] Length report\n[2] History");
    let sources = json!([given, "https://h.com/"]);
    assert_eq!(cited(&titles, &sources), expected(&[given], &["https://h.com/"]));
    // What is raised goes as well.
    let raised = text.replace("[1].", "¹.");
    assert_eq!(cited(&raised, &json!([given])), expected(&[], &[]));
}

#[test]
fn what_a_text_links_to_by_a_number_is_no_declared_source() {
    let [a, b, c] = ["https://a.example/x", "https://b.example/y", "https://c.example/z"];
    let said =
        "The bridge opened in 1932, as [the docs][1] say. The tunnel was opened by the king in 1950 [2].";
    for (list, sources, expected) in [
        (format!("[1]: {c}"), json!([a, b]), [c, b]),
        (format!("[1]: {c} \"The docs\"\n[2]: {a}"), json!([a, b]), [c, a]),
        (format!("[1]: {b}"), json!([{"url": a, "id": "1"}, {"url": b, "id": "2"}]), [b, b]),
        // Without such a line it is a citation.
        (String::new(), json!([a, b]), [a, b]),
    ] {
        let found = cited(&format!("{said}\n\n{list}"), &sources);
        let urls: Vec<&str> = found.iter().flat_map(|(_, of)| of).map(String::as_str).collect();
        assert_eq!(urls, expected, "{list} {found:?}");
    }
}

#[test]
fn notes_works_and_links_without_a_title_are_sources() {
    let (x, y) = ("https://x.example/0", "https://y.example/1");
    let raised = format!("The tower was built in 1889¹ and is 330 metres tall².\n\n¹ {x}\n² {y}");
    let found = cited(&raised, &json!([]));
    assert_eq!((found.len(), &found[0].1[..]), (1, &[x.to_owned(), y.to_owned()][..]), "{found:?}");
    let work = "It opened in 1889 (Harriss, 2004).\n\nHarriss, J. (2004). *The Tallest Tower*. Unlimited Publishing.";
    assert_eq!(cited(work, &json!([])), [("It opened in 1889".to_owned(), vec![String::new()])]);
    for word in ["source", "Quelle", "来源", "pricing", "here"] {
        let body = format!("It opened in 1889 ([{word}]({x})). It closed in 1950 ([The closing]({y})).");
        let result = json!({"task_id": "t", "subagent": "a", "success": true, "content": body});
        let found = aggregated(&json!({"query": "When?", "results": [result]}).to_string());
        let titles: Vec<_> =
            found["sources"].as_array().unwrap().iter().map(|found| &found["title"]).collect();
        assert_eq!(titles, [x, "The closing"], "{word}");
    }
}
