//! What stands between the tags of HTML: each item of `<ol>`, each `<p>`, each line that `<br>` ends is read alone.

use std::ops::Range;

use memchr::{memchr, memmem};

/// Bytes of a tag, with its attributes: what is longer isn't read as one.
const TAG_BYTES_MAX: usize = 600;
/// Bytes of a tag's name.
const NAME_BYTES_MAX: usize = 20;
/// Tags that end what stands before them.
#[rustfmt::skip]
const BLOCKS: &[&str] = &[
    "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "div", "dl", "dt", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hr", "html", "li", "main", "nav", "ol", "p", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
];
/// Tags of HTML within a sentence. Others are their author's, `<answer>…</answer>`, and set apart what stands in them.
#[rustfmt::skip]
const WITHIN: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd", "label", "mark", "math", "q", "s", "samp", "small", "span",
    "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
];
/// Tags of authors that are looked for in one range: each is looked for up to its end.
const OWN_MAX: usize = 64;
/// Tags of which nothing is said up to their end.
const SILENT: &[&str] = &["script", "style", "pre", "textarea", "template", "svg"];
/// Tags of which the same holds where they close: what a model called, not what it says.
#[rustfmt::skip]
const CALLS: &[&str] = &["tool_call", "tool_calls", "tool_use", "function_call", "function_calls"];
/// What follows a tag that a sentence speaks of: `the <br> tag`.
const SPOKEN_OF: [&str; 3] = [" tag", " element", "标签"];

/// What stands between two tags.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub range: Range<usize>,
    /// Whether it is the text of `<h1>` to `<h6>`.
    pub is_heading: bool,
    /// Whether it stands in `<li>`.
    pub is_item: bool,
}

/// A tag in a text: its bytes and its name.
struct Tag<'t> {
    range: Range<usize>,
    name: &'t str,
}

/// The pieces of a range of a text, in order; the whole where no such tag is in it. Tags around a piece aren't in it. Linear.
pub(super) fn pieces(text: &str, range: Range<usize>) -> Vec<Piece> {
    let whole = || Piece { range: range.clone(), is_heading: false, is_item: false };
    if memchr(b'<', &text.as_bytes()[range.clone()]).is_none() {
        return vec![whole()];
    }
    let (mut found, mut done, mut at) = (Vec::new(), range.start, range.start);
    let (mut is_heading, mut is_item) = (false, false);
    let (mut ticks, mut counted, mut own) = (0, range.start, 0);
    while let Some(tag) = next(text, at..range.end) {
        at = tag.range.end;
        ticks += text[counted..tag.range.start].matches('`').count();
        counted = tag.range.start;
        let is_code = ticks % 2 == 1;
        let is_known = tag.name == "!--" || is_one_of(tag.name, BLOCKS) || is_one_of(tag.name, SILENT);
        let ends = is_known || own < OWN_MAX && is_own(text, &tag, range.clone());
        own += usize::from(!is_known);
        if is_code || !ends || SPOKEN_OF.iter().any(|behind| text[at..].starts_with(behind)) {
            continue;
        }
        found.push(Piece { range: without_tags(text, done..tag.range.start), is_heading, is_item });
        if is_one_of(tag.name, SILENT) || is_one_of(tag.name, CALLS) {
            at = closing(text, at..range.end, tag.name);
        }
        let closes = text[tag.range.start + 1..].starts_with('/');
        is_heading = !closes && matches!(tag.name.as_bytes(), [b'h' | b'H', b'1'..=b'6']);
        if is_one_of(tag.name, &["li", "ul", "ol"]) {
            is_item = !closes && tag.name.eq_ignore_ascii_case("li");
        }
        done = at;
    }
    found.push(Piece { range: without_tags(text, done..range.end), is_heading, is_item });
    found.retain(|piece| !text[piece.range.clone()].trim().is_empty());
    found
}

/// Whether a tag of no attributes is none of HTML's and has its other half in the range: that of `Vec<T>` has none.
fn is_own(text: &str, tag: &Tag<'_>, range: Range<usize>) -> bool {
    let written = &text[tag.range.clone()];
    if is_one_of(tag.name, WITHIN) || written.contains(char::is_whitespace) {
        return false;
    }
    let half = match written.strip_prefix("</") {
        Some(name) => return text[range.start..tag.range.start].contains(&format!("<{name}")),
        None => format!("</{}", &written[1..]),
    };
    text[tag.range.end..range.end].contains(&half)
}

/// The next tag or comment.
fn next(text: &str, within: Range<usize>) -> Option<Tag<'_>> {
    let mut from = within.start;
    while let Some(found) = memchr(b'<', &text.as_bytes()[from..within.end]) {
        let start = from + found;
        from = start + 1;
        if let Some(tag) = tag(text, start..within.end) {
            return Some(tag);
        }
    }
    None
}

/// The tag that a range begins with.
fn tag(text: &str, within: Range<usize>) -> Option<Tag<'_>> {
    let rest = &text[within.clone()];
    if rest.starts_with("<!--") {
        let end = memmem::find(rest.as_bytes(), b"-->").map_or(rest.len(), |end| end + 3);
        return Some(Tag { range: within.start..within.start + end, name: &rest[1..4] });
    }
    let inside = rest[1..].strip_prefix('/').unwrap_or(&rest[1..]);
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let name = &inside[..inside.bytes().take(NAME_BYTES_MAX).take_while(is_of_name).count()];
    let ends = inside[name.len()..].starts_with(['>', '/', ' ', '\n', '\t']);
    let near = &rest.as_bytes()[..rest.len().min(TAG_BYTES_MAX)];
    let end = memchr(b'>', near).filter(|_| ends && name.starts_with(|c: char| c.is_ascii_alphabetic()))?;
    Some(Tag { range: within.start..within.start + end + 1, name })
}

/// Where the closing tag of a name ends, or the range does.
fn closing(text: &str, within: Range<usize>, name: &str) -> usize {
    let mut at = within.start;
    while let Some(tag) = next(text, at..within.end) {
        at = tag.range.end;
        if tag.name.eq_ignore_ascii_case(name) && text[tag.range.start..].starts_with("</") {
            return at;
        }
    }
    within.end
}

/// Without white space, and without pairs of tags around all of it: `<b>Prices rose.</b>`.
fn without_tags(text: &str, range: Range<usize>) -> Range<usize> {
    let mut range = trimmed(text, range);
    while text[range.clone()].starts_with('<') && text[range.clone()].ends_with('>') {
        let Some(open) = tag(text, range.clone()) else { break };
        let inside = open.range.end..range.end;
        let Some(close) = text[inside.clone()].rfind('<').map(|at| inside.start + at) else { break };
        let is_pair = tag(text, close..range.end).is_some_and(|close| {
            text[close.range.clone()].starts_with("</")
                && close.name == open.name
                && close.range.end == range.end
        });
        let again = next(text, open.range.end..close).is_some_and(|other| other.name == open.name);
        if !is_pair || again {
            break;
        }
        range = trimmed(text, open.range.end..close);
    }
    range
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let whole = &text[range.clone()];
    let begun = whole.trim_start();
    let start = range.start + whole.len() - begun.len();
    start..start + begun.trim_end().len()
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|other| name.eq_ignore_ascii_case(other))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::*;

    #[test]
    fn items_paragraphs_and_lines_of_html_are_statements_without_tags() {
        for (text, stated) in [
            (
                "<p>It was founded in 2015.</p>\n<ol><li>Revenue rose by 5% [1].</li><li>Costs fell by 3% in 2023</li></ol>",
                vec!["It was founded in 2015.", "Revenue rose by 5%", "Costs fell by 3% in 2023"],
            ),
            (
                "Revenue rose by 5%.<br>Costs fell by 3%.<br/>\nRents rose.",
                vec!["Revenue rose by 5%.", "Costs fell by 3%.", "Rents rose."],
            ),
            ("- Revenue rose by 5%.<br>Costs fell.", vec!["Revenue rose by 5%.", "Costs fell."]),
            (
                "<ul>\n  <li><strong>Revenue rose by 5%.</strong></li>\n  <li>Costs are 5 < 6 and falling.</li>\n</ul>",
                vec!["Revenue rose by 5%.", "Costs are 5 < 6 and falling."],
            ),
            (
                "Use `<br>` to break a line. The <br> tag has no end.",
                vec!["Use `<br>` to break a line.", "The <br> tag has no end."],
            ),
            (
                "<p>The VPN is up since 09:40 UTC.</p><ul><li>Gateway 1 is healthy</li><li>All is well</li></ul><p>Version 2 ends</p>",
                vec!["The VPN is up since 09:40 UTC.", "Gateway 1 is healthy"],
            ),
            (
                "<!-- It says nothing at all here. -->\n\n<script>\nlet x = \"it says nothing either\";\n</script>",
                vec![],
            ),
            (
                "<tool_call>{\"name\":\"search\",\"arguments\":{\"q\":\"the backups of it\"}}</tool_call>\n<tool_response>10 results</tool_response>\nPostgreSQL 16 supports it.",
                vec!["PostgreSQL 16 supports it."],
            ),
            ("Models write <tool_call> before a call.", vec!["Models write <tool_call> before a call."]),
            (
                "<div><style>a says nothing here.</style>Revenue rose by 5%.<!-- nothing is said here --></div>",
                vec!["Revenue rose by 5%."],
            ),
        ] {
            assert_eq!(read(text, "a").iter().map(|found| found.text).collect::<Vec<_>>(), stated, "{text}");
        }
    }

    #[test]
    fn headings_of_html_head_what_follows() {
        let found = read(
            "<h2>Market</h2>\n<p>Revenue rose by 5% [1].</p>\n<h3><b>Costs</b></h3><p>They fell by 3%.</p>",
            "a",
        );
        let headed: Vec<_> = found.iter().map(|found| (found.heading, found.text)).collect();
        assert_eq!(headed, [("Market", "Revenue rose by 5%"), ("Costs", "They fell by 3%.")]);
    }

    #[test]
    fn what_is_longer_than_a_tag_is_none() {
        let read = |length: usize| {
            let text = format!("<p {}>", "x".repeat(length - "<p >".len()));
            tag(&text, 0..text.len()).map(|tag| tag.range)
        };
        assert_eq!((read(TAG_BYTES_MAX), read(TAG_BYTES_MAX + 1)), (Some(0..TAG_BYTES_MAX), None));
    }

    proptest::proptest! {
        #[test]
        fn pieces_are_in_order_and_within(text in "(<[a-z/!-]{0,4}>|<li|</li>|<pre>|<!--|-->|[ab <>é`.]){0,24}") {
            let mut at = 0;
            for piece in pieces(&text, 0..text.len()) {
                proptest::prop_assert!(at <= piece.range.start && piece.range.start <= piece.range.end);
                at = piece.range.end;
            }
            proptest::prop_assert!(at <= text.len());
        }
    }
}
