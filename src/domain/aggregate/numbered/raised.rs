//! Markers that HTML raises: `<sup>[1]</sup>` is `[1]`. A number without brackets may be a power, and stays.

use std::borrow::Cow;

use memchr::memmem;

/// Bytes between the tags that are looked at: `[1], [2], [3]`.
const INSIDE_BYTES_MAX: usize = 64;

/// The text without `<sup>` around markers. Linear.
pub(super) fn lowered(text: &str) -> Cow<'_, str> {
    let (mut out, mut done) = (String::new(), 0);
    for open in memmem::find_iter(text.as_bytes(), b"<sup>") {
        let inside = open + "<sup>".len();
        let near = &text[inside..text.floor_char_boundary(inside + INSIDE_BYTES_MAX)];
        let Some(markers) =
            near.find("</sup>").map(|end| &near[..end]).filter(|markers| are_markers(markers))
        else {
            continue;
        };
        out.push_str(&text[done..open]);
        out.push_str(markers);
        done = inside + markers.len() + "</sup>".len();
    }
    if done == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[done..]) }
}

fn are_markers(text: &str) -> bool {
    let is_of_one =
        |c: char| c.is_ascii_digit() || matches!(c, '[' | ']' | ',' | ';' | ' ' | '-' | '–' | '^');
    let text = text.trim();
    text.starts_with('[') && text.ends_with(']') && text.chars().all(is_of_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raised_markers_are_markers() {
        for (text, lower) in [
            ("It rose<sup>[1]</sup>, and fell<sup>[2], [3]</sup>.", "It rose[1], and fell[2], [3]."),
            ("10<sup>6</sup> and m<sup>2</sup>", "10<sup>6</sup> and m<sup>2</sup>"),
            ("It rose<sup>[1]", "It rose<sup>[1]"),
            ("<sup><sup>[1]</sup>é<sup>", "<sup>[1]é<sup>"),
        ] {
            assert_eq!(lowered(text), lower);
        }
    }
}
