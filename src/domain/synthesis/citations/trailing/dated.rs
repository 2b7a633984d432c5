//! Works that end a text without a heading, a number or an address: `Harriss, J. (2004). *The Tallest Tower*. …` below a sentence that
//! cites `(Harriss, 2004)`.
//!
//! Whether the text does cite them so is for the caller to say: no number tells it.

use std::ops::Range;

use super::titled::{is_dated, is_name};
use super::{ITEM_BYTES_MAX, before_small_talk, is_label};
use crate::domain::synthesis::citations::Definition;
use crate::domain::synthesis::citations::entries::definition;

/// Bytes of the names of authors.
const NAMES_BYTES_MAX: usize = 200;
/// Bytes of a day: `2004, March 3`.
const DAY_BYTES_MAX: usize = 20;

/// Such works, and where they stand.
#[derive(Debug, PartialEq, Eq)]
pub struct Works {
    /// Their bytes.
    pub range: Range<usize>,
    /// What they are, in the order of the text.
    pub items: Vec<Definition>,
}

/// The works behind an empty line at the end of a text; small talk may follow. Linear.
#[must_use]
pub fn works_at_end(text: &str) -> Option<Works> {
    // Nearly all texts end here.
    let last = text.trim_end().rsplit('\n').next().unwrap_or_default();
    let talk = if is_of_author(last) { text.len() } else { before_small_talk(text) };
    let whole = text[..talk].trim_end();
    let (mut items, mut begin, mut end) = (Vec::new(), whole.len(), whole.len());
    while end > 0 {
        let start = whole[..end].rfind('\n').map_or(0, |at| at + 1);
        let line = whole[start..end].trim();
        if is_of_author(line) {
            items.push(definition(line).filter(|found| found.number.is_none())?);
            begin = start;
        } else if !line.is_empty() {
            break;
        }
        end = start.saturating_sub(1);
    }
    let above = whole[..begin].trim_end_matches([' ', '\t', '\r']);
    let line = above.trim_end().rsplit('\n').next().unwrap_or_default().trim();
    let is_apart = above
        .strip_suffix('\n')
        .is_some_and(|above| above.trim_end_matches([' ', '\t', '\r']).ends_with('\n'));
    let is_headed = line.is_empty() || line.starts_with('#') || is_label(line);
    items.reverse();
    (!items.is_empty() && is_apart && !is_headed).then_some(Works { range: begin..whole.len(), items })
}

/// Whether a line begins with names and their year in brackets, and goes on with a title.
fn is_of_author(line: &str) -> bool {
    let Some((names, rest)) = line.split_once('(').filter(|_| line.len() <= ITEM_BYTES_MAX) else {
        return false;
    };
    let Some((day, title)) = rest.split_once(')') else { return false };
    let is_day = day.starts_with(|c: char| c.is_ascii_digit()) && day.len() <= DAY_BYTES_MAX && is_dated(day);
    let names = names.trim().trim_end_matches("et al.").trim_end_matches("et al");
    is_day
        && names.contains(char::is_alphabetic)
        && names.len() <= NAMES_BYTES_MAX
        && is_name(names)
        && title.starts_with(['.', ',', ':'])
        && title.contains(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "It opened in 1889 (Harriss, 2004).";

    fn works(text: &str) -> Vec<String> {
        works_at_end(text).into_iter().flat_map(|works| works.items).map(|item| item.title).collect()
    }

    #[test]
    fn works_behind_an_empty_line_are_found() {
        for work in [
            "Harriss, J. (2004). *The Tallest Tower*. Unlimited Publishing.",
            "Harriss J, et al. (2004). The Tallest Tower.",
            "World Bank. (2024). Outlook for towers.",
            "Harriss, J., & Doe, K. (2004, March 3). The Tallest Tower.",
        ] {
            for text in [
                format!("{BODY}\n\n{work}"),
                format!("{BODY}\n\n- {work}\n"),
                format!("{BODY}\n\n{work}\n\nLet me know if you need more!"),
            ] {
                let found = works_at_end(&text).unwrap();
                assert_eq!(found.items.len(), 1, "{text}");
                assert!(
                    text[..found.range.start].ends_with("\n\n") && text[found.range].ends_with(work),
                    "{text}"
                );
            }
            assert_eq!(works(&format!("{BODY}\n\n{work}\n{work}")).len(), 2);
        }
    }

    #[test]
    fn other_lines_are_no_works() {
        for behind in [
            "\nHarriss, J. (2004). *The Tallest Tower*.",
            "\n\n## Books\n\nHarriss, J. (2004). *The Tallest Tower*.",
            "\n\n**Books:**\n\nHarriss, J. (2004). *The Tallest Tower*.",
            "\n\nHarriss, J. (2004). *The Tallest Tower*.\n\nThat is all.",
            "\n\nHarriss wrote of it (2004). It is a book.",
            "\n\nAs the author says (2004). It is a book.",
            "\n\n1. Harriss, J. (2004). *The Tallest Tower*.",
            "\n\nHarriss, J. (2004)",
        ] {
            assert_eq!(works(&format!("{BODY}{behind}")), [""; 0], "{behind}");
        }
        assert_eq!(works("Harriss, J. (2004). *The Tallest Tower*."), [""; 0]);
        assert_eq!(works(""), [""; 0]);
    }
}
