//! What somebody needs: `What documents are required for a visa?`, `You need a passport and two photos.`

use crate::domain::text::phrases::has_any;
use crate::domain::text::scripts::is_wide;

/// What says that something is needed.
#[rustfmt::skip]
const NEEDED: [&str; 19] = [
    " need", "required", "requires", "require ", "necessary", "must bring", "brauch", "benötig", "erforderlich", "notwendig", "nécessaire", " faut", "necesit", "necesari", "hace falta", "需要", "必要",
    "нужн", "требу",
];
/// Words of a thing that is named, and Chinese or Japanese characters.
const THING: (usize, usize) = (4, 10);
/// Things that a sentence names, where it says nothing else.
const THINGS_MIN: usize = 2;
/// Words before a colon that say what they are needed for.
const LEAD_WORDS_MAX: usize = 4;
const DIVIDERS: [char; 5] = [',', ';', '，', '、', '；'];
#[rustfmt::skip]
const JOINTS: [&str; 10] = [" and ", " or ", " und ", " oder ", " et ", " ou ", " y ", " e ", "和", "及"];
/// What a thing begins with in a sentence: a subject with its verb may be as short.
#[rustfmt::skip]
const ARTICLES: [&str; 22] = [
    "a", "an", "the", "your", "one", "two", "three", "ein", "eine", "einen", "der", "die", "das", "un", "une", "le", "la", "una", "uno", "el", "um", "uma",
];

/// Whether a question or a statement in small letters is about it.
pub(super) fn is_about(text: &str) -> bool {
    has_any(text, &NEEDED)
}

/// Whether what stands around a part of a question in Chinese or Japanese says so: `需要哪些材料`, of which `材料` is the part.
pub(super) fn asks_around(query: &str, part: &str) -> bool {
    let start = (part.as_ptr() as usize).checked_sub(query.as_ptr() as usize);
    let Some(before) = start.and_then(|start| query.get(..start)) else { return false };
    let is_of_clause = |c: char| is_wide(c) && c.is_alphabetic();
    part.starts_with(is_wide) && is_about(&before[before.trim_end_matches(is_of_clause).len()..])
}

/// Whether a statement does nothing but name things, which is how a list of what is needed is written: `Two photos`, `For the visa: a
/// passport, and two photos.`
pub(super) fn names_things(text: &str) -> bool {
    let (lead, named) = text.split_once([':', '：']).unwrap_or(("", text));
    let bare = named.trim_matches(['*', '_', ' ']);
    let said = bare.trim_end_matches(['.', '。']);
    let things = said.split(DIVIDERS).flat_map(|said| JOINTS.iter().fold(vec![said], split)).map(str::trim);
    let things: Vec<&str> = things.filter(|thing| !thing.is_empty()).collect();
    let is_item = said.len() == bare.len() && things.len() == 1 && lead.is_empty();
    let begins = || {
        let first = said.split(' ').next().unwrap_or_default().to_lowercase();
        !lead.is_empty() || first.starts_with(is_wide) || ARTICLES.contains(&first.as_str())
    };
    let are_several = things.len() >= THINGS_MIN && (said.len() == bare.len() || begins());
    lead.split_whitespace().count() <= LEAD_WORDS_MAX
        && things.iter().all(|thing| is_thing(thing))
        && (is_item || are_several)
}

fn split<'t>(of: Vec<&'t str>, joint: &&str) -> Vec<&'t str> {
    of.into_iter().flat_map(|said| said.split(*joint)).collect()
}

fn is_thing(named: &str) -> bool {
    let (words, wide) = (named.split_whitespace().count(), named.chars().filter(|c| is_wide(*c)).count());
    named.contains(char::is_alphabetic)
        && words <= THING.0
        && wide <= THING.1
        && !named.contains(['|', '"', '?', '？', ':', '：'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_things_is_told_from_a_sentence() {
        for text in [
            "Two photos",
            "Proof of income",
            "For the visa: a passport, two biometric photos, and proof of income.",
            "A passport and two photos.",
            "Passport, photos, proof of income",
            "Ein Reisepass, zwei Fotos und ein Antrag.",
            "护照、两张照片和收入证明。",
            "护照",
        ] {
            assert!(names_things(text), "{text}");
        }
        for text in [
            "The embassy opens at nine.",
            "The embassy opens at nine",
            "Acme sells pumps, valves and pipes.",
            "The embassy is closed on Mondays, and the consulate is open on all days.",
            "大使馆九点开门。",
            "Price: 20 euros.",
            "",
        ] {
            assert!(!names_things(text), "{text}");
        }
    }

    #[test]
    fn what_asks_may_stand_before_a_part_in_chinese() {
        let query = "去日本玩，需要哪些材料？";
        assert!(asks_around(query, &query[query.find("材料").unwrap()..]));
        assert!(!asks_around(query, &query[query.find("日本").unwrap()..]));
        assert!(!asks_around(query, "材料"));
    }
}
