//! A reason behind a colon, behind a dash or in brackets: `is not safe: two calls share one buffer`, `is not signed (the CFO refused)`.

use crate::domain::text::phrases::begins_with_any;

/// What bounds what stands before a mark, or says of whom, where or when it is so, where it begins behind that mark.
#[rustfmt::skip]
const BOUNDS: &[&str] = &[
    "in", "on", "at", "for", "with", "without", "during", "from", "by", "to", "of", "per", "as", "see", "e.g", "i.e", "not", "no", "also", "excl", "incl", "including", "excluding", "plus", "about", "around", "approx", "up", "over", "under", "above", "below", "beyond", "across", "within", "outside", "inside", "between", "among", "unlike", "versus", "vs",
    "im", "am", "für", "bei", "mit", "ohne", "von", "zum", "zur", "an", "auf", "aus", "vor", "nach", "ab", "inkl", "exkl", "zzgl", "siehe", "nicht", "kein", "keine", "ca", "etwa", "über", "pro", "innerhalb", "außerhalb", "oberhalb", "unterhalb",
    "en", "dans", "pour", "avec", "sans", "chez", "à", "au", "aux", "du", "de", "des", "par", "pas", "voir", "environ", "hors", "con", "sin", "para", "por", "desde", "hasta", "sobre", "al", "del", "ver", "da", "di", "per", "senza", "nel", "nella", "em", "com", "sem", "no", "na", "voor", "bij", "zonder", "met", "op", "van", "niet",
];
/// The same anywhere behind the mark.
#[rustfmt::skip]
const CONDITIONS: &[&str] = &[
    "if", "unless", "only", "except", "until", "before", "after", "but", "when", "where", "while", "however", "instead", "once", "though", "although", "wenn", "falls", "nur", "außer", "bis", "bevor", "aber", "sobald", "solange", "jedoch", "si", "sauf", "seulement", "uniquement", "mais", "quand", "lorsque", "avant", "après", "toutefois",
    "salvo", "solo", "sólo", "excepto", "pero", "cuando", "antes", "después", "se", "tranne", "eccetto", "ma", "quando", "prima", "dopo", "só", "exceto", "mas", "depois", "als", "alleen", "behalve", "maar", "tenzij", "voordat", "nadat", "vs", "versus",
];
/// What a clause in brackets begins with: anything else may be a name of what it is of.
#[rustfmt::skip]
const BEGIN: &[&str] = &[
    "the", "a", "an", "it", "they", "this", "these", "that", "we", "he", "she", "there", "all", "der", "die", "das", "ein", "eine", "er", "sie", "es", "le", "la", "les", "l'", "il", "elle", "ils", "elles", "un", "une", "el", "los", "las", "una", "lo", "i", "gli", "o", "os", "um", "uma", "de", "het", "een",
];
/// Verbs that make a sentence.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "will", "can", "does", "did", "ist", "sind", "war", "waren", "hat", "haben", "wurde", "wurden", "wird", "est", "sont", "ont", "été", "était", "sera", "es", "son", "fue", "era", "ha", "han", "è", "sono", "é", "são", "foi", "tem", "heeft", "zijn", "werd",
];
/// Words of a clause behind a mark, at least: fewer may name of what it is so.
const WORDS_MIN: usize = 3;
/// Marks of a sentence that are looked at.
const MARKS_MAX: usize = 8;

/// Where colons, dashes and brackets are behind which another clause may stand.
pub(super) fn marks(text: &str) -> impl Iterator<Item = usize> {
    let is_mark = |at: &usize| {
        let rest = &text[*at..];
        // Before a dash and a bracket that is the blank.
        begins_with_any(rest, &[": ", " – ", " — ", " - ", " ("])
    };
    let may_be = |at: &usize| text.as_bytes()[*at] == b':' || may_mark(text, *at);
    memchr::memchr2_iter(b':', b' ', text.as_bytes()).filter(may_be).filter(is_mark).take(MARKS_MAX)
}

/// Whether behind a blank neither a letter nor a digit stands, which nearly always does.
fn may_mark(text: &str, blank: usize) -> bool {
    text.as_bytes().get(blank + 1).is_some_and(|next| !next.is_ascii_alphanumeric())
}

/// Whether what stands behind a mark tells why, or more of the same, and takes nothing back of what stands before it.
pub(super) fn explains(rest: &str) -> bool {
    let is_bracket = rest.starts_with(" (");
    let body = rest.trim_end_matches(['.', '!', ' ']);
    let body = if is_bracket { body.strip_suffix(')') } else { Some(body) };
    let Some(body) = body.filter(|body| !body.contains(['?', '"', '“', '„', '\n', '|', '['])) else {
        return false;
    };
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let words: Vec<String> = body.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let is_among = |listed: &[&str], word: &String| listed.contains(&word.as_str());
    let begins =
        |first: &String| !is_among(BOUNDS, first) && !first.starts_with(|c: char| c.is_ascii_digit());
    let may_begin = |first: &String| begins(first) && (!is_bracket || is_among(BEGIN, first));
    words.len() >= WORDS_MIN
        && words.first().is_some_and(may_begin)
        && !words.iter().any(|word| is_among(CONDITIONS, word))
}

/// Whether a text has a verb that makes it a sentence.
pub(super) fn has_verb(text: &str) -> bool {
    text.split(' ').skip(2).any(|word| VERBS.contains(&word))
}

/// Whether a text begins with a label: `Founded: 2015`, not `is not thread-safe: two calls share …`.
pub(in super::super) fn has_label(text: &str) -> bool {
    /// What stands behind one; the colon of a time has a digit behind it.
    const LABELLED: [&str; 3] = [": ", ":*", "："];
    LABELLED.iter().any(|colon| text.split_once(colon).is_some_and(|(before, _)| !is_stated(before)))
}

/// Whether a text says that something is so: `The library is thread-safe`.
pub(super) fn is_stated(text: &str) -> bool {
    const IS: [&str; 14] =
        ["is", "are", "was", "were", "ist", "sind", "war", "est", "sont", "es", "son", "è", "sono", "é"];
    let mut words = text.split(' ').skip(1);
    words.any(|word| IS.contains(&word)) && words.next().is_some()
}
