//! What is done to a sentence: half of it keeps what it says, half doesn't.

mod substance;

use super::Random;
use substance::{
    OPPOSITES, day, decimal_point, modality, month, name, names_swapped, negation, number, polarity, scale,
    unit, year,
};

/// A change of a sentence.
pub struct Mutation {
    /// Its name.
    pub name: &'static str,
    /// Whether the sentence still says the same.
    pub same: bool,
    /// The changed sentence, where the change fits.
    pub apply: fn(&str, &mut Random) -> Option<String>,
}

const fn keeps(name: &'static str, apply: fn(&str, &mut Random) -> Option<String>) -> Mutation {
    Mutation { name, same: true, apply }
}

const fn changes(name: &'static str, apply: fn(&str, &mut Random) -> Option<String>) -> Mutation {
    Mutation { name, same: false, apply }
}

/// All mutations; every third is held out.
pub const MUTATIONS: &[Mutation] = &[
    keeps("punctuation", punctuation),
    keeps("upper case", upper),
    keeps("stopword dropped", stopword_dropped),
    keeps("clause moved", clause_moved),
    keeps("adverb inserted", adverb),
    keeps("inflection", inflection),
    keeps("typing error", typing_error),
    keeps("lower case", lower),
    keeps("attribution", attribution),
    keeps("number rewritten", number_rewritten),
    keeps("width", width),
    keeps("joint inserted", joint),
    changes("number", number),
    changes("negation", negation),
    changes("year", year),
    changes("polarity", polarity),
    changes("unit", unit),
    changes("name", name),
    changes("scale", scale),
    changes("month", month),
    changes("names swapped", names_swapped),
    changes("decimal point", decimal_point),
    changes("modality", modality),
    changes("day", day),
];

fn is_chinese(text: &str) -> bool {
    text.chars().filter(|c| ('\u{4E00}'..='\u{9FFF}').contains(c)).count() * 3 > text.chars().count()
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn join(words: &[String]) -> Option<String> {
    Some(words.join(" "))
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn punctuation(text: &str, _: &mut Random) -> Option<String> {
    let ends = text.trim_end_matches(['.', '。']);
    let mut out: String = ends.replace("，", "、").replace(['“', '”', '"'], "");
    if let Some(at) = out.find(", ") {
        out.replace_range(at..at + 1, if text.len().is_multiple_of(2) { "" } else { " –" });
    }
    Some(out)
}

fn upper(text: &str, _: &mut Random) -> Option<String> {
    (!text.contains(|c: char| c.is_ascii_digit() || c == 'µ') || !is_chinese(text))
        .then(|| text.to_uppercase())
        .filter(|_| !has_units(text))
}

/// Units change with case (`mW`, `MW`), so such sentences keep theirs.
fn has_units(text: &str) -> bool {
    words(text).windows(2).any(|pair| {
        bare(&pair[0]).ends_with(|c: char| c.is_ascii_digit())
            && bare(&pair[1]).len() <= 4
            && !bare(&pair[1]).is_empty()
    }) || words(text).iter().any(|word| {
        let word = bare(word);
        word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with(|c: char| c.is_ascii_alphabetic())
    })
}

fn lower(text: &str, _: &mut Random) -> Option<String> {
    let capitals =
        ["US", "WHO", "IT"].iter().any(|word| words(text).iter().any(|other| bare(other) == *word));
    (!capitals && !has_units(text)).then(|| text.to_lowercase())
}

fn stopword_dropped(text: &str, random: &mut Random) -> Option<String> {
    if is_chinese(text) {
        return text.contains('的').then(|| text.replacen('的', "", 1));
    }
    let mut words = words(text);
    let places: Vec<usize> = (1..words.len())
        .filter(|&at| ["the", "a", "an", "that", "of", "its", "has", "also"].contains(&words[at].as_str()))
        .collect();
    let at = *places.get(random.below(places.len()))?;
    words.remove(at);
    join(&words)
}

/// `In X, Y.` becomes `Y in X.`, and `Y, which/while Z` turns round at its comma.
fn clause_moved(text: &str, _: &mut Random) -> Option<String> {
    let comma = if is_chinese(text) { "，" } else { ", " };
    if text.matches(comma).count() != 1 {
        return None;
    }
    let (first, second) = text.split_once(comma)?;
    let digit_ends =
        first.ends_with(|c: char| c.is_ascii_digit()) && second.starts_with(|c: char| c.is_ascii_digit());
    if first.len() < 6 || second.len() < 6 || digit_ends {
        return None;
    }
    let second = second.trim_end_matches(['.', '。', ' ']);
    let stop = if is_chinese(text) { "。" } else { "." };
    Some(format!("{second}{comma}{first}{stop}"))
}

fn adverb(text: &str, random: &mut Random) -> Option<String> {
    if is_chinese(text) {
        for verb in ["提高", "增长", "推动", "支持", "建设", "实现", "发展"] {
            if let Some(at) = text.find(verb) {
                let adverb = random.of(&["显著", "进一步", "逐步", "持续"]);
                return Some(format!("{}{adverb}{}", &text[..at], &text[at..]));
            }
        }
        return None;
    }
    let mut words = words(text);
    let places: Vec<usize> = (1..words.len())
        .filter(|&at| ["is", "are", "was", "has", "have", "can", "will"].contains(&words[at].as_str()))
        .collect();
    let at = *places.get(random.below(places.len()))?;
    let adverb = *random.of(&["clearly", "currently", "generally", "reportedly", "notably", "now"]);
    words.insert(at + 1, adverb.to_owned());
    join(&words)
}

fn inflection(text: &str, random: &mut Random) -> Option<String> {
    let mut words = words(text);
    let places: Vec<usize> = (1..words.len())
        .filter(|&at| {
            let word = words[at].as_str();
            word.len() > 5
                && word.bytes().all(|byte| byte.is_ascii_lowercase())
                && word.ends_with('s')
                && !word.ends_with("ss")
                && !word.ends_with("us")
                && !word.ends_with("is")
                && !word.ends_with("es")
        })
        .collect();
    let at = *places.get(random.below(places.len()))?;
    words[at].pop();
    join(&words)
}

/// Words that a typing error may make another word of another meaning.
const NO_TYPING_ERRORS: &[&str] = &[
    "million", "billion", "trillion", "percent", "dollars", "tonnes", "first", "second", "third", "three",
    "seven", "eight",
];

fn typing_error(text: &str, random: &mut Random) -> Option<String> {
    let mut words = words(text);
    let places: Vec<usize> = (1..words.len())
        .filter(|&at| {
            let word = words[at].as_str();
            word.len() > 6
                && word.bytes().all(|byte| byte.is_ascii_lowercase())
                && !NO_TYPING_ERRORS.contains(&word)
                && !OPPOSITES.iter().any(|(one, other)| word.contains(one) || word.contains(other))
        })
        .collect();
    let at = *places.get(random.below(places.len()))?;
    let mut letters: Vec<char> = words[at].chars().collect();
    let place = 2 + random.below(letters.len() - 4);
    match random.below(4) {
        0 => letters.swap(place, place + 1),
        1 => {
            letters.remove(place);
        }
        2 => letters.insert(place, letters[place]),
        _ => letters[place] = if letters[place] == 'e' { 'r' } else { 'e' },
    }
    words[at] = letters.into_iter().collect();
    join(&words)
}

fn attribution(text: &str, random: &mut Random) -> Option<String> {
    if is_chinese(text) {
        let source = random.of(&["据相关报道，", "根据行业报告，", "据统计，"]);
        return Some(format!("{source}{text}"));
    }
    let source = *random.of(&["a recent report", "the annual review", "industry analysts", "Reuters"]);
    if random.below(2) == 0 || text.starts_with("According") {
        return Some(format!("{}, according to {source}.", text.trim_end_matches('.')));
    }
    Some(format!("According to {source}, {text}"))
}

fn number_rewritten(text: &str, _: &mut Random) -> Option<String> {
    for (from, to) in
        [(" percent", "%"), ("%", " percent"), (" million dollars", " million USD"), (" km", " kilometres")]
    {
        if let Some(at) = text.find(from).filter(|&at| text[..at].ends_with(|c: char| c.is_ascii_digit())) {
            let after = &text[at + from.len()..];
            if !is_chinese(text)
                && !after.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '–' || c == '/')
            {
                return Some(format!("{}{to}{}", &text[..at], after));
            }
        }
    }
    None
}

fn width(text: &str, _: &mut Random) -> Option<String> {
    let wide = |c: char| {
        if c.is_ascii_digit() || c.is_ascii_alphabetic() {
            char::from_u32(c as u32 + 0xFEE0).unwrap_or(c)
        } else {
            c
        }
    };
    (is_chinese(text) && text.bytes().any(|byte| byte.is_ascii_alphanumeric()))
        .then(|| text.chars().map(wide).collect())
}

fn joint(text: &str, random: &mut Random) -> Option<String> {
    if is_chinese(text) {
        return Some(format!("{}{text}", random.of(&["此外，", "同时，", "目前，", "值得注意的是，"])));
    }
    Some(format!("{} {text}", random.of(&["However,", "Moreover,", "In addition,", "Overall,", "Notably,"])))
}
