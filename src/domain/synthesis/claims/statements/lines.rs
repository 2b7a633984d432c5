//! Lines of a paragraph that are items of a list in other marks than those of Markdown: `✅ …`, `→ …`, `(1) …`, `一、…`.

use std::ops::Range;

/// The lines of a range of a text that begin with a mark, where the first does or announces them. Otherwise the range as it is:
/// lines without marks may be prose that was wrapped, and one goes on with the line before it.
pub(super) fn items(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let body = text[range.clone()].trim_end();
    if memchr::memchr(b'\n', body.trim_start().as_bytes()).is_none() {
        return vec![range];
    }
    let first = body.trim_start().lines().next().unwrap_or_default();
    let are_marked = is_marked(first) || first.ends_with([':', '：']);
    let (mut found, mut start, mut at) = (Vec::new(), range.start, range.start);
    for line in body.split_inclusive('\n') {
        let is_item = are_marked && is_marked(line);
        if is_item && !text[start..at].trim().is_empty() {
            found.push(start..at);
            start = at;
        }
        at += line.len();
    }
    found.push(start..range.end);
    found
}

/// Whether a line begins with the mark of an item.
fn is_marked(line: &str) -> bool {
    let line = line.trim_start();
    let Some(mark) = line.chars().next() else { return false };
    let keycap = || line.chars().take(3).any(|c| c == '\u{20E3}');
    match mark {
        '\u{B9}' | '\u{B2}' | '\u{B3}' | '\u{2070}'..='\u{2079}' => true,
        '\u{2190}'..='\u{2BFF}' | '\u{1F300}'..='\u{1FAFF}' | '·' | '•' => true,
        '0'..='9' => keycap(),
        '(' | '（' => {
            let inside = line[mark.len_utf8()..].split([')', '）']).next().unwrap_or_default();
            (1..=6).contains(&inside.len()) && inside.chars().all(char::is_alphanumeric)
        }
        'a'..='z' => line[1..].starts_with(") "),
        '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十' => {
            line.chars().take(4).any(|c| c == '、')
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<&str> {
        items(text, 0..text.len()).into_iter().map(|range| text[range].trim()).collect()
    }

    #[test]
    fn lines_with_marks_are_items() {
        for text in [
            "✅ Order 123 shipped\n✅ Carrier is DHL\n⚠️ It may be late",
            "→ Revenue rose\n→ Costs fell",
            "1️⃣ Revenue rose\n2️⃣ Costs fell",
            "(1) Revenue rose\n(2) Costs fell",
            "a) Revenue rose\nb) Costs fell",
            "一、收入增长了\n二、成本下降了",
            "¹ A title, https://a.example\n² Another, https://b.example",
            "What we saw:\n→ Revenue rose\n→ Costs fell",
        ] {
            assert_eq!(lines(text), text.lines().collect::<Vec<_>>(), "{text}");
        }
        assert_eq!(lines("→ Revenue rose\nby 5%\n→ Costs fell"), ["→ Revenue rose\nby 5%", "→ Costs fell"]);
    }

    #[test]
    fn wrapped_prose_is_one() {
        for text in [
            "There are (1) revenue and\n(2) costs.",
            "Revenue rose by 5% in\nGermany and by 3% in\nFrance alone this year",
            "Revenue rose by 5%\nCosts fell by 3%",
            "Revenue rose by 5%,\nCosts fell by 3%,\nRents rose too",
            "It rose.",
        ] {
            assert_eq!(lines(text), [text]);
        }
    }
}
