//! Words beside what two statements share that make it another thing: `the extended warranty`, `trains from Porto`, `Orbis Logistics`, `billed
//! monthly`.

use super::clauses::is_verb;
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::first_letters::Beginnings;
use crate::domain::text::letter_pairs::Searched;
use crate::domain::text::words::{Term, Word};

/// What says nothing of which one it is, before a noun.
#[rustfmt::skip]
const NEUTRAL: &[&str] = &[
    "total", "overall", "current", "official", "exact", "actual", "entire", "whole", "estimated", "approximate", "said", "same", "own", "present", "reported", "full", "latest", "final", "famous", "so-called", "regular", "usual",
];
/// Nouns that stand for what was named, whatever stands before them.
#[rustfmt::skip]
const GENERIC: &[&str] = &[
    "company", "firm", "startup", "business", "maker", "manufacturer", "city", "town", "village", "country", "state", "author", "study", "review", "project", "product", "app", "platform", "tool", "software", "library",
    "drug", "phone", "camera", "car", "museum", "bridge", "building", "hotel", "restaurant", "team", "agency", "bank", "airline", "brewery", "report",
];
/// What begins a noun.
const ARTICLES: &[&str] = &["the", "a", "an", "its", "their", "this", "our", "whose"];
/// Parts of a firm, by the word behind its name.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "Logistics", "Energy", "Bank", "Insurance", "Cloud", "Capital", "Ventures", "Foundation", "Europe", "America", "Asia", "Germany", "France", "UK", "USA", "International", "Health", "Media", "Air", "Aerospace",
    "Motors", "Mobility", "Retail", "Digital", "Solutions", "Services", "Systems", "Research", "Institute", "GT", "Pro", "Max", "Plus", "Mini", "Ultra", "Lite",
];
/// What stands before another place of the same name.
const PLACES: &[&str] = &["New", "North", "South", "East", "West", "Upper", "Lower", "Greater", "Little"];
#[rustfmt::skip]
const TO: &[&str] = &["to", "into", "nach", "zum", "zur", "pour", "vers", "hacia", "para"];
const FROM: &[&str] = &["from", "von", "vom", "aus", "ab", "de", "desde", "depuis"];
const BETWEEN: &[&str] = &["the", "der", "dem", "la", "el", "le"];
/// How often something is paid, by the first letters of the words for it.
#[rustfmt::skip]
const PERIODS: &[(&str, u8)] = &[
    ("annual", 0), ("yearly", 0), ("jährlich", 0), ("monthly", 1), ("month to month", 1), ("monatlich", 1), ("quarterly", 2), ("weekly", 3),
];

/// What makes it another figure, or one of certain days, where only one says so; by what most texts haven't.
#[rustfmt::skip]
const SCOPES: &[(&str, &[&str])] = &[
    ("exclu", &["excluding", "exclusive of"]),
    ("quarter", &["first quarter", "second quarter", "third quarter", "fourth quarter"]),
    (" half", &["first half", "second half"]),
    (" way", &["one way", "each way"]),
    (" and back", &["there and back"]),
    (" trip", &["round trip"]),
    ("days", &["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"]),
    ("weekends", &["weekends"]),
];
static NOW: Beginnings = Beginnings::new(&[
    "está", "están", "es", "tiene", "cuesta", "est", "sont", "coûte", "ist", "sind", "hat", "kostet",
]);
#[rustfmt::skip]
static THEN: Beginnings = Beginnings::new(&["estaba", "estaban", "era", "tenía", "costaba", "était", "étaient", "avait", "coûtait", "war", "waren", "hatte", "kostete"]);

/// Whether something beside what they share makes two statements be of others.
pub(super) fn is_another(one: &Features<'_>, other: &Features<'_>) -> bool {
    is_modified(one, other)
        || is_modified(other, one)
        || is_part_of_name(one, other)
        || is_part_of_name(other, one)
        || go_other_ways(one, other)
        || say_otherwise(one.text, other.text)
        || tenses_differ(one.text, other.text)
}

/// Whether a noun of both has a word before it in the first that says which one it is, and none in the other: `the seating capacity`.
fn is_modified(of: &Features<'_>, than: &Features<'_>) -> bool {
    let has = |of: &Features<'_>, term: Term| of.words.iter().any(|word| word.term == term);
    let mut pairs = of.elements.windows(2).enumerate();
    pairs.any(|(at, pair)| {
        let [before, noun] = pair else { return false };
        let [said, named] = [before, noun].map(|element| &of.text[element.range()]);
        before.end + 1 == noun.start
            && is_word(before)
            && noun.role == Role::Content
            && is_small(named)
            // Most words stand in both.
            && !has(than, before.term)
            && !NEUTRAL.contains(&said.to_lowercase().as_str())
            && !GENERIC.contains(&named)
            && begins_noun(of, at)
            && !is_verb(named)
            && stands_bare(than, noun.term, named)
    })
}

/// Whether an element is a word that says something.
fn is_word(element: &Element) -> bool {
    matches!(element.role, Role::Content | Role::Name)
}

fn is_small(word: &str) -> bool {
    word.starts_with(char::is_lowercase)
}

/// Whether a noun begins with an element: an article stands before it, or nothing does.
fn begins_noun(of: &Features<'_>, at: usize) -> bool {
    let before = of.text[..of.elements[at].start].trim_end_matches([' ', '*', '_']);
    let last = before.rsplit([' ', '(']).next().unwrap_or_default().to_lowercase();
    before.is_empty() || ARTICLES.contains(&last.as_str()) || last.ends_with("'s")
}

/// Whether a text has a noun, and directly before it no word that says something. Other forms of it may be verbs.
fn stands_bare(of: &Features<'_>, term: Term, noun: &str) -> bool {
    let is_it =
        |element: &Element| element.term == term && of.text[element.range()].eq_ignore_ascii_case(noun);
    let mut places = of.elements.iter().enumerate().filter(|(_, element)| is_it(element)).peekable();
    let is_bare = |(at, element): (usize, &Element)| {
        let before = at.checked_sub(1).map(|at| &of.elements[at]);
        let is_beside = |before: &Element| {
            let said = &of.text[before.start..before.end];
            before.end + 1 == element.start
                && before.role != Role::Figure
                && !NEUTRAL.contains(&said.to_lowercase().as_str())
        };
        !before.is_some_and(is_beside)
    };
    places.peek().is_some() && places.all(is_bare)
}

/// Whether a name of both is only part of one in the first: `Orbis Logistics`, `New Linden`.
fn is_part_of_name(of: &Features<'_>, than: &Features<'_>) -> bool {
    let has = |term: Term| than.words.iter().any(|word| word.term == term);
    of.words.windows(2).any(|pair| {
        let [before, behind] = pair else { return false };
        let [first, last] = [before, behind].map(|word| &of.text[word.range()]);
        let is_named = |word: &str| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        let is_name = is_named(first) && last.starts_with(char::is_uppercase);
        is_name
            && before.end + 1 == behind.start
            && (UNITS.contains(&last) && has(before.term) && !has(behind.term)
                || PLACES.contains(&first) && has(behind.term) && !has(before.term))
    })
}

/// Whether the first speaks of what goes to where the other speaks of what comes from: `trains to Porto`, `trains from Porto`.
fn go_other_ways(one: &Features<'_>, other: &Features<'_>) -> bool {
    let [mine, theirs] = [one, other].map(ways);
    if mine.is_empty() || theirs.is_empty() {
        return false;
    }
    let goes = |ways: &[(Term, bool)], way: (Term, bool)| ways.contains(&way);
    mine.iter().any(|&(place, is_to)| {
        goes(&theirs, (place, !is_to)) && !goes(&theirs, (place, is_to)) && !goes(&mine, (place, !is_to))
    })
}

/// Behind `to` and `from` what it is, and whether it is `to`.
fn ways(of: &Features<'_>) -> Vec<(Term, bool)> {
    let mut ways = Vec::new();
    let mut way: Option<bool> = None;
    for word in &of.words {
        let said = &of.text[word.range()];
        let next = is_way(said);
        way = match (next, way) {
            (Some(next), _) => Some(next),
            (None, Some(_)) if BETWEEN.contains(&said) => way,
            (None, Some(is_to)) => {
                ways.extend(is_place(word, said).then_some((word.term, is_to)));
                None
            }
            (None, None) => None,
        };
    }
    ways
}

fn is_way(word: &str) -> Option<bool> {
    // Most words are longer.
    if word.len() > 6 {
        return None;
    }
    if TO.contains(&word) { Some(true) } else { FROM.contains(&word).then_some(false) }
}

fn is_place(word: &Word, said: &str) -> bool {
    word.is_content() && !said.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether two texts say another period, or another scope.
fn say_otherwise(one: &str, other: &str) -> bool {
    let (one, other) = (Searched::new(one), Searched::new(other));
    periods_differ(&one, &other) || scopes(&one) != scopes(&other)
}

/// Whether what one says is paid by the year the other says is paid by the month.
fn periods_differ(one: &Searched<'_>, other: &Searched<'_>) -> bool {
    let [mine, theirs] = [one, other].map(|text| {
        let found = PERIODS.iter().filter(|(word, _)| text.contains(word));
        found.map(|(_, period)| *period).collect::<Vec<_>>()
    });
    !mine.is_empty() && !theirs.is_empty() && !mine.iter().any(|period| theirs.contains(period))
}

/// What of that a text says.
fn scopes(text: &Searched<'_>) -> Vec<&'static str> {
    let may_say = SCOPES.iter().filter(|(part, _)| text.contains(part));
    may_say.flat_map(|(_, scopes)| *scopes).filter(|&scope| text.contains(scope)).copied().collect()
}

/// Whether one says that it was so, and the other that it is. English reports tell of now in the past, too.
fn tenses_differ(one: &str, other: &str) -> bool {
    let is_among = |word: &str, words: &Beginnings| words.like(word).any(|known| known == word);
    let tenses = |text: &str| {
        text.split(' ').fold((false, false), |(is_now, is_then), word| {
            (is_now || is_among(word, &NOW), is_then || is_among(word, &THEN))
        })
    };
    let (is_now, is_then) = tenses(one);
    is_now != is_then && tenses(other) == (is_then, is_now)
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn what_makes_it_another_thing_makes_no_contradiction() {
        for (one, other) in [
            ("The warranty is two years.", "The extended warranty is five years."),
            ("The unemployment rate is 6.1%.", "The youth unemployment rate is 14.2%."),
            ("Nausea occurred in 9% of patients.", "Severe nausea occurred in 1% of patients."),
            ("The train from Porto takes 2 hours.", "The train to Porto takes 3 hours."),
            ("The bus to the airport costs €4.", "The bus from the airport costs €7."),
            ("Lisa Kern is CEO of Orbis.", "Paul Weber is CEO of Orbis Logistics."),
            ("Lisa Kern is the mayor of Linden.", "Paul Weber is the mayor of New Linden."),
            (
                "Huddle costs $14 per user per month, billed annually.",
                "Huddle costs $16 per user per month, billed monthly.",
            ),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
        for (one, other) in [
            ("The capacity is 500 litres.", "The total capacity is 430 litres."),
            ("The warranty is two years.", "The warranty is five years."),
            (
                "The train from Porto to Lisbon takes 2 hours.",
                "The train from Porto to Lisbon takes 3 hours.",
            ),
            (
                "Acme's pumps cost $14 a month, billed annually.",
                "Acme's pumps cost $16 a month, billed annually.",
            ),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Number), "{other} / {one}");
        }
    }
}
