//! The addresses that a sentence links to or shows.

use std::ops::Range;
use std::sync::LazyLock;

use crate::domain::text::scripts::is_wide_or_mark;
use memchr::memmem::Finder;

/// Made once: to prepare it costs more than to look through a sentence.
static HTTP: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("http"));

/// An address in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address<'t> {
    /// All that is there for its sake: of a link `[title](https://…)` the whole.
    pub range: Range<usize>,
    /// The address.
    pub url: &'t str,
    /// Whether it is the destination of a link.
    pub linked: bool,
}

/// The addresses of a text that begin with `http`, in its order. Linear.
pub fn addresses(text: &str) -> Vec<Address<'_>> {
    let mut found: Vec<Address<'_>> = Vec::new();
    // Sooner found than the whole beginning of one: most sentences have none.
    if memchr::memchr(b':', text.as_bytes()).is_none() {
        return found;
    }
    let mut done = 0;
    for at in HTTP.find_iter(text.as_bytes()) {
        let (Some(rest), Some(inside)) = (text.get(at..), text.get(done..at)) else { continue };
        if !(rest.starts_with("http://") || rest.starts_with("https://")) {
            continue;
        }
        let is_destination = inside.ends_with("](");
        let whole = &rest[..length(rest)];
        let url = if is_destination { whole } else { before_wide(whole) };
        let end = at + url.len();
        let is_link = is_destination && text[end..].starts_with(')');
        let open = is_link.then(|| opening(inside)).flatten();
        let range = open.map_or(at..end, |open| done + open..end + 1);
        done = range.end;
        found.push(Address { range, url, linked: open.is_some() });
    }
    found
}

/// Where the bracket opens whose text is a link's: `text` ends with `](`. There may be others inside: `[[1] Title](`.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().rev() {
        match byte {
            b']' => depth += 1,
            b'[' if depth <= 1 => return Some(at),
            b'[' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The bytes of the address that a text begins with: up to white space, a quotation mark or a bracket that it doesn't
/// open itself, without the punctuation of the sentence.
fn length(text: &str) -> usize {
    let mut open = 0_usize;
    let end = text.char_indices().find(|&(_, c)| match c {
        '(' => {
            open += 1;
            false
        }
        ')' if open > 0 => {
            open -= 1;
            false
        }
        ')' | '[' | ']' | '<' | '>' | '"' | '“' | '”' | '`' | '，' | '。' | '；' | '、' | '）' | '】'
        | '」' => true,
        _ => c.is_whitespace(),
    });
    let whole = &text[..end.map_or(text.len(), |(at, _)| at)];
    whole.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '\'', '’']).len()
}

/// What no address in a sentence has, though a destination may.
const WIDE_MARKS: [char; 9] = ['：', '！', '？', '…', '（', '《', '「', '『', '【'];
/// Letters that stand directly behind an address, and seldom in one: `https://a.example/b的报告`.
const PARTICLES: [char; 14] =
    ['的', '和', '与', '及', '或', '是', '在', 'は', 'の', 'を', 'に', 'が', 'で', 'と'];

/// An address without the Chinese or Japanese sentence that goes on directly behind it: at a mark, at a particle behind a
/// letter or digit, or behind the host. Elsewhere nobody can tell where it ends: `https://a.example/人工智能`.
fn before_wide(url: &str) -> &str {
    if url.is_ascii() {
        return url;
    }
    let scheme = url.find("://").map_or(0, |at| at + 3);
    let host_ends = url[scheme..].find(['/', '?', '#']).map_or(url.len(), |at| scheme + at);
    let ends = |(at, c): &(usize, char)| {
        WIDE_MARKS.contains(c)
            || (PARTICLES.contains(c) && url[..*at].ends_with(|c: char| c.is_ascii_alphanumeric()))
            || (*at < host_ends && is_wide_or_mark(*c) && url[scheme..*at].contains('.'))
    };
    url.char_indices().find(ends).map_or(url, |(at, _)| &url[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, &str)> {
        addresses(text).into_iter().map(|address| (&text[address.range], address.url)).collect()
    }

    #[test]
    fn addresses_end_where_the_sentence_goes_on() {
        for (text, url) in [
            ("see https://a.example/b, and", "https://a.example/b"),
            ("(https://a.example/b_(c)) and", "https://a.example/b_(c)"),
            ("报告https://a.example/b。", "https://a.example/b"),
            ("<http://a.example>", "http://a.example"),
            ("see https://a.example/b[1].", "https://a.example/b"),
            ("see https://a.example/b[^c].", "https://a.example/b"),
            ("见https://a.example/b：价格上涨", "https://a.example/b"),
            ("见https://a.example/b（附录）", "https://a.example/b"),
            ("来源于https://a.example的数据", "https://a.example"),
            ("来源于https://a.example/b的数据", "https://a.example/b"),
            ("https://a.example/bの報告", "https://a.example/b"),
            ("见https://a.example/人工智能。", "https://a.example/人工智能"),
        ] {
            assert_eq!(found(text), [(url, url)], "{text}");
        }
        assert_eq!(
            found("the [report](https://a.example/b) says"),
            [("[report](https://a.example/b)", "https://a.example/b")]
        );
        assert_eq!(
            found("see [[1] A report](https://a.example/b)."),
            [("[[1] A report](https://a.example/b)", "https://a.example/b")]
        );
        assert_eq!(
            found("[报告](https://a.example/b：的报告)"),
            [("[报告](https://a.example/b：的报告)", "https://a.example/b：的报告")]
        );
        assert_eq!(found("http is a protocol, https too"), []);
    }
}
