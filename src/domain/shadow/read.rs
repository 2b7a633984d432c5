//! What each side says: its statements, without markers of citations and addresses of links.

use std::collections::BTreeMap;

use memchr::memmem;

use super::STATEMENTS_MAX;
use crate::domain::aggregate::result::{AggregatedResult, Method};
use crate::domain::synthesis::citations::{Numbering, rewrite};
use crate::domain::synthesis::claims;

/// Bytes of a statement that are compared, so that no pair costs much: whole sentences are shorter.
const STATEMENT_BYTES_MAX: usize = 4_000;

/// The statements of one side, in its order.
#[derive(Debug, Default)]
pub(super) struct Side<'t> {
    pub texts: Vec<&'t str>,
    /// How many there are beyond [`STATEMENTS_MAX`].
    pub left_out: usize,
}

/// Our texts: a step that failed only says why, and one without findings what it couldn't quote.
pub(super) fn ours(result: &AggregatedResult) -> Vec<String> {
    if result.status == "failed" {
        return Vec::new();
    }
    if result.metadata.method == Method::Llm {
        return vec![plain(&result.body)];
    }
    result.findings.iter().map(|finding| plain(&finding.content)).collect()
}

/// A text without markers, sections of references and addresses of links.
pub(super) fn plain(text: &str) -> String {
    // Nothing stands behind any number here, so every marker is taken out.
    rewrite(&unlinked(text), &BTreeMap::new(), &mut Numbering::new()).0
}

/// `[text](https://…)` as `[text]`: an address says nothing that can be compared with words.
fn unlinked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // How far the text is written, and where the first end of an address after that was seen: no byte is looked at twice.
    let (mut done, mut end) = (0, 0);
    for at in memmem::find_iter(text.as_bytes(), "](") {
        if at < done {
            continue;
        }
        let address = at + 2;
        if end < address {
            let ends = |byte: u8| byte.is_ascii_whitespace() || byte == b')';
            end = text.bytes().skip(address).position(ends).map_or(text.len(), |length| address + length);
        }
        if text.as_bytes().get(end) == Some(&b')') {
            out.push_str(&text[done..=at]);
            done = end + 1;
        }
    }
    out.push_str(&text[done..]);
    out
}

/// The statements of a side's texts.
pub(super) fn statements(texts: &[String]) -> Side<'_> {
    let mut side = Side::default();
    for text in texts {
        for statement in claims::statements(claims::Said::uncited(text)) {
            if side.texts.len() < STATEMENTS_MAX {
                side.texts.push(clipped(statement.text));
            } else {
                side.left_out += 1;
            }
        }
    }
    side
}

fn clipped(text: &str) -> &str {
    &text[..text.floor_char_boundary(STATEMENT_BYTES_MAX)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_markers_and_lists_of_references_are_no_statements() {
        let text = "The [capital of France](https://a.example/p) is Paris [1]. It has two million inhabitants [2, 3].\n\n\
                    ## Sources\n\n[1] A title: https://a.example/p";
        let texts = [plain(text)];
        let side = statements(&texts);
        assert_eq!(side.texts, ["The [capital of France] is Paris.", "It has two million inhabitants."]);
        assert_eq!(side.left_out, 0);
    }

    #[test]
    fn what_only_looks_like_a_link_stays() {
        for text in ["a](b c) d", "](", "x](", "[a](", "](\n)", "é](é é)"] {
            assert_eq!(unlinked(text), text);
        }
        assert_eq!(unlinked("[a](b)[c](d)"), "[a][c]");
        let endless = "](".repeat(1 << 20);
        assert_eq!(unlinked(&endless), endless, "in time that is linear");
    }

    #[test]
    fn statements_beyond_the_bound_are_counted() {
        let texts: Vec<String> =
            (0..STATEMENTS_MAX + 7).map(|n| format!("Here stands sentence {n}.")).collect();
        let side = statements(&texts);
        assert_eq!((side.texts.len(), side.left_out), (STATEMENTS_MAX, 7));
    }
}
