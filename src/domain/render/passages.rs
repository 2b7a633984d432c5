//! A Markdown text in passages: cut at blank lines outside code, so that each can stand alone.

/// The passages of a text, each of at least `bytes_min` bytes but the last; together they are the text. O(n).
pub(super) fn passages(text: &str, bytes_min: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (passage, after) = rest.split_at(end_of_passage(rest, bytes_min));
        rest = after;
        Some(passage)
    })
}

fn end_of_passage(text: &str, bytes_min: usize) -> usize {
    let (mut at, mut code) = (0, false);
    for line in text.split_inclusive('\n') {
        at += line.len();
        let bare = line.trim();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            code = !code;
        } else if bare.is_empty() && !code && at >= bytes_min {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_short_passages_stay_whole() {
        let text = "one\n\ntwo\n\n```\na\n\nb\n```\n\nthree";
        let all: Vec<&str> = passages(text, 6).collect();
        assert_eq!(all, ["one\n\ntwo\n\n", "```\na\n\nb\n```\n\n", "three"]);
        assert_eq!(all.concat(), text);
    }
}
