//! The words of some texts, ready to be asked whether they say what another word says.

use super::{Set, Tongue, german};
use crate::domain::synthesis::verify::scope::tokens;

/// Letters that words of one family have in common at their beginning, at least.
const FAMILY_MIN: usize = 5;
/// What a word may add to another of its family.
const ENDING_MAX: usize = 4;

/// The words of some texts.
pub(in crate::domain::synthesis::verify) struct Spoken<'t> {
    tongue: Tongue,
    texts: Vec<&'t str>,
    stems: Set<String>,
    groups: Set<u16>,
    /// Of German verbs.
    consonants: Set<String>,
}

impl<'t> Spoken<'t> {
    /// Those of `texts`. O(words).
    pub fn of(tongue: Tongue, texts: &[&'t str]) -> Self {
        let mut spoken = Self {
            tongue,
            texts: texts.to_vec(),
            stems: Set::default(),
            groups: Set::default(),
            consonants: Set::default(),
        };
        for text in texts {
            let words: Vec<String> = words(&spoken.tongue, text).collect();
            for (at, word) in words.iter().enumerate() {
                spoken.take(word, words.get(at + 1).map(String::as_str));
            }
        }
        spoken
    }

    fn take(&mut self, word: &str, next: Option<&str>) {
        for key in keys(&self.tongue, word, next) {
            self.groups.extend(self.tongue.groups.get(&key).into_iter().flatten());
            self.consonants.extend(german_consonants(&self.tongue, &key));
            self.stems.insert(key);
        }
    }

    /// Their language.
    pub fn tongue(&self) -> &Tongue {
        &self.tongue
    }

    /// Whether one of them says what a word in lower case says, before the word `next`.
    pub fn says(&self, word: &str, next: Option<&str>) -> bool {
        let mut parts = word.split('-').filter(|part| !part.is_empty()).peekable();
        let is_one = |word: &str| {
            let keys = keys(&self.tongue, self.tongue.bare(word), next);
            keys.iter().any(|key| self.has(key))
        };
        is_one(word) || (word.contains('-') && parts.all(|part| self.tongue.is_light(part) || is_one(part)))
    }

    fn has(&self, key: &str) -> bool {
        let same = || self.tongue.groups.get(key).into_iter().flatten();
        self.stems.contains(key)
            || same().any(|group| self.groups.contains(group))
            || german_consonants(&self.tongue, key).is_some_and(|known| self.consonants.contains(&known))
            || self.stems.iter().any(|stem| are_family(key, stem))
    }

    /// A particle of a German verb in a claim that no verb of the texts has.
    pub fn other_particle(&self, claim: &str) -> Option<&'static str> {
        if self.tongue.name != "German" {
            return None;
        }
        let has = |particle: &str| self.texts.iter().any(|text| german::has_particle(text, particle));
        let mut particles: Vec<&'static str> = german::particles(claim).into_iter().collect();
        particles.sort_unstable();
        particles.into_iter().find(|particle| !has(particle))
    }
}

/// The words of a text, bare, and the parts of those that have a hyphen.
fn words(tongue: &Tongue, text: &str) -> impl Iterator<Item = String> {
    tokens(text).flat_map(|(_, word)| {
        let parts: Vec<String> = match word.contains('-') {
            true => word.split('-').filter(|part| !part.is_empty()).map(str::to_owned).collect(),
            false => Vec::new(),
        };
        std::iter::once(tongue.bare(&word).to_owned()).chain(parts)
    })
}

/// The stems by which a word is known: its own, that of the two that it makes with the next, that of a verb without what marks its form.
fn keys(tongue: &Tongue, word: &str, next: Option<&str>) -> Vec<String> {
    let pair = next.map(|next| tongue.stem(&format!("{word}_{next}")));
    let core = german::core(word).filter(|_| tongue.name == "German").map(|core| tongue.stem(core));
    std::iter::once(tongue.stem(word)).chain(pair).chain(core).collect()
}

fn german_consonants(tongue: &Tongue, key: &str) -> Option<String> {
    (tongue.name == "German").then(|| german::consonants(key)).flatten()
}

/// Whether one stem goes on where the other ends, or both differ in nothing but their ends: `exclud`, `exclus`.
pub(in crate::domain::synthesis::verify) fn are_family(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let (shorter, longer) = match (one.chars().count(), other.chars().count()) {
        (one, other) if one < other => (one, other),
        (one, other) => (other, one),
    };
    let goes_on = common == shorter && longer - shorter <= ENDING_MAX;
    common >= FAMILY_MIN && (goes_on || common * 4 > longer * 3)
}
