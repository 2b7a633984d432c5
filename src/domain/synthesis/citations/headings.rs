//! Whether a heading is that of a reference section.
//!
//! A heading is taken apart into words of the vocabulary: it is one if there is nothing else in it and at least one
//! word says "references". So `主要参考来源`, `信息来源与原始链接` and `8. Works cited` are, `Sources of error` isn't.

use std::sync::LazyLock;

mod vocabulary;

use crate::domain::text::phrases::has_any;
use vocabulary::{BESIDE, CORE, CORE_CJK, SURE};

/// How well a title fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// The heading of a reference section.
    Whole,
    /// What is there could become one.
    Begun,
    /// Not one.
    No,
}

/// Whether `title` (without `#` and `*`) is the heading of a reference section; `cut` where its end is out of sight.
pub(super) fn fit(title: &str, cut: bool) -> Fit {
    // Of a title that is cut the quick look may see too little; two letters beyond ASCII are ASCII in lower case.
    if !cut && !is_likely(title) && !title.contains(['\u{212A}', 'İ']) {
        return Fit::No;
    }
    word_by_word(title, cut)
}

/// Whether the heading of a reference section can be that of nothing else.
pub(super) fn is_sure(title: &str) -> bool {
    let lower = title.to_lowercase();
    has_any(&lower, SURE)
}

/// The same without the quick look.
fn word_by_word(title: &str, cut: bool) -> Fit {
    let lower = title.to_lowercase();
    let mut rest = unnumbered(trim(&lower));
    let (mut core, mut may_be_longer) = (false, false);
    while !rest.is_empty() {
        if rest.starts_with(['(', '（']) {
            if !is_aside(rest, cut) {
                return Fit::No;
            }
            break; // what is in parentheses at the end doesn't count
        }
        // `sources cit` is `sources` and something else, or `sources citées`: more text tells.
        may_be_longer |= cut && begun(rest);
        if let Some(len) = taken(rest, &WORDS.core, true).or_else(|| taken(rest, &WORDS.core_cjk, false)) {
            core = true;
            rest = trim(&rest[len..]);
        } else if let Some(len) = taken(rest, &WORDS.beside, true) {
            rest = trim(&rest[len..]);
        } else if may_be_longer {
            return if core && begun(rest) { Fit::Whole } else { Fit::Begun };
        } else {
            return Fit::No;
        }
    }
    match (core, cut) {
        (true, _) => Fit::Whole,
        (false, true) => Fit::Begun,
        (false, false) => Fit::No,
    }
}

/// Whether what is left of a title is in parentheses, to its end. With a marker in it, it is text that cites: `Sources ([1]) …`.
fn is_aside(rest: &str, cut: bool) -> bool {
    let ends = cut || rest.ends_with([')', '）']);
    ends && !rest.contains(['[', '【', '［', '〔'])
}

/// Whether a title may fit at all, by its first two bytes, or three letters: nearly every line of prose ends here.
pub(super) fn is_likely(title: &str) -> bool {
    let rest = match title.as_bytes().first() {
        // Nothing is in front of what begins with a letter, unless that is a numeral, or with a mark that stands in front of none.
        Some(b'!'..=b'~') if !title.starts_with(|c| is_numeral(c) || is_edge(c) || c == '(') => title,
        _ => unnumbered(title.trim_start_matches(is_edge)).trim_start_matches(is_edge),
    };
    let Some(first) = rest.chars().next() else { return true };
    let pair = match *rest.as_bytes() {
        [_] => return true,
        [a, b, ..] if first.is_ascii() => [a.to_ascii_lowercase(), b.to_ascii_lowercase()],
        _ => {
            let mut bytes = [0; 4];
            let lower = first.to_lowercase().next().unwrap_or(first);
            lower.encode_utf8(&mut bytes);
            [bytes[0], bytes[1]]
        }
    };
    matches!(first, '(' | '（') || has(&PAIRS, pair) && triple(rest.as_bytes()).is_none_or(|at| TRIPLES[at])
}

/// The place in [`TRIPLES`] of what begins with three letters of ASCII.
const fn triple(text: &[u8]) -> Option<usize> {
    let (mut place, mut at) = (0, 0);
    while at < 3 {
        if at >= text.len() || !text[at].is_ascii_alphabetic() {
            return None;
        }
        place = place * 26 + (text[at].to_ascii_lowercase() - b'a') as usize;
        at += 1;
    }
    Some(place)
}

/// Whether a word begins with three such letters. A shorter word never fits them: no letter may follow it.
static TRIPLES: [bool; 26 * 26 * 26] = {
    let mut begins = [false; 26 * 26 * 26];
    let lists: [&[&str]; 3] = [&CORE, &CORE_CJK, &BESIDE];
    let mut list = 0;
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            if let Some(place) = triple(lists[list][at].as_bytes()) {
                begins[place] = true;
            }
            at += 1;
        }
        list += 1;
    }
    begins
};

/// The first two bytes of all words, a bit for each pair.
static PAIRS: [u64; 1024] = {
    let mut bits = [0; 1024];
    bits = with(bits, &CORE);
    bits = with(bits, &CORE_CJK);
    with(bits, &BESIDE)
};

const fn with(mut bits: [u64; 1024], words: &[&str]) -> [u64; 1024] {
    let mut at = 0;
    while at < words.len() {
        let word = words[at].as_bytes();
        let mut second = if word.len() > 1 { word[1] as usize } else { 0 };
        loop {
            let pair = word[0] as usize * 256 + second;
            if word.len() > 1 || !(second as u8).is_ascii_alphabetic() {
                bits[pair / 64] |= 1 << (pair % 64);
            }
            second += 1;
            if word.len() > 1 || second == 256 {
                break;
            }
        }
        at += 1;
    }
    bits
}

fn has(bits: &[u64; 1024], [first, second]: [u8; 2]) -> bool {
    let pair = usize::from(first) * 256 + usize::from(second);
    bits[pair / 64] & (1 << (pair % 64)) != 0
}

fn is_edge(c: char) -> bool {
    c.is_whitespace() || matches!(c, '#' | '*' | '_' | ':' | '：' | '-' | '=' | '.') || is_picture(c)
}

/// A picture that headings are decorated with: `📚 Sources`, `🔗 References`.
fn is_picture(c: char) -> bool {
    matches!(c, '\u{1F300}'..='\u{1FAFF}' | '\u{2600}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' | '\u{FE0F}' | '\u{200D}')
}

/// Without the blanks, colons and marks of emphasis around it.
fn trim(text: &str) -> &str {
    text.trim_matches(is_edge)
}

/// Without a number in front: `8.`, `VII.`, `七、`, `(3)`.
fn unnumbered(text: &str) -> &str {
    let inner = text.strip_prefix(['(', '（', '第']).unwrap_or(text);
    let rest = inner.trim_start_matches(is_numeral);
    if rest.len() == inner.len() {
        return text;
    }
    let tail = rest.trim_start_matches(['.', '、', ')', '）', '．', ' ', ':', '：', '章', '节', '部']);
    if tail.len() < rest.len() || inner[..inner.len() - rest.len()].ends_with('.') || rest.is_empty() {
        tail
    } else {
        text
    }
}

fn is_numeral(c: char) -> bool {
    c.is_ascii_digit()
        || matches!(c, 'i' | 'v' | 'x' | 'I' | 'V' | 'X' | '.')
        || matches!(c, '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十')
}

/// Words by their first byte: most are out with that.
type ByFirst = [Vec<&'static str>; 256];

/// The vocabulary, to be looked through.
struct Words {
    core: ByFirst,
    core_cjk: ByFirst,
    beside: ByFirst,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let by_first = |words: &'static [&'static str]| -> ByFirst {
        let begins = |first: usize| move |word: &&&str| word.bytes().next().map(usize::from) == Some(first);
        std::array::from_fn(|first| words.iter().filter(begins(first)).copied().collect())
    };
    Words { core: by_first(&CORE), core_cjk: by_first(&CORE_CJK), beside: by_first(&BESIDE) }
});

/// The length of the word of `words` that `text` begins with; `bounded`: no letter of an alphabet may follow.
fn taken(text: &str, words: &ByFirst, bounded: bool) -> Option<usize> {
    let free = |word: &str| {
        let next = text[word.len()..].chars().next();
        !bounded || !word.ends_with(is_spaced) || !next.is_some_and(is_spaced)
    };
    let words = words[usize::from(*text.as_bytes().first()?)].iter();
    words.filter(|word| text.starts_with(**word) && free(word)).map(|word| word.len()).max()
}

/// A letter of a script that puts spaces between words.
pub(super) fn is_spaced(c: char) -> bool {
    c.is_alphabetic() && !('\u{2e80}'..='\u{d7a3}').contains(&c)
}

/// Whether `text` is the beginning of a word of the vocabulary.
fn begun(text: &str) -> bool {
    let Some(first) = text.as_bytes().first() else { return false };
    let Words { core, core_cjk, beside } = &*WORDS;
    [core, core_cjk, beside]
        .into_iter()
        .flat_map(|words| &words[usize::from(*first)])
        .any(|word| word.starts_with(text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Otherwise what a rewriter decides would follow from where its text is cut.
    #[test]
    fn beginning_of_a_title_is_never_out_where_the_title_is_not() {
        for word in CORE.iter().chain(&CORE_CJK) {
            for title in
                [(*word).to_owned(), format!("*{word} e fuentes"), format!("3. {}", word.to_uppercase())]
            {
                let ends =
                    title.char_indices().map(|(at, _)| at).filter(|_| fit(&title, false) == Fit::Whole);
                for end in ends {
                    assert_ne!(fit(&title[..end], true), Fit::No, "{} of {title}", &title[..end]);
                }
            }
        }
    }

    #[test]
    fn what_stands_in_parentheses_is_an_aside_where_nothing_follows_it() {
        for (title, expected) in [
            ("**Sources:** (2024)", Fit::Whole),
            ("来源（见下）", Fit::Whole),
            ("📚 Sources", Fit::Whole),
            ("🗂️ **References** 🔗", Fit::Whole),
            ("Weiterführende Links", Fit::Whole),
            ("📚 Books", Fit::No),
            ("Sources (3) say that it is so", Fit::No),
            ("Sources: ([9]) and more", Fit::No),
            ("Sources ([9])", Fit::No),
        ] {
            assert_eq!(fit(title, false), expected, "{title}");
        }
    }

    proptest! {
        #[test]
        fn the_quick_look_rules_out_nothing_that_fits(
            start in "[#*_:. -]{0,3}([(（第]?[0-9ivxIVX一二]{0,3}[.、) ]{0,2})?[*:. -]{0,2}",
            word in proptest::sample::select([CORE.as_slice(), &CORE_CJK, &BESIDE].concat()),
            case in 0..3,
            kept in 0_usize..12,
            end in "[a-zé来源 :.)*İK]{0,6}",
            cut: bool,
        ) {
            let word: String = word.chars().take(if kept == 0 { 99 } else { kept }).collect();
            let word = match case { 0 => word, 1 => word.to_uppercase(), _ => word.replace('k', "\u{212A}") };
            let title = format!("{start}{word}{end}");
            prop_assert_eq!(fit(&title, cut), word_by_word(&title, cut), "{}", title);
        }
    }
}
