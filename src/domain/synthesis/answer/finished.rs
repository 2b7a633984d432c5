//! From a verified answer, and one repair, to what is delivered.

use std::collections::BTreeSet;

use super::delivered::delivered;
use super::verified::{AnswerSentence, VerifiedAnswer, is_mended, verify_answer};
use super::{Answer, AnswerStatus, ISSUES_MAX, entries, extracted, measured, twins};
use crate::domain::aggregate::request::AnswerRequest;
use crate::domain::aggregate::result::QualityIssue;
use crate::domain::text::words::Lexicon;

/// The answer that is delivered. `repair` is what the model answered to [`VerifiedAnswer::repair_items`]: sentences that
/// stand now take the places of those that they share most with; in place of what fails again stands what the sheet says of it
/// itself, and where it says nothing it is left out, either of which is listed. Where nothing stands, or what does is below
/// `min_quality`, it is the sheet's own answer, as far as that may be delivered, and says so.
pub fn finish_answer(
    lexicon: &mut Lexicon,
    verified: VerifiedAnswer,
    repair: Option<&str>,
    request: &AnswerRequest,
) -> Answer {
    let mut sentences = verified.sentences;
    if let Some(repair) = repair {
        let again = verify_answer(lexicon, repair, request).sentences;
        for fixed in again.into_iter().filter(|sentence| sentence.reasons.is_empty()) {
            replace(lexicon, &mut sentences, fixed);
        }
    }
    let (baseline, parts) = entries(request);
    let stands = sentences.iter().any(|sentence| sentence.reasons.is_empty());
    // Of an answer of which nothing stands the sheet's own is all that is left.
    let replaced = match stands {
        true => twins::replace(lexicon, &mut sentences, &parts, baseline.references.len()),
        false => 0,
    };
    let failing = sentences.iter().filter(|sentence| !sentence.reasons.is_empty());
    let (rows, failed): (Vec<_>, Vec<_>) = failing.partition(|sentence| sentence.row.is_some());
    let (rows, failed) = (rows.len(), failed.len());
    sentences.retain(|sentence| sentence.reasons.is_empty());
    let reason = if !stands || baseline.status == AnswerStatus::Empty {
        Some("no sentence of the language model's answer stood verification".to_owned())
    } else {
        measured::too_low(lexicon, &sentences, &parts, request)
    };
    if let Some(why) = reason {
        return extracted(request, why);
    }
    let used: BTreeSet<usize> =
        sentences.iter().flat_map(|sentence| sentence.entries.iter().copied()).collect();
    let mut issues = baseline.issues.clone();
    let mut issue = |code: &str, detail: String| {
        if issues.len() < ISSUES_MAX {
            issues.push(QualityIssue { code: code.to_owned(), detail });
        }
    };
    let told = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one} wasn't supported by the sheet"),
        _ => format!("{count} {many} weren't supported by the sheet"),
    };
    let (sentence, row) = (("sentence", "sentences"), ("row of a table", "rows of tables"));
    let left_out = |count: usize| if count == 1 { " and was left out" } else { " and were left out" };
    let instead = ": what that says itself stands there instead";
    for (code, count, (one, many), became) in [
        ("unsupported_sentence", failed, sentence, left_out(failed)),
        ("replaced_sentence", replaced, sentence, instead),
        ("unsupported_row", rows, row, left_out(rows)),
    ] {
        if count > 0 {
            issue(code, format!("{}{became}", told(count, one, many)));
        }
    }
    if verified.dropped > 0 {
        issue("left_out", format!("{} sentences of the answer are beyond what is checked", verified.dropped));
    }
    for entry in (0..parts.len()).filter(|entry| !used.contains(entry)) {
        issue("entry_not_used", format!("nothing of entry {} is in the answer", entry + 1));
    }
    delivered(request, &sentences, Answer { issues, ..baseline })
}

/// Puts a sentence in the place of the failing one that it shares most words with.
fn replace(lexicon: &mut Lexicon, sentences: &mut [AnswerSentence], fixed: AnswerSentence) {
    let own: BTreeSet<_> = lexicon.terms(&fixed.text).into_iter().collect();
    let mut best: Option<(usize, usize)> = None;
    for (at, failing) in sentences.iter().enumerate().filter(|(_, sentence)| is_mended(sentence)) {
        let shared = lexicon.terms(&failing.text).iter().filter(|term| own.contains(term)).count();
        if shared > 0 && best.is_none_or(|(_, most)| shared > most) {
            best = Some((at, shared));
        }
    }
    let said = sentences.iter().any(|sentence| sentence.reasons.is_empty() && sentence.text == fixed.text);
    if let Some((at, _)) = best.filter(|_| !said) {
        sentences[at] = AnswerSentence { paragraph: sentences[at].paragraph, ..fixed };
    }
}
