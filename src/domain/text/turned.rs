//! Lines that turn what stands below them: `Do not:`, `The policy does not cover:` deny it, `Only if you are under 26:` restricts it.

use super::polarity::polarity;
use super::scripts::is_wide;
use super::words::Lexicon;

/// The version of the words in this file.
pub const VERSION: &str = "turned-1";

/// What a line does to what stands below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    /// It says that it isn't so, isn't there, or isn't to be done.
    Denies,
    /// It says when it is so.
    Restricts,
}

/// Restrict what follows.
#[rustfmt::skip]
const RESTRICTING: &[&str] = &[
    "if", "only", "unless", "except", "excepting", "wenn", "falls", "sofern", "nur", "außer", "ausgenommen", "si", "sauf", "seulement", "uniquement", "solo", "sólo", "solamente", "salvo", "excepto",
];
const RESTRICTING_PHRASES: &[&str] =
    &["provided that", "in case ", "as long as ", "à condition", "a condición", "con la condición"];
#[rustfmt::skip]
const RESTRICTING_WIDE: &[&str] = &["如果", "倘若", "只有", "仅", "除非", "除外", "只能", "场合", "場合", "のみ", "もし"];
/// Restrict nothing, though such a word is in them.
const NOT_ONLY: &[&str] = &["not only", "nicht nur", "non seulement", "no solo", "no sólo", "不仅", "不只"];

/// How words begin that deny what follows, beside negations.
#[rustfmt::skip]
const DENYING: &[&str] = &[
    "exclud", "exclus", "myth", "misconception", "fals", "untrue", "wrong", "incorrect", "avoid", "prohibit", "forbid", "banned", "unsupported", "deprecat", "remov", "discontinu", "reject", "contraindicat", "disallow",
    "unavailable", "ineligible", "unaffected", "missing", "debunk", "hoax", "fake", "obsolete", "refut", "disprov",
    "ausgeschlossen", "ausschl", "falsch", "irrt", "mythos", "mythen", "vermeid", "verboten", "untersagt", "entfernt", "unzulässig", "fehlend", "abgelehnt",
    "exclu", "faux", "fauss", "mythe", "idées reçues", "évit", "interdit", "supprim", "manquant", "excluid", "falso", "mitos", "prohibid", "eliminad", "faltante",
];
/// Of those, words that are something else.
const NOT_DENYING: &[&str] = &["exclusive", "exclusives", "exclusively", "exklusiv"];
/// Say that what follows is held to be so, and isn't.
#[rustfmt::skip]
const UNTRUE: &[&str] = &[
    "myth", "misconception", "false", "untrue", "wrong", "incorrect", "debunk", "hoax", "fake", "refut", "disprov", "falsch", "irrt", "mythos", "mythen", "faux", "fauss", "mythe", "falso", "mitos",
];
const UNTRUE_WIDE: &[&str] = &["误区", "误解", "错误", "谣言", "誤解"];
#[rustfmt::skip]
const DENYING_WIDE: &[&str] = &[
    "避免", "禁止", "误区", "误解", "错误", "谣言", "排除", "除外", "誤解", "対象外", "不予", "不包括", "不包含", "不支持", "不可", "不能", "不要", "不得", "不应", "不宜", "不推荐", "不建议", "不适用", "请勿", "切勿",
    "未包含", "未包括", "无法", "ません", "ない",
];
/// Of those, in words that deny nothing.
const NOT_DENYING_WIDE: &[&str] =
    &["不可替代", "不可或缺", "不可逆", "不可避免", "不能忽视", "不可忽视", "错误率"];
/// Negations of one thing in a line, `patients without diabetes`, and of none.
const OF_ONE_THING: &[&str] = &["without", "absence", "absent", "ohne", "sans", "sin", "non"];
/// Negations that turn what stands below a heading, too: `No clear winner` doesn't.
#[rustfmt::skip]
const OF_ALL: &[&str] = &[
    "not", "never", "cannot", "nicht", "nie", "niemals", "pas", "jamais", "nunca", "não",
];

/// What a line does to what stands below it; most do nothing. What restricts and denies at once restricts.
pub fn turn(line: &str) -> Option<Turn> {
    let lowered = line.to_lowercase();
    let is_none = || NOT_ONLY.iter().any(|phrase| lowered.contains(phrase));
    // `SI` is a name.
    let is_listed = |word: &str| RESTRICTING.contains(&word) && (word.len() > 2 || !is_capital(line, word));
    let restricts = words(&lowered).any(is_listed)
        || RESTRICTING_PHRASES.iter().any(|phrase| lowered.contains(phrase))
        || RESTRICTING_WIDE.iter().any(|word| line.contains(word));
    if restricts && !is_none() {
        return Some(Turn::Restricts);
    }
    (names_denial(line, &lowered) || negates(line, false)).then_some(Turn::Denies)
}

/// The same of a heading, which says more often what others lack than what its items aren't.
pub fn turn_of_heading(heading: &str) -> Option<Turn> {
    let turn = turn(heading)?;
    let is_turned = turn == Turn::Restricts || names_denial(heading, &heading.to_lowercase());
    (is_turned || negates(heading, true)).then_some(turn)
}

fn names_denial(line: &str, lowered: &str) -> bool {
    let denies = |word: &str| has(word, DENYING) && !NOT_DENYING.contains(&word);
    let is_wide = || {
        DENYING_WIDE.iter().any(|word| line.contains(word))
            && !NOT_DENYING_WIDE.iter().any(|word| line.contains(word))
    };
    words(lowered).any(denies) || is_wide()
}

/// Whether a line begins with a condition: `If you are under 26`.
pub fn begins_with_condition(line: &str) -> bool {
    let lowered = line.trim().to_lowercase();
    words(&lowered).next().is_some_and(|word| RESTRICTING.contains(&word) && !is_capital(line, word))
        || RESTRICTING_WIDE.iter().any(|word| line.trim().starts_with(word))
}

/// Whether a line says that what follows isn't true: `Common myths`.
pub fn is_untrue(line: &str) -> bool {
    let lowered = line.to_lowercase();
    words(&lowered).any(|word| has(word, UNTRUE)) || UNTRUE_WIDE.iter().any(|word| line.contains(word))
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

fn has(word: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| word.starts_with(beginning))
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
