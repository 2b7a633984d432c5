//! The subject of a sentence, its first predicate, and where others begin.

use super::verbs::Part;
use super::{Fact, Token, is_year};

/// Words of what a sentence is about, at most, with what stands in front of it.
const SUBJECT_MAX: usize = 24;
/// Words of what a further clause is about.
const NEXT_MAX: usize = 8;
/// Words of an owner: `Acme's headquarters`.
const OWNER_MAX: usize = 5;

/// What begins a reason without a comma, which may be what is denied.
const REASONS: [&str; 3] = ["because", "weil", "porque"];
#[rustfmt::skip]
const DENIALS: [&str; 18] = [
    "not", "never", "no", "No", "none", "None", "nobody", "Nobody", "neither", "Neither", "falsely", "wrongly",
    "nicht", "nie", "pas", "jamais", "nunca", "Niemand",
];
/// What begins by how much something moved.
const MOVED: [&str; 2] = ["up", "down"];

/// A sentence whose subject and first verb are known.
pub(super) struct Sentence<'s, 't> {
    text: &'t str,
    tokens: &'s [Token<'t>],
    /// What it is about, with what stands in front of that.
    about: String,
    /// Where its predicate begins.
    verb: usize,
    /// What stands between the subject and its verb, and says something of it.
    aside: Option<Fact>,
}

/// What begins behind a word.
enum Boundary {
    /// Another predicate of the same, from a word.
    Predicate(usize),
    /// Another clause, from a word, with its verb.
    Clause(usize, usize),
    /// What is said by the way, up to another boundary.
    Aside,
}

impl<'s, 't> Sentence<'s, 't> {
    pub(super) fn of(text: &'t str, tokens: &'s [Token<'t>]) -> Option<Self> {
        let first = tokens.first()?;
        let mut is_led = first.leads(Part::Lead) || first.word.ends_with("ly");
        let mut opened: Option<usize> = None;
        for (at, token) in tokens.iter().enumerate().take(SUBJECT_MAX).skip(1) {
            match (token.sign, opened) {
                (Some(','), None) if is_led => is_led = false,
                (Some(','), None) => opened = Some(at),
                (Some(','), Some(open)) if token.is_verb() => {
                    return Some(Self::with_aside(text, tokens, open, at));
                }
                (Some(','), Some(_)) | (None, _) => {}
                // Brackets, colons and dashes before the verb may say anything.
                (Some(_), _) => return None,
            }
            let begins_aside = |open: usize| {
                let first = &tokens[open];
                first.is(Part::Article) || first.is(Part::Relative) || first.is(Part::Participle)
            };
            let is_sure = token.is(Part::Verb) || token.is(Part::MaybeVerb) && is_verb_behind(tokens, at);
            if is_sure && !opened.is_some_and(begins_aside) {
                let about = text[first.start..tokens[at - 1].end].to_owned();
                return Some(Self { text, tokens, about, verb: at, aside: None });
            }
        }
        None
    }

    /// With what stands between `open` and the verb, in commas.
    fn with_aside(text: &'t str, tokens: &'s [Token<'t>], open: usize, verb: usize) -> Self {
        let about = text[tokens[0].start..tokens[open - 1].end].to_owned();
        let first = &tokens[open];
        let end = tokens[verb - 1].end;
        let fact = |about: String, start: usize| Fact { about, start, end, is_shared: false };
        let aside = if first.is(Part::Relative) && tokens[open + 1].is_verb() {
            Some(fact(about.clone(), tokens[open + 1].start))
        } else if first.is(Part::Participle) {
            Some(fact(format!("{about} was"), first.start))
        } else {
            None
        };
        Self { text, tokens, about, verb, aside }
    }

    /// What its clauses say.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let mut facts: Vec<Fact> = self.aside.iter().cloned().collect();
        // Where the clause that is read begins, and what it is about, where it doesn't say so itself.
        let mut open = Some((self.tokens[self.verb].start, self.about.clone()));
        let mut about = self.about.clone();
        let mut is_shared = true;
        let mut at = self.verb + 1;
        while at < self.tokens.len() {
            let Some(boundary) = self.boundary(at) else {
                at += 1;
                continue;
            };
            let end = self.tokens[at - 1].end;
            facts.extend(open.take().map(|(start, about)| Fact { about, start, end, is_shared }));
            match boundary {
                Boundary::Predicate(verb) => {
                    open = Some((self.tokens[verb].start, about.clone()));
                    at = verb + 1;
                }
                Boundary::Clause(first, verb) => {
                    let (own, start) = self.about_of(first, verb);
                    is_shared = false;
                    about = own;
                    open = Some((start, about.clone()));
                    at = verb + 1;
                }
                Boundary::Aside => at += 1,
            }
        }
        let end = self.tokens.last().map_or(0, |token| token.end);
        facts.extend(open.take().map(|(start, about)| Fact { about, start, end, is_shared }));
        facts
    }

    /// What another clause is about, and where its predicate begins: `its headquarters` are those of what the sentence is about.
    fn about_of(&self, first: usize, verb: usize) -> (String, usize) {
        let named = &self.text[self.tokens[first].start..self.tokens[verb - 1].end];
        let is_owner = self.about.split(' ').count() <= OWNER_MAX;
        let about = match named.split_once(' ') {
            Some((_, owned)) if self.tokens[first].is(Part::Possessive) && is_owner => {
                format!("{}'s {owned}", self.about)
            }
            _ => named.to_owned(),
        };
        (about, self.tokens[verb].start)
    }

    fn boundary(&self, at: usize) -> Option<Boundary> {
        let (tokens, token) = (self.tokens, &self.tokens[at]);
        let has_comma = token.sign == Some(',');
        if token.sign == Some(';') {
            return self.clause(at).or(Some(Boundary::Aside));
        }
        if token.is(Part::And) && (token.word != "so" || has_comma) {
            let next = at + 1 + usize::from(tokens.get(at + 1).is_some_and(|next| next.is(Part::Adverb)));
            let is_beside = tokens.get(next).is_some_and(|next| next.sign.is_none());
            if is_beside && tokens[next].is_verb() && !is_noun(tokens, next) {
                return Some(Boundary::Predicate(next));
            }
            let clause = self.clause(next).filter(|_| is_beside);
            return clause.or_else(|| {
                (has_comma && matches!(token.word, "while" | "whereas")).then_some(Boundary::Aside)
            });
        }
        let is_aside = || has_comma && (token.is(Part::Aside) || token.word.ends_with("ing"));
        let is_reason = || REASONS.contains(&token.word) && token.sign.is_none() && !denies(&tokens[..at]);
        (is_aside() && !self.takes_back(at) || is_reason()).then_some(Boundary::Aside)
    }

    /// Whether what is said by the way denies, or says when something holds, or by how much it moved: with another such figure it is of
    /// another time.
    fn takes_back(&self, at: usize) -> bool {
        let rest = &self.tokens[at..];
        let ends = |token: &Token<'_>| matches!(token.sign, Some(',' | ';'));
        let end = rest.iter().skip(1).position(ends).map_or(rest.len(), |behind| behind + 1);
        let aside = &rest[..end];
        let has_digit = |token: &Token<'_>| token.word.contains(|c: char| c.is_ascii_digit());
        let moves = MOVED.contains(&self.tokens[at].word);
        denies(aside) || aside.iter().any(|token| is_year(token.word) || moves && has_digit(token))
    }

    /// The clause that begins with a word.
    fn clause(&self, first: usize) -> Option<Boundary> {
        let token = self.tokens.get(first)?;
        let verb =
            |at: usize| self.tokens.get(at).is_some_and(|token| token.is(Part::Verb) && token.sign.is_none());
        if token.is(Part::Pronoun) {
            let next = self.tokens.get(first + 1)?;
            return next.is_verb().then_some(Boundary::Predicate(first + 1));
        }
        if !(token.is(Part::Article) || token.is(Part::Possessive) || token.is_name()) {
            return None;
        }
        let inside = first + 1..=first + NEXT_MAX;
        let is_plain = |at: &usize| {
            self.tokens.get(*at).is_some_and(|token| token.sign.is_none() && !token.is(Part::And))
        };
        let verb = inside.take_while(is_plain).find(|at| verb(*at))?;
        Some(Boundary::Clause(first, verb))
    }
}

/// Whether a word that may be a noun is the verb here: no article stands before it, and no verb comes before the next sign.
fn is_verb_behind(tokens: &[Token<'_>], at: usize) -> bool {
    let before = &tokens[at - 1];
    let is_of_noun = before.leads(Part::Article) || before.is(Part::Possessive) || before.is(Part::Narrowing);
    let mut rest = tokens[at + 1..].iter().take_while(|token| token.sign.is_none() && !token.is(Part::And));
    !is_of_noun && !rest.any(|token| token.is(Part::Verb))
}

/// Whether what joins joins nouns: `tests and measures of safety`, `designed and built by`.
fn is_noun(tokens: &[Token<'_>], at: usize) -> bool {
    let [before, next] = [tokens.get(at.wrapping_sub(2)), tokens.get(at + 1)];
    let is_of = next.is_none_or(|next| next.word == "of" || next.sign.is_some());
    let is_pair = before.is_some_and(|before| before.is_verb() && before.word.ends_with("ed"));
    tokens[at].is(Part::MaybeVerb) && is_of || is_pair
}

/// Whether a word denies what stands beside it.
pub(super) fn denies(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|token| DENIALS.contains(&token.word) || token.word.ends_with("n't"))
}
