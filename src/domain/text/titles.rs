//! Titles of pages as their authors meant them: without what stands in them for a browser or a search engine.

use std::borrow::Cow;

use super::clean::one_line;
use super::entities::decoded;
use super::tags::{is_spoken_of, tag};

/// Bytes of a title that are looked at: what is longer isn't shown.
const BYTES_MAX: usize = 4_096;
/// Tags that stand in titles. Others are what a title speaks of: `The <video> element`.
#[rustfmt::skip]
const TAGS: &[&str] = &[
    "a", "b", "strong", "i", "em", "u", "s", "sub", "sup", "span", "small", "mark", "font", "br", "p", "div", "code", "title", "cite", "h1", "h2", "h3", "h4", "h5", "h6", "scp", "jats:italic", "jats:sub", "jats:sup",
];
/// Those that end a line, which goes on behind a blank.
const LINES: [&str; 3] = ["br", "p", "div"];
/// What stands between a title and the name of its site.
const JOINTS: [&str; 7] = [" - ", " | ", " – ", " — ", " · ", " :: ", " » "];

/// A title on one line of at most `chars_max` characters, with characters for HTML's references, without tags, marks of emphasis
/// and headings, and with the name of its site once: `Growth of the market - Acme`. Linear.
pub fn title(text: &str, chars_max: usize) -> String {
    let text = &text[..text.floor_char_boundary(BYTES_MAX)];
    // Most have nothing of it.
    if !text.contains(['&', '<', '*', '#', '_', '`', '-', '|', '–', '—', '·', ':', '»']) {
        return one_line(text, chars_max);
    }
    // What was escaped twice is `AT&amp;amp;T`.
    let once = decoded(text);
    let plain = decoded(&once);
    let plain = without_tags(&plain);
    let line = one_line(&plain, BYTES_MAX);
    one_line(once_at_end(without_marks(&line).as_ref()), chars_max)
}

fn without_tags(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find('<') else { return Cow::Borrowed(text) };
    let mut out = text[..first].to_owned();
    let mut at = first;
    while at < text.len() {
        let known = tag(text, at).filter(|tag| tag.is_one_of(TAGS) && !is_spoken_of(&text[tag.end..]));
        if known.is_some_and(|tag| tag.is_one_of(&LINES)) {
            out.push(' ');
        }
        let shown = known.map_or(at, |tag| tag.end);
        // What is no tag is shown with its `<`.
        let from = shown + usize::from(known.is_none());
        at = text[from..].find('<').map_or(text.len(), |next| from + next);
        out.push_str(&text[shown..at]);
    }
    Cow::Owned(out)
}

/// Without `#` in front and marks of emphasis around: all of it, or bold words in it.
fn without_marks(line: &str) -> Cow<'_, str> {
    let heading = line.trim_start_matches('#');
    let is_heading = heading.len() < line.len() && heading.starts_with(' ');
    let mut line = if is_heading { heading.trim() } else { line };
    for mark in ["**", "__", "*", "_", "`"] {
        let inside = line.strip_prefix(mark).and_then(|line| line.strip_suffix(mark));
        line = inside.filter(|inside| !inside.is_empty() && !inside.contains(mark)).unwrap_or(line);
    }
    match line.matches("**").count() {
        0 => Cow::Borrowed(line),
        marks if marks % 2 == 0 => Cow::Owned(line.replace("**", "")),
        _ => Cow::Borrowed(line),
    }
}

/// Without an end that says again what stands before it: `Market - Acme | Acme`.
fn once_at_end(line: &str) -> &str {
    let mut joints: Vec<(usize, usize)> = Vec::new();
    for (at, _) in line.match_indices(' ') {
        let is_free = joints.last().is_none_or(|(_, end)| at >= *end);
        if let Some(joint) = JOINTS.iter().find(|joint| is_free && line[at..].starts_with(**joint)) {
            joints.push((at, at + joint.len()));
        }
    }
    let mut line = line;
    while let Some((end, begin)) = joints.pop() {
        let (before, last) = (&line[joints.last().map_or(0, |(_, begin)| *begin)..end], &line[begin..]);
        if last.trim().is_empty() || before.trim().to_lowercase() != last.trim().to_lowercase() {
            break;
        }
        line = line[..end].trim_end();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_as_their_authors_meant_them() {
        for (text, expected) in [
            ("AT&amp;T &#8211; History", "AT&T – History"),
            ("AT&amp;amp;T&nbsp;today", "AT&T today"),
            ("<b>Growth</b> of CO<sub>2</sub><br/>in 2020", "Growth of CO2 in 2020"),
            ("The &lt;video&gt; element", "The <video> element"),
            ("The <a> element", "The <a> element"),
            ("Use of a < b and c > d", "Use of a < b and c > d"),
            ("**Growth** of the **market**", "Growth of the market"),
            ("## Growth\n of\tthe market", "Growth of the market"),
            ("_Growth_", "Growth"),
            ("`snake_case` and __init__", "`snake_case` and __init__"),
            ("C# 12 - A * B * C", "C# 12 - A * B * C"),
            ("#1 in sales", "#1 in sales"),
            ("Growth - Acme | Acme", "Growth - Acme"),
            ("Growth | acme | Acme | ACME", "Growth | acme"),
            ("Acme - Acme", "Acme"),
            ("Growth - Acme", "Growth - Acme"),
            ("Acme - Growth - Acme", "Acme - Growth - Acme"),
            ("Growth |", "Growth |"),
            ("", ""),
        ] {
            assert_eq!(title(text, 300), expected, "{text}");
        }
        assert_eq!(title("**abcdefg**", 6), "abcde…");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_one_bounded_line(text in "([a<>é*#_`|\n ]|&amp;|<b>|</b>| - | \\| ){0,40}", max in 0usize..40) {
            let line = title(&text, max);
            proptest::prop_assert!(line.chars().count() <= max && !line.contains('\n'));
        }
    }
}
