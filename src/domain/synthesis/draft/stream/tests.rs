//! What a reader sees is what was written, however it was cut on the way.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::read;
use super::{Delta, DraftStream, merge};
use crate::domain::synthesis::citations::{Numbering, rewrite};

const DRAFT: &str = r#"{"findings": [
  {"topic": "Gr\u00f6\u00dfe", "content": "It grew by 4 % [1][9] \ud83d\ude00 \"soon\".\nMore [2].", "source_ids": [1, 2], "confidence": "high"},
  {"topic": "T2", "transition": "Then", "content": "ends [7]", "source_ids": [], "confidence": "low", "x": {"content": "no"}}],
 "contradictions": [{"description": "They differ", "statements": [{"quote": "hidden", "source_id": 1}]}],
 "gaps": ["g0", "g1 \\ "], "more": ["hidden", {"summary": "hidden"}], "summary": "All of it [2][3]."}"#;

fn ids() -> BTreeSet<u32> {
    BTreeSet::from([1, 2, 5])
}

/// The deltas of a text in pieces.
fn deltas<'t>(pieces: impl IntoIterator<Item = &'t str>) -> Vec<Delta> {
    let mut stream = DraftStream::new(&ids());
    let mut deltas: Vec<Delta> = pieces.into_iter().flat_map(|piece| stream.push(piece)).collect();
    deltas.extend(stream.finish());
    assert!(stream.push("\"summary\": \"x\"}").is_empty() && stream.finish().is_empty());
    deltas
}

/// What a reader has in the end, by path; checks that every delta fits to the one before.
fn page(deltas: &[Delta]) -> BTreeMap<String, String> {
    let mut page: BTreeMap<String, String> = BTreeMap::new();
    for delta in deltas {
        assert!(!delta.text.is_empty());
        let text = page.entry(delta.path.clone()).or_default();
        if delta.offset == 0 {
            text.clear();
        }
        assert_eq!(text.len(), delta.offset, "{delta:?}");
        text.push_str(&delta.text);
    }
    page
}

fn whole(text: &str) -> BTreeMap<String, String> {
    page(&deltas([text]))
}

fn by_char(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices().map(|(at, c)| &text[at..at + c.len_utf8()])
}

/// What the citation rewriter makes of a text whose numbers stay as they are.
fn rewritten(text: &str) -> String {
    let map = ids().into_iter().map(|id| (id, id)).collect();
    let mut numbering = Numbering::new();
    (1..=5).for_each(|number| assert_eq!(numbering.number_of(number), number));
    rewrite(text, &map, &mut numbering).0
}

/// The page of a draft that was read as a whole.
fn page_of_reading(text: &str) -> BTreeMap<String, String> {
    let draft = read(text).unwrap().draft;
    let mut page = BTreeMap::new();
    let mut put = |path: String, text: String| (!text.is_empty()).then(|| page.insert(path, text));
    for (index, finding) in draft.findings.iter().enumerate() {
        put(format!("findings/{index}/topic"), finding.topic.clone());
        put(format!("findings/{index}/content"), rewritten(&finding.content));
        put(format!("findings/{index}/transition"), finding.transition.clone().unwrap_or_default());
    }
    for (index, contradiction) in draft.contradictions.iter().enumerate() {
        put(format!("contradictions/{index}/description"), rewritten(&contradiction.description));
    }
    for (index, gap) in draft.gaps.iter().enumerate() {
        put(format!("gaps/{index}"), rewritten(gap));
    }
    put("summary".to_owned(), rewritten(&draft.summary));
    page
}

#[test]
fn the_parts_that_a_reader_wants_come_out_and_no_others() {
    let expected = [
        ("contradictions/0/description", "They differ"),
        ("findings/0/content", "It grew by 4 % [1] 😀 \"soon\".\nMore [2]."),
        ("findings/0/topic", "Größe"),
        ("findings/1/content", "ends"),
        ("findings/1/topic", "T2"),
        ("findings/1/transition", "Then"),
        ("gaps/0", "g0"),
        ("gaps/1", "g1 \\ "),
        ("summary", "All of it [2]."),
    ];
    let expected: BTreeMap<String, String> =
        expected.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    assert_eq!(whole(DRAFT), expected);
    assert_eq!(page_of_reading(DRAFT), expected);
}

#[test]
fn text_comes_out_as_it_arrives() {
    let mut stream = DraftStream::new(&ids());
    assert!(stream.push("{\"findings\":[{\"topic\":").is_empty());
    let delta =
        |path: &str, offset, text: &str| Delta { path: path.to_owned(), offset, text: text.to_owned() };
    assert_eq!(stream.push("\"So"), [delta("findings/0/topic", 0, "So")]);
    assert_eq!(stream.push("me \\u00"), [delta("findings/0/topic", 2, "me ")]);
    assert_eq!(stream.push("e9\\ud83d"), [delta("findings/0/topic", 5, "é")]);
    assert!(stream.push("\\").is_empty());
    assert!(stream.push("ude0").is_empty());
    assert_eq!(
        stream.push("0!\", \"content\": \"Long enough text"),
        [delta("findings/0/topic", 7, "😀!"), delta("findings/0/content", 0, "Long enough text"),]
    );
}

#[test]
fn every_cut_of_a_draft_gives_the_same_texts() {
    let expected = whole(DRAFT);
    assert_eq!(page(&deltas(by_char(DRAFT))), expected);
    for at in (0..=DRAFT.len()).filter(|at| DRAFT.is_char_boundary(*at)) {
        assert_eq!(page(&deltas([&DRAFT[..at], &DRAFT[at..]])), expected, "{at}");
    }
}

#[test]
fn what_stands_in_front_is_skipped() {
    let expected = whole(DRAFT);
    for (before, behind) in [
        ("\u{feff}", ""),
        ("Sure! Here is [1] the {draft}: ", " I hope it helps."),
        ("```json\n", "\n```"),
        ("<think>maybe {\"summary\": \"no\"}</think>", ""),
        ("<thinking>\n{\"summary\": \"no\"}\n</thinking>\n```\n", "```"),
        ("a < b <thin {} { } [ ] ", "{\"summary\": \"no\"}"),
        ("{\"result\": {\"data\": ", "}}"),
        ("{\"example\": 1} ", ""),
    ] {
        let text = format!("{before}{DRAFT}{behind}");
        assert_eq!(whole(&text), expected, "{text}");
        assert_eq!(page(&deltas(by_char(&text))), expected, "{text}");
    }
}

#[test]
fn other_shapes_are_shown_too() {
    for (text, expected) in [
        (
            "[{\"content\": \"a\"}, {\"content\": \"b\"}]",
            json!({"findings/0/content": "a", "findings/1/content": "b"}),
        ),
        ("{\"findings\": {\"content\": \"a\"}}", json!({"findings/0/content": "a"})),
        (
            "{\"findings\": [\"a\", 3, null, \"b\"]}",
            json!({"findings/0/content": "a", "findings/3/content": "b"}),
        ),
        (
            "{\"gaps\": \"a\", \"contradictions\": \"b\"}",
            json!({"gaps/0": "a", "contradictions/0/description": "b"}),
        ),
        ("{\"summary\": \"a\nb\",}", json!({"summary": "a\nb"})),
        ("{\"summary\": \"a\", \"summary\": \"b\"}", json!({"summary": "b"})),
        ("{\"summary\": \"a\" broken \"gaps\": [\"b\"]}", json!({"summary": "a"})),
        ("{\"summary\": \"half \\ud83d", json!({"summary": "half \u{fffd}"})),
        ("<think>{\"summary\": \"a\"}", json!({})),
        ("{'summary': 'a'}", json!({})),
        ("I can't do that.", json!({})),
        ("", json!({})),
    ] {
        let expected: BTreeMap<String, String> = serde_json::from_value(expected).unwrap();
        assert_eq!(whole(text), expected, "{text}");
    }
}

#[test]
fn an_endless_text_ends_and_so_do_endless_lists() {
    let text =
        format!("{{\"gaps\": [\"{}\"], \"findings\": [{}\"x\"]}}", "é".repeat(30_000), "\"a\",".repeat(300));
    let page = whole(&text);
    assert_eq!(page["gaps/0"].chars().count(), 20_000);
    assert_eq!(page.keys().filter(|path| path.starts_with("findings")).count(), 200);
    assert!(whole(&"{\"a\":".repeat(100_000)).is_empty());
}

#[test]
fn merging_joins_neighbours_of_one_text() {
    let delta =
        |path: &str, offset, text: &str| Delta { path: path.to_owned(), offset, text: text.to_owned() };
    let deltas = vec![
        delta("a", 0, "x"),
        delta("a", 1, "é"),
        delta("a", 3, "y"),
        delta("b", 0, "z"),
        delta("a", 0, "again"),
        delta("a", 0, "again"),
    ];
    let joined = [delta("a", 0, "xéy"), delta("b", 0, "z"), delta("a", 0, "again"), delta("a", 0, "again")];
    assert_eq!(merge(deltas), joined);
}

/// A text that isn't blank, with markers.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("[1]"),
        Just(" [2]"),
        Just("[9]"),
        Just(" [8, 9]"),
        Just("\n"),
        Just("\\"),
        Just("\""),
        Just("😀"),
        Just("é"),
        Just(" word"),
        Just("\u{0}"),
        Just("</think>"),
        Just("{"),
        Just("}]"),
        Just("## Sources\n"),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| format!("x{}", pieces.concat()))
}

fn draft() -> impl Strategy<Value = Value> {
    let finding = (text(), text(), text()).prop_map(|(topic, content, transition)| {
        json!({"topic": topic, "content": content, "transition": transition, "source_ids": [1], "confidence": "low"})
    });
    let list = |of| prop::collection::vec(of, 0..4);
    let contradiction =
        text().prop_map(|text| json!({"description": text, "statements": [{"quote": text, "source_id": 1}]}));
    (prop::collection::vec(finding, 0..4), prop::collection::vec(contradiction, 0..3), list(text()), text()).prop_map(
        |(findings, contradictions, gaps, summary)| {
            json!({"findings": findings, "contradictions": contradictions, "gaps": gaps, "summary": summary})
        },
    )
}

/// `text` with every char that isn't ASCII as an escape.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        if c.is_ascii() {
            out.push(c);
        } else {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        }
        out
    })
}

fn cut(text: &str, mut cuts: Vec<usize>) -> Vec<&str> {
    cuts.sort_unstable();
    let mut pieces = Vec::new();
    let mut from = 0;
    for at in cuts.into_iter().map(|at| text.floor_char_boundary(at % (text.len() + 1))) {
        if at > from {
            pieces.push(&text[from..at]);
            from = at;
        }
    }
    pieces.push(&text[from..]);
    pieces
}

proptest! {
    #![proptest_config(crate::properties::cases(1_000))]

    #[test]
    fn a_valid_draft_is_shown_as_it_is_read(
        draft in draft(), escape: bool, cuts in prop::collection::vec(0..4000_usize, 0..20),
    ) {
        let text = if escape { escaped(&draft.to_string()) } else { draft.to_string() };
        let read = page_of_reading(&text);
        prop_assert_eq!(page(&deltas(cut(&text, cuts))), read.clone());
        prop_assert_eq!(page(&merge(deltas(by_char(&text)))), read);
    }

    #[test]
    fn any_soup_gives_the_same_however_it_is_cut(
        pieces in prop::collection::vec(prop::sample::select(super::super::lenient::SOUP), 0..60),
        cuts in prop::collection::vec(0..800_usize, 0..20),
    ) {
        let text = pieces.concat();
        let whole = merge(deltas([text.as_str()]));
        prop_assert_eq!(merge(deltas(cut(&text, cuts))), whole.clone(), "{:?}", text);
        prop_assert_eq!(merge(deltas(by_char(&text))), whole, "{:?}", text);
    }
}
