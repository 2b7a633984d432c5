//! The work is linear in the text: ten times the text takes about ten times as long.

use std::time::{Duration, Instant};

use super::*;

/// Texts of `count` parts, each of a shape that something could be quadratic in.
fn texts(count: usize) -> Vec<(&'static str, String)> {
    let list = |item: &dyn Fn(usize) -> String| (0..count).map(item).collect::<Vec<_>>().join(",");
    vec![
        ("members", format!("{{{}}}", list(&|n| format!("\"m{n}\":{n}")))),
        ("records", format!("[{}]", list(&|n| format!("{{\"id\":{n},\"b\":\"x\"}}")))),
        ("a wide record", format!("[{{{}}}]", list(&|n| format!("\"c{n}\":{n}")))),
        ("a wide header", format!("[[{}],[1]]", list(&|n| format!("\"c{n}\"")))),
        ("columns", format!("{{{}}}", list(&|n| format!("\"c{n}\":[1,2]")))),
        ("labels", format!("{{\"a\":{{{}}}}}", list(&|n| format!("\"{n}\":1")))),
        ("selected", format!("{{\"rows\":[],\"selected\":[{}]}}", list(&|n| format!("{{\"id\":{n}}}")))),
        (
            "segments",
            format!("{{\"segments\":[{}]}}", list(&|n| format!("{{\"start\":{n},\"text\":\"t\"}}"))),
        ),
        (
            "parts",
            format!("{{\"results\":[{}]}}", list(&|_| "{\"alternatives\":[{\"transcript\":\"a\"}]}".into())),
        ),
        (
            "checks",
            format!(
                "{{\"results\":[{}]}}",
                list(&|n| format!("{{\"flagged\":false,\"categories\":{{\"c{n}\":true}}}}"))
            ),
        ),
        (
            "calls",
            format!("{{\"tool_calls\":[{}]}}", list(&|n| format!("{{\"name\":\"a{n}\",\"args\":{{}}}}"))),
        ),
        ("citations", format!("{{\"citations\":[{}]}}", list(&|n| format!("\"t{n}\"")))),
        ("a long text", format!("\"{}\"", "ä\\n".repeat(count * 4))),
        ("a text with JSON", Value::from(format!("{{{}}}", list(&|n| format!("\"m{n}\":{n}")))).to_string()),
        ("a deep nest", format!("{}1{}", "[".repeat(100), "]".repeat(100))),
    ]
}

fn time(adapter: Adapter, text: &str) -> Duration {
    let sent = raw(text);
    let start = Instant::now();
    std::hint::black_box(adapter.normalise(&sent));
    start.elapsed()
}

/// Whether a long text took far more than ten times as long as a short one. Quadratic work on the long one takes
/// seconds, linear work some milliseconds, so what is as short as that counts as [`SHORT`].
fn is_slow(adapter: Adapter, short: &str, long: &str) -> bool {
    time(adapter, long) > time(adapter, short).max(SHORT) * 50
}

const SHORT: Duration = Duration::from_millis(6);

#[test]
fn ten_times_the_text_takes_about_ten_times_as_long() {
    for ((name, short), (_, long)) in texts(500).into_iter().zip(texts(5_000)) {
        for adapter in Adapter::ALL {
            // A busy machine is slow now and then, quadratic work is always.
            let is_slow = (0..5).all(|_| is_slow(*adapter, &short, &long));
            assert!(!is_slow, "{name}, {}", adapter.name());
        }
    }
}

#[test]
fn what_a_table_makes_of_a_text_is_bounded() {
    for (name, text) in texts(20_000) {
        let card = Adapter::RowSelection.normalise(&raw(&text));
        assert!(
            card.get().len() < 2 * text.len() + 100_000,
            "{name}: {} of {}",
            card.get().len(),
            text.len()
        );
    }
}
