//! What a sentence of the evidence only supposes: `if the permit is granted, …` doesn't say that it is.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{Sentence, head};
use crate::domain::synthesis::verify::against::Against;

use crate::domain::synthesis::verify::meaning::{Spoken, Tongue};
use crate::domain::synthesis::verify::reason::{Reason, shown};
use crate::domain::text::words::{Lexicon, Term, Word};

/// What begins a clause that supposes something.
#[rustfmt::skip]
const SUPPOSING: &[&str] = &[
    "if", "unless", "should", "provided", "once", "falls", "wenn", "sofern", "sobald", "si", "se", "dès", "если", "indien", "tenzij", "mits", "als", "purché", "qualora",
];
/// Those of them that do so wherever they stand.
#[rustfmt::skip]
const ANYWHERE: &[&str] = &[
    "if", "unless", "provided", "wenn", "sofern", "sobald", "falls", "si", "если", "indien", "tenzij", "mits", "purché", "qualora",
];
/// Those that do so within a clause where who or what is spoken of follows, by language: elsewhere `se` only points back, and `als`
/// compares.
#[rustfmt::skip]
const BEFORE_SUBJECTS: &[(&str, &str, &[&str])] = &[
    ("Italian", "se", &["il", "lo", "la", "i", "gli", "le", "un", "una", "non", "l'", "questo", "questa"]),
    ("Portuguese", "se", &["o", "a", "os", "as", "um", "uma", "não", "ele", "ela", "eles", "elas", "houver", "for"]),
    ("Dutch", "als", &["de", "het", "een", "er", "hij", "zij", "ze", "dat", "dit", "deze", "die", "geen"]),
];
/// A sentence with at least this share of a claim's words, or with as many as any has, is what it may have been made from.
const SHARE_MIN: f64 = 0.6;
/// Sentences that are looked at.
const LOOKED_AT_MAX: usize = 8;
/// Words of a claim before something can be said of where they stand.
const WORDS_MIN: usize = 2;

impl Sentence<'_> {
    /// Whether all that it says is supposed by each sentence that it can have been made from, and not by itself.
    pub(super) fn supposed(&self, lexicon: &mut Lexicon, against: Against<'_, '_>) -> Option<Reason> {
        let language = self.tongue.as_ref().map_or("", Tongue::name);
        if begins(self.text, &self.words, language).next().is_some() {
            return None;
        }
        let mut own: BTreeMap<Term, &str> = BTreeMap::new();
        for word in self.words.iter().filter(|word| word.is_content()) {
            own.insert(word.term, &self.text[word.range()]);
        }
        // Small words that are none in English say no more elsewhere.
        if let Some(tongue) = self.tongue.as_ref().filter(|tongue| !tongue.is_english()) {
            own.retain(|_, written| !tongue.is_light(&written.to_lowercase()));
        }
        if own.len() < WORDS_MIN {
            return None;
        }
        let closest = self.of(against).next().map_or(SHARE_MIN, |(_, share)| share.min(SHARE_MIN));
        let mut supposes = None;
        for (at, _) in self.of(against).take_while(|(_, share)| *share >= closest).take(LOOKED_AT_MAX) {
            let said = head(lexicon, against.evidence, at).text;
            let words = lexicon.words(said);
            let within = |range: &Range<usize>| self.is_within(&own, said, &words, range);
            let mut clauses = begins(said, &words, language).map(|start| start..clause_end(said, start));
            let clause = clauses.find(within)?;
            supposes = supposes.or_else(|| Some(said[clause].to_owned()));
        }
        let detail = format!("its source only supposes it: “{}”", shown(&supposes?));
        Some(Reason::new("unsupported", detail))
    }

    /// Whether most of its `own` words stand in a clause, as they are or in another form: `a échoué` is what `échoue` supposes.
    fn is_within(
        &self,
        own: &BTreeMap<Term, &str>,
        said: &str,
        words: &[Word],
        clause: &Range<usize>,
    ) -> bool {
        let inside: BTreeSet<Term> =
            words.iter().filter(|word| clause.contains(&word.start)).map(|word| word.term).collect();
        let is_most = |count: usize| count * 4 >= own.len() * 3;
        let stand = |term: &Term| inside.contains(term);
        if is_most(own.keys().filter(|term| stand(term)).count()) {
            return true;
        }
        let Some(tongue) = &self.tongue else { return false };
        let spoken = Spoken::of(tongue.clone(), &[&said[clause.clone()]]);
        is_most(
            own.iter().filter(|(term, word)| stand(term) || spoken.says(&word.to_lowercase(), None)).count(),
        )
    }
}

/// Where clauses begin that suppose something: at the beginning, or behind a comma.
fn begins<'t>(text: &'t str, words: &'t [Word], language: &'t str) -> impl Iterator<Item = usize> + 't {
    words.iter().enumerate().filter_map(move |(at, word)| {
        let lowered = text[word.range()].to_lowercase();
        let is_one = SUPPOSING.contains(&lowered.as_str());
        let before = text[..word.start].trim_end();
        let begins = before.is_empty() || before.ends_with([',', ';', ':', '(', '“', '"']);
        let has_subject = || {
            let next = words.get(at + 1).map_or_else(String::new, |next| text[next.range()].to_lowercase());
            let is_subject = |subject: &&str| match subject.strip_suffix('\'') {
                Some(elided) => next == elided || next.starts_with(*subject),
                None => next == *subject,
            };
            BEFORE_SUBJECTS.iter().any(|(of, word, subjects)| {
                *of == language && *word == lowered && subjects.iter().any(&is_subject)
            })
        };
        let is_anywhere = || ANYWHERE.contains(&lowered.as_str()) || has_subject();
        let may_begin = lowered != "als" || language == "Dutch" && has_subject();
        (is_one && may_begin && (begins || is_anywhere())).then_some(word.start)
    })
}

fn clause_end(text: &str, start: usize) -> usize {
    text[start..].find([',', ';', ')']).map_or(text.len(), |at| start + at)
}
