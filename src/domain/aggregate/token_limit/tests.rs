//! Nothing is over the limit, what matters most stays, and what is left keeps its form.

use proptest::prelude::*;

use super::{Limited, Omitted, limit, limit_asked, marker, marker_within};
use crate::domain::text::tokens::Tokenizer;

mod structure;

fn limited(text: &str, max: usize) -> Limited {
    limit(text, max, &|omitted| marker(omitted, "r-1"), &Tokenizer::o200k())
}

/// Without the marker.
fn body(text: &str, max: usize) -> String {
    let limited = limited(text, max);
    assert!(
        limited.tokens <= max && Tokenizer::o200k().count(&limited.text) == limited.tokens,
        "{limited:?}"
    );
    let end = limited.text.rfind("[…").unwrap_or(0);
    limited.text[..end].trim_end().to_owned()
}

const REPORT: &str = "# Energy\n\nThe OECD reports growth of 3.14 % in 2024 [1]. It was a surprise to many people. Nobody expected it then.\n\n\
    ## Details\n\nSome words about nothing in particular follow here.\n\n- **Solar** grew by 40 % in Spain [2].\n- Others stayed.\n\n\
    | name | value |\n|------|-------|\n| a | 1 |\n| b | 22 |\n| c | 333 |\n\n```rust\nlet a = 1;\nlet b = 2;\nlet c = 3;\n```\n\n\
    ## Sources\n\n[1] OECD: https://oecd.example/a/b/c.html  \n[2] Solar: https://solar.example/d/e/f.html\n";

#[test]
fn within_the_limit_not_a_byte_changes() {
    for text in ["", " \n", "a", REPORT, "[1, 2]", "\u{feff}\r\n"] {
        let all = limited(text, 100_000);
        assert_eq!((all.text.as_str(), all.truncated, all.tokens), (text, false, all.of_tokens));
        assert_eq!(limited(text, all.tokens).text, text);
    }
}

#[test]
fn figures_names_and_citations_come_first() {
    let kept = body(REPORT, 70);
    assert!(kept.contains("The OECD reports growth of 3.14 % in 2024 [1]."), "{kept}");
    assert!(!kept.contains("Some words about nothing in particular follow here."), "{kept}");
}

const FILLER: &str = "The war in Europe shaped how historians in Britain wrote about empire and memory.\n\n\
    Museums in Berlin and Paris changed how memory and empire are shown to visitors.\n\n\
    Textbooks in Japan and Korea describe the war and its memory in different ways.\n\n\
    Politicians in Russia use the memory of the war to justify their claims.\n\n\
    Films about empire in Britain shape memory more than textbooks do.\n\n\
    Historians in Berlin argue that memory of the war serves politicians.\n\n\
    Visitors to museums in Paris see empire through the eyes of historians.\n\n\
    Textbooks and films about the war in Europe shape memory in Britain.\n\n\
    The pump weighs 5 kg according to its data sheet.\n\n\
    Claims about empire in Russia and Japan draw on memory of the war.";

/// Of what was asked, `words`, those that a text has.
fn asking(words: &'static [&'static str]) -> impl Fn(&str) -> Vec<usize> {
    move |text| (0..words.len()).filter(|at| text.contains(words[*at])).collect()
}

#[test]
fn what_was_asked_for_comes_first() {
    let kept = |words: &'static [&'static str], max: usize| {
        let (asked, say) = (asking(words), |omitted| marker(omitted, "r-1"));
        limit_asked(FILLER, max, &say, &Tokenizer::o200k(), Some(&asked)).text
    };
    for max in [60, 80, 100, 120, 140] {
        assert!(!body(FILLER, max).contains("pump"), "{max}");
        assert!(kept(&["pump", "weigh"], max).contains("The pump weighs 5 kg"), "{max}");
        // What all have, or nothing has, makes no difference.
        assert_eq!(kept(&["e", "Munich"], max), limited(FILLER, max).text, "{max}");
    }
    // Prose stays behind figures and names.
    let text = "plain words about the pump follow here and go on.\n\nIBM grew by 12 % in 2024 [1].";
    let (asked, say) = (asking(&["pump"]), |omitted| marker(omitted, "r-1"));
    let kept = limit_asked(&format!("{text}\n\n{text}"), 40, &say, &Tokenizer::o200k(), Some(&asked)).text;
    assert!(kept.contains("IBM grew by 12 % in 2024 [1]."), "{kept}");
}

#[test]
fn a_small_limit_keeps_the_handle_and_words_before_the_counts() {
    let tokenizer = Tokenizer::o200k();
    let within =
        |max: usize, handle: &str| limit(REPORT, max, &marker_within(max, handle, &tokenizer), &tokenizer);
    let long = "a-long-handle-of-a-task-".repeat(5);
    for (max, handle, has_handle) in [(20, "tid-1", true), (34, &long[..40], true), (20, &*long, false)] {
        let Limited { text, tokens, .. } = within(max, handle);
        assert_eq!(tokens, tokenizer.count(&text));
        assert!(tokens <= max && text.contains(handle) == has_handle, "{max}: {text}");
        assert!(
            text.starts_with(char::is_alphanumeric) || text.starts_with(['#', '-', '*']),
            "{max}: {text}"
        );
    }
    assert_eq!(
        within(60, "tid-1").text,
        limit(REPORT, 60, &|omitted| marker(omitted, "tid-1"), &tokenizer).text
    );
}

#[test]
fn headings_stay_above_what_is_kept_and_only_there() {
    let kept = body(
        "# A\n\n## B\n\nplain words only here, and more of them for nothing at all, which go on and on and on and on without an end and would say nothing for quite a while\n\n## C\n\nIBM grew by 12 % in 2024 [1].\n",
        44,
    );
    assert_eq!(kept, "# A\n\n## C\n\nIBM grew by 12 % in 2024 [1].");
}

#[test]
fn the_marker_tells_what_is_missing() {
    let limited = limited(REPORT, 80);
    let said = limited.text.rsplit("\n\n").next().unwrap_or_default();
    assert!(
        said.starts_with("[… ")
            && said.ends_with(&format!(" of {} tokens left out; full text: r-1]", limited.of_tokens)),
        "{said}"
    );
    assert_eq!(
        marker(Omitted { tokens: 1234, of_tokens: 1_003_400 }, "x"),
        "[… 1,234 of 1,003,400 tokens left out; full text: x]"
    );
}

#[test]
fn one_word_longer_than_the_limit_leaves_the_marker() {
    let word = "Donaudampfschiff".repeat(200);
    assert!(limited(&word, 40).text.starts_with("[… "));
    assert_eq!(limited(&word, 3).text, "[…]");
    assert_eq!(
        limited(&word, 0),
        Limited { text: String::new(), tokens: 0, of_tokens: limited(&word, 0).of_tokens, truncated: true }
    );
}

#[test]
fn tables_keep_their_header_and_code_its_fences() {
    let rows: String = (0..200).map(|row| format!("| row {row} | {} |\n", row * 7)).collect();
    let kept = body(&format!("| name | value |\n|---|---|\n{rows}"), 120);
    assert!(kept.starts_with("| name | value |\n|---|---|\n| row ") && kept.ends_with(" |"), "{kept}");
    let lines: String = (0..200).map(|line| format!("let x{line} = {line};\n\n")).collect();
    for end in ["```\n", ""] {
        let kept = body(&format!("```rust\n{lines}{end}"), 120);
        assert!(
            kept.starts_with("```rust\nlet x0 = 0;\n\nlet x1 = 1;") && kept.ends_with(";\n```"),
            "{kept}"
        );
    }
}

#[test]
fn json_stays_json() {
    let items: Vec<String> = (0..100)
        .map(|id| format!("{{\"id\": {id}, \"name\": \"a, [b] {{c}} \\\" d. E\", \"of\": []}}"))
        .collect();
    let text = format!("{{\n  \"items\": [\n    {}\n  ],\n  \"next\": null\n}}\n", items.join(",\n    "));
    for max in [40, 60, 200, 1000] {
        let kept = body(&text, max);
        assert!(kept.is_empty() || super::json::is_json(&kept), "{max}: {kept}");
        assert!(max < 200 || kept.len() > 100, "{kept}");
    }
    let kept = body(&items.join("\n"), 200);
    assert!(kept.lines().count() > 2 && kept.lines().all(super::json::is_json), "{kept}");
}

#[test]
fn a_long_string_of_json_is_kept_in_part_and_says_so() {
    let said =
        |n: usize| format!("The service handles \\\"{}\\\" requests per minute in region {n}.\\n", n * 7);
    let long: String = (1..60).map(said).collect();
    for text in [
        format!("{{\"answer\": \"{long}\"}}"),
        format!("[{{\"id\": 1, \"text\": \"{long}\"}}]"),
        format!("{{\"blob\": \"{}\", \"answer\": \"{long}\"}}", "x".repeat(4_000)),
    ] {
        for max in [60, 100, 300] {
            let kept = body(&text, max);
            assert!(super::json::is_json(&kept), "{max}: {kept}");
            assert!(kept.contains("in region 1.") && kept.contains("…\""), "{max}: {kept}");
        }
        assert_eq!(limited(&text, 10_000).text, text);
    }
    // What is short goes before it, whole and without a mark.
    let text =
        format!("{{\"answer\": \"{long}\", \"more\": \"A few words. And more.\", \"of\": [\"a\", null]}}");
    let kept = body(&text, 100);
    assert!(
        kept.contains("in region 1.")
            && kept.ends_with("\"more\": \"A few words. And more.\", \"of\": [\"a\", null]}"),
        "{kept}"
    );
}

/// A hundred orders, whose ids say nothing that salience would count.
fn orders() -> Vec<serde_json::Value> {
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap());
    let order = |n: usize| {
        let id = format!("{}{}", letter(n), letter(n / 26));
        serde_json::json!({"note": "nothing to say about this one at all", "amount": n * 17, "id": id, "customer": {"title": "x", "city": "Oslo"}})
    };
    (0..100).map(order).collect()
}

#[test]
fn json_in_a_fence_stays_json_with_what_tells_its_objects_apart() {
    let json = serde_json::to_string_pretty(&serde_json::json!({"orders": orders(), "next": null})).unwrap();
    let fenced = format!("```json\n{json}\n```");
    let prose = format!(
        "# Orders\n\nThere were 100 orders in May.\n\n{fenced}\n\nThe rest is in the 2023 archive.\n"
    );
    for (text, max) in
        [(&fenced, 120), (&fenced, 400), (&fenced, 1500), (&prose, 150), (&prose, 600), (&prose, 2000)]
    {
        let kept = body(text, max);
        let inner = kept.split("```json\n").nth(1).and_then(|rest| rest.split("\n```").next());
        let value: serde_json::Value =
            serde_json::from_str(inner.unwrap_or_else(|| panic!("{max}: {kept}"))).unwrap();
        let orders = value["orders"].as_array().unwrap();
        assert!(!orders.is_empty() && orders.iter().all(|order| order["id"].is_string()), "{max}: {kept}");
        let is_named =
            |order: &serde_json::Value| order["customer"].is_null() || order["customer"]["title"] == "x";
        assert!(orders.iter().all(is_named), "{max}: {kept}");
        assert!(limited(text, max).tokens * 100 >= max * 90, "{max}: {}", limited(text, max).tokens);
        if text == &prose {
            assert!(kept.starts_with("# Orders\n\nThere were 100 orders in May.\n\n```json\n{"), "{kept}");
            assert!(kept.ends_with("\n```\n\nThe rest is in the 2023 archive."), "{kept}");
        }
    }
}

#[test]
fn a_long_sentence_is_cut_between_words_with_its_citation() {
    let words = "these words go on and on without any end in sight ".repeat(30);
    let kept = body(&format!("Siemens says that {words}until now [3]."), 80);
    assert!(kept.starts_with("Siemens says that these words") && kept.ends_with("… [3]"), "{kept}");
    assert!(limited(&format!("Siemens says that {words}until now [3]."), 80).tokens >= 78);
}

#[test]
fn chinese_is_cut_after_sentences_and_commas() {
    let kept = body(&"市场在二零二四年增长了很多，政策也更加积极，企业纷纷投资。".repeat(40), 100);
    assert!(kept.ends_with('。') || kept.ends_with('…'), "{kept}");
}

#[test]
fn chinese_without_a_comma_is_cut_between_characters() {
    let text = "报价转换订单流程".repeat(500);
    let limited = limited(&text, 200);
    let (kept, _) = limited.text.split_once('…').unwrap();
    assert!(kept.len() > 150 && text.starts_with(kept.trim_end()) && limited.tokens >= 196, "{limited:?}");
}

#[test]
fn the_factor_of_a_model_counts() {
    let tokenizer = Tokenizer::for_model("other", 1.5);
    let limited = limit(&REPORT.repeat(5), 200, &|omitted| marker(omitted, "r-1"), &tokenizer);
    assert!(
        limited.truncated
            && tokenizer.count(&limited.text) == limited.tokens
            && limited.tokens <= 200
            && limited.tokens >= 190
    );
}

#[test]
fn hostile_texts_end() {
    for unit in [
        "# a\n",
        "- a\n",
        "> ",
        "[",
        "{\"a\":",
        "| a |\n|---|\n",
        "```\n",
        "a ",
        "a. ",
        "é",
        "【",
        "【1",
        "。",
        "🎉",
        "\n",
        "\0",
        "\u{202e}a ",
        "1. a\n",
    ] {
        let text = unit.repeat(40_000 / unit.len());
        let limited = limited(&text, 100);
        assert!(limited.tokens <= 100);
    }
}

proptest! {
    #![proptest_config(crate::properties::cases(128))]

    #[test]
    fn every_text_is_within_every_limit(text in "\\PC{0,400}|(.|\n){0,400}", max in 0usize..80) {
        let found = limited(&text, max);
        prop_assert!(Tokenizer::o200k().count(&found.text) <= max);
        prop_assert_eq!(found.tokens, Tokenizer::o200k().count(&found.text));
        prop_assert_eq!(found.truncated, found.of_tokens > max);
        prop_assert_eq!(&found, &limited(&text, max));
    }

    #[test]
    fn soup_is_within_every_limit(parts in prop::collection::vec(prop::sample::select(vec![
        "\n", "\n\n", "# A b\n", "## C\n", "- item one. Two\n", "    - nested [1].\n", "1. x\n", "> q\n", "```\n", "let x;\n",
        "| a | b |\n|---|---|\n", "| 1 | 2 |\n", "---\n", "IBM grew. ", "中文，句子。", "[1]", "\"a\"", "{", "}", "<div>\n", "<!--",
        "word ", "https://a.b/c ", "🎉",
    ]), 0..120), max in 0usize..120) {
        let text = parts.concat();
        let found = limited(&text, max);
        prop_assert!(Tokenizer::o200k().count(&found.text) <= max);
        prop_assert!(found.truncated || found.text == text);
    }
}
