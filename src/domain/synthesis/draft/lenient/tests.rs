//! Answers that are broken in many ways, and what must be found in each; nothing is invented, nothing panics, and time is
//! linear.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::super::escapes::Escapes;
use super::super::{Draft, DraftContradiction, DraftFinding, DraftStatement};
use super::{NoDraft, Reading, read};
use crate::domain::aggregate::result::Level;

mod cases;
mod cuts;
mod style;
mod table;

/// Pieces that a soup is made of.
pub(in crate::domain::synthesis::draft) const SOUP: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "'",
    "\\",
    "\\u",
    "\\ud83d",
    "\\ude00",
    "00e9",
    "\n",
    " ",
    "```",
    "```json\n",
    "<think>",
    "</think>",
    "<",
    "//",
    "/*",
    "*/",
    "#",
    "“",
    "”",
    "\"\"\"",
    "1",
    "-1.5",
    "null",
    "None",
    "true",
    "é",
    "😀",
    "[1]",
    "[9]",
    "text ",
    "\"findings\"",
    "\"findings\":[",
    "{\"content\":\"",
    "\"content\"",
    "\"topic\": \"t\",",
    "\"source_ids\":[1,\"2\"]",
    "\"summary\":\"s\"",
    "\"gaps\":[\"g\"]",
    "\"contradictions\":[{\"description\":\"d\"}]",
    "\"confidence\":\"high\"",
    "\"},",
    "\"}]",
    "{\"result\":",
    "{\"summary\": \"",
];

/// Drafts that have everything that gets broken.
fn drafts() -> Vec<Draft> {
    let finding = |topic: &str, content: &str, ids: &[u32], confidence| DraftFinding {
        topic: topic.to_owned(),
        content: content.to_owned(),
        source_ids: ids.to_vec(),
        confidence,
        transition: None,
    };
    let statement = |quote: &str, source_id| DraftStatement { quote: quote.to_owned(), source_id };
    let plain = Draft {
        findings: vec![
            finding("Growth", "Sales grew by 4 % in 2024 [1].", &[1], Some(Level::High)),
            finding("Costs", "Costs fell [2][3], slowly.", &[2, 3], Some(Level::Low)),
        ],
        contradictions: vec![DraftContradiction {
            description: "They disagree about costs.".to_owned(),
            statements: vec![statement("Costs fell", Some(2)), statement("Costs rose", Some(4))],
        }],
        gaps: vec!["Nothing about 2025.".to_owned(), "No prices.".to_owned()],
        summary: "Sales grew [1], costs fell [2].".to_owned(),
    };
    let mut odd = Draft {
        findings: vec![
            finding("It's Größe 😀", "He said \"no\" to it; it's {not} [a] list, ok: yes.", &[12], None),
            finding(
                "Zeilen",
                "One line\nand another\n\n- with a list [3]\n- and \\alpha // no comment",
                &[],
                Some(Level::Medium),
            ),
            finding("", "…", &[4_000_000_000], Some(Level::High)),
        ],
        contradictions: Vec::new(),
        gaps: vec!["the users' wishes, all of them".to_owned()],
        summary: "日本語の要約 [12]。".to_owned(),
    };
    odd.findings[1].transition = Some("Then, though,".to_owned());
    let small = Draft { findings: vec![finding("", "x", &[], None)], ..Draft::default() };
    vec![plain, odd, small]
}

/// All texts of a draft.
fn texts(draft: &Draft) -> Vec<&str> {
    let findings =
        draft.findings.iter().flat_map(|f| [Some(&f.topic), Some(&f.content), f.transition.as_ref()]);
    let contradictions = draft.contradictions.iter();
    let said = contradictions.flat_map(|c| c.statements.iter().map(|s| &s.quote).chain([&c.description]));
    let texts = findings.flatten().chain(said).chain(&draft.gaps).chain([&draft.summary]);
    texts.map(String::as_str).collect()
}

/// The whole answer with its escapes resolved.
fn unescaped(answer: &str) -> String {
    let mut escapes = Escapes::new();
    let mut out = String::new();
    answer.chars().for_each(|c| escapes.take(c, &mut out));
    escapes.end(&mut out);
    out
}

/// Reads, and checks what is promised for any answer.
#[track_caller]
fn read_checked(answer: &str) -> Result<Reading, NoDraft> {
    let reading = read(answer);
    if let Ok(reading) = &reading {
        let said = unescaped(answer);
        for text in texts(&reading.draft) {
            assert!(said.contains(text), "{text:?} is invented: {answer:?}");
        }
        for finding in &reading.draft.findings {
            assert!(!finding.content.trim().is_empty());
            for id in &finding.source_ids {
                assert!(answer.contains(&id.to_string()), "{id} is invented: {answer:?}");
            }
        }
        let level = |level: &Level| format!("{level:?}").to_lowercase();
        for confidence in reading.draft.findings.iter().filter_map(|finding| finding.confidence.as_ref()) {
            assert!(answer.to_lowercase().contains(&level(confidence)), "{answer:?}");
        }
    }
    reading
}

/// A machine that stands still spoils a try, not all of them.
const TRIES: usize = 5;

/// How long a reading takes in a test: much more than the second that it takes at most when it is optimised.
fn quickly(answer: &str) -> Result<Reading, NoDraft> {
    let limit = Duration::from_secs(if cfg!(debug_assertions) { 2 } else { 1 });
    let mut took = Vec::new();
    for _ in 0..TRIES {
        let begin = Instant::now();
        let reading = read(answer);
        if begin.elapsed() < limit {
            return reading;
        }
        took.push(begin.elapsed());
    }
    panic!("{took:?}");
}

#[test]
fn hostile_answers_are_read_in_linear_time() {
    let size = if cfg!(debug_assertions) { 30_000 } else { 10_000_000 };
    for piece in [
        "{",
        "[",
        "{\"",
        "{\"a\":",
        "[{",
        "\"",
        "\\",
        "'",
        "{\"a\":\"",
        "<",
        "<think>",
        "</think>",
        "{a ",
        "{\"findings\":[",
        "{\"findings\":[{\"content\":\"x\"},",
        "{'",
        "[{\"content\":\"",
        "\", ",
        "{\"\" ",
        "//",
        "/*",
        "{/*",
        "{#",
        "{\"a\":1}",
        "{\"summary\":\"a\"}",
        "{\"content\":\"a\"}",
        "\"\"",
        "\\u",
        "😀",
        "{\"a\":[",
        "[[{",
        "{ ",
        "<think></think>",
        "{\"a\" ",
        "[{\"",
        "{\"\"\"",
        "{“",
        "{b<",
        "{\"a\":1,",
        "0,",
    ] {
        for before in ["", "{\"findings\":[\"", "{\"findings\":[", "prose ", "{\"a"] {
            let _ = quickly(&format!("{before}{}", piece.repeat(size / piece.len())));
        }
    }
    assert_eq!(quickly(&"{".repeat(100_000)), Err(NoDraft::NoObject));
    assert_eq!(quickly(&"{\"a\":".repeat(100_000)), Err(NoDraft::NoObject));
}

#[test]
fn what_is_too_much_is_left_out_and_said() {
    let text = |list: &str| format!("{{\"findings\": [{list}], \"summary\": \"s\"}}");
    let many = read(&text(&"{\"content\": \"a\"},".repeat(300))).unwrap();
    assert_eq!((many.draft.findings.len(), many.complete), (200, false));
    let long = "é".repeat(20_001);
    let long =
        read(&text(&format!("{{\"content\": \"{long}\"}}, {{\"content\": \"b\", \"topic\": \"{long}\"}}")))
            .unwrap();
    assert_eq!((long.draft.findings.len(), long.complete), (1, false));
    assert_eq!((&*long.draft.findings[0].content, &*long.draft.findings[0].topic), ("b", ""));
    let deep =
        read(&text(&format!("{{\"x\": {}{}, \"content\": \"a\"}}", "[".repeat(40), "]".repeat(40)))).unwrap();
    assert_eq!((deep.draft.findings.len(), deep.complete), (1, false));
    assert_eq!(deep.draft.summary, "s");
    assert_eq!(deep.notes, ["something that is nested too deeply was left out"]);
}

proptest! {
    #![proptest_config(crate::properties::cases(2_000))]

    #[test]
    fn any_text_is_read_and_nothing_is_invented(text in any::<String>()) {
        let _ = read_checked(&text);
    }

    #[test]
    fn any_soup_is_read_and_nothing_is_invented(
        pieces in prop::collection::vec(prop::sample::select(SOUP), 0..60),
    ) {
        let _ = read_checked(&pieces.concat());
    }

    /// Behind a soup that has no bracket and no thought, a draft is found all the same.
    #[test]
    fn a_draft_is_found_behind_any_prose(words in "[a-z .,'\"!?0-9\\n]{0,80}", index in 0..3_usize) {
        let draft = drafts().swap_remove(index);
        let json = serde_json::to_string(&draft).unwrap();
        let reading = read_checked(&format!("{words}{json}{words}")).unwrap();
        prop_assert_eq!(reading.draft, draft);
        prop_assert!(reading.complete);
    }
}
