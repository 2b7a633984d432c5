//! What words mean as far as claims are compared: which claim nothing, and which say the same.
//!
//! Words say the same that have one stem in their language, derive from one ([`are_family`]), or stand in one group of words that reports
//! put for each other. A language whose small words aren't known here has no [`Tongue`]: in it, nothing can be said of which words claim
//! something.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use rust_stemmers::{Algorithm, Stemmer};

use crate::domain::synthesis::contradictions::plain::base_of;
use crate::domain::synthesis::verify::scope::tokens;
use crate::domain::text::language;
use crate::domain::text::phrases::ends_with_any;

mod english;
mod german;
pub(super) mod korean;
mod languages;
mod light;
mod spoken;
pub(super) mod wide;

pub(super) use self::spoken::Spoken;

type Map<V> = HashMap<String, V, RandomState>;
type Set<T> = HashSet<T, RandomState>;

/// A language in which words are compared.
pub(super) struct Tongue {
    at: usize,
    name: &'static str,
    stemmer: Stemmer,
    light: &'static HashSet<&'static str, RandomState>,
    groups: &'static Map<Vec<u16>>,
}

/// Those that are written in letters and with spaces, and have a list of [`light`] words.
const STEMMERS: &[(&str, Algorithm)] = &[
    ("English", Algorithm::English),
    ("German", Algorithm::German),
    ("French", Algorithm::French),
    ("Spanish", Algorithm::Spanish),
    ("Italian", Algorithm::Italian),
    ("Portuguese", Algorithm::Portuguese),
    ("Dutch", Algorithm::Dutch),
    ("Russian", Algorithm::Russian),
];

const RUSSIAN: &str = "Russian";
/// How words end in one of these languages, by its place: where few small words are told apart, they tell it.
const TELLING: &[(usize, &[&str])] = &[
    (2, &["é", "ée", "és", "ées", "aux", "eux"]),
    (3, &["ó", "ción", "dad", "án", "ño", "ña"]),
    (4, &["zione", "ità", "gli", "zza", "cchio"]),
    (5, &["ção", "ões", "dade", "ãos", "eira"]),
];

struct Known {
    light: HashSet<&'static str, RandomState>,
    groups: Map<Vec<u16>>,
}

/// What is known of each language of [`STEMMERS`], in its order.
static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let known = STEMMERS.iter().map(|(name, algorithm)| {
        let stemmer = Stemmer::create(*algorithm);
        let listed = match *name {
            "English" => english::GROUPS,
            _ => languages::GROUPS.iter().find(|(of, _)| of == name).map_or(&[][..], |(_, groups)| *groups),
        };
        let mut groups: Map<Vec<u16>> = Map::default();
        for (group, words) in (0..).zip(listed) {
            for word in words.split_whitespace() {
                let of = groups.entry(key(name, &stemmer, word)).or_default();
                of.extend(Some(group).filter(|group| !of.contains(group)));
            }
        }
        let light = light::LIGHT.iter().filter(|(of, _)| of == name);
        Known { light: light.flat_map(|(_, words)| words.split_whitespace()).collect(), groups }
    });
    known.collect()
});

/// The stem by which a word, or two joined by `_`, is compared.
fn key(name: &str, stemmer: &Stemmer, word: &str) -> String {
    let stem = |word: &str| {
        let base = if name == "English" { base_of(word) } else { word };
        let stem = stemmer.stem(base).into_owned();
        if name == "German" { german::without_tense(stem) } else { stem }
    };
    match word.split_once('_') {
        Some((first, second)) => format!("{}_{second}", stem(first)),
        None => stem(word),
    }
}

impl Clone for Tongue {
    fn clone(&self) -> Self {
        Self::at(self.at)
    }
}

/// Whether a word in lower case holds sentences together in one of the languages.
pub(super) fn is_light(word: &str) -> bool {
    KNOWN.iter().any(|known| known.light.contains(word))
}

impl Tongue {
    /// That of some texts, where their small words or their script tell it.
    pub fn of(texts: &[&str]) -> Option<Self> {
        const WORDS_MIN: usize = 2;
        let mut counts = [0_usize; STEMMERS.len()];
        for (_, word) in texts.iter().flat_map(|text| tokens(text)) {
            for (count, known) in counts.iter_mut().zip(KNOWN.iter()) {
                *count += usize::from(known.light.contains(word.as_str()));
            }
            let ends = |(_, endings): &&(usize, &[&str])| ends_with_any(&word, endings);
            TELLING.iter().filter(ends).for_each(|(at, _)| counts[*at] += 1);
        }
        let most = counts.iter().copied().max().unwrap_or_default();
        let mut best = (0..counts.len()).filter(|at| counts[*at] == most && most >= WORDS_MIN);
        let (first, second) = (best.next(), best.next());
        if second.is_none() && first.is_some() {
            return first.map(Self::at);
        }
        let told = language::told(&texts.join(" "));
        let named = STEMMERS.iter().position(|(name, _)| *name == told);
        named.filter(|at| told == RUSSIAN || (most >= WORDS_MIN && counts[*at] == most)).map(Self::at)
    }

    /// That of a name.
    pub fn named(name: &str) -> Option<Self> {
        STEMMERS.iter().position(|(of, _)| *of == name).map(Self::at)
    }

    pub fn english() -> Self {
        Self::at(0)
    }

    fn at(at: usize) -> Self {
        let (name, algorithm) = STEMMERS[at];
        let known = &KNOWN[at];
        Self { at, name, stemmer: Stemmer::create(algorithm), light: &known.light, groups: &known.groups }
    }

    /// The name of the language, in English.
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn is_english(&self) -> bool {
        self.name == STEMMERS[0].0
    }

    /// Whether a word in lower case claims nothing by itself.
    pub fn is_light(&self, word: &str) -> bool {
        self.light.contains(word)
    }

    /// Whether two words in lower case say the same.
    pub fn say_the_same(&self, one: &str, other: &str) -> bool {
        Spoken::of(self.clone(), &[one]).says(other, None)
    }

    /// Whether two words in lower case may be forms of one: `paie`, `paient`.
    pub fn are_forms(&self, one: &str, other: &str) -> bool {
        const COMMON_MIN: usize = 3;
        let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let longer = one.chars().count().max(other.chars().count());
        let is_one_root = common >= COMMON_MIN && common * 5 >= longer * 3;
        let [one, other] = [one, other].map(|word| self.stem(self.bare(word)));
        let roots = || [&one, &other].map(|stem| german::consonants(stem));
        is_one_root
            || one == other
            || self.name == "German" && matches!(roots(), [Some(one), Some(other)] if one == other)
    }

    /// Whether two words in lower case are known as one thing that is said: `step down`.
    pub fn is_phrase(&self, first: &str, second: &str) -> bool {
        self.groups.contains_key(&self.stem(&format!("{first}_{second}")))
    }

    /// Whether a word in lower case says what two such words do.
    pub fn is_said_in_two(&self, word: &str, first: &str, second: &str) -> bool {
        let of = |key: &str| self.groups.get(key).map_or(&[][..], Vec::as_slice);
        let both = self.stem(&format!("{first}_{second}"));
        of(&self.stem(word)).iter().any(|group| of(&both).contains(group))
    }

    /// A word in lower case without what is elided before it, and the possessive behind it: `l'adulte`, `the state's`.
    pub fn bare<'w>(&self, word: &'w str) -> &'w str {
        const ELIDED_MAX: usize = 5;
        let apostrophe = |c: char| matches!(c, '\'' | '’');
        let Some((before, rest)) = word.split_once(apostrophe) else { return word };
        match self.is_english() {
            true => before,
            false if before.len() <= ELIDED_MAX && !rest.is_empty() => rest,
            false => word,
        }
    }

    /// Whether two [stems](Self::stem) of different words are known to say the same.
    pub fn are_synonyms(&self, one: &str, other: &str) -> bool {
        let of = |key: &str| self.groups.get(key).map_or(&[][..], Vec::as_slice);
        of(one).iter().any(|group| of(other).contains(group))
    }

    /// The stem of a word in lower case.
    pub fn stem(&self, word: &str) -> String {
        key(self.name, &self.stemmer, word)
    }
}
