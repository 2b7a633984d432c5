//! Numbers in parentheses that cite: `Oslo (1).` above `(1) https://a.example` becomes `Oslo [1].` above `[1] https://a.example`.
//!
//! In prose `(1)` begins an item as often as it cites. So it is a marker only where the text ends with a list whose lines all have such a
//! number and an address, and cites each of these numbers, and nothing else in it has one: behind a word, and before a stop, a comma, another
//! one or the end of the line. The same holds of `（1）`.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// Bytes of a line that are looked at, and digits of a number.
const LINE_BYTES_MAX: usize = 600;
const DIGITS_MAX: usize = 3;
/// The parentheses of Chinese and Japanese.
const WIDE: [char; 2] = ['（', '）'];

/// The text with markers in place of such numbers. Linear.
pub(super) fn bracketed(text: &str) -> Cow<'_, str> {
    let (body, listed) = list(text);
    if listed.is_empty() || body.contains('`') {
        return Cow::Borrowed(text);
    }
    let places = numbers(text);
    let (of_body, of_list) = places.split_at(places.partition_point(|(at, _)| *at < body.len()));
    let cited: BTreeSet<u32> = of_body.iter().map(|(_, number)| *number).collect();
    if listed != cited || !of_body.iter().all(|(at, _)| cites(body, *at)) {
        return Cow::Borrowed(text);
    }
    // What a title has in parentheses stays.
    let of_list = of_list.iter().filter(|(at, _)| begins_line(&text[..*at]));
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for (at, number) in of_body.iter().chain(of_list) {
        out.push_str(&text[done..*at]);
        out.push_str(&format!("[{number}]"));
        done = end_of(text, *at);
    }
    Cow::Owned(out + &text[done..])
}

fn begins_line(before: &str) -> bool {
    let before = before.trim_end_matches(['-', '*', ' ']);
    before.is_empty() || before.ends_with('\n')
}

/// What stands above the list that ends a text, and the numbers of that; none where it ends otherwise, or a number is there twice.
fn list(text: &str) -> (&str, BTreeSet<u32>) {
    let (mut listed, mut lines, mut end) = (BTreeSet::new(), 0, text.trim_end().len());
    while end > 0 {
        let begin = text[..end].rfind('\n').map_or(0, |at| at + 1);
        let line = text[begin..end].trim();
        match entry(line) {
            Some(number) => {
                lines += 1;
                listed.insert(number);
            }
            None if line.is_empty() => {}
            None => break,
        }
        end = begin.saturating_sub(1);
    }
    if lines > listed.len() { (text, BTreeSet::new()) } else { (&text[..end], listed) }
}

/// The number of a line that is an entry: `(1) A report, https://…`.
fn entry(line: &str) -> Option<u32> {
    let line = line.trim_start_matches(['-', '*', ' ']);
    let (number, behind) = number(line)?;
    (line.len() <= LINE_BYTES_MAX && behind.contains("://")).then_some(number)
}

/// The number in parentheses that a text begins with, and what stands behind it.
fn number(text: &str) -> Option<(u32, &str)> {
    let [_, close] = [['(', ')'], WIDE].into_iter().find(|[open, _]| text.starts_with(*open))?;
    let inside = text.strip_prefix(['(', WIDE[0]])?;
    let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
    let behind = inside[digits..].strip_prefix(close).filter(|_| (1..=DIGITS_MAX).contains(&digits))?;
    Some((inside[..digits].parse().ok()?, behind))
}

/// Where the number in parentheses at `at` ends.
fn end_of(text: &str, at: usize) -> usize {
    number(&text[at..]).map_or(at, |(_, behind)| text.len() - behind.len())
}

/// All numbers in parentheses, with their places.
fn numbers(text: &str) -> Vec<(usize, u32)> {
    // `（` begins with this byte, and so do other signs.
    let places = memchr::memchr2_iter(b'(', 0xEF, text.as_bytes());
    places.filter_map(|at| Some((at, number(&text[at..])?.0))).collect()
}

/// Whether the number at `at` stands where one cites, not where an item begins.
fn cites(body: &str, at: usize) -> bool {
    let before = &body[..at];
    let behind = number(&body[at..]).map_or("", |(_, behind)| behind);
    let is_last = behind
        .trim_start_matches(' ')
        .chars()
        .next()
        .is_none_or(|c| ".,;:!?)(\n。，；、：！？）（".contains(c));
    is_last && !begins_line(before) && !before.trim_end().ends_with([':', '：'])
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "References:\n(1) https://a.example\n- (2) B, https://b.example";

    #[test]
    fn numbers_of_a_list_in_parentheses_cite() {
        for (text, expected) in [
            ("It is Oslo (1). It was Rome (2), (1).", "It is Oslo [1]. It was Rome [2], [1]."),
            ("It is Oslo.(1)(2)", "It is Oslo.[1][2]"),
            ("- It is Oslo (1)\n- It was Rome (2)", "- It is Oslo [1]\n- It was Rome [2]"),
        ] {
            let list = LIST.replace("(1)", "[1]").replace("(2)", "[2]");
            assert_eq!(bracketed(&format!("{text}\n\n{LIST}\n")), format!("{expected}\n\n{list}\n"));
        }
    }

    #[test]
    fn numbers_in_wide_parentheses_cite_as_well() {
        let list = "参考资料：\n（1）https://a.example\n（2）新华社，https://b.example";
        let text = format!("北京是首都（1）。人口为2100万（2）（1）。\n\n{list}");
        let cited = list.replace("（1）", "[1]").replace("（2）", "[2]");
        assert_eq!(bracketed(&text), format!("北京是首都[1]。人口为2100万[2][1]。\n\n{cited}"));
        for text in ["北京（1）是首都，（2）很大。", "特点：（1）大；（2）旧。", "北京是首都（1）。"]
        {
            let text = format!("{text}\n\n{list}");
            assert_eq!(bracketed(&text), text);
        }
    }

    #[test]
    fn numbers_that_begin_an_item_stay() {
        for text in [
            "It is (1) old and (2) large.",
            "(1) It is old.\n(2) It is large.",
            "It is old (1).",
            "It is old (1), large (2), and red (3).",
            "It is `f(1)`: old (1), large (2).",
            "",
        ] {
            let text = format!("{text}\n\n{LIST}");
            assert_eq!(bracketed(&text), text);
        }
        for text in [
            "It is old (1).",
            "It is old (1).\n\n(1) A book",
            "It is old (1).\n\n(1) https://a.example\n(1) https://b.example",
        ] {
            assert_eq!(bracketed(text), text);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(\\(|\\)|[12（）]|\\(1\\)|（1）|https://a|\n|[aé .])*") {
            bracketed(&text);
        }
    }
}
