//! Advice by the label in front of it: `**Fix:** upgrade to 5.2.4`, `💡 Tip: Book ahead.`, `My pick: Momentum 4`.

/// What advises, whatever stands behind it.
#[rustfmt::skip]
const ADVISES: [&str; 22] = [
    "fix", "suggested fix", "proposed fix", "recommended fix", "quick fix", "tip", "pro tip", "tipp", "hot tip", "recommendation", "recommendations", "my recommendation", "our recommendation", "my pick", "our pick", "top pick",
    "my advice", "our advice", "advice", "empfehlung", "recommandation", "recomendación",
];
/// What does where it was asked what to do.
const REMEDIES: [&str; 8] =
    ["workaround", "solution", "mitigation", "resolution", "remedy", "prevention", "lösung", "abhilfe"];
/// Bytes in which a label ends.
const LABEL_BYTES_MAX: usize = 40;

pub(super) fn is_advice_by_label(text: &str) -> bool {
    is_labelled(text, &ADVISES)
}

pub(super) fn is_remedy(text: &str) -> bool {
    is_labelled(text, &REMEDIES)
}

/// Whether a text has one of these in front of a colon, with what makes it bold or a sign before it, and says something behind it.
fn is_labelled(text: &str, labels: &[&str]) -> bool {
    let head = &text.as_bytes()[..text.len().min(LABEL_BYTES_MAX)];
    let Some(at) = memchr::memchr(b':', head) else { return false };
    let label = text[..at].trim_matches(|c: char| !c.is_alphanumeric());
    let said = text[at + 1..].trim_matches(|c: char| !c.is_alphanumeric());
    !said.is_empty()
        && labels.iter().any(|known| known.len() == label.len() && known.eq_ignore_ascii_case(label))
}
