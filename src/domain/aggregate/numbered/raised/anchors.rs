//! Numbers in HTML that link into the text's own list of references: `<a href="#ref-1">[1]</a>`.
//!
//! The list won't be there any more, and neither is the tag a part of the sentence. A number without brackets cites where it is
//! raised as well: `<sup><a href="#ref-1">1</a></sup>`.

use memchr::memmem;

use super::{INSIDE_BYTES_MAX, Raised, are_markers, may_cite, numbers};

const RAISED: (&str, &str) = ("<sup>", "</sup>");

/// All of them, in their order. Linear.
pub(super) fn anchors(text: &str) -> Vec<Raised<'_>> {
    let (mut found, mut done): (Vec<Raised<'_>>, usize) = (Vec::new(), 0);
    for start in memmem::find_iter(text.as_bytes(), b"<a ") {
        if start >= done
            && let Some(anchor) = anchor(text, start, done)
        {
            done = anchor.end;
            found.push(anchor);
        }
    }
    found
}

fn anchor(text: &str, start: usize, done: usize) -> Option<Raised<'_>> {
    let near = &text[start..text.floor_char_boundary(start + INSIDE_BYTES_MAX)];
    let (tag, rest) = near.split_once('>')?;
    let inside = rest.split_once("</a>")?.0;
    let end = start + tag.len() + 1 + inside.len() + "</a>".len();
    let is_own = tag.contains("href=\"#") || tag.contains("href='#");
    let raised = |text: &'_ str| text.starts_with(RAISED.0) && text.ends_with(RAISED.1);
    let (mut is_raised, mut within) = (raised(inside), inside);
    if is_raised {
        within = inside.get(RAISED.0.len()..inside.len() - RAISED.1.len())?;
    }
    let (mut start, mut end) = (start, end);
    if text[done..start].ends_with(RAISED.0) && text[end..].starts_with(RAISED.1) {
        (start, end, is_raised) = (start - RAISED.0.len(), end + RAISED.1.len(), true);
    }
    let marker = Some(within).filter(|within| are_markers(within));
    let numbers = numbers(within);
    let cites = || is_raised && !numbers.is_empty() && may_cite(&text[..start], &text[end..]);
    (is_own && (marker.is_some() || cites())).then_some(Raised { start, end, marker, numbers })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::lowered;

    #[test]
    fn a_link_into_its_own_references_is_a_marker() {
        for (text, lower) in [
            ("It rose <a href=\"#1\">[1]</a>.", "It rose [1]."),
            ("It rose<sup><a href='#1' id=\"b\">[1]</a></sup>, so.", "It rose[1], so."),
            ("It rose<a href=\"#1\"><sup>[1]</sup></a>.", "It rose[1]."),
            ("It rose<sup><a href=\"#1\">1</a></sup>.<a href=\"#2\"><sup>2</sup></a>", "It rose[1].[2]"),
        ] {
            assert_eq!(lowered(text, |_| BTreeSet::from([1, 2])), lower);
        }
        for text in [
            "See <a href=\"#top\">the top</a>, <a href=\"#1\">1</a> and <a href=\"https://a.example\">[1]</a>.",
            "It rose <a href=\"#1\">[1]",
            "Write `x`:\n\n```\n<a href=\"#1\">[1]</a>\n```\n",
        ] {
            assert_eq!(lowered(text, |_| BTreeSet::from([1, 2])), text);
        }
    }

    proptest::proptest! {
        #[test]
        fn anything_is_read(text in "(<sup>|</sup>|<a href=\"#1\">|</a>|\\[1\\]|[a1¹é \n.])*") {
            lowered(&text, |_| BTreeSet::from([1]));
        }
    }
}
