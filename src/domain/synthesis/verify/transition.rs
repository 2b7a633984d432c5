//! What leads over from one finding to the next, which claims nothing and so needs no source.

use super::connecting::{is_connecting, without_chinese};
use super::evidence::Evidence;
use super::plain::cleaned;
use crate::domain::synthesis::quality::quotes;
use crate::domain::text::words::{Kind, Lexicon, Term};

/// Words of a transition.
const WORDS_MAX: usize = 12;
/// Characters of a transition.
const CHARS_MAX: usize = 160;

/// A transition as it may stand; `None` where it is too long, or may claim something.
pub(super) fn transition(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    text: &str,
    topic: &str,
) -> Option<String> {
    let line = cleaned(text, evidence.sources, CHARS_MAX).0;
    let line = line.trim_end_matches(['…', '.', ' ', ',', ':', ';', '，', '：', '；']);
    if line.is_empty() || !quotes(line).is_empty() || line.contains("://") {
        return None;
    }
    let known: Vec<Term> = lexicon.terms(topic);
    let words = lexicon.words(line);
    let spoken = words.iter().filter(|word| word.kind != Kind::Cjk).count();
    let claims_nothing = words.iter().enumerate().all(|(at, word)| {
        let written = &line[word.range()];
        let name = at > 0 && written.starts_with(char::is_uppercase) && !known.contains(&word.term);
        let free = word.kind == Kind::Stopword || is_connecting(written) || known.contains(&word.term);
        match word.kind {
            Kind::Number => false,
            Kind::Content | Kind::Stopword => free && !name,
            // Pairs of characters go over the ends of words: what is left without those that connect is looked at.
            Kind::Cjk => true,
        }
    });
    let left = without_chinese(line);
    let chinese = lexicon.words(&left);
    let rest = chinese.iter().filter(|word| word.kind == Kind::Cjk);
    let chinese_known = rest.into_iter().all(|word| known.contains(&word.term));
    (spoken <= WORDS_MAX && !words.is_empty() && claims_nothing && chinese_known).then(|| line.to_owned())
}
