//! Who says what in a synthesis: its findings are quotations, so they are looked up in it.

use std::ops::Range;

use memchr::memmem;

use super::contributors::Contributors;
use crate::domain::aggregate::result::Finding;
use crate::domain::render::inert;
use crate::domain::text::clean::quoted_line;

/// How many findings are looked up; each takes a pass over the text.
const FINDINGS_MAX: usize = 200;

/// A part of a text that is somebody's.
pub(super) struct Span {
    /// Where, in bytes of the Markdown.
    pub(super) range: Range<usize>,
    /// Whose: numbers of contributors, in the order of the finding.
    pub(super) by: Vec<usize>,
}

/// The parts of a text that are quotations of findings, in order and apart from each other: where two overlap, the
/// first one stays, and of two that begin together the longer one. A quotation that isn't found is nobody's.
pub(super) fn spans(text: &str, findings: &[Finding], contributors: &Contributors<'_>) -> Vec<Span> {
    let mut found: Vec<Span> =
        findings.iter().take(FINDINGS_MAX).filter_map(|finding| span(text, finding, contributors)).collect();
    found.sort_by_key(|span| (span.range.start, usize::MAX - span.range.end));
    let mut end = 0;
    found.retain(|span| {
        let apart = span.range.start >= end;
        if apart {
            end = span.range.end;
        }
        apart
    });
    found
}

fn span(text: &str, finding: &Finding, contributors: &Contributors<'_>) -> Option<Span> {
    // As it stands in the text: written by `compose`, then shown without what is hidden.
    let quotation = quoted_line(&finding.content);
    let quotation = inert::block(&quotation);
    let quotation = without_citations(&quotation);
    if quotation.is_empty() {
        return None;
    }
    let start = memmem::find(text.as_bytes(), quotation.as_bytes())?;
    let by: Vec<usize> =
        finding.contributors.iter().filter_map(|name| contributors.number(name)).take(20).collect();
    (!by.is_empty()).then(|| Span { range: start..start + quotation.len(), by })
}

/// A quotation without the citations and the full stop at its end: the text may have them in another order.
fn without_citations(quotation: &str) -> &str {
    let mut rest = quotation.trim();
    loop {
        let bare = rest.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '。'));
        let digits = bare.strip_suffix(']').map(|open| open.trim_end_matches(|c: char| c.is_ascii_digit()));
        match digits.and_then(|open| open.strip_suffix('[')) {
            Some(before) => rest = before,
            None => return bare,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_at_the_end_dont_count() {
        for (quotation, bare) in [
            ("It is so. [1][12]", "It is so"),
            ("It is [1] so [2].", "It is [1] so"),
            ("[1]", ""),
            ("a]", "a]"),
        ] {
            assert_eq!(without_citations(quotation), bare);
        }
    }
}
