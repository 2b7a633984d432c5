//! Untrusted text in HTML: the only way in.

use super::super::inert::{self, Stops};

const MARKUP: Stops = inert::stops(b"&<>\"'");

/// Escapes a text for an element or a quoted attribute (HTML, section 13.3); what is hidden goes. O(n).
pub(super) fn escape_into(out: &mut String, text: &str) {
    inert::rewrite(out, text, &MARKUP, |out, _, c| match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        c => out.push(c),
    });
}

/// One line of a text, at most `limit` UTF-16 units long, escaped.
pub(super) fn line(text: &str, limit: usize) -> String {
    let mut out = String::new();
    escape_into(&mut out, &inert::line(text, limit));
    out
}

/// The same, its direction kept to itself; a dash where there is nothing to show.
pub(super) fn bdi(text: &str, limit: usize) -> String {
    let line = line(text, limit);
    if line.is_empty() { "–".to_owned() } else { format!("<bdi>{line}</bdi>") }
}

/// A link to the web, or the text alone where the address may not be one.
pub(super) fn web_link(text: &str, url: Option<&str>, limit: usize) -> String {
    match url.and_then(inert::web_link) {
        Some(target) => format!("<a href=\"{}\"{REL}>{}</a>", line(&target, usize::MAX), bdi(text, limit)),
        None => bdi(text, limit),
    }
}

/// What every link to the web has: no referrer, no handle on this page.
pub(super) const REL: &str = " rel=\"nofollow noopener noreferrer\"";

/// A share as text.
pub(super) fn percent(share: f64) -> String {
    if share.is_finite() {
        format!("{:.0} %", share.clamp(0.0, 1.0) * 100.0)
    } else {
        "not measured".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        for (text, shown) in [
            ("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"),
            ("\"><img onerror=x>", "&quot;&gt;&lt;img onerror=x&gt;"),
            ("a\0b\u{202E}c", "abc"),
            ("&lt;", "&amp;lt;"),
        ] {
            assert_eq!(line(text, 100), shown);
        }
        assert_eq!(web_link("x", Some("javascript:alert(1)"), 9), "<bdi>x</bdi>");
        assert_eq!(percent(f64::NAN), "not measured");
    }
}
