//! What stands for each character of an untrusted text, in Slack's two dialects.
//!
//! `mrkdwn` (docs.slack.dev, "Formatting message text") has entities for `&<>` only and no escape for its marks, so
//! marks become look-alikes. The `markdown` block takes CommonMark. In both, a mention is pulled apart by a zero-width
//! space, so that nothing that decodes the text once more, or looks for `@names` (`link_names`, `parse: full`), finds
//! one. Marks between two letters or digits (`snake_case`) mean nothing to either and stay.

use super::super::{cut, inert};

/// How a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Slack's own.
    Mrkdwn,
    /// CommonMark, in a `markdown` block.
    Markdown,
}

/// What stands for the character `c` at `at`, where it doesn't stand for itself.
pub(super) fn stand_in(dialect: Dialect, text: &str, at: usize, c: char) -> Option<&'static str> {
    let rest = || &text[at + c.len_utf8()..];
    match (c, dialect) {
        ('&', _) => Some("&amp;"),
        ('<', _) if rest().starts_with(['!', '@', '#']) => Some("&lt;\u{200B}"),
        ('<', _) => Some("&lt;"),
        ('>', Dialect::Mrkdwn) if at == 0 => Some("›"),
        ('>', _) => Some("&gt;"),
        ('@', _) => mention(text, at).then_some("@\u{200B}"),
        ('\n' | '\t', _) => Some(" "),
        ('`', Dialect::Mrkdwn) => Some("'"),
        ('`', Dialect::Markdown) => Some("\\`"),
        ('*', Dialect::Mrkdwn) => (!inside_word(text, at)).then_some("∗"),
        ('_', Dialect::Mrkdwn) => (!inside_word(text, at)).then_some("ˍ"),
        ('~', Dialect::Mrkdwn) => (!inside_word(text, at)).then_some("∼"),
        ('*', Dialect::Markdown) => Some("\\*"),
        ('_', Dialect::Markdown) => (!inside_word(text, at)).then_some("\\_"),
        ('~', Dialect::Markdown) => Some("\\~"),
        ('\\', Dialect::Markdown) => Some("\\\\"),
        ('[', Dialect::Markdown) => (!is_citation(text, at)).then_some("\\["),
        (']', Dialect::Markdown) => (!ends_citation(text, at)).then_some("\\]"),
        ('#', Dialect::Markdown) if at == 0 => Some("\\#"),
        ('-', Dialect::Markdown) if at == 0 => Some("\\-"),
        ('+', Dialect::Markdown) if at == 0 => Some("\\+"),
        ('=', Dialect::Markdown) if at == 0 => Some("\\="),
        ('|', Dialect::Markdown) => Some("\\|"),
        ('.', Dialect::Markdown) if numbers_only(&text[..at]) => Some("\\."),
        (')', Dialect::Markdown) if numbers_only(&text[..at]) => Some("\\)"),
        (c, _) if inert::is_hidden(c) => Some(""),
        _ => None,
    }
}

/// The same inside code, where CommonMark knows no escapes; lines are kept.
pub(super) fn code_stand_in(dialect: Dialect, text: &str, at: usize, c: char) -> Option<&'static str> {
    match (c, dialect) {
        ('`', _) => Some("'"),
        ('\n', _) => None,
        ('>', Dialect::Markdown) => None,
        // What decodes code as well must not find a tag either.
        ('&', Dialect::Markdown) => text[at + 1..]
            .get(..2)
            .is_some_and(|start| start.starts_with('#') || start.eq_ignore_ascii_case("lt"))
            .then_some("&\u{200B}"),
        ('<', Dialect::Markdown) => text[at + 1..].starts_with(['!', '@', '#']).then_some("<\u{200B}"),
        ('>', Dialect::Mrkdwn) => Some("&gt;"),
        ('<' | '&' | '@', _) => stand_in(dialect, text, at, c),
        (c, _) if inert::is_hidden(c) => Some(""),
        _ => None,
    }
}

/// How long a character is once written, in UTF-16 units.
pub(super) fn width(stands: Option<&'static str>, c: char) -> usize {
    stands.map_or(c.len_utf16(), cut::units)
}

fn neighbours(text: &str, at: usize) -> (Option<char>, Option<char>) {
    (text[..at].chars().next_back(), text[at..].chars().nth(1))
}

fn inside_word(text: &str, at: usize) -> bool {
    let (before, after) = neighbours(text, at);
    [before, after].iter().all(|c| c.is_some_and(|c| c.is_ascii_alphanumeric()))
}

/// Whether `@` may begin a name: an address has a letter before it, but the names that call everybody count anyway.
fn mention(text: &str, at: usize) -> bool {
    let (before, after) = neighbours(text, at);
    let name = &text[at + 1..];
    let calls = |all: &str| name.get(..all.len()).is_some_and(|start| start.eq_ignore_ascii_case(all));
    after.is_some()
        && (!before.is_some_and(|c| c.is_ascii_alphanumeric())
            || ["here", "everyone", "channel"].into_iter().any(calls))
}

/// Whether a citation `[n]` begins here that nothing behind it turns into a link.
fn is_citation(text: &str, at: usize) -> bool {
    let rest = &text[at + 1..];
    let digits = rest.bytes().take(7).take_while(u8::is_ascii_digit).count();
    let after = rest[digits..].strip_prefix(']');
    (1..=6).contains(&digits) && after.is_some_and(|after| !after.starts_with(['(', '[', ':']))
}

fn ends_citation(text: &str, at: usize) -> bool {
    let digits = text[..at].bytes().rev().take(7).take_while(u8::is_ascii_digit).count();
    let open = at - digits;
    open > 0 && text.as_bytes()[open - 1] == b'[' && is_citation(text, open - 1)
}

fn numbers_only(text: &str) -> bool {
    !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A text on one line, escaped, at most `limit` UTF-16 units long as written, never cut inside an escape.
pub(super) fn mrkdwn(text: &str, limit: usize) -> String {
    let line = inert::line(text, limit);
    let stands = |at, c| stand_in(Dialect::Mrkdwn, &line, at, c);
    let whole = cut::prefix(&line, limit, |at, c| width(stands(at, c), c));
    let shown = if whole.len() == line.len() {
        whole
    } else {
        cut::prefix(&line, limit.saturating_sub(1), |at, c| width(stands(at, c), c))
    };
    let mut out = String::with_capacity(shown.len() + 16);
    write_all(&mut out, shown, stands);
    if shown.len() < line.len() && limit > 0 && !out.ends_with('…') {
        out.push('…');
    }
    out
}

/// Writes a text with what stands for its characters.
pub(super) fn write_all(out: &mut String, text: &str, stands: impl Fn(usize, char) -> Option<&'static str>) {
    for (at, c) in text.char_indices() {
        match stands(at, c) {
            Some(other) => out.push_str(other),
            None => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn marks_and_mentions_are_defused() {
        for (text, shown) in [
            ("a & b < c > d", "a &amp; b &lt; c &gt; d"),
            (
                "<!channel> <@U123> <#C1>",
                "&lt;\u{200B}!channel&gt; &lt;\u{200B}@\u{200B}U123&gt; &lt;\u{200B}#C1&gt;",
            ),
            ("&lt;!channel&gt;", "&amp;lt;!channel&amp;gt;"),
            ("@here (@everyone) me@e.org", "@\u{200B}here (@\u{200B}everyone) me@e.org"),
            ("*b* _i_ ~s~ `c`", "∗b∗ ˍiˍ ∼s∼ 'c'"),
            ("snake_case 2*3", "snake_case 2*3"),
            ("> quote", "› quote"),
            ("<http://evil|text>", "&lt;http://evil|text&gt;"),
            ("a\nb\0c", "a bc"),
        ] {
            assert_eq!(mrkdwn(text, 200), shown);
        }
    }

    #[test]
    fn cuts_never_split_an_escape() {
        assert_eq!(mrkdwn("&&&&", 20), "&amp;&amp;&amp;&amp;");
        assert_eq!(mrkdwn("&&&&", 12), "&amp;&amp;…");
        assert_eq!(mrkdwn("&&&&", 4), "…");
    }

    proptest! {
        #[test]
        fn within_the_limit_and_free_of_marks(text in any::<String>(), limit in 0_usize..60) {
            let shown = mrkdwn(&text, limit);
            prop_assert!(cut::units(&shown) <= limit);
            prop_assert!(!shown.contains(['<', '>', '`']));
        }
    }
}
