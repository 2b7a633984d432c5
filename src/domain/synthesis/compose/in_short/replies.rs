//! Bare answers have no word of what was asked, and little else that would choose them: beside the yes of some stands the no of another, and
//! where they answer one question both are the answer, whatever else is said.

use crate::domain::aggregate::result::{Contradiction, Finding};
use crate::domain::synthesis::contradictions::replies;

/// How an answer in a sentence begins: `No, it's only splash-proof.`
#[rustfmt::skip]
const YES: [&str; 11] = ["yes", "yep", "ja", "oui", "sí", "sì", "sim", "tak", "是的", "可以", "はい"];
#[rustfmt::skip]
const NO: [&str; 10] = ["no", "nope", "nein", "non", "nee", "não", "nie", "不是", "不可以", "いいえ"];
const BEHIND: [char; 8] = [',', ':', ';', '–', '—', '，', '：', '、'];
/// How a question begins that is answered by one of these.
#[rustfmt::skip]
const ASKS: [&str; 35] = [
    "is ", "are ", "was ", "were ", "do ", "does ", "did ", "can ", "could ", "may ", "must ", "should ", "will ", "would ", "has ", "have ", "ist ", "sind ", "war ", "kann ", "darf ", "dürfen ", "muss ", "soll ", "gibt es ", "hat ",
    "est-ce ", "est-il ", "puis-je ", "¿es ", "¿está ", "¿puedo ", "¿se puede ", "posso ", "è ",
];

/// Whether a sentence answers yes or no with its first word.
fn answers(text: &str) -> Option<bool> {
    let said = text.trim_start_matches(['*', '_', '"', '“', ' ']);
    let begins = |word: &str| {
        let behind =
            said.get(..word.len()).filter(|head| head.to_lowercase() == word).map(|_| &said[word.len()..]);
        behind.is_some_and(|behind| behind.trim_start_matches(['*', '_', ' ']).starts_with(BEHIND))
    };
    let says = |words: &[&str]| words.iter().any(|word| begins(word));
    says(&YES).then_some(true).or_else(|| says(&NO).then_some(false))
}

/// Whether a question that is one part is answered by yes or no.
pub(super) fn asks(question: &str) -> bool {
    let lower = question.trim_start().to_lowercase();
    ASKS.iter().any(|asks| lower.starts_with(asks)) && !lower.contains(" or ") && !lower.contains(" oder ")
}

/// Adds to a yes that is chosen the first no of somebody else, and the reverse; and both where they contradict each other.
pub(super) fn with_the_other(
    chosen: &mut Vec<usize>,
    findings: &[Finding],
    (contradictions, is_asked): (&[Contradiction], bool),
) {
    // `No, thanks to the new seal` answers nothing but such a question.
    let led = |text: &str| is_asked.then(|| answers(text)).flatten();
    let said = findings.iter().map(|finding| replies(&finding.content).or_else(|| led(&finding.content)));
    let said: Vec<Option<bool>> = said.collect();
    let replies = |at: &usize| said[*at].is_some();
    let is_contested = |at: &usize| {
        let mut sides = contradictions.iter().flat_map(|found| &found.statements);
        replies(at) && sides.any(|side| side.text == findings[*at].content)
    };
    let all = 0..findings.len();
    let own = chosen.iter().copied().find(replies).or_else(|| all.clone().find(is_contested));
    let own = own.or_else(|| all.clone().find(|at| led(&findings[*at].content).is_some()));
    let Some(own) = own else { return };
    let is_other = |at: &usize| {
        let by = |name: &String| findings[own].contributors.contains(name);
        replies(at) && said[*at] != said[own] && !findings[*at].contributors.iter().any(by)
    };
    let has_other = chosen.iter().any(is_other);
    if !chosen.contains(&own) {
        chosen.push(own);
    }
    if !has_other {
        chosen.extend(all.clone().find(is_other));
    }
}
