//! A list of references in HTML: `<h2>Sources</h2>`, and below it `<ul>` or `<ol>` of links.

use std::borrow::Cow;
use std::ops::Range;

use super::{ITEM_BYTES_MAX, Kind, blocks, is_label};
use crate::domain::synthesis::citations::entries::{definition, numbered};
use crate::domain::synthesis::citations::marker::closer;
use crate::domain::synthesis::citations::{Definition, HEADING_BYTES_MAX, is_reference_heading};

/// Elements that a heading of references may be.
const HEADINGS: [&str; 10] = ["h1", "h2", "h3", "h4", "h5", "h6", "p", "summary", "strong", "b"];
/// Bytes of a tag, with its attributes.
const TAG_BYTES_MAX: usize = 600;
const ENTITIES: [(&str, &str); 6] =
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];

/// A text without the last such list, whatever stands behind it, and what the list says. Linear.
pub(super) fn find(text: &str) -> Option<(Cow<'_, str>, Vec<Definition>)> {
    let (section, listed) = last(text)?;
    let is_within = |range: &Range<usize>| range.contains(&section.start);
    let around = blocks(text).into_iter().find(|block| is_within(&block.range))?;
    if matches!(around.kind, Kind::Code { .. }) {
        return None;
    }
    let (body, behind) = (&text[..section.start], &text[section.end..]);
    let said = behind.trim_start();
    if said.is_empty() {
        return Some((Cow::Borrowed(body), listed));
    }
    let lines = behind[..behind.len() - said.len()].matches('\n').count().clamp(1, 2);
    Some((Cow::Owned(format!("{}{}{said}", body.trim_end(), "\n".repeat(lines))), listed))
}

/// The place of the last one, with its heading, and what it says.
fn last(text: &str) -> Option<(Range<usize>, Vec<Definition>)> {
    let mut found = None;
    for start in memchr::memchr_iter(b'<', text.as_bytes()) {
        let rest = &text[start..];
        let Some(is_ordered) = begins(rest, "ol").then_some(true).or(begins(rest, "ul").then_some(false))
        else {
            continue;
        };
        let Some(heading) = heading(&text[..start]) else { continue };
        let Some((items, mut end)) = items(text, start, if is_ordered { "ol" } else { "ul" }) else {
            continue;
        };
        let mut begin = heading;
        // The list may be all that is in `<details>`.
        let before = text[..begin].trim_end();
        let opens = before.rfind('<').filter(|at| begins(&before[*at..], "details") && before.ends_with('>'));
        let closes = text[end..].trim_start().strip_prefix("</details>");
        if let (Some(opens), Some(behind)) = (opens, closes) {
            (begin, end) = (opens, text.len() - behind.len());
        }
        if let Some(listed) = definitions(&items, is_ordered) {
            found = Some((begin..end, listed));
        }
    }
    found
}

/// Where a heading of references begins that a text ends with.
fn heading(text: &str) -> Option<usize> {
    let head = text.trim_end();
    let near = head.floor_char_boundary(head.len().saturating_sub(HEADING_BYTES_MAX + TAG_BYTES_MAX));
    if !head.ends_with('>') {
        // One in Markdown.
        let line = head[near..].rfind('\n').map(|at| near + at + 1).or((near == 0).then_some(0))?;
        let title = head[line..].trim();
        let may_be = title.len() <= HEADING_BYTES_MAX && (title.starts_with('#') || is_label(title));
        let words = title.trim_matches(['#', ' ', '*', '_', ':', '：']);
        return (may_be && is_reference_heading(words)).then_some(line);
    }
    let last = near + head[near..].rfind("</")?;
    let name = head[last + 2..].strip_suffix('>')?;
    let name = HEADINGS.iter().find(|known| known.eq_ignore_ascii_case(name))?;
    let mut opens = head[near..].rmatch_indices('<').map(|(at, _)| near + at);
    let start = opens.find(|at| begins(&head[*at..], name))?;
    let title = without_tags(&head[start..]);
    (title.len() <= HEADING_BYTES_MAX && is_reference_heading(title.trim())).then_some(start)
}

/// What stands in each item of a list that begins at `start`, and where that ends; nothing else may be in it.
fn items<'t>(text: &'t str, start: usize, name: &str) -> Option<(Vec<&'t str>, usize)> {
    let (mut found, mut at) = (Vec::new(), start + tag(&text[start..])?);
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if closes(rest, name) {
            return (!found.is_empty()).then_some((found, at + tag(rest)?));
        }
        if !begins(rest, "li") {
            return None;
        }
        at += tag(rest)?;
        let near = &text[at..text.floor_char_boundary(at + 2 * ITEM_BYTES_MAX)];
        let ends = |tag: &str| closes(tag, "li") || closes(tag, name) || begins(tag, "li");
        let end = memchr::memchr_iter(b'<', near.as_bytes()).find(|at| ends(&near[*at..]))?;
        let item = &near[..end];
        if memchr::memchr_iter(b'<', item.as_bytes()).any(|at| is_list(&item[at..])) {
            return None;
        }
        found.push(item);
        at += end;
        if closes(&text[at..], "li") {
            at += tag(&text[at..])?;
        }
    }
}

fn is_list(tag: &str) -> bool {
    begins(tag, "ul") || begins(tag, "ol")
}

/// What the items say; `None` where one isn't a reference. `<ol>` has numbers that nobody wrote.
fn definitions(items: &[&str], is_ordered: bool) -> Option<Vec<Definition>> {
    let mut listed = Vec::with_capacity(items.len());
    for (item, place) in items.iter().zip(1_u32..) {
        let line = line(item);
        let is_numbered = line.starts_with(|c| closer(c).is_some()) && numbered(&line).is_some();
        // A title may begin with a year.
        let mut found = definition(&if is_numbered { line } else { format!("{place}. {line}") })?;
        if !is_numbered && !is_ordered {
            found.number = None;
        }
        if !is_ordered && found.url.is_none() {
            return None;
        }
        listed.push(found);
    }
    listed.iter().any(|found| found.url.is_some()).then_some(listed)
}

/// An item as one of Markdown: `[Title](https://…)`.
fn line(item: &str) -> String {
    let mut line = String::with_capacity(item.len());
    let (mut rest, mut has_link) = (item, false);
    while let Some(at) = rest.find('<') {
        line.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some(length) = tag(rest) else { break };
        let url = begins(rest, "a").then(|| destination(&rest[..length])).flatten().filter(|_| !has_link);
        rest = &rest[length..];
        let label = url.and_then(|url| Some((url, rest.find("</a>").map(|end| &rest[..end])?)));
        if let Some((url, label)) = label {
            rest = &rest[label.len()..];
            let title = without_tags(label);
            let title = title.trim();
            // An address is no title, and a number none of a link.
            let is_number = title.starts_with(|c| closer(c).is_some()) && title.len() < 8;
            line.push_str(&match (is_number, title.contains("://")) {
                (true, _) => format!("{title} {url} "),
                (false, true) => url.to_owned(),
                (false, false) => format!("[{}]({url})", title.replace(['[', ']'], "")),
            });
            has_link = true;
        }
    }
    line.push_str(rest);
    let line = line.trim_start_matches(['^', '↑', ' ', '\n']);
    let line = line.split_whitespace().collect::<Vec<&str>>().join(" ");
    ENTITIES.iter().fold(line, |line, (entity, character)| line.replace(entity, character))
}

/// The address that a tag leads to.
fn destination(tag: &str) -> Option<&str> {
    let (_, value) = tag.split_once("href=")?;
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let url = value[1..].split_once(quote)?.0.trim();
    (url.contains("://") && !url.contains(char::is_whitespace)).then_some(url)
}

fn without_tags(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let Some(length) = tag(&rest[at..]) else { return out };
        rest = &rest[at + length..];
    }
    out + rest
}

/// The bytes of the tag that a text begins with.
fn tag(text: &str) -> Option<usize> {
    let near = &text.as_bytes()[..text.len().min(TAG_BYTES_MAX)];
    memchr::memchr(b'>', near).map(|end| end + 1)
}

/// Whether a text begins with a tag of that name that opens.
fn begins(text: &str, name: &str) -> bool {
    text.strip_prefix('<').is_some_and(|rest| is_name(rest, name))
}

fn closes(text: &str, name: &str) -> bool {
    text.strip_prefix("</").is_some_and(|rest| is_name(rest, name))
}

fn is_name(rest: &str, name: &str) -> bool {
    rest.get(..name.len()).is_some_and(|written| written.eq_ignore_ascii_case(name))
        && rest[name.len()..].starts_with(['>', ' ', '\n', '\t'])
}

#[cfg(test)]
mod tests {
    use super::super::without_list;

    const BODY: &str = "<p>Prices rose [1]. Costs fell [2].</p>\n";
    const ITEMS: &str = "<li><a href=\"https://a.example/x\">Alpha</a></li>\n  <li><a href='https://b.example/y?a=1&amp;b=2'>Beta</a></li>";

    fn listed(text: &str) -> Vec<(Option<u32>, String, String)> {
        let found = without_list(text).1.into_iter();
        found.map(|found| (found.number, found.title, found.url.unwrap_or_default())).collect()
    }

    #[test]
    fn links_below_a_heading_of_references_are_references() {
        for heading in [
            "<h2>Sources</h2>",
            "<h3 id=\"refs\"><b>References:</b></h3>",
            "<p><strong>Quellen</strong></p>",
            "## Sources\n",
            "**Sources:**\n",
        ] {
            for list in [format!("<ul>{ITEMS}</ul>"), format!("<ol class=\"x\">\n{ITEMS}\n</ol>\n")] {
                let text = format!("{BODY}{heading}\n{list}");
                let expected = [
                    (Some(1), "Alpha".to_owned(), "https://a.example/x".to_owned()),
                    (Some(2), "Beta".to_owned(), "https://b.example/y?a=1&b=2".to_owned()),
                ];
                assert_eq!(listed(&text), expected, "{text}");
                assert_eq!(without_list(&text).0, BODY, "{text}");
            }
        }
    }

    #[test]
    fn what_stands_behind_the_list_stays() {
        let text = format!("<body>{BODY}<h2>Sources</h2><ul>{ITEMS}</ul></body>");
        assert_eq!(without_list(&text).0, format!("<body>{}\n</body>", BODY.trim_end()));
        let text =
            format!("{BODY}<h2>Sources</h2><ul>{ITEMS}</ul>\n\n<h2>Notes</h2>\n<p>Rents fell [2].</p>");
        assert_eq!(without_list(&text).0, format!("{BODY}\n<h2>Notes</h2>\n<p>Rents fell [2].</p>"));
        let text = format!("{BODY}<details>\n<summary>Sources</summary>\n<ol>{ITEMS}</ol>\n</details>\n");
        assert_eq!(without_list(&text).0, BODY);
    }

    #[test]
    fn items_say_their_number_their_title_and_their_address() {
        let list = "<ol><li>[7] <a href=\"https://a.example\">Alpha</a>, 2024</li><li id=\"b\"><a href=\"#r\">↑</a> 2024 Report: https://b.example</li>\
                    <li>A book</li><li><a href=\"https://c.example\">https://c.example</a></li><li><a href=\"https://d.example\">Delta</a> (2024)</li></ol>";
        let found = listed(&format!("<h2>Sources</h2>{list}"));
        let expected = [
            (Some(7), "Alpha", "https://a.example"),
            (Some(2), "2024 Report", "https://b.example"),
            (Some(3), "A book", ""),
            (Some(4), "", "https://c.example"),
            (Some(5), "Delta", "https://d.example"),
        ];
        let expected = expected.map(|(number, title, url)| (number, title.to_owned(), url.to_owned()));
        assert_eq!(found, expected);
        // Nothing cites by numbers: the list has none.
        let found = listed(&format!("<p>Prices rose.</p><h2>Sources</h2><ul>{ITEMS}</ul>"));
        assert_eq!(found.iter().map(|found| found.0).collect::<Vec<_>>(), [None, None]);
    }

    #[test]
    fn other_lists_stay() {
        for text in [
            format!("{BODY}<h2>Tools</h2>\n<ul>{ITEMS}</ul>"),
            format!("{BODY}<h2>Sources of error</h2>\n<ul>{ITEMS}</ul>"),
            format!("{BODY}<h2>Sources</h2>\n<p>We asked.</p>\n<ul>{ITEMS}</ul>"),
            format!("{BODY}<h2>Sources</h2>\n<ul>{ITEMS}<li>Rents fell.</li></ul>"),
            format!("{BODY}<h2>Sources</h2>\n<ul>{ITEMS}"),
            format!("{BODY}<h2>Sources</h2>\n<ol><li>Noise</li><li>Drift</li></ol>"),
            format!("{BODY}<h2>Sources</h2>\n<ul><li><ul>{ITEMS}</ul></li></ul>"),
            format!("{BODY}\n```html\n<h2>Sources</h2>\n<ul>{ITEMS}</ul>\n```\n"),
        ] {
            assert_eq!(without_list(&text), (text.as_str().into(), Vec::new()));
        }
    }

    proptest::proptest! {
        #[test]
        fn anything_is_read(text in "(<h2>Sources</h2>|<ul>|<ol|</ul>|<li>|</li>|<a href=\"https://a.b\">|</a>|</|[<>é a.\n])*") {
            let _ = without_list(&text);
        }
    }
}
