//! Reads the number, the title and the address of a reference entry.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::marker::{closer, digit};
use super::report::Definition;

mod inline;

use crate::domain::text::phrases::behind_any;
pub(super) use inline::{LINE_LIMIT, colon, in_line, is_label};

/// Bytes of an entry that are looked at; a longer one is read as far as that.
pub(super) const ENTRY_LIMIT: usize = 2048;

/// The definitions that one line of a reference section holds: one, or several with `|` between them, or all that a
/// label is in front of.
pub(super) fn definitions(line: &str) -> Vec<Definition> {
    if let Some(listed) = in_line(line) {
        return listed.into_iter().filter_map(definition).collect();
    }
    let mut found = Vec::new();
    let mut rest = line;
    loop {
        let (piece, later) = split(rest);
        found.extend(definition(piece));
        match later {
            Some(later) => rest = later,
            None => return found,
        }
    }
}

/// Cuts a line before a `| [2] …` within it.
fn split(line: &str) -> (&str, Option<&str>) {
    for (at, _) in line.match_indices('|') {
        let tail = line[at + 1..].trim_start();
        if at > 0
            && tail.starts_with('[')
            && numbered(tail).is_some_and(|(_, rest)| rest.starts_with([' ', ':']))
        {
            return (&line[..at], Some(tail));
        }
    }
    (line, None)
}

/// Reads one entry; `None` for a line that says nothing.
pub(super) fn definition(line: &str) -> Option<Definition> {
    let line = unmarked(line);
    let (number, rest) = match numbered(line.trim_start_matches('*').trim_start()) {
        Some((number, rest)) => (Some(number), rest),
        None => (None, line),
    };
    let (title, url) =
        title_and_url(rest.trim_start_matches([':', '：', '*', ' ', '|']).trim_end_matches([' ', '|']));
    if title.is_empty() && url.is_none() { None } else { Some(Definition { number, title, url }) }
}

/// A line without the marks of a quotation and of a list in front of it.
pub(super) fn unmarked(line: &str) -> &str {
    let line = line.trim_start_matches(['>', ' ', '\t']).trim_end();
    behind_any(line, &["- ", "* ", "+ ", "• ", "| "]).unwrap_or(line)
}

/// The number in front, and what is behind it.
pub(super) fn numbered(line: &str) -> Option<(u32, &str)> {
    let first = line.chars().next()?;
    let close = closer(first).or((first == '(').then_some(')'));
    let inner = if close.is_some() { line[first.len_utf8()..].trim_start_matches('^') } else { line };
    let rest = inner.trim_start_matches(|c| digit(c).is_some());
    let digits = &inner[..inner.len() - rest.len()];
    if digits.is_empty() || digits.chars().count() > 9 {
        return None;
    }
    let number = digits.chars().filter_map(digit).fold(0, |value, digit| value * 10 + digit);
    let rest = match close {
        Some(close) => rest.strip_prefix('^').unwrap_or(rest).strip_prefix(close)?,
        None => rest.strip_prefix(['.', ')', '、', '．', ':', ' '])?,
    };
    Some((number, rest))
}

/// Reads `[title](url)`, `title: url`, `url title`.
fn title_and_url(text: &str) -> (String, Option<String>) {
    if let Some((before, title, url)) = link(text) {
        let title = if tidy(title).is_empty() { before } else { title };
        return (tidy(title).to_owned(), Some(url.to_owned()));
    }
    let Some(start) = address(text) else { return (tidy(text).to_owned(), None) };
    let len = text[start..].find(ends_address).unwrap_or(text.len() - start);
    let url = unwrapped(&text[start..start + len]);
    let before = &text[..start];
    let before = before.strip_suffix("doi: ").or(before.strip_suffix("DOI: ")).unwrap_or(before);
    let before = tidy(before);
    let title = if before.is_empty() { tidy(&text[start + len..]) } else { before };
    (title.to_owned(), Some(url.to_owned()))
}

/// The first Markdown link: what is before it, its text, its destination.
pub(super) fn link(text: &str) -> Option<(&str, &str, &str)> {
    let opens = |at: &usize| text.as_bytes().get(at + 1) == Some(&b'(');
    let middle = memchr::memchr_iter(b']', text.as_bytes()).find(opens)?;
    let (mut depth, mut open) = (0_usize, None);
    for (at, byte) in text[..middle].bytes().enumerate().rev() {
        match byte {
            b']' => depth += 1,
            b'[' if depth == 0 => {
                open = Some(at);
                break;
            }
            b'[' => depth -= 1,
            _ => {}
        }
    }
    let open = open?;
    let mut depth = 0_usize;
    let mut end = text.len();
    for (at, byte) in text.bytes().enumerate().skip(middle + 2) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => {
                end = at;
                break;
            }
            b')' => depth -= 1,
            b' ' => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    let url = text[middle + 2..end].trim_matches(['<', '>']);
    (!url.is_empty() && !url.starts_with('#')).then_some((&text[..open], &text[open + 1..middle], url))
}

/// How an address begins.
const SCHEMES: [&[u8]; 4] = [b"https://", b"http://", b"www.", b"doi.org/"];
/// How the number of a DOI begins; made once, as to prepare it costs more than to look through a line.
static DOI: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("10."));

/// Where the first address begins.
fn address(text: &str) -> Option<usize> {
    let text_bytes = text.as_bytes();
    let begins = |at: &usize| SCHEMES.iter().any(|scheme| text_bytes[*at..].starts_with(scheme));
    memchr::memchr3_iter(b'h', b'w', b'd', text_bytes).find(begins).or_else(|| doi(text))
}

/// Where a DOI begins that is written without the address of its resolver: `doi:10.1056/…`, `DOI: 10.1056/…`.
pub(super) fn doi(text: &str) -> Option<usize> {
    DOI.find(text.as_bytes())?;
    let find = |scheme: &&str| memchr::memmem::find(text.as_bytes(), scheme.as_bytes());
    let apart = || ["doi: 10.", "DOI: 10."].iter().filter_map(find).min().map(|at| at + "doi: ".len());
    ["doi:10.", "DOI:10."].iter().filter_map(find).min().or_else(apart)
}

/// What no address contains.
fn ends_address(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '<' | '>' | '"' | '|' | '，' | '。' | '；' | '）' | '】' | '》' | '、' | '”')
}

/// Without the punctuation of the sentence behind it, and a bracket that it didn't open.
fn unwrapped(url: &str) -> &str {
    let mut url = url;
    for _ in 0..8 {
        let shorter = url.trim_end_matches(['.', ',', ';', ':', '!', '*', '\'', '`']);
        let shorter = match shorter.as_bytes().last() {
            Some(b')') if !balanced(shorter, '(', ')') => &shorter[..shorter.len() - 1],
            Some(b']') if !balanced(shorter, '[', ']') => &shorter[..shorter.len() - 1],
            _ => shorter,
        };
        if shorter.len() == url.len() {
            break;
        }
        url = shorter;
    }
    url
}

fn balanced(text: &str, open: char, close: char) -> bool {
    text.matches(open).count() >= text.matches(close).count()
}

/// A title without what separates it from the address.
fn tidy(title: &str) -> &str {
    let edge = |c: char| {
        c.is_whitespace()
            || matches!(c, ':' | '：' | '-' | '–' | '—' | '|' | ',' | '，' | '*' | '"' | '<' | '>')
    };
    title.trim_matches(edge).trim_end_matches(['.', '(', '（', '[']).trim_matches(edge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_in_brackets_is_no_title() {
        for (line, title) in [("[^2]: <https://a.example/x>", ""), ("[2] A <https://a.example/x>", "A")] {
            let found = definition(line).unwrap();
            assert_eq!((found.title.as_str(), found.url.as_deref()), (title, Some("https://a.example/x")));
        }
    }

    #[test]
    fn a_doi_is_an_address() {
        for (line, title, url) in [
            (
                "1. Smith J. Drug X. Lancet. 2022;3:1-9. doi:10.1056/a.b",
                "Smith J. Drug X. Lancet. 2022;3:1-9",
                "doi:10.1056/a.b",
            ),
            ("1. Drug X. DOI: 10.1056/a.", "Drug X", "10.1056/a"),
            ("1. Drug X. doi:10.1056/a https://a.org", "Drug X. doi:10.1056/a", "https://a.org"),
        ] {
            let found = definition(line).unwrap();
            assert_eq!((found.title.as_str(), found.url.as_deref()), (title, Some(url)));
        }
        assert_eq!(definition("1. The doi: a name").unwrap().url, None);
    }
}
