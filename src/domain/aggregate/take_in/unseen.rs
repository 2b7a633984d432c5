//! What no reader of HTML sees in the middle of a sentence: `<!-- … -->`, `<script>…</script>`, `<style>…</style>`.
//!
//! A sentence would end before it, and begin anew behind it. What stands between sentences divides nothing and stays, as does
//! all that is code or data; but what goes on behind an empty line would be read from there on.

use super::TaskInput;
use crate::domain::text::blocks::{Kind, blocks};
use crate::domain::text::tags::{Tag, Tags, tag};

/// The elements that aren't seen; nor are comments.
const ELEMENTS: [&str; 2] = ["script", "style"];
/// Tags within a sentence, which may end before what isn't seen.
const WITHIN: [&str; 12] =
    ["a", "abbr", "b", "code", "em", "i", "mark", "small", "span", "strong", "sub", "sup"];

/// Takes it out. Linear.
pub fn leave_out_unseen(input: &mut TaskInput) {
    if let Some(content) = seen(&input.content) {
        input.content = content;
    }
}

/// A text without it; `None` where nothing of it is there.
fn seen(text: &str) -> Option<String> {
    let mut found = Tags::of(text, &ELEMENTS).filter(|tag| tag.is_whole).peekable();
    if found.peek().is_none() || is_json(text) {
        return None;
    }
    let blocks = blocks(text);
    let (mut out, mut done, mut block, mut ticks) = (String::with_capacity(text.len()), 0, 0, (0, 0));
    for Tag { start, end, written, .. } in found {
        while blocks.get(block).is_some_and(|block| block.range.end <= start) {
            block += 1;
        }
        let Some(around) = blocks.get(block) else { break };
        let counted = ticks.0.max(around.range.start);
        let before = if counted > ticks.0 { 0 } else { ticks.1 };
        ticks = (start, before + text[counted..start].matches('`').count());
        let is_code = matches!(around.kind, Kind::Code { .. }) || ticks.1 % 2 == 1;
        if is_code || !breaks_sentence(&text[..start], written, &text[end..]) {
            continue;
        }
        out.push_str(&text[done..start]);
        done = end;
        // Blanks on one side are enough where some stand on both: those with the end of the line.
        let behind = &text[end..text.len() - text[end..].trim_start().len()];
        if out.ends_with(char::is_whitespace) && behind.contains('\n') {
            out.truncate(out.trim_end().len());
        } else if out.ends_with(char::is_whitespace) {
            done += behind.len();
        }
    }
    (done > 0).then(|| out + &text[done..])
}

/// Whether a sentence goes on over it, or it has an empty line in it that would end it there.
fn breaks_sentence(before: &str, unseen: &str, behind: &str) -> bool {
    let head = before.trim_end();
    let (left, right) = (&before[head.len()..], &behind[..behind.len() - behind.trim_start().len()]);
    let begins_line = left.contains('\n') || head.is_empty();
    if unseen.contains("\n\n") && !begins_line {
        return true;
    }
    let has_gap = |blanks: &str| blanks.matches('\n').count() > 1;
    let next = behind.trim_start().chars().next();
    // What has lines of its own may stand between two paragraphs.
    let goes_on = match left.contains('\n') && right.contains('\n') {
        true => next.is_some_and(char::is_lowercase),
        false => next.is_some(),
    };
    let may_go_on = head.ends_with(|c: char| c.is_alphanumeric() || ",;)%\"'”’*_-–—$€£".contains(c));
    goes_on && (may_go_on || ends_within(head)) && !has_gap(left) && !has_gap(right)
}

/// Whether a text ends with a tag that stands within a sentence: `the <b>limit</b>`.
fn ends_within(head: &str) -> bool {
    let last = || head.rfind('<').and_then(|start| tag(head, start));
    head.ends_with('>') && last().is_some_and(|tag| tag.end == head.len() && tag.is_one_of(&WITHIN))
}

/// Whether a text is JSON, whole.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_reader_sees_breaks_no_sentence() {
        for (text, left) in [
            ("The limit of the API <!-- check this. Really -->is 5.", "The limit of the API is 5."),
            ("The limit <!-- a --> is <!-- b --> 5.", "The limit is 5."),
            ("The li<!-- a -->mit is 5.", "The limit is 5."),
            (
                "<p>The limit <script>let x = 1; if (a<b) { say('It is 7.') }</script>is 5.</p>",
                "<p>The limit is 5.</p>",
            ),
            ("The <b>limit</b> <STYLE type=\"x\">p { color: red }</Style>is 5.", "The <b>limit</b> is 5."),
            (
                "<p>The limit\n<script>\nlet x;\n\ny = 'It is 7.'\n</script>\nis 5.</p>",
                "<p>The limit\nis 5.</p>",
            ),
            ("<p>It is 5. <!-- a\n\nNo. It is 7. --> It fell.</p>", "<p>It is 5. It fell.</p>"),
            ("## Limits <!-- a -->\nIt is 5.", "## Limits\nIt is 5."),
            ("限制为<!-- 说明 -->5次。", "限制为5次。"),
        ] {
            assert_eq!(seen(text).as_deref(), Some(left), "{text}");
        }
    }

    #[test]
    fn what_stands_apart_or_is_shown_stays() {
        for text in [
            "It is 5. <!-- a --> It fell.",
            "<!-- a -->\n\nThe limit is 5.",
            "The limit is 5\n\n<!-- a -->\n\nIt fell.",
            "The limit: 5\n<!-- a -->\nThe burst: 7",
            "- one\n<!-- a -->\n- two",
            "Write `a <!-- b --> c` or `x <script>y</script> z` there.",
            "```html\na <!-- b --> c\n```\n",
            "The <script> tag ends with </script> there.",
            "The limit <!-- is 5.",
            "The limit <script is 5. </script",
            "{\"a\": \"It <!-- b --> is\"}",
            "The scripted <scripts>x</scripts> one",
        ] {
            assert_eq!(seen(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(<!--|-->|<script>|</script>|<style|</b>|[ab<>é`\n. ]){0,24}") {
            seen(&text);
        }
    }
}
