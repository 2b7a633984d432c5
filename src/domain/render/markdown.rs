//! Markdown whose texts stay texts: inline escapes, safe links, a list of references.

use super::inert::{self, Stops};
use crate::domain::aggregate::result::Source;

/// The longest title, in UTF-16 units.
pub(super) const TITLE_MAX: usize = 300;
/// The longest name of a subagent or task, in UTF-16 units.
pub(super) const NAME_MAX: usize = 80;

const MARKUP: Stops = inert::stops(b"\\`*_{}[]()<>#!|~&$\n\t");

/// Escapes a text so that CommonMark and GFM show it as it stands, on one line, wherever on a line it is put.
///
/// Punctuation gets a backslash (CommonMark 0.31, section 2.4), `&`, `<` and `>` become entities (2.5), so that a
/// reader that undoes one kind only still sees no tag. What would begin a list or a heading is escaped at the start.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8 + 8);
    escape_into(&mut out, text);
    out
}

/// [`escape`] at the end of a text.
pub(super) fn escape_into(out: &mut String, text: &str) {
    let text = list_marker(out, text.trim());
    inert::rewrite(out, text, &MARKUP, |out, _, c| match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '\n' | '\t' => out.push(' '),
        c if c.is_ascii() => {
            out.push('\\');
            out.push(c);
        }
        c => out.push(c),
    });
}

/// Escapes `-`, `+`, `=`, `1.` and `1)` where a text begins with them, and returns the rest.
fn list_marker<'t>(out: &mut String, text: &'t str) -> &'t str {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let marks: &[char] = if digits == 0 { &['-', '+', '='] } else { &['.'] };
    match text[digits..].strip_prefix(marks) {
        Some(rest) => {
            out.push_str(&text[..digits]);
            out.push('\\');
            out.push_str(&text[digits..text.len() - rest.len()]);
            rest
        }
        None => text,
    }
}

/// `[label](url)` where the address may be a link, otherwise the label alone.
pub fn link(label: &str, url: &str) -> String {
    match inert::web_link(url) {
        Some(target) => format!("[{}]({target})", escape(label)),
        None => escape(label),
    }
}

/// The sources as a list, one a line: `[1] title, type, address`; nothing where there are none.
pub fn references(sources: &[Source]) -> String {
    let mut out = String::new();
    for source in sources {
        let title = inert::line(&source.title, TITLE_MAX);
        let url = source.url.as_deref().unwrap_or_default();
        let shown = match (title.is_empty(), inert::authority(url)) {
            (false, _) => title,
            (true, Some(host)) => inert::line(host, TITLE_MAX),
            (true, None) => "untitled".to_owned(),
        };
        out.push_str(&format!("- \\[{}\\] {}\n", source.id, link(&shown, url)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_inline_text_is_shown_as_it_stands() {
        for (text, escaped) in [
            ("plain text, 3.5 % — yes", "plain text, 3.5 % — yes"),
            ("# heading\n## other", "\\# heading \\#\\# other"),
            ("- item", "\\- item"),
            ("12. item", "12\\. item"),
            ("3.5", "3\\.5"),
            ("[x](javascript:alert(1))", "\\[x\\]\\(javascript:alert\\(1\\)\\)"),
            ("<script>&lt;", "&lt;script&gt;&amp;lt;"),
            ("a\r\nb\u{2028}c\0", "a b c"),
            ("``` code", "\\`\\`\\` code"),
        ] {
            assert_eq!(escape(text), escaped);
        }
    }

    #[test]
    fn links_are_only_made_of_web_addresses() {
        assert_eq!(link("a]b", "https://e.org/(x)"), "[a\\]b](https://e.org/%28x%29)");
        assert_eq!(link("a", "javascript:alert(1)"), "a");
    }
}
