//! What says nothing, what is clipped and what is partial is told from results that can be used.

pub(super) mod linear;
mod texts;

use proptest::prelude::*;

use self::texts::{EMPTY, ERRORS, POINTERS, REFUSALS, USABLE};
use super::*;

#[test]
fn what_says_nothing_is_told_from_what_says_little() {
    for (kind, texts) in [
        (Some(FailureStatus::Empty), EMPTY),
        (Some(FailureStatus::Pointer), POINTERS),
        (Some(FailureStatus::Refusal), REFUSALS),
        (Some(FailureStatus::Error), ERRORS),
        (None, USABLE),
    ] {
        for text in texts {
            assert_eq!(says_nothing(text), kind, "{text}");
        }
    }
}

#[test]
fn a_long_text_always_says_something() {
    let long = format!("I can't help with that. {}", "Nothing more to say about it. ".repeat(100));
    assert_eq!(says_nothing(&long), None);
    assert_eq!(says_nothing(&" \u{200B}".repeat(5_000)), Some(FailureStatus::Empty));
}

#[test]
fn ends_in_the_middle_are_seen() {
    for text in [
        "The first reason is cost. The second reason is that the",
        "Costs rose by 4 % in 2023. In 2024 they are expected to fu",
        "\u{1F389} Great news! We are the first and the only ones of all the",
        "Here are the three steps:",
        "```rust\nfn main() {",
        "~~~\ncode\n```\nmore",
        "The limit is 5 MB [1",
        "The limit is 5 MB [",
        "See [the docs](https://example.org/a",
        "{\"answer\": \"The limit",
        "[{\"a\": 1}, {\"a\":",
        "The sources are Berlin, Paris,",
        "| a | b |\n| - | - |\n| 1 | tw",
        "- First, do this.\n- Then, do that.\n- After that, wait.\n- And in the end all of it has to be done aga",
        "主要原因有两个。第一是成本上升，第二是市场需求在过去几年中持续下",
        "原因包括：成本、",
        "It was long. [truncated]",
        "The plan has two parts (one for",
        "The most important parts of the plan are the",
        "The first part of the plan is about the cost of ...",
        "The first part of the plan is about the cost and…",
        "The plan has **two parts. One is this",
        "The steps are these:\n\n1. First this.\n2. Then that.\n3.",
        "It was long.\n\n[Output truncated due to length]",
        "It is cheap.\n\n- SSO for every member of the team\n- Audit logs for",
        "The pool was too small.\n\nBecause of this, we should",
        "The pool was too small. Therefore the team must",
        "The three causes are: 1) heat, 2) dust, 3)",
        "It was checked by the team. The first part of the plan is about the cost...",
        "It was checked. The **bottom line** of it is that the **price",
        "It was checked by us. It was bought by the **city** and the **state** of **North Rhine Westphalia**",
        "the pool was too small. It was made larger by the team. after that it rose to the",
        "The pool was too small. it was made larger by the team of the firm and it",
        "The total cost is 300 euros a month. Recommendation: the board should",
        "The fee of the course is 120 euros. In total they pay about",
        "The clinic sells the pills to every",
        "Die Pumpe besteht aus dem",
        "Der Vermieter muss den Mieter zum",
        "La pompe se trouve dans",
        "La pompe est livrée avec ses",
        "La bomba se encuentra en",
        "La bomba se vende con su",
        "La pompa si trova nella",
        "Two risks are open: the supplier is late by three weeks, and the certification",
        "Der Lieferant ist seit drei Wochen im Verzug, und die Zertifizierung",
        "原因は二つあります。第一にコストが上昇し、第二に市場の需要が過去数年間に",
    ] {
        assert!(clipped(text).is_some(), "{text}");
    }
}

#[test]
fn whole_ends_are_left_alone() {
    for text in [
        "",
        "42",
        "Paris",
        "The answer is Paris",
        "A title of several words that has no full stop at all",
        "It ends.",
        "It ends. [1][2]",
        "It ends.[1]",
        "It ends (so).",
        "# A heading",
        "| a | b |\n| - | - |\n| 1 | 2 |",
        "```\ncode\n```",
        "1. **Prepare**\n   1. Create a file:\n      ```env\n      KEY=value\n      ```\n   2. Run it.",
        "````\n```\n````",
        "It was long. See more at https://example.org/a/path",
        "Sources.\n\n[1] A title: https://a.org/x_(y",
        "{\"answer\": 1}",
        "[1] Title",
        "{name} is a placeholder.",
        "- Apples and all the other fruit that they sell\n- Pears and all the nuts that they sell too",
        "First sentence here. Second one.\n\n---",
        "- One does this.\n- Two",
        "它结束了。",
        "它结束了[1]",
        "Contact: a@b.org",
        "It is **done**",
        "Done \u{1F389}",
        "\u{1F3C6} what a night. Their keeper was sent off in the 76th minute",
        "He said “yes.”",
        "a b c d)",
        "And so on...",
        "- What it costs\n- Who is in",
        "It rose in 2024. It fell.\n\nSources: [The first report](https://a.org/news/2024/one), https://b.org/two, c.org/three and four of them",
        "It rose in 2024. It fell.\n\nMore about it is to be found on the site at c.org/three",
        "He asked: “why…”",
        "It is **done** (see `a**b`)",
        "@lee: it is not covered, the house was vacant\n@sam: are you sure?\n@lee: yes. so we are ok. covered.\n@sam: ok. claim usually takes 4-6 weeks from inspection",
        "[12:01] it is not covered, the house was vacant. sorry.\n[12:05] ok. claim usually takes 4-6 weeks from the inspection",
        "tbh ps5 is best right now. series x crashes a lot since 1.07. cross play works fine",
        "Everything was checked by the team of the firm. **Bottom line: buy the X100**",
        "Everything was checked by the team. That concludes the analysis…",
        "製品を比較しました。性能と価格を確認しました。結論として、X100がおすすめです",
        "Hawaii in the summer is a must",
        "The two causes of it are heat (1) and dust (2)",
        "All 42 segments are translated by the team. BLEU: 41.3",
        "The total cost is 300 euros a month. Discount: none",
        "The fee of the course is 120 euros. Regards, Tom Miller",
        "The fee of the course is 120 euros. Source: internal wiki",
        "The fee of the course is 120 euros. Last updated 4 May 2025",
        "There are 120 in the first class. In total 240",
        "There are three left after the sale: the lamp, the chair, and the table",
        "It is late, and the supplier",
        "It rose to the height of a man, and the crowd",
        "It is open to guests of the hotel and the neighbours",
        "It ends (the list was truncated by the author on purpose, as it says).",
    ] {
        let how = clipped(text);
        assert!(how.is_none() || text.contains("x_(y"), "{text}: {how:?}");
    }
}

fn input(status: InputStatus, content: &str, error: Option<&str>) -> TaskInput {
    TaskInput { status, content: content.to_owned(), error: error.map(str::to_owned), ..TaskInput::default() }
}

fn judge(input: &TaskInput) -> Judged {
    super::judge(input, None)
}

#[test]
fn word_that_was_asked_for_is_an_answer() {
    let is_usable = |content: &str, query: &str| {
        let judged = super::judge(&input(InputStatus::Success, content, None), Some(query));
        matches!(judged, Judged::Usable { .. })
    };
    for (content, query) in [
        ("Forbidden", "Is export allowed?"),
        ("**Forbidden.**".trim_matches('*'), "Are pets permitted in the flat?"),
        ("None.", "Which plans include single sign-on?"),
        ("None.", "How many seats are left?"),
    ] {
        assert!(is_usable(content, query), "{content} to {query}");
    }
    for (content, query) in [
        ("Forbidden", "What does the page say?"),
        ("Forbidden", "Is the server up?"),
        ("403 Forbidden", "Is export allowed?"),
        ("Access denied", "Is export allowed?"),
        ("None", "Which plans include single sign-on?"),
        ("null", "How many seats are left?"),
        ("N/A", "Which plans include it?"),
        ("None.", "What does the plan cost?"),
        ("No results found.", "How many seats are left?"),
    ] {
        assert!(!is_usable(content, query), "{content} to {query}");
    }
    let mut asked = input(InputStatus::Success, "Forbidden", None);
    asked.task = Some("Is export allowed?".to_owned());
    assert!(matches!(judge(&asked), Judged::Usable { .. }));
}

#[test]
fn text_that_was_left_out_for_its_length_isnt_empty() {
    let mut cut = input(InputStatus::Success, CUT_AWAY_TEXT, None);
    assert!(matches!(judge(&cut), Judged::Unusable { status: FailureStatus::Empty, .. }));
    cut.notes = vec![CUT_AWAY.to_owned()];
    assert!(matches!(judge(&cut), Judged::Usable { failed: None, .. }));
}

#[test]
fn a_line_without_a_stop_of_what_failed_broke_off() {
    const HALF: &str = "Two risks are open and the supplier reports that the certification";
    let notes = |status: InputStatus, content: &str| match judge(&input(status, content, None)) {
        Judged::Usable { notes, .. } => notes.join("; "),
        Judged::Unusable { error, .. } => error,
    };
    let failed = InputStatus::Failed(FailureStatus::Error);
    assert!(notes(failed, HALF).ends_with("clipped: it ends without a stop"));
    assert_eq!(notes(InputStatus::Success, HALF), "");
    for whole in [
        "Two risks are open",
        "The supplier reports that it is late\nTwo risks are open and the supplier reports both of them",
        "- Two risks are open and the supplier reports both of them",
    ] {
        assert!(!notes(failed, whole).contains("clipped"), "{whole}");
    }
    assert!(!notes(failed, &format!("{HALF} is late.")).contains("clipped"));
}

#[test]
fn what_failed_keeps_what_it_had_said() {
    let failed = InputStatus::Failed(FailureStatus::Timeout);
    let Judged::Usable { notes, failed: Some((status, error)) } =
        judge(&input(failed, "Half of it.", Some("after 8 s")))
    else {
        panic!("it has content");
    };
    assert_eq!((status, error.as_str()), (FailureStatus::Timeout, "after 8 s"));
    assert_eq!(notes, ["partial: what there was before the task failed (timeout: after 8 s)"]);
    let nothing =
        Judged::Unusable { status: FailureStatus::Timeout, error: "it didn't end in time".to_owned() };
    assert_eq!(judge(&input(failed, "N/A", None)), nothing);
}

#[test]
fn what_runs_is_partial_or_pending() {
    let notes = vec!["partial: the task hasn't ended".to_owned()];
    assert_eq!(
        judge(&input(InputStatus::Partial, "So far, the", None)),
        Judged::Usable { notes, failed: None }
    );
    let pending = Judged::Unusable { status: FailureStatus::Pending, error: "it hasn't ended".to_owned() };
    assert_eq!(judge(&input(InputStatus::Partial, "", None)), pending);
}

#[test]
fn oddities_of_a_success_are_noted() {
    let mut whole = input(InputStatus::Success, "A result that ends with the", Some("one page\nfailed"));
    let found = Judged::Usable {
        notes: vec!["clipped: it ends inside a sentence".to_owned(), "error: one page failed".to_owned()],
        failed: None,
    };
    assert_eq!(judge(&whole), found);
    whole.notes = vec!["clipped: the model stopped at its limit".to_owned()];
    let Judged::Usable { notes, .. } = judge(&whole) else { panic!("usable") };
    assert_eq!(notes, ["clipped: the model stopped at its limit", "error: one page failed"]);
    let refused = judge(&input(InputStatus::Success, "I can't help with that.", None));
    assert_eq!(
        refused,
        Judged::Unusable { status: FailureStatus::Refusal, error: "it declined to answer".to_owned() }
    );
}

/// With the data folder only.
#[test]
fn no_report_is_judged_unusable() {
    let folder = std::env::var("QUALITY_DATA")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data").to_owned());
    let Ok(lines) = std::fs::read_to_string(format!("{folder}/reports.jsonl")) else { return };
    let (mut cuts, mut seen) = (0, 0);
    for line in lines.lines() {
        let report: serde_json::Value = serde_json::from_str(line).unwrap();
        for (model, text) in report["reports"].as_object().unwrap() {
            let text = text.as_str().unwrap();
            assert_eq!(says_nothing(text), None, "{model} {}", report["id"]);
            if let Some(how) = clipped(text) {
                println!("{} {model}: {how}", report["id"]);
            }
            // Cut in the middle of lines: most are seen.
            for part in 1..20 {
                let mut at = text.len() * part / 20;
                while !text.is_char_boundary(at) {
                    at += 1;
                }
                let inside = text[..at].ends_with(char::is_alphanumeric)
                    && text[at..].starts_with(char::is_alphanumeric);
                if inside {
                    cuts += 1;
                    seen += usize::from(clipped(&text[..at]).is_some());
                }
            }
        }
    }
    println!("{seen} of {cuts} cuts are seen");
}

#[test]
fn an_error_beside_empty_members_is_an_error_and_what_says_nothing_is_quoted() {
    let unusable = |content: &str| match judge(&input(InputStatus::Success, content, None)) {
        Judged::Unusable { status, error } => (status, error),
        other => panic!("{content}: {other:?}"),
    };
    assert_eq!(unusable(r#"{"answer": null, "error": "rate limit"}"#).0, FailureStatus::Error);
    for said in [r#"{"error": "none", "results": []}"#, r#"{"error": 0.05, "notes": ""}"#] {
        assert!(matches!(judge(&input(InputStatus::Success, said, None)), Judged::Usable { .. }), "{said}");
    }
    let (status, error) = unusable("I couldn't find any information\nabout this.");
    assert_eq!(status, FailureStatus::Empty);
    assert_eq!(error, "it ended without a result: “I couldn't find any information about this.”");
    for (said, quoted) in [
        ("Done.", ": “Done.” was taken for a placeholder"),
        ("No data", ": “No data” was taken for a placeholder"),
        ("", ""),
        ("—", ""),
        ("{}", ""),
    ] {
        assert_eq!(unusable(said), (FailureStatus::Empty, format!("it ended without a result{quoted}")));
    }
    let are = |all: &[&str], status| all.iter().all(|said| unusable(said).0 == status);
    assert!(are(&["404 Not Found", "Just a moment..."], FailureStatus::Error));
    assert!(are(&["0 results", "結果はありません。"], FailureStatus::Empty));
}

proptest! {
    #[test]
    fn any_text_is_judged(text in "\\PC{0,80}|[\\s\\S]{0,80}|[`~|\\[\\](){}\":,.\n a-z-]{0,80}") {
        judge(&input(InputStatus::Success, &text, None));
    }
}
