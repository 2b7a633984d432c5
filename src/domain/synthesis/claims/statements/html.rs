//! What stands between the tags of HTML: each item of `<ol>`, each `<p>`, each line that `<br>` ends is read alone.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem};

use crate::domain::text::tags::{Tag, is_spoken_of, tag};

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

/// What stands between two tags.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub range: Range<usize>,
    /// The level of the heading that it is the text of: 1 of `<h1>`.
    pub level: Option<u8>,
    /// Whether it stands in `<li>`.
    pub is_item: bool,
}

/// The pieces of a range of a text, in order; the whole where no such tag is in it. Tags around a piece aren't in it. Linear.
pub(super) fn pieces(text: &str, range: Range<usize>) -> Vec<Piece> {
    let whole = || Piece { range: range.clone(), level: None, is_item: false };
    if memchr(b'<', &text.as_bytes()[range.clone()]).is_none() {
        return vec![whole()];
    }
    let (mut found, mut done, mut at) = (Vec::new(), range.start, range.start);
    let (mut level, mut is_item) = (None, false);
    let (mut ticks, mut counted, mut own) = (0, range.start, 0);
    while let Some(tag) = next(text, at..range.end) {
        at = tag.end;
        ticks += text[counted..tag.start].matches('`').count();
        counted = tag.start;
        let is_code = ticks % 2 == 1;
        let is_known = tag.is_whole || tag.is_one_of(BLOCKS) || tag.is_one_of(SILENT);
        let ends = is_known || own < OWN_MAX && is_own(text, &tag, range.clone());
        own += usize::from(!is_known);
        if is_code || !ends || is_spoken_of(&text[at..]) {
            continue;
        }
        found.push(Piece { range: without_tags(text, done..tag.start), level, is_item });
        if tag.is_one_of(SILENT) || tag.is_one_of(CALLS) {
            at = closing(text, at..range.end, tag.name);
        }
        level = match tag.name.as_bytes() {
            [b'h' | b'H', level @ b'1'..=b'6'] if !tag.closes => Some(level - b'0'),
            _ => None,
        };
        if tag.is_one_of(&["li", "ul", "ol"]) {
            is_item = !tag.closes && tag.is("li");
        }
        done = at;
    }
    found.push(Piece { range: without_tags(text, done..range.end), level, is_item });
    found.retain(|piece| !text[piece.range.clone()].trim().is_empty());
    found
}

/// Whether a tag of no attributes is none of HTML's and has its other half in the range: that of `Vec<T>` has none.
fn is_own(text: &str, tag: &Tag<'_>, range: Range<usize>) -> bool {
    if tag.is_one_of(WITHIN) || tag.written.contains(char::is_whitespace) {
        return false;
    }
    match tag.written.strip_prefix("</") {
        Some(name) => text[range.start..tag.start].contains(&format!("<{name}")),
        None => text[tag.end..range.end].contains(&format!("</{}", &tag.written[1..])),
    }
}

/// The next tag or comment, which may be all that follows.
fn next(text: &str, within: Range<usize>) -> Option<Tag<'_>> {
    let text = &text[..within.end];
    memchr_iter(b'<', &text.as_bytes()[within.start..]).map(|at| within.start + at).find_map(|start| {
        let rest = &text[start..];
        if rest.starts_with("<!--") {
            let end = memmem::find(rest.as_bytes(), b"-->").map_or(text.len(), |end| start + end + 3);
            let (name, written) = (&rest[1..4], &text[start..end]);
            return Some(Tag { start, end, name, closes: false, is_whole: true, written });
        }
        plain(text, start)
    })
}

/// The tag that begins at `start`; one of a namespace, `<o:p>`, parts nothing.
fn plain(text: &str, start: usize) -> Option<Tag<'_>> {
    tag(text, start).filter(|tag| !tag.name.contains(':'))
}

/// Where the closing tag of a name ends, or the range does.
fn closing(text: &str, within: Range<usize>, name: &str) -> usize {
    let mut at = within.start;
    while let Some(tag) = next(text, at..within.end) {
        at = tag.end;
        if tag.closes && tag.is(name) {
            return at;
        }
    }
    within.end
}

/// Without white space, and without pairs of tags around all of it: `<b>Prices rose.</b>`.
fn without_tags(text: &str, range: Range<usize>) -> Range<usize> {
    let mut range = trimmed(text, range);
    while text[range.clone()].starts_with('<') && text[range.clone()].ends_with('>') {
        let within = &text[..range.end];
        let Some(open) = plain(within, range.start) else { break };
        let Some(start) = within[open.end..].rfind('<').map(|at| open.end + at) else { break };
        let is_pair = plain(within, start)
            .is_some_and(|close| close.closes && close.name == open.name && close.end == range.end);
        let again = next(text, open.end..start).is_some_and(|other| other.name == open.name);
        if !is_pair || again {
            break;
        }
        range = trimmed(text, open.end..start);
    }
    range
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let whole = &text[range.clone()];
    let begun = whole.trim_start();
    let start = range.start + whole.len() - begun.len();
    start..start + begun.trim_end().len()
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
        let below: Vec<_> = found.iter().map(|found| found.around.section).collect();
        assert_eq!(below, ["", "Market"]);
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
