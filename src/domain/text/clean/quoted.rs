//! A quotation that stands in Markdown of ours: verbatim for whoever reads it, and nothing that acts.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use super::is_hostile;

/// `text` as one line in which no HTML begins, nothing is loaded and no code is left open, see [`quoted_text`].
pub fn quoted_line(text: &str) -> String {
    // Most sentences are one line already.
    if is_joined(text) { quoted_text(text) } else { quoted_text(&joined(text)) }
}

/// Markdown outside of code blocks, made inert: the `<` of a tag, a comment or a declaration is `&lt;`, the `!` of an
/// image stands behind a backslash, which leaves a link, and so do a backtick without a partner and the `]` of a link that
/// doesn't lead to the web, which leaves text (CommonMark 0.31, sections 4.7, 6.1, 6.3, 6.4 and 6.6). What is in inline code
/// and in `<https://…>` stays. O(n log n) at most.
pub fn quoted_text(text: &str) -> String {
    let bytes = text.as_bytes();
    if memchr::memchr3(b'<', b'`', b'!', bytes).or_else(|| memchr::memchr(b']', bytes)).is_none() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 16);
    let last = LazyCell::new(|| last_runs(text));
    let (mut rest, mut escaped) = (text, false);
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '`' if !escaped => {
                let closes =
                    |marks| last.get(&marks).is_some_and(|at| *at >= text.len() - rest.len() + marks);
                code(rest, &closes, &mut out)
            }
            '<' => angle(rest, escaped, &mut out),
            '!' if !escaped && rest[1..].starts_with('[') => {
                out.push_str("\\!");
                1
            }
            ']' if !escaped && leads_elsewhere(&rest[1..]) => {
                out.push_str("\\]");
                1
            }
            '\\' => {
                out.push('\\');
                1
            }
            c => {
                // Up to what may be one of these.
                let begin = c.len_utf8();
                let end = rest[begin..].find(['`', '<', '!', ']', '\\']).map_or(rest.len(), |at| begin + at);
                out.push_str(&rest[..end]);
                end
            }
        };
        escaped = c == '\\' && !escaped;
        rest = &rest[taken..];
    }
    out
}

/// Bytes of a link's destination that are looked at.
const DESTINATION_BYTES_MAX: usize = 300;

/// Whether what follows the `]` of a link, or of a reference's definition, may be an address that isn't `http`, `https` or
/// `mailto`: a browser would run it. One of this site (`/a`, `#b`) has no scheme. In doubt it is, as a link that is shown as
/// text does less harm than one that acts.
fn leads_elsewhere(behind: &str) -> bool {
    let behind = behind.trim_start_matches(|c: char| is_hostile(c) && !c.is_whitespace());
    let near = &behind[..behind.floor_char_boundary(DESTINATION_BYTES_MAX)];
    let (is_label, inside) = match near.as_bytes().first() {
        Some(b'(') => (false, near[1..].trim_start()),
        Some(b':') => (true, near[1..].trim_start()),
        _ => return false,
    };
    let bracketed = inside.strip_prefix('<').and_then(|behind| behind.split_once('>'));
    let address = match bracketed.filter(|(address, _)| !address.contains('\n')) {
        Some((address, _)) => address,
        None if is_label => inside.split(char::is_whitespace).next().unwrap_or_default(),
        None => &inside[..closing(inside)],
    };
    let is_of_the_web = ["https:", "http:", "mailto:"]
        .iter()
        .any(|scheme| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    // `[1]: Note: …` begins a sentence, and behind its colon there is nothing to run.
    let word = address.strip_suffix(':').filter(|_| is_label).unwrap_or(address);
    // What is written as an entity or behind a backslash may be a scheme's letter or its colon.
    let may_be_scheme = word.split(['/', '?', '#']).next().unwrap_or_default();
    !is_of_the_web && may_be_scheme.contains([':', '&', '\\'])
}

/// Where the parenthesis is that closes an open one: pairs may stand in an address. The end where none does.
fn closing(inside: &str) -> usize {
    let mut open = 1;
    let closes = |byte| {
        open += i32::from(byte == b'(') - i32::from(byte == b')');
        open == 0
    };
    inside.bytes().position(closes).unwrap_or(inside.len())
}

/// Whether a text of ASCII is one line, with single blanks between its words.
fn is_joined(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && !text.starts_with(' ')
        && !text.ends_with(' ')
        && memchr::memmem::find(text.as_bytes(), b"  ").is_none()
}

/// One line, without what can't be seen.
fn joined(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    // In a quotation of several lines each begins with its mark.
    for word in text.split("\n> ").flat_map(str::split_whitespace) {
        if !line.is_empty() && !line.ends_with(' ') {
            line.push(' ');
        }
        // Most words have nothing to leave out.
        match word.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => line.push_str(word),
            false => line.extend(word.chars().filter(|c| !is_hostile(*c))),
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// Where the last run of backticks begins, of each length: looked for once, or each length would be looked for to the end.
fn last_runs(text: &str) -> BTreeMap<usize, usize> {
    let (mut last, mut at) = (BTreeMap::new(), 0);
    while let Some(found) = memchr::memchr(b'`', &text.as_bytes()[at..]) {
        let start = at + found;
        at = start + text[start..].bytes().take_while(|byte| *byte == b'`').count();
        last.insert(at - start, start);
    }
    last
}

/// Writes inline code as it is, or the marks alone where none closes it: `closes` says whether as many stand behind them.
/// How many bytes were read.
fn code(rest: &str, closes: &dyn Fn(usize) -> bool, out: &mut String) -> usize {
    let marks = rest.bytes().take_while(|byte| *byte == b'`').count();
    let (open, mut at) = (&rest[..marks], marks);
    while closes(marks)
        && let Some(found) = memchr::memchr(b'`', &rest.as_bytes()[at..])
    {
        let start = at + found;
        let run = rest[start..].bytes().take_while(|byte| *byte == b'`').count();
        at = start + run;
        if run == marks {
            out.push_str(&rest[..at]);
            return at;
        }
    }
    out.extend(open.chars().flat_map(|mark| ['\\', mark]));
    marks
}

/// Writes `<` so that it begins no HTML, and an address in angle brackets whole. A backslash before it goes where an entity
/// stands for it: it would escape that, which would be read as `&lt;`. How many bytes were read.
fn angle(rest: &str, escaped: bool, out: &mut String) -> usize {
    let inside = &rest[1..];
    let end = inside.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>'));
    if let Some(end) = end.filter(|end| inside[*end..].starts_with('>')) {
        let is_web = inside.starts_with("https://") || inside.starts_with("http://");
        if is_web {
            out.push_str(&rest[..end + 2]);
            return end + 2;
        }
    }
    let begins = inside.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
    if !begins {
        out.push('<');
        return 1;
    }
    // Neither may a mark beside it join those of the code, nor a backslash take one away.
    let stands_apart = |taken: usize| !out.ends_with(['\\', '`']) && !rest[taken..].starts_with('`');
    if let Some((code, taken)) = code_element(rest).filter(|(_, taken)| stands_apart(*taken)) {
        out.push_str(&format!("`{code}`"));
        return taken;
    }
    let is_begun = out.ends_with(|c: char| !c.is_whitespace());
    if let Some((words, taken)) = emphasised(rest).filter(|_| !is_begun) {
        out.push_str(words);
        return taken;
    }
    if escaped {
        out.pop();
    }
    out.push_str("&lt;");
    // What stands in a tag cites nothing, and isn't in a tag any more.
    let tag = &inside[..inside.bytes().take(TAG_BYTES_MAX).position(|byte| byte == b'>').unwrap_or_default()];
    if tag.contains('[') && !tag.contains(['<', '`', '\\']) {
        out.push_str(&tag.replace('[', "\\["));
        return 1 + tag.len();
    }
    1
}

/// Bytes of a tag.
const TAG_BYTES_MAX: usize = 600;

/// Elements that only say how their words look.
const LOOKS: [&str; 7] = ["b", "strong", "i", "em", "u", "mark", "small"];

/// The words in `<b>…</b>` or the like, which a text begins with, where they are plain, and how many bytes that was: nothing in them can
/// make markup of what stands beside them.
fn emphasised(rest: &str) -> Option<(&str, usize)> {
    let near = &rest[..rest.floor_char_boundary(TAG_BYTES_MAX)];
    let (name, inside) = near.strip_prefix('<')?.split_once('>')?;
    let words = &inside[..inside.find("</")?];
    let behind = inside[words.len()..].strip_prefix("</")?.strip_prefix(name)?;
    let is_money = |c: char| matches!(c, '€' | '$' | '£' | '¥');
    let is_plain = words.starts_with(|c: char| c.is_alphanumeric() || is_money(c))
        && words
            .chars()
            .all(|c| c.is_alphanumeric() || is_money(c) || matches!(c, ' ' | '.' | ',' | '%' | '-' | '–'));
    let taken = "<></>".len() + 2 * name.len() + words.len();
    (LOOKS.contains(&name) && is_plain && behind.starts_with('>')).then_some((words, taken))
}

/// What is in `<code>…</code>`, which a text begins with, as inline code has it, and how many bytes that was.
fn code_element(rest: &str) -> Option<(String, usize)> {
    let near = &rest[..rest.floor_char_boundary(TAG_BYTES_MAX)];
    let (code, _) = near.strip_prefix("<code>")?.split_once("</code>")?;
    let is_plain = !code.trim().is_empty() && code == code.trim() && !code.contains(['`', '\n', '<']);
    let taken = "<code>".len() + code.len() + "</code>".len();
    let shown = || {
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
        entities.iter().fold(code.to_owned(), |code, (entity, c)| code.replace(entity, c))
    };
    is_plain.then(|| (shown(), taken))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Event, Parser, Tag};

    #[test]
    fn what_is_one_line_stays_as_it_is() {
        for text in ["", "a", "It rose, \"they\" said: 5 < 6."] {
            assert!(is_joined(text) && joined(text) == text, "{text}");
        }
        for text in [" a", "a ", "a  b", "a\tb", "a\nb", "a\u{7F}b", "\r"] {
            assert!(!is_joined(text) && joined(text) != text, "{text}");
        }
        assert!(!is_joined("é") && joined("é") == "é");
    }

    #[test]
    fn nothing_acts_and_everything_is_shown() {
        for (text, line) in [
            ("It is 5 < 6 and 7 > 3.", "It is 5 < 6 and 7 > 3."),
            ("<script>x</script>", "&lt;script>x&lt;/script>"),
            ("\\<b>", "&lt;b>"),
            ("Use Vec\\<T\\>, \\\\<b>", "Use Vec&lt;T\\>, \\\\&lt;b>"),
            ("Use `<b>` here", "Use `<b>` here"),
            ("Use <code>rows[1]</code>, <code>a&amp;&lt;b></code>", "Use `rows[1]`, `a&<b>`"),
            (
                "Up to <b>€2.5 million</b>, <em>not</em> <i class=x>more</i>",
                "Up to €2.5 million, not &lt;i class=x>more&lt;/i>",
            ),
            (
                "<<b>script</b>> [a]<b>(x)</b> <b>[a]</b>",
                "<&lt;b>script&lt;/b>> [a]&lt;b>(x)&lt;/b> &lt;b>[a]&lt;/b>",
            ),
            ("\\<code>a</code>`b`", "&lt;code>a&lt;/code>`b`"),
            ("Use <code>a` b</code>", "Use &lt;code>a\\` b&lt;/code>"),
            ("<i title=\"see [1]\">a</i> [1]", "&lt;i title=\"see \\[1]\">a&lt;/i> [1]"),
            ("Use ``a ` <b>`` here", "Use ``a ` <b>`` here"),
            ("An open ` and <b>", "An open \\` and &lt;b>"),
            ("\\`<b>\\`", "\\`&lt;b>\\`"),
            ("<https://a.example/`> and `x`", "<https://a.example/`> and `x`"),
            ("![a](https://b.example/c.png) d!", "\\![a](https://b.example/c.png) d!"),
            ("<!-- x -->", "&lt;!-- x -->"),
            ("[a](javascript:alert(1)) b", "[a\\](javascript:alert(1)) b"),
            ("[a]( <JAVASCRIPT:x> 't')", "[a\\]( &lt;JAVASCRIPT:x> 't')"),
            (
                "[a](&#106;avascript:x) [b](java\nscript&colon;x)",
                "[a\\](&#106;avascript:x) [b\\](java script&colon;x)",
            ),
            ("[a](](b)c:d) [e](<f)g:h>) [i](j(k)) l: m", "[a\\](](b)c:d) [e\\](&lt;f)g:h>) [i](j(k)) l: m"),
            ("[a](<https://b) [c](<d:e)", "[a\\](&lt;https://b) [c\\](&lt;d:e)"),
            ("[a]: javascript:x//: [b]: javascript:", "[a\\]: javascript:x//: [b]: javascript:"),
            ("![a](data:text/html,x)", "\\![a\\](data:text/html,x)"),
            ("[x]: javascript:y", "[x\\]: javascript:y"),
            ("[a]\u{200B}(vbscript:x) <javascript:y>", "[a\\](vbscript:x) &lt;javascript:y>"),
            (
                "[a](https://b.example) [c](mailto:d@e.example)",
                "[a](https://b.example) [c](mailto:d@e.example)",
            ),
            (
                "[a](HTTP://b.example \"t: u\") [c](/d:e) [f](#g) [1]: Note",
                "[a](HTTP://b.example \"t: u\") [c](/d:e) [f](#g) [1]: Note",
            ),
            ("`[a](javascript:x)` \\[a\\](javascript:x)", "`[a](javascript:x)` \\[a\\](javascript:x)"),
            ("a\n\n# b\u{202E}c  d\u{200B}", "a # bc d"),
            ("\u{200B} a \u{200B} b", "a b"),
        ] {
            assert_eq!(quoted_line(text), line, "{text:?}");
        }
    }

    #[test]
    fn backticks_are_paired_as_a_search_to_the_end_pairs_them_and_in_no_more_time() {
        let naive = |rest: &str, marks: usize| {
            let mut at = marks;
            while let Some(found) = rest[at..].find('`') {
                let run = rest[at + found..].bytes().take_while(|byte| *byte == b'`').count();
                at += found + run;
                if run == marks {
                    return true;
                }
            }
            false
        };
        for text in ["`a` ``b` c``", "``` a `` b ` c ` d", "\\```a``", "`` ` ``` `` `", "``a`"] {
            let last = last_runs(text);
            for (at, _) in text.match_indices('`') {
                let marks = text[at..].bytes().take_while(|byte| *byte == b'`').count();
                let closes = last.get(&marks).is_some_and(|last| *last >= at + marks);
                assert_eq!(closes, naive(&text[at..], marks), "{text} {at}");
            }
        }
        // Searched to the end for each length, this would be read a thousand times.
        let runs: Vec<String> = (1..1_500).map(|marks| "`".repeat(marks)).collect();
        let text = runs.join(" ");
        assert_eq!(quoted_text(&text).len(), 2 * text.len() - (runs.len() - 1));
    }

    proptest::proptest! {
        #[test]
        fn no_html_begins_whatever_stands_beside_it(one in "([<>a/!`\\\\ \":h\\[]|<code>|</code>|<b>|</b>|script|img ){0,24}", other in "[<>b/?`\\\\ ]{0,24}") {
            let text = format!("- “{}” “{}”", quoted_line(&one), quoted_line(&other));
            let acts = |event: &Event<'_>| {
                matches!(event, Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Image { .. }))
            };
            proptest::prop_assert!(!Parser::new(&text).any(|event| acts(&event)), "{}", text);
        }

        #[test]
        fn no_link_leads_elsewhere_than_to_the_web(one in "(\\[a|\\]\\(|\\]:|[\\[\\]():<> \n\\\\&!`]|javascript:|data|&colon;|&#58;|https://|x){0,24}") {
            for text in [format!("- {} [x]", quoted_line(&one)), format!("{}\n\n[x]", quoted_text(&one))] {
                // What a browser takes for an address with a scheme; with nothing behind that there is nothing to run.
                let leads = |event: &Event<'_>| {
                    let Event::Start(Tag::Link { dest_url, .. }) = event else { return false };
                    url::Url::parse(dest_url).is_ok_and(|to| to.scheme() != "https" && !to.path().is_empty())
                };
                proptest::prop_assert!(!Parser::new(&text).any(|event| leads(&event)), "{}", text);
            }
        }
    }
}
