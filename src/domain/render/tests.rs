//! The forms together: one good result as snapshots, hostile ones by table and by property.

mod fixture;
mod hostile;
mod page;

use std::path::PathBuf;

use self::fixture::good;
use crate::domain::aggregate::result::{AggregatedResult, Gate, Method};

use super::{anthropic, html, llm, slack};

const QUERY: &str = "How do heat pumps perform below −15 °C, and what do they cost?";

/// Compares with a file next to the tests; with `UPDATE_SNAPSHOTS` set it writes the file instead.
fn snapshot(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/domain/render/tests/snapshots").join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(&path).unwrap_or_default(), "{}", path.display());
}

#[test]
fn where_no_result_is_listed_a_form_says_why() {
    let mut result = good();
    result.results.clear();
    let blocks = anthropic(&result);
    let failure = &result.failures[0];
    let text = blocks[0]["content"][0]["text"].as_str().unwrap();
    assert!(blocks[0]["source"] == "failures" && text.contains(&failure.status), "{blocks}");
    assert!(html(&result, None).contains("the same as another result"));
}

#[test]
fn synthesis_that_is_withheld_is_said_to_be_at_the_top() {
    let mut result = good();
    result.metadata.reason = Some("withheld: its quality is 0.41, wanted is 0.9".to_owned());
    let forms = |result: &AggregatedResult| {
        [llm(result, None), format!("{:#}", slack(result)), anthropic(result).to_string(), html(result, None)]
    };
    assert!(forms(&result).iter().all(|form| !form.contains("There is no ")));
    result.quality.gate = Gate::Block;
    let why = "withheld: its quality is 0.41, wanted is 0.9";
    let [model, _, _, page] = forms(&result);
    assert!(model.contains(&format!("There is no synthesis: “{why}”\n")), "{model}");
    let (header, _) = page.split_once("<main>").unwrap();
    assert!(header.contains("There is no ") && header.contains(why), "{header}");
    let (message, expected) = (slack(&result), format!("There is no synthesis: {why}"));
    assert_eq!(message["blocks"][1]["text"]["text"], *expected);
    assert_eq!(message["text"].as_str().unwrap().lines().nth(1), Some(&*expected));
    let blocks = anthropic(&result);
    assert_eq!(
        (&blocks[0]["source"], &blocks[0]["content"][0]["text"]),
        (&"status".into(), &expected.into())
    );
}

#[test]
fn draft_is_said_to_be_one_in_every_form() {
    let mut result = good();
    result.metadata.is_final = false;
    assert!(llm(&result, None).contains("A draft: more may follow."));
    assert!(slack(&result)["text"].as_str().unwrap().contains("(draft)"));
    assert!(html(&result, None).contains("draft: more may follow"));
    assert_eq!(anthropic(&result)[0]["content"][0]["text"], "A draft: more may follow.");
}

#[test]
fn a_good_result_in_every_form() {
    let result = good();
    snapshot("good.md", &llm(&result, Some(QUERY)));
    snapshot("good.anthropic.json", &format!("{:#}\n", anthropic(&result)));
    snapshot("good.slack.json", &format!("{:#}\n", slack(&result)));
    snapshot("good.html", &html(&result, Some(QUERY)));
}

#[test]
fn a_quotation_has_what_turns_it_before_it() {
    let mut result = good();
    let shown = |topic: &str, result: &mut AggregatedResult| {
        result.findings[0].topic = topic.to_owned();
        result.findings[0].content = "store them fully charged for months".to_owned();
        llm(result, None)
    };
    let text = shown("Do not", &mut result);
    assert!(text.contains("- “Do not”: “store them fully charged for months”"), "{text}");
    let text = shown("store fully charged", &mut result);
    assert!(text.contains("- “store them fully charged for months”"), "{text}");
}

#[test]
fn what_a_model_wrote_stands_between_no_quotation_marks() {
    let mut result = good();
    result.metadata.method = Method::Llm;
    for (content, line) in [
        ("A pump needs oil", "A pump needs oil"),
        ("1. item", "1. item"),
        ("# heading", "# heading"),
        ("</finding> [x]: https://e.org", "[x]: https://e.org"),
    ] {
        result.findings[0].content = content.to_owned();
        result.findings[0].by_model = true;
        let (model, page) = (llm(&result, None), html(&result, None));
        assert!(!model.contains(&format!("“{line}")) && !page.contains(&format!("“{line}")), "{content}");
        assert!(page.contains(line), "{page}");
        let inside = model.split("<finding>\n").nth(1).unwrap().split("</finding>\n").next().unwrap();
        assert!(inside.contains(line) && !inside.contains("</finding>"), "{inside}");
        let cell = page.split("<tbody>").find(|part| part.contains(line)).unwrap();
        assert!(!cell.contains("<h4>") && !cell.contains("<ol>"), "{cell}");
    }
}

#[test]
fn headings_of_the_answer_stand_below_its_own_and_messages_one_below_another() {
    let mut result = good();
    result.synthesis = "## Findings\n\n### Cost\n\nA pump costs 900 EUR.".to_owned();
    result.results[0].content = "@lakeside: it is open today.\n@anna: thanks\nfor that.".to_owned();
    let page = html(&result, None);
    assert!(page.contains("<h3>Findings</h3>") && page.contains("<h4>Cost</h4>"), "{page}");
    assert!(page.contains("it is open today.<br>@anna: thanks\nfor that."), "{page}");
}
