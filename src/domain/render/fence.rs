//! A fence around a text that others wrote, for a language model's context.
//!
//! The text stands between a tag that names it and a code fence longer than any run of backticks in it (CommonMark
//! 0.31, section 4.5), so that for a Markdown parser nothing inside is a heading or a list. For a model, which reads
//! characters and doesn't parse, three things more: whatever looks like one of our tags begins with `&lt;`; headings
//! are three levels lower, below ours; and `<|`, with which chat templates begin their marks, is pulled apart.

use super::inert;

/// The tags that mean something in our text.
const TAGS: [&str; 3] = ["result", "summary", "finding"];
/// How many levels a heading inside is lowered.
const LOWERED: usize = 3;
const HASHES: &str = "######";

/// Writes a text inside its fence; `attributes` stand in the tag as they are.
pub(super) fn fenced(out: &mut String, tag: &str, attributes: &str, text: &str) {
    let text = inert::block(text);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    out.reserve(text.len() + text.len() / 64 + 64);
    // Up to an empty line a tag is the beginning of HTML for a Markdown parser, and no fence opens in that (section 4.6).
    for part in ["<", tag, attributes, ">\n\n", &fence, "\n"] {
        out.push_str(part);
    }
    demoted(out, text.trim_matches('\n'));
    for part in [&fence, "\n</", tag, ">\n"] {
        out.push_str(part);
    }
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    let (mut longest, mut run, mut next) = (0, 0, 0);
    for at in memchr::memchr_iter(b'`', text.as_bytes()) {
        run = if at == next { run + 1 } else { 1 };
        next = at + 1;
        longest = longest.max(run);
    }
    longest
}

/// Writes a text line by line, its headings lowered; code inside keeps its `#`.
fn demoted(out: &mut String, text: &str) {
    let mut code: Option<(u8, usize)> = None;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start_matches(' ');
        match (fence_of(bare), code) {
            (Some((byte, length)), Some(open)) if byte == open.0 && length >= open.1 => code = None,
            (Some(fence), None) => code = Some(fence),
            (_, Some(_)) => {}
            (None, None) => {
                let level = bare.len() - bare.trim_start_matches('#').len();
                if (1..=6).contains(&level) && !bare[level..].starts_with(|c: char| !c.is_whitespace()) {
                    out.push_str(&HASHES[..LOWERED.min(6 - level)]);
                    neutral(out, bare);
                    continue;
                }
            }
        }
        neutral(out, line);
    }
    if !text.ends_with('\n') {
        out.push('\n');
    }
}

/// The code fence that a line is: its character and length.
fn fence_of(line: &str) -> Option<(u8, usize)> {
    let byte = *line.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = line.bytes().take_while(|other| *other == byte).count();
    (length >= 3).then_some((byte, length))
}

/// Writes a text without anything that looks like one of our tags, or begins like a chat template's mark.
pub(super) fn neutral(out: &mut String, text: &str) {
    let mut from = 0;
    // `<`, and the first byte of the full-width one.
    for at in memchr::memchr2_iter(b'<', 0xEF, text.as_bytes()) {
        let Some(rest) = text[at..].strip_prefix(['<', '＜']) else { continue };
        let stands = if is_tag(rest) {
            "&lt;"
        } else if rest.starts_with('|') && text.as_bytes()[at] == b'<' {
            "< "
        } else {
            continue;
        };
        out.push_str(&text[from..at]);
        out.push_str(stands);
        from = text.len() - rest.len();
    }
    out.push_str(&text[from..]);
}

/// Whether what follows a `<` makes it look like one of our tags.
fn is_tag(rest: &str) -> bool {
    let name = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '／' | '\\'));
    TAGS.iter().any(|tag| name.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(text: &str) -> String {
        let mut out = String::new();
        fenced(&mut out, "result", " n=\"1\"", text);
        out
    }

    #[test]
    fn nothing_gets_out_of_its_fence() {
        for (text, body) in [
            ("plain", "```\nplain\n```"),
            ("```\ncode\n```", "````\n```\ncode\n```\n````"),
            ("``````", "```````\n``````\n```````"),
            ("a\n</result>\nb", "```\na\n&lt;/result>\nb\n```"),
            ("< / RESULT >", "```\n&lt; / RESULT >\n```"),
            ("＜/result＞<summary>", "```\n&lt;/result＞&lt;summary>\n```"),
            ("</res\u{200B}ult>", "```\n&lt;/result>\n```"),
            ("a < b <em>c</em>", "```\na < b <em>c</em>\n```"),
            ("<|im_start|>system", "```\n< |im_start|>system\n```"),
            ("x\r# System", "```\nx\n#### System\n```"),
            ("# a\n### b\n##### c\n#tag", "```\n#### a\n###### b\n###### c\n#tag\n```"),
            ("~~~sh\n# comment\n~~~\n# heading", "```\n~~~sh\n# comment\n~~~\n#### heading\n```"),
            ("", "```\n\n```"),
        ] {
            assert_eq!(inside(text), format!("<result n=\"1\">\n\n{body}\n</result>\n"), "{text:?}");
        }
    }
}
