//! Answers of a sheet: entries joined, cited by first use, with the published confidence.

use proptest::prelude::*;

use super::*;
use crate::domain::aggregate::request::parse_answer;

fn answered(status: &str, entries: &str) -> Answer {
    let body = format!(
        r#"{{"objective":"Why *so*?\n# x","sheet":{{"status":"{status}","entries":[{entries}],"citations":[
            {{"id":"c1","title":"One","url":"https://a.org/x?ref=1","quality":"HIGH"}},
            {{"id":"c2","title":"T\u202Ewo\n# h","url":"javascript:alert(1)","quality":0.6}},
            {{"id":3,"url":"https://c.org"}}]}}}}"#
    );
    answer(&parse_answer(&body).unwrap())
}

#[test]
fn entries_are_joined_and_cited_by_first_use() {
    let answer = answered(
        "completed",
        r#"{"content":"B.","citations":["c2"]},{"content":"A.","citations":["c1","c2"]},{"content":" B. ","citations":["c1"]},{"content":" "}"#,
    );
    assert_eq!(answer.answer, "B. [1][2]\n\nA. [2][1]");
    let ids: Vec<String> = answer.references.iter().map(|reference| reference.id.to_string()).collect();
    assert_eq!(ids, ["c2", "c1"]);
    assert_eq!(
        serde_json::to_string(&answer.unused_references).unwrap(),
        r#"[{"id":3,"title":"https://c.org","url":"https://c.org","quality":null}]"#
    );
    assert_eq!((answer.confidence, answer.status), (95, AnswerStatus::Completed));
    assert_eq!(answer.issues.len(), 1, "{:?}", answer.issues);
    assert_eq!(
        answer.formatted_output,
        "# Why \\*so\\*? # x\n\nB. [1][2]\n\nA. [2][1]\n\n## References\n\n1. Two # h (c2, MEDIUM)\n\
         2. [One](https://a.org/x?ref=1) (c1, HIGH)\n\n## Not cited\n\n- [https://c.org](https://c.org) (3, unknown quality)\n\n\
         **Confidence:** 95 of 100: 1 source is of MEDIUM quality (-5).\n"
    );
}

#[test]
fn numbers_of_an_entry_are_places_in_its_own_citations_where_all_are() {
    let told = |content: &str| {
        let body = format!(
            r#"{{"objective":"Why?","sheet":{{"status":"completed","entries":[{{"content":"{content}","citations":["doc-2","doc-1"]}}],
            "citations":[{{"id":"doc-1","url":"https://a.org"}},{{"id":"doc-2","url":"https://b.org"}}]}}}}"#
        );
        let answer = answer(&parse_answer(&body).unwrap());
        let ids: Vec<String> = answer.references.iter().map(|reference| reference.id.to_string()).collect();
        (answer.answer, ids.join(" "), answer.issues.len())
    };
    let (answer, ids, issues) = told("It is converted by Convert [1]. It keeps its number [2].");
    assert_eq!(answer, "It is converted by Convert [1]. It keeps its number [2].");
    assert_eq!((ids.as_str(), issues), ("doc-2 doc-1", 0));
    assert_eq!(told("It keeps its number [2]. It is free [1].").1, "doc-1 doc-2");
    assert_eq!(told("It employs 3,200 people [1][2].").0, "It employs 3,200 people [1][2].");
    // One that is beyond them, an id of the sheet, or an index: what is a place isn't known.
    assert_eq!(told("It is free [1]. It is old [3].").0, "It is free. It is old. [1][2]");
    assert_eq!(told("It is free [doc-1]. It is old [1].").0, "It is free [1]. It is old. [2]");
    assert_eq!(told("Read a[1] first. It is old [2].").0, "Read a\\[1] first. It is old. [1][2]");
}

#[test]
fn ids_that_are_numbers_from_one_keep_their_numbers() {
    let told = |content: &str| {
        let body = format!(
            r#"{{"objective":"Why?","sheet":{{"status":"completed","entries":[{{"content":"{content}"}}],
            "citations":[{{"id":"1","title":"A"}},{{"id":2,"title":"B"}},{{"id":"3","title":"C"}}]}}}}"#
        );
        let answer = answer(&parse_answer(&body).unwrap());
        let ids: Vec<String> = answer.references.iter().map(|reference| reference.id.to_string()).collect();
        (answer.answer, ids.join(" "))
    };
    assert_eq!(told("See [2] and [1, 2]."), ("See [2] and [1][2].".to_owned(), "1 2".to_owned()));
    assert_eq!(
        told("It rose [3][1]. It fell [2]."),
        ("It rose [3][1]. It fell [2].".to_owned(), "1 2 3".to_owned())
    );
    // Without gaps only: `[n]` is the n-th reference.
    assert_eq!(told("It rose [3]. It fell [2]."), ("It rose [1]. It fell [2].".to_owned(), "3 2".to_owned()));
    assert_eq!(told("It rose [2]."), ("It rose [1].".to_owned(), "2".to_owned()));
}

#[test]
fn nothing_in_an_entry_acts() {
    let answer = answered(
        "completed",
        r#"{"content":"A <img src=x onerror=alert(1)> [b](javascript:alert(1)) ![c](https://d.org).","citations":["c1"]},{"content":"```\n<b>[e](javascript:f)\n```\n\n# `<g>` <g>"}"#,
    );
    let shown = "A &lt;img src=x onerror=alert(1)> [b\\](javascript:alert(1)) \\![c](https://d.org). [1]\n\n\
        ```\n<b>[e](javascript:f)\n```\n\n# `<g>` &lt;g>";
    assert_eq!(answer.answer, shown);
    assert!(answer.formatted_output.contains(shown), "{}", answer.formatted_output);
}

#[test]
fn a_marker_shaped_as_the_sheets_ids_that_it_does_not_have_is_left_out_and_told() {
    let answer = answered(
        "completed",
        r#"{"content":"A [c9]. B [c1, c7]. C [d9], `x[c9]`, y[c9], [c9](https://d.org)."}"#,
    );
    assert_eq!(answer.answer, "A. B [1]. C [d9], `x[c9]`, y\\[c9], [c9](https://d.org).");
    let told: Vec<&str> = answer
        .issues
        .iter()
        .filter(|issue| issue.code == "dangling_citation")
        .map(|issue| &*issue.detail)
        .collect();
    assert_eq!(
        told,
        [
            "entry 1 cites `c9`, which the sheet doesn't have",
            "entry 1 cites `c7`, which the sheet doesn't have"
        ]
    );
}

#[test]
fn entries_that_say_nothing_are_left_out_and_told() {
    let answer = answered(
        "completed",
        r#"{"content":"null","citations":["c1"]},{"content":"See above."},{"content":"I can't help with that."},{"content":"No.","citations":["c2"]}"#,
    );
    assert_eq!(answer.answer, "No. [1]");
    let told: Vec<&str> = answer
        .issues
        .iter()
        .filter(|issue| issue.code == "says_nothing")
        .map(|issue| &*issue.detail)
        .collect();
    assert_eq!(told.len(), 3, "{:?}", answer.issues);
    assert_eq!(answered("completed", r#"{"content":"N/A"}"#).status, AnswerStatus::Empty);
    let cited = answered("completed", r#"{"content":"No data was found on prices.","citations":["c1"]}"#);
    assert_eq!(cited.answer, "No data was found on prices. [1]");
}

#[test]
fn ranges_are_all_of_their_sources() {
    let told = |entries: &str, ids: &str| {
        let ids = ids.split(' ').map(|id| format!(r#"{{"id":"{id}","url":"https://{id}.org"}}"#));
        let ids = ids.collect::<Vec<_>>().join(",");
        let body = format!(
            r#"{{"objective":"Why?","sheet":{{"status":"completed","entries":[{entries}],"citations":[{ids}]}}}}"#
        );
        let answer = answer(&parse_answer(&body).unwrap());
        let ids: Vec<String> = answer.references.iter().map(|reference| reference.id.to_string()).collect();
        (answer.answer, ids.join(" "), answer.issues.len())
    };
    let by_place =
        r#"{"content":"Zero.","citations":["x4"]},{"content":"One [1-3].","citations":["x1","x2","x3"]}"#;
    assert_eq!(
        told(by_place, "x1 x2 x3 x4"),
        ("Zero. [1]\n\nOne [2][3][4].".into(), "x4 x1 x2 x3".into(), 0)
    );
    let by_id = r#"{"content":"One [11–13]. Two [14]."}"#;
    assert_eq!(told(by_id, "11 12 13 14"), ("One [1][2][3]. Two [4].".into(), "11 12 13 14".into(), 0));
    assert_eq!(told(r#"{"content":"One [c2-c3]."}"#, "c1 c2 c3").1, "c2 c3");
    // One that the sheet lacks, an id with a dash, and what no source is in.
    assert_eq!(told(r#"{"content":"One [2-4]."}"#, "1 2 3"), ("One [1][2].".into(), "2 3".into(), 1));
    assert_eq!(told(r#"{"content":"One [doc-1]."}"#, "doc-1 doc-2").1, "doc-1");
    assert_eq!(
        told(r#"{"content":"A scale [7-9], since [2019-2021]."}"#, "1").0,
        "A scale [7-9], since [2019-2021]."
    );
}

#[test]
fn what_differs_in_markers_alone_says_the_same() {
    let answer = answered(
        "completed",
        r#"{"content":"A fact is here [c1]."},{"content":"A fact is here.","citations":["c2"]},{"content":"A fact is here [3]."}"#,
    );
    assert_eq!(answer.answer, "A fact is here [1]. [2][3]");
    let contested = answered(
        "completed",
        r#"{"content":"A quote is valid for 30 days [c1]."},{"content":"A quote is valid for 14 days. [c2]"}"#,
    );
    let codes: Vec<&str> = contested.issues.iter().map(|issue| issue.code.as_str()).collect();
    assert!(codes.contains(&"contradiction"), "{:?}", contested.issues);
}

#[test]
fn what_no_reader_is_meant_to_see_is_left_out_and_told() {
    let answer =
        answered("completed", r#"{"content":"<think>secret</think>The answer is 6.","citations":["c1"]}"#);
    assert_eq!(answer.answer, "The answer is 6. [1]");
    assert!(
        answer.issues.iter().any(|issue| issue.code == "left_out" && issue.detail.starts_with("entry 1: "))
    );
}

#[test]
fn a_fence_around_an_entry_goes_and_labels_of_two_are_told_apart() {
    let fenced = r#"{"content":"```markdown\n# Quotes\n\nQuotes last 30 days [c1].\n```"}"#;
    assert_eq!(answered("completed", fenced).answer, "# Quotes\n\nQuotes last 30 days [1].");
    let two = r#"{"content":"See [the docs][d] first.\n\n[d]: https://a.org/d"},{"content":"See [the docs][d] last.\n\n[d]: https://b.org/d"}"#;
    let answer = answered("completed", two).answer;
    assert!(answer.contains("[d]: https://a.org/d") && answer.contains("[d-2]: https://b.org/d"), "{answer}");
    assert!(answer.contains("[the docs][d-2] last"), "{answer}");
}

#[test]
fn definitions_of_links_stay_what_they_are() {
    let answer = answered(
        "completed",
        r#"{"content":"See [the guide][g].\n\n[g]: https://g.org/tls","citations":["c1"]}"#,
    );
    assert_eq!(answer.answer, "See [the guide][g]. [1]\n\n[g]: https://g.org/tls");
}

#[test]
fn an_address_under_two_ids_is_one_source() {
    let body = r#"{"objective":"Why?","sheet":{"status":"completed","entries":[
        {"content":"A [a].","citations":["a"]},{"content":"B [b].","citations":["b"]}],"citations":[
        {"id":"a","title":"One","url":"https://www.a.org/x?utm_source=y"},{"id":"b","url":"https://a.org/x","quality":"HIGH"}]}}"#;
    let answer = answer(&parse_answer(body).unwrap());
    assert_eq!(answer.answer, "A [1].\n\nB [1].");
    assert_eq!((answer.references.len(), answer.unused_references.len()), (1, 0));
    assert_eq!((answer.references[0].quality, answer.confidence), (Some(SourceQuality::High), 80));
    assert_eq!(answer.issues[0].code, "duplicate_source");
}

#[test]
fn a_merged_source_has_the_title_of_its_twin_and_a_repeat_says_nothing_new() {
    let body = r#"{"objective":"Why?","sheet":{"status":"completed","entries":[{"content":"A [a].","citations":["a"]}],"citations":[
        {"id":"a","url":"https://a.org/x"},{"id":"b","title":"One","url":"https://www.a.org/x"},
        {"id":"b","title":"One","url":"https://www.a.org/x"},{"id":"a","url":"https://a.org/x"},{"id":"c","title":"Two","url":"https://a.org/x"}]}}"#;
    let mut answer = answer(&parse_answer(body).unwrap());
    assert_eq!((answer.references.len(), answer.references.remove(0).title), (1, "One".to_owned()));
    assert!(answer.issues.iter().all(|issue| issue.code == "duplicate_source"), "{:?}", answer.issues);
}

#[test]
fn a_marker_stands_behind_code_and_headings_not_in_them() {
    for (content, written) in [
        ("```\\nls", "```\nls\n```\n\n[1]"),
        ("````sh\\nls\\n````", "````sh\nls\n````\n\n[1]"),
        ("Run:\\n\\n    ls -l", "Run:\n\n    ls -l\n\n[1]"),
        ("Title\\n===", "Title\n===\n\n[1]"),
        ("It is so.", "It is so. [1]"),
    ] {
        let entry = format!(r#"{{"content":"{content}","citations":["c1"]}}"#);
        assert_eq!(answered("completed", &entry).answer, written, "{content}");
    }
}

#[test]
fn inline_markers_stand_once() {
    for (content, citations, expected) in [
        ("A [c1].", r#"["c1"]"#, "A [1]."),
        ("A [c1].", r#"["c2"]"#, "A [1]. [2]"),
        ("A [c1]", r#"["c1","c2"]"#, "A [1][2]"),
        ("A [c1, c2] and [c1][^c1].", "[]", "A [1][2] and [1]."),
        ("A [3] and 【c1】", "[]", "A [1] and [2]"),
        ("A [3] here [7].", "[]", "A [1] here."),
        (
            "A a[7] `[c1]` [c1](https://x.org) ![c1] \\\\[c1] [c9] [2024]",
            "[]",
            "A a\\[7] `[c1]` [c1](https://x.org) \\![c1] \\[c1] [2024]",
        ),
        ("```\\n[c1]\\n```", r#"["c1"]"#, "```\n[c1]\n```\n\n[1]"),
        ("| a |\\n| - |\\n| b |", r#"["c1"]"#, "| a |\n| - |\n| b |\n\n[1]"),
        ("见文[c1]。", r#"["c1"]"#, "见文[1]。"),
        ("A.", r#"["3","nope"]"#, "A. [1]"),
    ] {
        let entry = format!(r#"{{"content":"{content}","citations":{citations}}}"#);
        assert_eq!(answered("completed", &entry).answer, expected, "{content}");
    }
    let answer = answered("completed", r#"{"content":"A [7].","citations":["nope"]}"#);
    let codes: Vec<&str> = answer.issues.iter().map(|issue| issue.code.as_str()).collect();
    assert_eq!(codes, ["unsafe_url", "dangling_citation", "unknown_citation"]);
}

/// What its fields say stays English.
#[test]
fn reasons_are_told_in_the_language_that_is_asked_for() {
    let body = |options: &str| {
        format!(
            r#"{{"objective":"Wann?","sheet":{{"status":"completed","entries":[{{"content":"Um neun.","citations":["c"]}}],
            "citations":[{{"id":"c","title":"Plan","quality":"LOW"}}]}},"options":{{"language":"de"{options}}}}}"#
        )
    };
    let plain = answer(&parse_answer(&body("")).unwrap());
    let told =
        "**Konfidenz:** 70 von 100: nur eine Quelle ist zitiert (-20), 1 Quelle hat die Qualität LOW (-10).";
    assert!(plain.formatted_output.contains(told), "{}", plain.formatted_output);
    assert_eq!(plain.confidence_factors[0].why, "only one source is cited");
    let blocked = answer(&parse_answer(&body(r#","min_quality":0.99,"on_low_quality":"block""#)).unwrap());
    let told = "Es gibt keine Antwort: zurückgehalten, denn die Qualität ist ";
    assert!(blocked.formatted_output.contains(told), "{}", blocked.formatted_output);
}

#[test]
fn aborted_and_empty_sheets_say_so() {
    let aborted = answered("aborted", r#"{"content":"A.","citations":["c1"]}"#);
    assert_eq!(
        aborted.answer,
        "> **Incomplete:** the work ended as “aborted”; this is what was found until then.\n\nA. [1]"
    );
    assert_eq!((aborted.status, aborted.confidence), (AnswerStatus::Incomplete, 60));
    let empty = answered("completed", "");
    assert_eq!(empty.answer, "There is no answer: the context sheet is empty.");
    assert_eq!((empty.status, empty.confidence, empty.unused_references.len()), (AnswerStatus::Empty, 0, 3));
    let both = answered("aborted", "");
    assert_eq!(both.answer, "There is no answer: the work ended as “aborted” before anything was found.");
    assert!(both.formatted_output.contains(&both.answer));
}

proptest! {
    #[test]
    fn any_entry_is_answered(content in "\\PC{0,40}|[\\[\\]`\\\\^(),c1-3【】! \n|]{0,60}") {
        let entry = format!(r#"{{"content":{},"citations":["c1"]}}"#, serde_json::to_string(&content).unwrap());
        let answer = answered("completed", &entry);
        let nothing = says_nothing(&content).is_some_and(|kind| {
            kind != FailureStatus::Empty || content.trim().len() <= NOTHING_BYTES_MAX
        });
        prop_assert_eq!(answer.references.is_empty(), nothing || content.trim().is_empty());
    }
}
