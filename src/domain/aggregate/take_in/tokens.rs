//! Citations that only the chat they were written in can resolve: `\u{E200}cite\u{E202}turn0search1\u{E201}`.

use super::TaskInput;

/// How they begin and end.
const TOKENS: [(&str, &str); 3] =
    [("\u{E200}", "\u{E201}"), (":contentReference[oaicite:", "]"), ("【turn", "】")];
/// Bytes of one, at most.
const BYTES_MAX: usize = 512;

/// Takes them out, with the blanks in front of them, and notes how many there were. Linear.
pub fn leave_out_tokens(input: &mut TaskInput) {
    let mut count = 0;
    for (begin, end) in TOKENS {
        // In a long text looked for many bytes at a time.
        if memchr::memmem::find(input.content.as_bytes(), begin.as_bytes()).is_none() {
            continue;
        }
        let (mut out, mut rest) = (String::with_capacity(input.content.len()), input.content.as_str());
        while let Some(at) = rest.find(begin) {
            let near = &rest[at..rest.floor_char_boundary(at + BYTES_MAX)];
            let line = near.split('\n').next().unwrap_or_default();
            if let Some(length) = line.find(end).map(|found| found + end.len()) {
                out.push_str(rest[..at].trim_end_matches(' '));
                rest = &rest[at + length..];
                let index = rest.strip_prefix("{index=").and_then(|index| index.split_once('}'));
                rest = index.map_or(rest, |(_, behind)| behind);
                count += 1;
            } else {
                out.push_str(&rest[..at + begin.len()]);
                rest = &rest[at + begin.len()..];
            }
        }
        out.push_str(rest);
        input.content = out;
    }
    if count > 0 {
        input.notes.push(format!("citations: {count} without a source were taken out, a chat's own"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_its_chat_can_resolve_is_taken_out() {
        for (text, left, notes) in [
            ("Nausea. \u{E200}cite\u{E202}turn0search1\u{E201} It costs $5.", "Nausea. It costs $5.", 1),
            ("Nausea :contentReference[oaicite:0]{index=0}.", "Nausea.", 1),
            ("Nausea 【turn0search1†source】.", "Nausea.", 1),
            ("Nausea \u{E200}cite\nIt costs.", "Nausea \u{E200}cite\nIt costs.", 0),
            ("Nausea 【1†source】.", "Nausea 【1†source】.", 0),
        ] {
            let mut input = TaskInput { content: text.to_owned(), ..TaskInput::default() };
            leave_out_tokens(&mut input);
            assert_eq!((input.content.as_str(), input.notes.len()), (left, notes));
        }
    }
}
