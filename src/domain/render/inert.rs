//! Text that does nothing: without control, bidirectional and invisible characters; and addresses that may be links.
//!
//! What is taken out can't be seen, and either changes how its neighbours look ("Trojan Source", CVE-2021-42574) or
//! carries text that only a machine reads (Unicode tags and variation selectors, "ASCII smuggling"). The zero-width
//! joiner and non-joiner stay: emoji and Persian need them.

use std::borrow::Cow;

use super::cut;

/// The longest title, in UTF-16 units.
pub(super) const TITLE_MAX: usize = 300;
/// The longest name of a subagent or task, in UTF-16 units.
pub(super) const NAME_MAX: usize = 80;
/// The longest address that becomes a link, in bytes; what browsers and Slack take without trouble.
const URL_MAX: usize = 2_048;

/// Whether a character is taken out wherever a text is shown.
pub(super) fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{8}'
            | '\u{E}'..='\u{1F}'
            | '\u{7F}'..='\u{84}'
            | '\u{86}'..='\u{9F}'
            | '\u{61C}'
            | '\u{200B}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Whether a character ends a line and isn't `\n` (UAX #14, class BK and NL; `\r` too).
fn is_odd_newline(c: char) -> bool {
    matches!(c, '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The first bytes of everything that [`rewrite`] stops at.
pub(super) type Stops = [bool; 256];

/// Stops at hidden characters and odd newlines, and at `extra`.
pub(super) const fn stops(extra: &[u8]) -> Stops {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = byte != b'\n' as usize && byte != b'\t' as usize;
        byte += 1;
    }
    // The lead bytes of U+0080–009F, U+061C, U+2000–206F, U+F000–FFFF and U+C0000–FFFFF.
    let leads = [0x7F, 0xC2, 0xD8, 0xE2, 0xEF, 0xF3];
    let mut at = 0;
    while at < leads.len() {
        table[leads[at]] = true;
        at += 1;
    }
    at = 0;
    while at < extra.len() {
        table[extra[at] as usize] = true;
        at += 1;
    }
    table
}

/// Copies a text, run by run; hidden characters go, and each other character that begins with a stop is given to
/// `special` (with its place), which writes what stands for it; an odd line end is given as `\n`. O(n).
pub(super) fn rewrite(
    out: &mut String,
    text: &str,
    stops: &Stops,
    mut special: impl FnMut(&mut String, usize, char),
) {
    let bytes = text.as_bytes();
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        if !stops[usize::from(bytes[at])] {
            at += 1;
            continue;
        }
        let Some(c) = text[at..].chars().next() else { break };
        out.push_str(&text[from..at]);
        let place = at;
        at += c.len_utf8();
        from = at;
        if is_odd_newline(c) {
            if !(c == '\r' && bytes.get(at) == Some(&b'\n')) {
                special(out, place, '\n');
            }
        } else if !is_hidden(c) {
            special(out, place, c);
        }
    }
    out.push_str(&text[from..]);
}

const HIDDEN: Stops = stops(&[]);

/// A text of any number of lines, each ended by `\n`, without what is hidden.
pub(in crate::domain) fn block(text: &str) -> Cow<'_, str> {
    let suspect = |c: char| is_odd_newline(c) || is_hidden(c);
    let may_be = text.bytes().any(|byte| HIDDEN[usize::from(byte)]);
    if !may_be || !text.contains(suspect) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    rewrite(&mut out, text, &HIDDEN, |out, _, c| out.push(c));
    Cow::Owned(out)
}

/// A text as one line of at most `limit` UTF-16 units: white space is one space, what is hidden goes, and what is
/// too long ends with `…`. Reads no further than it must.
pub(super) fn line(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len().min(limit.saturating_mul(4)).min(1 << 16));
    let (mut units, mut gap) = (0, false);
    for c in text.chars() {
        // White space first: odd newlines are white space too. A hidden character leaves no gap.
        if c.is_whitespace() {
            gap = !out.is_empty();
        } else if !is_hidden(c) {
            if gap {
                out.push(' ');
                units += 1;
                gap = false;
            }
            out.push(c);
            units += c.len_utf16();
            // A few more than fit, so that the cut sees whether the last grapheme ends at the limit.
            if units > limit.saturating_add(8) {
                break;
            }
        }
    }
    if units > limit { cut::shorten(&out, limit).into_owned() } else { out }
}

/// An address as it may stand in a link of any form, or nothing where it isn't plainly the web's: `http` and `https`
/// only, with a host, no user, no white space and nothing hidden. What could end a link in HTML, Markdown or Slack is
/// percent-encoded (RFC 3986, section 2.1), as is everything beyond ASCII.
pub fn web_link(url: &str) -> Option<String> {
    let host = authority(url)?;
    let harmless = url.len() <= URL_MAX && !host.is_empty() && !host.contains(['@', '\\', '%', '<', '>']);
    if !harmless || url.chars().any(|c| c.is_whitespace() || c.is_control() || is_hidden(c)) {
        return None;
    }
    Some(encoded(url))
}

/// A path on this server as it may stand in a link: `/…`, never `//…`, which would be another host.
pub(super) fn own_link(path: &str) -> Option<String> {
    let own = path.starts_with('/') && !path.starts_with("//") && path.len() <= URL_MAX;
    let odd = |c: char| c == '\\' || c.is_whitespace() || c.is_control() || is_hidden(c);
    (own && !path.contains(odd)).then(|| encoded(path))
}

/// The host of an address, with its port; nothing where the scheme isn't `http` or `https`.
pub(super) fn authority(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    web.then(|| rest.split(['/', '?', '#']).next().unwrap_or_default())
}

fn encoded(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for byte in url.bytes() {
        if byte.is_ascii_graphic() && !b"\"'<>`\\{}|^()".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_web_addresses_become_links() {
        for (url, link) in [
            ("https://example.org/a?b=c#d", Some("https://example.org/a?b=c#d")),
            ("HTTP://example.org", Some("HTTP://example.org")),
            ("https://example.org/a(b)", Some("https://example.org/a%28b%29")),
            ("https://example.org/\"><img onerror=x>", None),
            ("https://example.org/\"><svg/onload=x>", Some("https://example.org/%22%3E%3Csvg/onload=x%3E")),
            ("https://例子.cn/", Some("https://%E4%BE%8B%E5%AD%90.cn/")),
            ("javascript:alert(1)", None),
            ("JaVaScRiPt://example.org/%0aalert(1)", None),
            (" javascript:alert(1)", None),
            ("java\nscript:alert(1)", None),
            ("data:text/html,<script>", None),
            ("//example.org", None),
            ("http://", None),
            ("https:///path", None),
            ("https://bank.example@evil.example/", None),
            ("https://bank.example\\@evil.example/", None),
            ("https://example.org/\u{202E}gpj.exe", None),
            ("https://exam\0ple.org", None),
            ("https://example.org/a b", None),
        ] {
            assert_eq!(web_link(url).as_deref(), link, "{url}");
        }
        assert_eq!(web_link(&format!("https://a/{}", "x".repeat(URL_MAX))), None);
    }

    #[test]
    fn own_paths_stay_on_this_host() {
        for (path, link) in
            [("/a/b?c=d", Some("/a/b?c=d")), ("//evil.example", None), ("/\\evil.example", None), ("a", None)]
        {
            assert_eq!(own_link(path).as_deref(), link, "{path}");
        }
    }

    #[test]
    fn blocks_lose_what_is_hidden_and_keep_their_lines() {
        for (text, shown) in [
            ("plain “text” — ٣", "plain “text” — ٣"),
            ("a\r\nb\rc\u{2028}d\u{85}e", "a\nb\nc\nd\ne"),
            ("a\0b\u{202E}c\u{2066}d\u{200B}e\u{E0041}f", "abcdef"),
            ("👩\u{200D}💻 نمی\u{200C}خواهم", "👩\u{200D}💻 نمی\u{200C}خواهم"),
        ] {
            assert_eq!(block(text), shown);
        }
    }

    #[test]
    fn a_line_is_one_line_and_never_longer_than_its_limit() {
        assert_eq!(line("  a\n\n# b\tc ", 50), "a # b c");
        assert_eq!(line("one two three", 9), "one two…");
        assert_eq!(line(&"x".repeat(1_000_000), 5), "xxxx…");
        assert_eq!(line("\u{202E}\0", 5), "");
    }
}
