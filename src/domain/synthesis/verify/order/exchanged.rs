//! Who does something and to whom it is done, exchanged around one verb: `Farmers pay the cooperative` for `The cooperative pays
//! farmers`.
//!
//! Only what stands directly around a verb in the active voice is read, a [deed](Deed); where one can't be told, nothing is said of it. In
//! German and Dutch to whom it is done may stand first: there the number of the verb must have changed, too (`bezahlt`, `bezahlen`).
//! What stands behind the verb in both isn't divided from that, so of `hebben het bedrijf vooraf betaald` nothing is said.

use super::grammar::{Class, Grammar};
use crate::domain::near_duplicates::{Features, Role, longest_falling};
use crate::domain::synthesis::verify::meaning::Tongue;
use crate::domain::synthesis::verify::scope::tokens;
use crate::domain::text::phrases::ends_with_any;

/// Words of a sentence that are looked at.
const WORDS_MAX: usize = 64;
/// Words of who does it, or to whom it is done.
const PHRASE_MAX: usize = 3;
/// What may be said of who does it before the verb comes: `the head of the board of the bank`.
const ATTRIBUTES_MAX: usize = 2;
/// What divides words that stand beside each other.
const DIVIDING: [char; 11] = [',', ';', ':', '.', '(', ')', '—', '–', '"', '“', '”'];

/// Who does what to whom; all in small letters.
struct Deed {
    doer: Vec<String>,
    /// The first word of the verb: it has its number.
    finite: String,
    verb: String,
    done_to: Vec<String>,
}

/// Whether who does something in the one has it done to it in the other, by whom it was done to there.
pub(super) fn are_exchanged(claim: &Features<'_>, said: &Features<'_>, tongue: &Tongue) -> bool {
    if !turn_round(claim, said) {
        return false; // the usual case, in which nothing is read
    }
    let Some(grammar) = Grammar::of(tongue.name()) else { return false };
    let (mine, theirs) = (deeds(claim.text, &grammar), deeds(said.text, &grammar));
    let share = |one: &[String], other: &[String]| one.iter().any(|word| other.contains(word));
    let is_turned = |one: &Deed, other: &Deed| {
        share(&one.doer, &other.done_to)
            && share(&one.done_to, &other.doer)
            && !share(&one.doer, &other.doer)
            && !share(&one.done_to, &other.done_to)
            && (!grammar.is_free || is_plural(&one.finite) != is_plural(&other.finite))
            && !grammar.is_mutual(&one.verb)
            // `hired` says of the other what `joined` does.
            && tongue.are_forms(&one.verb, &other.verb)
    };
    mine.iter().any(|one| theirs.iter().any(|other| is_turned(one, other)))
}

/// Whether two words that say something stand in the opposite order in both.
fn turn_round(claim: &Features<'_>, said: &Features<'_>) -> bool {
    let says = |role: Role| matches!(role, Role::Content | Role::Name);
    let place = |term| said.elements.iter().position(|other| says(other.role) && other.term == term);
    let mine = claim.elements.iter().filter(|element| says(element.role));
    let places: Vec<usize> = mine.filter_map(|element| place(element.term)).collect();
    longest_falling(&places) > 1
}

/// Whether a German or Dutch verb says something of several.
fn is_plural(finite: &str) -> bool {
    finite == "sind" || finite == "zijn" || ends_with_any(finite, &["en", "rn", "ln"])
}

/// The words of a sentence, and what each is.
struct Words<'t> {
    text: &'t str,
    all: Vec<(std::ops::Range<usize>, String, Class)>,
}

impl<'t> Words<'t> {
    fn of(text: &'t str, grammar: &Grammar) -> Self {
        let mut is_led = false;
        let read = |(range, word): (std::ops::Range<usize>, String)| {
            let (word, class) = grammar.read(&word, is_led);
            // Behind an article stands what it belongs to: `the company`.
            is_led = class == Class::Article;
            (range, word, class)
        };
        Self { text, all: tokens(text).take(WORDS_MAX).map(read).collect() }
    }

    /// What a word is, where it stands directly beside the one before it.
    fn class(&self, at: usize) -> Option<Class> {
        Some(self.all.get(at)?.2)
    }

    /// Whether nothing divides a word from the one before it.
    fn is_beside(&self, at: usize) -> bool {
        at > 0 && at < self.all.len() && {
            let gap = &self.text[self.all[at - 1].0.end..self.all[at].0.start];
            !gap.contains(DIVIDING)
        }
    }

    fn is(&self, at: usize, class: Class) -> bool {
        self.class(at) == Some(class)
    }

    /// What a word before `at`, which stands beside it, is.
    fn before(&self, at: usize) -> Option<Class> {
        if self.is_beside(at) { self.class(at - 1) } else { None }
    }

    fn written(&self, range: std::ops::Range<usize>) -> Vec<String> {
        self.all[range].iter().map(|(_, word, _)| word.clone()).collect()
    }

    fn is_lower(&self, at: usize) -> bool {
        self.text[self.all[at].0.start..].starts_with(char::is_lowercase)
    }

    /// Who does what a verb says: the words that end before `end`, or those that they only say more of.
    fn doer(&self, mut end: usize) -> Option<Vec<String>> {
        for _ in 0..=ATTRIBUTES_MAX {
            let mut start = end.checked_sub(1).filter(|last| self.is(*last, Class::Word))?;
            while self.before(start) == Some(Class::Word) {
                start -= 1;
            }
            let mut first = start;
            while self.before(first) == Some(Class::Article) {
                first -= 1;
            }
            match self.before(first) {
                None | Some(Class::Joins | Class::Begins) => return Some(self.written(start..end)),
                Some(Class::Small) => {}
                Some(Class::Article | Class::Passes | Class::Word) => return None,
            }
            end = first - 1;
            while self.before(end) == Some(Class::Small) {
                end -= 1;
            }
            if !self.is_beside(end) {
                return None;
            }
        }
        None
    }

    /// To whom a verb at `at` says that it is done: what stands directly behind.
    fn done_to(&self, at: usize, grammar: &Grammar) -> Vec<String> {
        let mut start = at + 1;
        let leads = |at: usize| {
            let (_, word, class) = &self.all[at];
            matches!(class, Class::Article | Class::Passes) || grammar.marks_object(word)
        };
        while self.is_beside(start) && leads(start) {
            start += 1;
        }
        let mut end = start;
        while end - start < PHRASE_MAX && self.is_beside(end) && self.is(end, Class::Word) {
            end += 1;
        }
        self.written(start..end)
    }

    /// The last word of the clause that goes on behind `at`.
    fn last_behind(&self, at: usize) -> usize {
        let ends = |at: usize| self.is(at, Class::Joins) || self.is(at, Class::Begins);
        let goes_on = |at: &usize| self.is_beside(*at) && !ends(*at);
        (at + 1..self.all.len()).take_while(goes_on).last().unwrap_or(at)
    }
}

fn deeds(text: &str, grammar: &Grammar) -> Vec<Deed> {
    let words = Words::of(text, grammar);
    let mut deeds = Vec::new();
    let mut last: Option<Vec<String>> = None;
    for at in 1..words.all.len() {
        let is_perfect = grammar.is_free && grammar.is_perfect(&words.all[at].1);
        if !words.is_lower(at) || !(words.is(at, Class::Word) || is_perfect) {
            continue;
        }
        let mut finite = at;
        while words.before(finite) == Some(Class::Passes) {
            finite -= 1;
        }
        let doer = match words.before(finite) {
            Some(Class::Joins) => last.clone(),
            Some(Class::Word) => words.doer(finite),
            Some(Class::Article | Class::Passes | Class::Begins | Class::Small) | None => None,
        };
        let Some(doer) = doer else { continue };
        let done_to = words.done_to(at, grammar);
        let verb = if is_perfect { words.last_behind(at) } else { at };
        last = Some(doer.clone());
        if !done_to.is_empty() {
            let [finite, verb] = [finite, verb].map(|at| words.all[at].1.clone());
            deeds.push(Deed { doer, finite, verb, done_to });
        }
    }
    deeds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn who_does_it_and_to_whom_are_told_apart() {
        let mut lexicon = Lexicon::default();
        for (claim, said, expected) in [
            (
                "Farmers pay the cooperative in advance",
                "The cooperative sells coffee to roasters and pays farmers in advance",
                true,
            ),
            ("Farmers paid the cooperative", "The cooperative of Linz has paid the farmers", true),
            ("The court sued the ministry over the dam", "The ministry sued the court over the dam", true),
            ("Farmers are paid by the cooperative", "The cooperative pays farmers in advance", false),
            (
                "The farmers whom the cooperative pays grow coffee",
                "The cooperative pays the farmers who grow coffee",
                false,
            ),
            ("Norvik hired Lopez in March", "Lopez joined Norvik in March", false),
            ("The mayor met the minister", "The minister met the mayor", false),
            (
                "The coffee price doubled the farmers' income",
                "The farmers' income rose with the coffee price",
                false,
            ),
            (
                "Die Bauern bezahlen die Genossenschaft im Voraus",
                "Die Genossenschaft verkauft Kaffee an Röster und bezahlt die Bauern im Voraus",
                true,
            ),
            (
                "Die Bauern haben die Genossenschaft bezahlt",
                "Die Genossenschaft hat die Bauern im Voraus bezahlt",
                true,
            ),
            (
                "Die Bauern bezahlt die Genossenschaft im Voraus",
                "Die Genossenschaft bezahlt die Bauern im Voraus",
                false,
            ),
            ("Die Ursache hat die Behörde nicht genannt", "Die Behörde hat die Ursache nicht genannt", false),
            (
                "Die Bauern werden von der Genossenschaft bezahlt",
                "Die Genossenschaft bezahlt die Bauern",
                false,
            ),
            (
                "Les paysans paient la coopérative",
                "La coopérative vend son café et paie les paysans d'avance",
                true,
            ),
            (
                "Les paysans que paie la coopérative vendent leur café",
                "La coopérative paie les paysans",
                false,
            ),
            (
                "Los agricultores pagan a la cooperativa por adelantado",
                "La cooperativa vende su café y paga a los agricultores por adelantado",
                true,
            ),
            (
                "A los agricultores paga la cooperativa por adelantado",
                "La cooperativa paga a los agricultores por adelantado",
                false,
            ),
            ("A los agricultores los paga la cooperativa", "La cooperativa paga a los agricultores", false),
            (
                "I contadini pagano la cooperativa in anticipo",
                "La cooperativa paga i contadini in anticipo",
                true,
            ),
            (
                "Os agricultores pagam a cooperativa",
                "A cooperativa paga os agricultores com antecedência",
                true,
            ),
        ] {
            let (mine, theirs) = (Features::of(&mut lexicon, claim), Features::of(&mut lexicon, said));
            let tongue = Tongue::of(&[claim, said]).expect(claim);
            assert_eq!(are_exchanged(&mine, &theirs, &tongue), expected, "{claim} / {said}");
        }
    }
}
