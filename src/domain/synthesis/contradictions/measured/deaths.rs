//! How many died, in whatever words: `Nine people died in the collapse`, `The collapse killed 14 people`, `claimed nine lives`.

use super::super::amounts::Value;
use super::{Class, Mention, Scoped, Told};
use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::words::{Kind, Term};

/// What says so behind the figure, and before it with what follows that.
const BEHIND: [&str; 7] = [
    "people died",
    "people were killed",
    "people have died",
    "people lost their lives",
    "people perished",
    "deaths",
    "fatalities",
];
const BEFORE: [&str; 4] = ["killed", "claimed", "has killed", "has claimed"];
const FOLLOWING: [&str; 2] = ["people", "lives"];
/// All words of those: they say nothing of where.
#[rustfmt::skip]
const SAID: [&str; 14] = [
    "people", "died", "killed", "lives", "lost", "perished", "deaths", "fatalities", "claimed", "caused", "people's", "their", "least", "total",
];

/// How many died, where a statement says so once.
pub(super) fn of_sentence<'a>((at, _, of): (usize, &Statement<'_>, &'a Features<'_>)) -> Option<Mention<'a>> {
    let mut told = of.figures.iter().filter(|figure| tells(of, figure));
    let figure = told.next().filter(|_| told.next().is_none())?;
    let is_said = |text: &str| SAID.iter().any(|word| word.eq_ignore_ascii_case(text));
    let words = of.words.iter().filter(|word| word.kind == Kind::Content && is_said(&of.text[word.range()]));
    let core: Vec<Term> = distinct(words.map(|word| word.term));
    let told = Told::Amount(Value::new(of, figure, None));
    Some(Mention { at, class: Class::Scoped(Scoped::Count), key: Term(DEATHS), core, told })
}

/// No key of what else is counted.
const DEATHS: u64 = 0x00DE_A750;

fn tells(of: &Features<'_>, figure: &Figure) -> bool {
    let behind = of.text[figure.end..].trim_start();
    let before = of.text[..figure.start].trim_end();
    let before = before.strip_suffix(" at least").unwrap_or(before);
    let is_whole = |rest: &str| !rest.starts_with(char::is_alphanumeric);
    let begins = |words: &[&str]| words.iter().any(|word| behind.strip_prefix(word).is_some_and(is_whole));
    let is_led = BEFORE.iter().any(|verb| before.strip_suffix(verb).is_some_and(|rest| rest.ends_with(' ')));
    // `killed and injured 14 people` counts both.
    figure.unit == Unit::Plain && (begins(&BEHIND) || is_led && begins(&FOLLOWING))
}

#[cfg(test)]
mod tests {
    use super::super::super::Kind;
    use super::super::super::tests::kinds_between as kinds;

    #[test]
    fn how_many_died_is_told_in_many_words() {
        for (one, other) in [
            ("Nine people died in the collapse.", "The collapse killed 14 people."),
            ("The collapse of 1911 claimed nine lives.", "The collapse of 1911 killed 14 people."),
            ("The fire killed 12 people.", "12 deaths"),
        ] {
            let differ = !other.starts_with("12");
            assert_eq!(kinds(one, other), vec![Kind::Number; usize::from(differ)], "{one} / {other}");
        }
        for (one, other) in [
            ("Nine people died in the collapse.", "The fire killed 14 people."),
            ("Nine people died in the collapse.", "The collapse injured 14 people."),
            ("Nine people died in the collapse.", "The collapse killed at least 8 people."),
            ("Nine people died in the collapse of 1911.", "The collapse of 1923 killed 14 people."),
            ("Nine people died in the collapse.", "Another collapse killed 14 people."),
            ("Nine people died in Lyon.", "The attack in Paris killed 14 people."),
        ] {
            assert_eq!(kinds(one, other), [], "{one} / {other}");
            assert_eq!(kinds(other, one), [], "{other} / {one}");
        }
    }
}
