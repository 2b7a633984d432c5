//! Negations of languages other than English and Chinese.
//!
//! Where a language says `no` twice and means it once (`non … nessuno`, `ne … pas`, `никогда не`; negative concord, Zeijlstra
//! 2004, "Sentential Negation and Negative Concord"), a clause has one negation: the first.

use std::sync::LazyLock;

use super::languages::{ALONE, Concord, ELIDED, INSIDE, JAPANESE, JAPANESE_HARMLESS, LANGUAGES};
use crate::domain::text::language;
use crate::domain::text::phrases::{begins_with_any, has_any};
use crate::domain::text::terms::{KnownTerms, TermMap};
use crate::domain::text::words::{Kind, Lexicon, Term, Word};

/// Words between two negations of one clause, at most.
const CLAUSE_WORDS_MAX: usize = 6;

/// A listed negation.
struct Listed {
    concord: Concord,
    languages: &'static [&'static str],
    /// Words are listed by their stems, which belong to other words too.
    written: &'static str,
}

static LISTED: LazyLock<KnownTerms<Vec<Listed>>> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    let mut listed: TermMap<Vec<Listed>> = TermMap::default();
    for &(concord, languages, words) in LANGUAGES {
        for written in words.split(' ') {
            if let [only] = lexicon.words(written)[..] {
                listed.entry(only.term).or_default().push(Listed { concord, languages, written });
            }
        }
    }
    listed.into()
});

/// What words may be listed, in no order.
pub(super) fn listed() -> impl Iterator<Item = Term> {
    LISTED.terms()
}

/// What a word is to the negation of its clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// It negates.
    Negation,
    /// It belongs to an earlier word that negates: nothing is said by it.
    Strengthens,
    /// `ne … que`: no negation, but neither is it nothing.
    Only,
}

/// Reads one text's negations, word by word.
#[derive(Default)]
pub(super) struct Foreign {
    language: Option<&'static str>,
    /// The last word that took part in a negation, its end, and what it was.
    last: Option<(usize, usize, Concord)>,
}

impl Foreign {
    /// Takes note of an English negation: `no` is Spanish too, and `nada` behind it strengthens.
    pub(super) fn note(&mut self, words: &[Word], at: usize) {
        self.last = Some((at, words[at].end, Concord::Verb));
    }

    /// What a word is that isn't Chinese or Japanese.
    pub(super) fn read(&mut self, text: &str, words: &[Word], at: usize) -> Option<Found> {
        let written = text.get(words[at].range())?;
        let concord =
            self.listed(text, words[at], written).or_else(|| self.unlisted(text, words[at], written))?;
        if concord == Concord::Verb && is_only(text, &words[at + 1..]) && self.is("French", text) {
            return Some(Found::Only);
        }
        let before = self.last.replace((at, words[at].end, concord));
        let strengthens = before.is_some_and(|(place, end, other)| {
            let same_clause = at - place <= CLAUSE_WORDS_MAX
                && !text[end..words[at].start].contains([',', ';', ':', '.', '!', '?', '(', ')', '،']);
            let together = !matches!((concord, other), (Concord::Own, _) | (_, Concord::Own))
                && (concord, other) != (Concord::Verb, Concord::Verb);
            same_clause && together
        });
        Some(if strengthens { Found::Strengthens } else { Found::Negation })
    }

    fn listed(&mut self, text: &str, word: Word, written: &str) -> Option<Concord> {
        let entries = LISTED.get(word.term)?;
        let lowered = written.to_lowercase();
        let same = entries.iter().filter(|entry| entry.written == lowered);
        let mut counts = same.filter(|entry| {
            entry.languages.is_empty() || entry.languages.iter().any(|language| self.is(language, text))
        });
        counts.next().map(|entry| entry.concord)
    }

    /// What is known by a part of the word.
    fn unlisted(&mut self, text: &str, word: Word, written: &str) -> Option<Concord> {
        if written.is_ascii() && !written.contains('\'') || word.kind == Kind::Number {
            return None;
        }
        let lowered = written.to_lowercase();
        let elided = begins_with_any(&lowered, &ELIDED) && !self.is("English", text);
        // The mark of the tone isn't a letter: the word ends before it.
        let thai = written.ends_with("ไม") && text[word.end..].starts_with('\u{E48}');
        let inside = has_any(written, INSIDE) || ALONE.contains(&written);
        if elided { Some(Concord::Verb) } else { (thai || inside).then_some(Concord::Own) }
    }

    fn is(&mut self, language: &str, text: &str) -> bool {
        *self.language.get_or_insert_with(|| language::told(text)) == language
    }
}

/// Whether `que` follows in the clause, and nothing that strengthens: `n’a que trois`.
fn is_only(text: &str, after: &[Word]) -> bool {
    let mut que = false;
    for word in after.iter().take(CLAUSE_WORDS_MAX) {
        let written = text[word.range()].to_lowercase();
        let strengthens = ["pas", "plus", "point", "jamais", "rien", "aucun", "aucune", "guère", "personne"];
        if strengthens.contains(&written.as_str()) {
            return false;
        }
        que |= written == "que" || written.starts_with("qu'") || written.starts_with("qu’");
    }
    que
}

/// The Japanese ending that begins here and negates.
pub(super) fn japanese(text: &str, at: usize) -> Option<&'static str> {
    let rest = text.get(at..).filter(|rest| rest.starts_with(['な', 'ま', 'ず', 'ざ']))?;
    let ending = JAPANESE.iter().find(|ending| rest.starts_with(**ending))?;
    let begins = |word: &str, offset: usize| {
        let start = at.checked_sub(offset);
        start.and_then(|start| text.get(start..)).is_some_and(|from| from.starts_with(word))
    };
    let harmless = |word: &&str| word.match_indices(ending).any(|(offset, _)| begins(word, offset));
    (!JAPANESE_HARMLESS.iter().any(harmless)).then_some(*ending)
}
