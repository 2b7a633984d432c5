//! What a sentence quotes: whether it stands there word for word, and in whose mouth.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Sentence, head};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::quality::{quotes, spaced};
use crate::domain::synthesis::verify::against::Against;
use crate::domain::synthesis::verify::denied::denies;
use crate::domain::synthesis::verify::evidence::Evidence;
use crate::domain::synthesis::verify::reason::{Reason, named, shown};
use crate::domain::text::words::{Lexicon, Term, Word};

/// Quotations of one sentence: each is looked for in all that it cites.
const QUOTES_MAX: usize = 8;
/// Related sentences in which one is looked for again.
const HAVING_MAX: usize = 32;

impl Sentence<'_> {
    pub(super) fn quotations(
        &self,
        lexicon: &mut Lexicon,
        against: Against<'_, '_>,
        reasons: &mut Vec<Reason>,
    ) {
        for (at, quote) in quotes(self.text).into_iter().enumerate() {
            if at >= QUOTES_MAX {
                reasons.push(Reason::new("too_many_quotations", "it has too many quotations".to_owned()));
                break;
            }
            if lexicon.words(quote).len() < 2 {
                continue;
            }
            if is_verbatim(against.evidence, quote, against.chosen) {
                reasons.extend(self.misattributed(lexicon, against.evidence, quote, against.chosen));
                reasons.extend(self.denied(lexicon, against.evidence, quote, against.chosen));
                continue;
            }
            let detail = format!(
                "the quotation “{}” isn't word for word in {}",
                shown(quote),
                named(against.chosen, against.evidence.sources)
            );
            reasons.push(Reason::new("quote_not_in_source", detail));
        }
    }

    /// A quotation that another than who says it is named for.
    fn misattributed(
        &self,
        lexicon: &mut Lexicon,
        evidence: &Evidence<'_>,
        quote: &str,
        chosen: &[usize],
    ) -> Option<Reason> {
        let mine = names_outside(lexicon, self.text, quote);
        let having = self.of(evidence.at(chosen)).map(|(at, _)| evidence.said[at].text.as_ref());
        let having: Vec<&str> = having.filter(|said| holds(said, quote)).collect();
        let mut theirs = having.iter().map(|said| names_outside(lexicon, said, quote));
        let is_other = |names: BTreeSet<Term>| !names.is_empty() && names.is_disjoint(&mine);
        (!mine.is_empty() && !having.is_empty() && theirs.all(is_other)).then(|| {
            let detail =
                format!("somebody else says “{}” in {}", shown(quote), named(chosen, evidence.sources));
            Reason::new("quote_misattributed", detail)
        })
    }

    /// A quotation that each sentence which has it denies, where this one doesn't; or the other way round.
    fn denied(
        &self,
        lexicon: &mut Lexicon,
        evidence: &Evidence<'_>,
        quote: &str,
        chosen: &[usize],
    ) -> Option<Reason> {
        let denies_it = |of: &Features<'_>| part_of(of.text, quote).map(|part| denies(of, &part));
        let mine = denies_it(&self.features)?;
        let mut against = None;
        for (at, _) in self.of(evidence.at(chosen)).take(HAVING_MAX) {
            let said = head(lexicon, evidence, at);
            match denies_it(&said) {
                Some(theirs) if theirs == mine => return None,
                Some(_) => against = against.or(Some(said.text)),
                None => {}
            }
        }
        let detail = format!("the source says of “{}”: “{}”", shown(quote), shown(against?));
        Some(Reason::new("negation_turned", detail))
    }
}

/// Where a quotation stands in a text; its first letter may be a small or a capital one there.
fn part_of(text: &str, quote: &str) -> Option<Range<usize>> {
    let bare = quote.trim_end_matches(['.', ',', '。', '，']);
    let (first, rest) = bare.split_at(bare.chars().next()?.len_utf8());
    let written = [bare.to_owned(), first.to_uppercase() + rest, first.to_lowercase() + rest];
    written.iter().find_map(|quote| text.find(quote.as_str()).map(|at| at..at + quote.len()))
}

/// Whether a quotation stands word for word, white space aside, in one of some places.
pub(in crate::domain::synthesis::verify) fn is_verbatim(
    evidence: &Evidence<'_>,
    quote: &str,
    chosen: &[usize],
) -> bool {
    let places = chosen.iter().filter_map(|place| evidence.places.get(*place));
    places.into_iter().any(|index| {
        let texts: Vec<&str> = index.said.iter().map(|at| evidence.said[*at].text.as_ref()).collect();
        holds(&texts.join(" "), quote)
    })
}

/// Whether a text has a quotation word for word; its first letter may be a small one within a sentence.
pub(in crate::domain::synthesis::verify) fn holds(text: &str, quote: &str) -> bool {
    let wanted = spaced(quote.trim_end_matches(['.', ',', '。', '，']));
    let text = spaced(text);
    let mut letters = wanted.chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    text.contains(&wanted) || text.contains(&capital)
}

/// The capitalised words of a sentence, but for those of a quotation.
fn names_outside(lexicon: &mut Lexicon, text: &str, quote: &str) -> BTreeSet<Term> {
    let quoted = text.find(quote).map(|at| at..at + quote.len()).unwrap_or_default();
    let words = lexicon.words(text);
    let is_name = |word: &&Word| {
        word.is_content()
            && text[word.range()].starts_with(char::is_uppercase)
            && !quoted.contains(&word.start)
    };
    words.iter().filter(is_name).map(|word| word.term).collect()
}
