//! The lists of abbreviations and of the words around them.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use crate::domain::text::sentences::LOOK_BACK;
use crate::domain::text::terms::TermHasher;

/// The lists.
#[derive(Clone, Copy)]
pub(super) enum List {
    Titles,
    Inner,
    Numbered,
    Outer,
    Starters,
    Ordinal,
    Articles,
}

impl List {
    #[rustfmt::skip]
    const ALL: [Self; 7] = [
        Self::Titles, Self::Inner, Self::Numbered, Self::Outer, Self::Starters, Self::Ordinal, Self::Articles,
    ];

    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Titles => TITLES,
            Self::Inner => INNER,
            Self::Numbered => NUMBERED,
            Self::Outer => OUTER,
            Self::Starters => STARTERS,
            Self::Ordinal => ORDINAL,
            Self::Articles => ARTICLES,
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Which lists hold each word, a bit each: by the word in lower case.
static KNOWN: LazyLock<HashMap<&'static str, u8, BuildHasherDefault<TermHasher>>> = LazyLock::new(|| {
    let mut known = HashMap::default();
    for list in List::ALL {
        for word in list.words() {
            *known.entry(*word).or_default() |= list.bit();
        }
    }
    known
});

/// Whether a list holds a word, whatever its case. The lists are in lower case.
pub(super) fn is_in(list: List, word: &str) -> bool {
    if word.is_ascii() { of_ascii(word).has(list) } else { holds(list, word) }
}

/// The lists that hold a word, a bit each.
#[derive(Clone, Copy)]
pub(super) struct Lists(u8);

impl Lists {
    pub(super) fn has(self, list: List) -> bool {
        self.0 & list.bit() != 0
    }
}

/// Those of the abbreviations that hold a word, whatever its case.
pub(super) fn of(word: &str) -> Lists {
    if word.is_ascii() {
        return of_ascii(word);
    }
    let all = [List::Titles, List::Inner, List::Numbered, List::Outer].into_iter();
    Lists(all.filter(|list| holds(*list, word)).fold(0, |lists, list| lists | list.bit()))
}

/// The same of a word in ASCII, and of all lists.
fn of_ascii(word: &str) -> Lists {
    let mut lowered = [0; LOOK_BACK];
    let Some(lowered) = lowered.get_mut(..word.len()) else { return Lists(0) };
    lowered.copy_from_slice(word.as_bytes());
    lowered.make_ascii_lowercase();
    let known = std::str::from_utf8(lowered).ok().and_then(|lowered| KNOWN.get(lowered));
    Lists(known.copied().unwrap_or_default())
}

/// Whether a list holds a word beyond ASCII.
fn holds(list: List, word: &str) -> bool {
    word.len() <= LOOK_BACK
        && list.words().iter().any(|entry| entry.chars().eq(word.chars().flat_map(char::to_lowercase)))
}

/// Titles and the like, after which the sentence always goes on. A capital letter must come first in the text.
const TITLES: &[&str] = &[
    "adm", "capt", "cmdr", "col", "dipl", "dott", "dr", "dra", "fr", "gen", "gov", "hon", "hr", "ing", "lic",
    "lt", "messrs", "mlle", "mme", "mr", "mrs", "ms", "mt", "pres", "prof", "rep", "rev", "sen", "sgt",
    "sig", "sra", "st",
];

/// Abbreviations after which the sentence always goes on, in lower case.
const INNER: &[&str] = &[
    "approx", "aprox", "ausschl", "bspw", "bzgl", "bzw", "c.-à-d", "ca", "cf", "d.h", "e.g", "eg", "ehem",
    "einschl", "entspr", "env", "esp", "evtl", "excl", "exkl", "geb", "gegr", "ggf", "i.d.r", "i.e", "ie",
    "incl", "inkl", "insb", "insbes", "jur", "med", "nat", "p.e", "p.ex", "phil", "rer", "resp", "sog",
    "u.a", "usf", "vgl", "viz", "vs", "z.b", "z.t", "zzgl", "bijv", "d.w.z", "o.a", "p.es", "m.in", "np",
    "tj", "tzn", "tzw", "напр", "т.е", "т.к", "т.н",
];

/// Abbreviations before a number: `Fig. 3`, `No. 5`, `Jan. 7`, `Rs. 500`. Before anything else they end a sentence.
const NUMBERED: &[&str] = &[
    "abb", "abr", "abs", "ago", "app", "apr", "art", "aug", "avr", "bd", "ch", "chap", "cir", "cl", "dec",
    "dez", "dic", "déc", "ene", "eq", "eqs", "ex", "feb", "febr", "fig", "figs", "févr", "gem", "jan",
    "janv", "juil", "jul", "jun", "kap", "ksh", "mar", "mind", "mrz", "no", "nos", "nov", "nr", "núm", "oct",
    "okt", "p", "para", "pp", "pt", "pág", "ref", "refs", "rn", "rp", "rs", "sec", "sect", "sep", "sept",
    "tab", "tel", "tk", "tsh", "uabs", "unterabs", "ush", "v", "ver", "vol", "vols", "ziff", "ggü", "hr",
    "insg", "std", "stk", // `1 Std. 12 Min.`, `ggü. 2023`
    "lett", "pag", "pagg", "dn", "godz", "lit", "nast", "ok", "pkt", "poz", "rozdz", "ul",
    "ust", // `§ 7 ust. 2`, `ok. 50`
    "гл", "кв", "ок", "оф", "пп", "рис", "см", "ст", "стр", "табл", "ул",
];

/// Abbreviations that may also stand at the end: there the next word decides.
const OUTER: &[&str] = &[
    "al", "assn", "av", "ave", "blvd", "bros", "chr", "cit", "co", "corp", "dept", "ed", "eds", "est", "ft",
    "gmbh", "hrs", "ibid", "inc", "jr", "lb", "lbs", "llc", "ltd", "max", "min", "mio", "mrd", "oz", "plc",
    "rd", "sr", "tsd", "univ",
    // Titles that are written small before a name: `il sig. Rossi`, `volgens dhr. Jansen`, `zdaniem dr. Nowaka`.
    "avv", "dhr", "dott", "dott.ssa", "dr", "dra", "drs", "hab", "inż", "mevr", "mgr", "prof", "prof.ssa",
    "sig", "sig.ra", "sigg", "sra", "św",
];

/// Words that begin sentences and are no names.
const STARTERS: &[&str] = &[
    "a",
    "aber",
    "according",
    "además",
    "after",
    "all",
    "also",
    "although",
    "an",
    "and",
    "another",
    "as",
    "at",
    "auch",
    "because",
    "before",
    "both",
    "but",
    "by",
    "ce",
    "ces",
    "cette",
    "das",
    "der",
    "despite",
    "die",
    "dort",
    "during",
    "each",
    "ein",
    "eine",
    "el",
    "elle",
    "en",
    "er",
    "es",
    "esta",
    "este",
    "estos",
    "finally",
    "for",
    "from",
    "further",
    "furthermore",
    "he",
    "her",
    "his",
    "how",
    "however",
    "hoy",
    "i",
    "if",
    "ihre",
    "il",
    "ils",
    "im",
    "in",
    "it",
    "its",
    "la",
    "las",
    "le",
    "les",
    "los",
    "mais",
    "many",
    "meanwhile",
    "most",
    "my",
    "no",
    "nous",
    "on",
    "one",
    "our",
    "pero",
    "se",
    "según",
    "seine",
    "selon",
    "she",
    "sie",
    "since",
    "so",
    "some",
    "su",
    "such",
    "sus",
    "también",
    "that",
    "the",
    "their",
    "then",
    "there",
    "therefore",
    "these",
    "they",
    "this",
    "those",
    "thus",
    "to",
    "today",
    "un",
    "una",
    "under",
    "une",
    "unlike",
    "until",
    "we",
    "what",
    "when",
    "where",
    "while",
    "who",
    "why",
    "wir",
    "with",
    "you",
];

/// German words after an ordinal: `3. Oktober`, `19. Jahrhundert`.
#[rustfmt::skip]
const ORDINAL: &[&str] = &[
    "apr", "april", "aug", "august", "dez", "dezember", "feb", "februar", "jahrhundert", "jahrhunderts", "jan", "januar", "jul", "juli",
    "jun", "juni", "mai", "mrz", "märz", "nov", "november", "okt", "oktober", "sep", "sept", "september",
];

/// German words before an ordinal: `im 3. Quartal`, `der 2. Weltkrieg`.
const ARTICLES: &[&str] = &[
    "ab", "am", "beim", "bis", "das", "dem", "den", "der", "des", "die", "im", "jede", "jeden", "jeder",
    "jedes", "seit", "vom", "zum", "zur",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_their_lists_whatever_their_case() {
        for list in List::ALL {
            for word in list.words() {
                assert!(word.len() <= LOOK_BACK && *word == word.to_lowercase(), "{word}");
                let is_other = matches!(list, List::Starters | List::Ordinal | List::Articles);
                assert!(is_in(list, word) && (is_other || of(word).has(list)), "{word}");
            }
        }
        assert!(is_in(List::Titles, "DR") == TITLES.contains(&"dr") && !is_in(List::Titles, ""));
        assert!(!is_in(List::Inner, &"x".repeat(LOOK_BACK + 1)));
    }
}
