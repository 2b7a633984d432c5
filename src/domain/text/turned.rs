//! Lines that turn what stands below them: `Do not:`, `The policy does not cover:` deny it, `Only if you are under 26:` restricts it.

use std::sync::LazyLock;

use super::keys::in_words;
use super::memo::Memo;
use super::polarity::polarity;
use super::scripts::is_wide;
use super::words::Lexicon;

use self::said::Said;
pub use self::side::Side;
use self::stems::{
    NOT_ONLY, OF_ALL, OF_ONE_THING, OTHERWISE, RESTRICTING, RESTRICTING_PHRASES, RESTRICTING_WIDE, SIDES,
    UNTRUE,
};
use self::wide::Wide;
use crate::domain::text::phrases::{begins_with_any, has_any};

mod said;
mod side;
mod stems;
mod wide;

/// What a line does to what stands below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    /// It says that it isn't so, isn't there, or isn't to be done.
    Denies,
    /// It says when it is so.
    Restricts,
}

/// [`RESTRICTING_WIDE`], to be looked for at once.
static WIDE_RESTRICTING: LazyLock<Wide> = LazyLock::new(|| Wide::of(RESTRICTING_WIDE.iter().copied()));

/// What lines do: each is asked about several times, and headings are much the same everywhere. About 1 MB.
static TURNS: LazyLock<Memo<Option<Turn>>> = LazyLock::new(|| Memo::new(1 << 13, TURNS_BYTES_MAX));
/// Longer lines are read each time.
const TURNS_BYTES_MAX: usize = 96;

/// What a line does to what stands below it; most do nothing. What restricts and denies at once restricts.
pub fn turn(line: &str) -> Option<Turn> {
    TURNS.get_or_insert_with(line.as_bytes(), || read_turn(line))
}

fn read_turn(line: &str) -> Option<Turn> {
    let line = &*in_words(line);
    let lowered = line.to_lowercase();
    let said = Said::of(line, &lowered);
    let is_none = || has_any(&lowered, NOT_ONLY);
    let restricts = said.restricts
        || said.may_restrict && has_any(&lowered, RESTRICTING_PHRASES)
        || !line.is_ascii() && WIDE_RESTRICTING.is_in(line);
    if restricts && !is_none() {
        return Some(Turn::Restricts);
    }
    (said.names_denial(line, &lowered) || negates(line, false)).then_some(Turn::Denies)
}

/// The same of a heading, which says more often what others lack than what its items aren't.
pub fn turn_of_heading(heading: &str) -> Option<Turn> {
    let heading = &*in_words(heading);
    let turn = turn(heading)?;
    let names_denial = || {
        let lowered = heading.to_lowercase();
        Said::of(heading, &lowered).names_denial(heading, &lowered)
    };
    (turn == Turn::Restricts || names_denial() || negates(heading, true)).then_some(turn)
}

/// `Non compris`: elsewhere such a word is of one thing only.
fn is_called_none(lowered: &str) -> bool {
    let affirms = |word: &str| SIDES.iter().any(|sides| begins_with_any(word, sides.affirming));
    words(lowered).zip(words(lowered).skip(1)).any(|(no, word)| no == "non" && affirms(word))
}

/// Whether a word that is written without spaces stands in a line.
fn is_in_wide(line: &str, word: &str) -> bool {
    word.starts_with(is_wide) && line.contains(word)
}

/// Whether a line begins with a condition: `If you are under 26`.
pub fn begins_with_condition(line: &str) -> bool {
    let lowered = line.trim().to_lowercase();
    words(&lowered).next().is_some_and(|word| RESTRICTING.contains(&word) && !is_capital(line, word))
        || begins_with_any(line.trim(), RESTRICTING_WIDE)
}

/// Whether a line says that what follows isn't true: `Common myths`.
pub fn is_untrue(line: &str) -> bool {
    has_stem(line, UNTRUE) || line.to_lowercase().contains("idées reçues")
}

/// Whether a line below one that turns what follows says that it is otherwise here: `Exceptions`, `Recommended alternatives`.
pub fn is_otherwise(line: &str) -> bool {
    has_stem(line, OTHERWISE) || SIDES.iter().any(|sides| has_stem(line, sides.affirming))
}

fn has_stem(line: &str, stems: &[&str]) -> bool {
    let lowered = line.to_lowercase();
    words(&lowered).any(|word| begins_with_any(word, stems))
        || stems.iter().any(|stem| is_in_wide(line, stem))
}

/// Whether a line has a negation that isn't half of a word, `No-fault insurance`, or of one thing in it.
fn negates(line: &str, is_heading: bool) -> bool {
    let words = Lexicon::default().words(line);
    polarity(line, &words).iter().filter(|marked| marked.mark.is_negation()).any(|marked| {
        let written = marked.written(line).to_lowercase();
        let is_joined = line[marked.end..].starts_with('-') || line[..marked.start].ends_with('-');
        let is_short_form = || written.ends_with("n't") || written.ends_with("n’t");
        !is_joined
            && !written.contains(is_wide)
            && !OF_ONE_THING.contains(&written.as_str())
            && (!is_heading || OF_ALL.contains(&written.as_str()) || is_short_form())
    })
}

fn words(lowered: &str) -> impl Iterator<Item = &str> {
    lowered.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether a word is written in capitals.
fn is_capital(line: &str, word: &str) -> bool {
    line.contains(&word.to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_deny_or_restrict_are_known() {
        for line in [
            "Do not",
            "Don't",
            "The policy does not cover",
            "We do not recommend any of these",
            "The following claims are false",
            "Common myths",
            "Excluded services",
            "Contraindicated",
            "Removed",
            "Things to avoid",
            "Nicht enthalten",
            "Ne sont pas couverts",
            "以下情况不予退款",
        ] {
            assert_eq!(turn(line), Some(Turn::Denies), "{line}");
        }
        for line in [
            "If you are under 26",
            "You can deduct it only if the following conditions are met",
            "Not covered unless you pay more",
            "Nur für Mitglieder",
            "Si vous avez moins de 26 ans",
            "仅限会员",
        ] {
            assert_eq!(turn(line), Some(Turn::Restricts), "{line}");
        }
        for line in [
            "Included",
            "Recommended",
            "Key findings",
            "Here are the prices of the plans",
            "It not only covers theft but also",
            "Exclusive offers",
            "Non-motor symptoms",
            "No-fault insurance models",
            "Patients without diabetes",
            "无障碍与本地化需求",
            "收益不确定",
            "SI units",
            "Prices in No. 5",
            "Covered services",
        ] {
            assert_eq!(turn(line), None, "{line}");
        }
    }

    #[test]
    fn headings_turn_what_stands_below_them_less_often() {
        for heading in
            ["Not covered", "What you shouldn't do", "Excluded services", "Common myths", "Only for members"]
        {
            assert_eq!(turn_of_heading(heading), turn(heading), "{heading}");
            assert!(turn(heading).is_some(), "{heading}");
        }
        for heading in ["No clear winner", "Failed states", "Key findings"] {
            assert_eq!(turn_of_heading(heading), None, "{heading}");
        }
    }

    #[test]
    fn what_is_untrue_is_more_than_denied() {
        assert!(is_untrue("Common Myths") && is_untrue("The following claims are false"));
        assert!(!is_untrue("Not covered") && !is_untrue("Excluded"));
        assert!(begins_with_condition("If you are under 26") && begins_with_condition("Only for members"));
        assert!(!begins_with_condition("Prices if you are under 26") && !begins_with_condition("SI units"));
    }
}
