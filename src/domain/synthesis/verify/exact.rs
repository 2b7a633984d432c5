//! What may not become a little more, or another's, in the words of the sentence that a claim was made from: letters that tell
//! groups apart, superlatives, duties, how often, and what comes from where.

use std::ops::Range;

use super::scope::tokens;
use crate::domain::near_duplicates::Features;

mod designators;
mod directions;
mod duties;
mod repeated;
mod superlatives;

/// A word or number, in small letters, and where it stands.
type Token = (Range<usize>, String);

/// What a claim changes, with the code of it; `whole` is the sentence that it is a part of.
pub(super) fn changed(
    (claim, whole): (&Features<'_>, &str),
    said: &Features<'_>,
) -> Option<(&'static str, String)> {
    let (mine, theirs) = (all(claim.text), all(said.text));
    let another = designators::of_another(claim, said)
        .map(|(mine, theirs)| ("names_swapped", format!("“{mine}” stands where the source has “{theirs}”")));
    another
        .or_else(|| {
            let left_out = superlatives::widened((whole, &all(whole)), (said.text, &theirs))?;
            Some(("certainty_raised", format!("it leaves out “{left_out}”")))
        })
        .or_else(|| {
            let (mine, theirs) = duties::changed((claim.text, &mine), (said.text, &theirs))?;
            Some(("certainty_raised", format!("“{mine}” stands where the source has “{theirs}”")))
        })
        .or_else(|| {
            let (mine, theirs) = repeated::changed((claim.text, &mine), (said.text, &theirs))?;
            let what = format!("“{mine}” stands where the source has “{theirs}”");
            Some(("figure_misplaced", what))
        })
        .or_else(|| directions::changed((claim, &mine), (said, &theirs)).map(|what| ("order_changed", what)))
}

/// The words and numbers of a text.
fn all(text: &str) -> Vec<Token> {
    let words: Vec<Token> = tokens(text).collect();
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return words;
    }
    let mut all = Vec::with_capacity(words.len() + 4);
    let mut end = 0;
    let numbers = |from: usize, to: usize, all: &mut Vec<Token>| {
        let mut at = from;
        for part in text[from..to].split(|c: char| !c.is_alphanumeric()) {
            if !part.is_empty() {
                all.push((at..at + part.len(), part.to_owned()));
            }
            at += part.len() + text[at + part.len()..].chars().next().map_or(0, char::len_utf8);
        }
    };
    for word in words {
        numbers(end, word.0.start, &mut all);
        end = word.0.end;
        all.push(word);
    }
    numbers(end, text.len(), &mut all);
    all
}

/// Whether nothing but blanks stands between two words that follow each other.
fn is_beside(text: &str, words: &[Token], at: usize) -> bool {
    words.get(at + 1).is_some_and(|next| text[words[at].0.end..next.0.start].chars().all(char::is_whitespace))
}
