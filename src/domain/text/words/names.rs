//! Names that are written in several ways: `US`, `U.S.` and `United States`, `Chinese` and `China`.
//!
//! A text that paraphrases another changes them freely, and means the same. Each letter of an abbreviation is read as
//! its word.

/// What abbreviations stand for; the empty word says nothing.
const ABBREVIATIONS: &[(&str, &[&str])] = &[
    ("CEO", &["chief", "executive", "a"]),
    ("CFO", &["chief", "financial", "a"]),
    ("CTO", &["chief", "technology", "a"]),
    ("EU", &["europe", "union"]),
    ("UAE", &["united", "arab", "emirates"]),
    ("UK", &["united", "kingdom"]),
    ("UN", &["united", "nations"]),
    ("US", &["united", "states"]),
    ("USA", &["united", "states", "a"]),
];

/// An abbreviation in a text.
pub(super) struct Abbreviation {
    /// The word of each of its letters.
    pub words: &'static [&'static str],
    /// From one letter to the next, in bytes.
    pub step: usize,
}

impl Abbreviation {
    /// The one that begins with the word `at..end`; none that is a part of something else.
    #[inline]
    pub(super) fn at(bytes: &[u8], at: usize, end: usize) -> Option<Self> {
        let step = match end - at {
            1 => 2,
            2 | 3 => 1,
            _ => return None,
        };
        if !matches!(bytes[at], b'C' | b'E' | b'U') || (step == 2 && at > 0 && bytes[at - 1] == b'.') {
            return None;
        }
        Self::spelled(bytes, at, end, step)
    }

    /// The same where the length and the first letter are those of one.
    fn spelled(bytes: &[u8], at: usize, end: usize, step: usize) -> Option<Self> {
        let is_it = |&(letters, _): &&(&str, &[&str])| {
            let letters = letters.as_bytes();
            let last = at + (letters.len() - 1) * step;
            let spelled =
                letters.iter().enumerate().all(|(n, letter)| bytes.get(at + n * step) == Some(letter));
            let dotted = step == 1 || (1..letters.len()).all(|n| bytes.get(at + n * step - 1) == Some(&b'.'));
            spelled && dotted && (step == 2 || last + 1 == end) && !goes_on(&bytes[last + 1..], step)
        };
        ABBREVIATIONS.iter().find(is_it).map(|(_, words)| Self { words, step })
    }
}

/// Whether what follows belongs to it: `U.S.S.R.`, `US$`, `U.Sue`.
fn goes_on(rest: &[u8], step: usize) -> bool {
    match rest {
        [b'.', next, ..] if step == 2 => next.is_ascii_uppercase(),
        [next, ..] => next.is_ascii_alphanumeric() || *next == b'$' || !next.is_ascii(),
        [] => false,
    }
}

/// The country or continent that a word in lower case tells, where it is written with a capital.
pub(super) fn country(lowered: &str) -> Option<&'static str> {
    let of = |word: &str| {
        let found = PEOPLES.binary_search_by_key(&word, |(people, _)| people).ok()?;
        Some(PEOPLES[found].1)
    };
    of(lowered).or_else(|| of(lowered.strip_suffix('s')?))
}

/// Sorted.
#[rustfmt::skip]
const PEOPLES: &[(&str, &str)] = &[
    ("afghan", "afghanistan"), ("african", "africa"), ("albanian", "albania"), ("algerian", "algeria"), ("argentine", "argentina"), ("argentinian", "argentina"),
    ("asian", "asia"), ("australian", "australia"), ("austrian", "austria"), ("bangladeshi", "bangladesh"), ("belgian", "belgium"), ("bolivian", "bolivia"),
    ("brazilian", "brazil"), ("british", "britain"), ("bulgarian", "bulgaria"), ("californian", "california"), ("canadian", "canada"), ("chilean", "chile"),
    ("chinese", "china"), ("colombian", "colombia"), ("croatian", "croatia"), ("cuban", "cuba"), ("danish", "denmark"), ("dutch", "netherlands"), ("egyptian", "egypt"),
    ("estonian", "estonia"), ("ethiopian", "ethiopia"), ("european", "europe"), ("finnish", "finland"), ("french", "france"), ("german", "germany"), ("ghanaian", "ghana"),
    ("greek", "greece"), ("hungarian", "hungary"), ("icelandic", "iceland"), ("indian", "india"), ("indonesian", "indonesia"), ("iranian", "iran"), ("iraqi", "iraq"),
    ("irish", "ireland"), ("israeli", "israel"), ("italian", "italy"), ("japanese", "japan"), ("jordanian", "jordan"), ("kenyan", "kenya"), ("korean", "korea"),
    ("latvian", "latvia"), ("lebanese", "lebanon"), ("libyan", "libya"), ("lithuanian", "lithuania"), ("malaysian", "malaysia"), ("mexican", "mexico"), ("moroccan", "morocco"),
    ("nepalese", "nepal"), ("nigerian", "nigeria"), ("norwegian", "norway"), ("pakistani", "pakistan"), ("peruvian", "peru"), ("philippine", "philippines"), ("polish", "poland"),
    ("portuguese", "portugal"), ("romanian", "romania"), ("russian", "russia"), ("scottish", "scotland"), ("serbian", "serbia"), ("singaporean", "singapore"),
    ("slovak", "slovakia"), ("slovenian", "slovenia"), ("spanish", "spain"), ("swedish", "sweden"), ("swiss", "switzerland"), ("syrian", "syria"), ("taiwanese", "taiwan"),
    ("texan", "texas"), ("thai", "thailand"), ("tunisian", "tunisia"), ("turkish", "turkey"), ("ukrainian", "ukraine"), ("venezuelan", "venezuela"), ("vietnamese", "vietnam"),
    ("welsh", "wales"),
];

#[cfg(test)]
mod tests {
    use super::{ABBREVIATIONS, PEOPLES};

    #[test]
    fn list_is_sorted() {
        assert!(PEOPLES.is_sorted());
    }

    #[test]
    fn abbreviations_begin_with_letters_that_are_looked_for() {
        assert!(ABBREVIATIONS.iter().all(|(letters, _)| letters.starts_with(['C', 'E', 'U'])));
    }
}
