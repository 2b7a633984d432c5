//! Abbreviations that go on before some words only: `Pub. L. 107-56`, `Fed. R. Civ. P. 12`, `l'art. L. 121-1`, `Tue. 4 March`.
//! Elsewhere their stop ends the sentence: `They met in the pub. She left.`

use super::starts_sentence;
use crate::domain::text::phrases::behind_any;

/// What is cited by, and what follows it.
const CITED: &[(&str, &[&str])] = &[
    ("Pub", &["L. "]),
    ("Priv", &["L. "]),
    ("Fed", &["R. ", "Reg. ", "Cir. ", "Cl. "]),
    ("Civ", &["P. ", "Proc. "]),
    ("Crim", &["P. ", "Proc. "]),
    ("App", &["P. "]),
    ("Bankr", &["P. "]),
    ("Cong", &["Rec. "]),
];
/// The same before a number: `115 Stat. 272`.
#[rustfmt::skip]
const NUMBERED: &[&str] = &[
    "Evid", "Reg", "Stat", "Supp", "H.Res", "S.Res", "H.Con.Res", "S.Con.Res", "H.J.Res", "S.J.Res",
];
/// Days of the week, which a capital tells from words.
#[rustfmt::skip]
const DAYS: &[&str] = &[
    "Mon", "Tue", "Tues", "Wed", "Thu", "Thur", "Thurs", "Fri", "Sat", "Sun", "Mo", "Di", "Mi", "Do", "Fr", "Sa", "So", "Lun", "Mar", "Mer", "Jeu", "Ven", "Sam", "Dim",
];
#[rustfmt::skip]
const MONTHS: &[&str] = &[
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December", "Jan.", "Feb.", "Mar.", "Apr.", "Jun.", "Jul.", "Aug.", "Sep.", "Sept.", "Oct.", "Nov.", "Dec.",
];
/// Names with a mark at their end, and what follows it, if it matters.
const NAMES: &[(&str, &str)] = &[("Yahoo", ""), ("Joomla", ""), ("Jeopardy", ""), ("Yum", "Brands")];

/// Whether the sentence goes on behind `word` and its stop with `following`.
pub(super) fn goes_on(word: &str, following: &str) -> bool {
    let is_number = following.starts_with(|c: char| c.is_ascii_digit());
    match word.bytes().next() {
        Some(first) if first.is_ascii_uppercase() => {
            let cited = CITED.iter().find(|(known, _)| *known == word);
            cited.is_some_and(|(_, next)| next.iter().any(|next| following.starts_with(next)))
                || is_number && (NUMBERED.contains(&word) || DAYS.contains(&word))
                || DAYS.contains(&word) && names_month(following)
                || is_article(word, following)
        }
        _ => is_article(word, following),
    }
}

/// `Tue. March 4`, `Sun. – Fri.`
fn names_month(following: &str) -> bool {
    let day = |rest: &str| {
        rest.strip_prefix(' ').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    MONTHS.iter().any(|month| following.strip_prefix(month).is_some_and(day))
        || following.starts_with(['–', '—', '&'])
}

/// `l'art. L. 121-1`: the parts of French codes are lettered.
fn is_article(word: &str, following: &str) -> bool {
    let name = behind_any(word, &["l’", "L’", "d’", "D’"]).unwrap_or(word);
    if !["art", "Art", "arts", "Arts"].contains(&name) {
        return false;
    }
    let number =
        following.strip_prefix(['L', 'R', 'D', 'A']).map(|rest| rest.strip_prefix('.').unwrap_or(rest));
    let number = number.map(|rest| rest.strip_prefix(' ').unwrap_or(rest));
    number.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        || name.len() < word.len() && following.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether the mark at `mark` is one of a name, `Yahoo! Japan`, behind which the sentence that began at `start` goes on at `next`.
pub(in crate::domain::text::sentences) fn is_of_name(
    text: &str,
    start: usize,
    mark: usize,
    next: usize,
) -> bool {
    let (before, following) = (&text[start..mark], text[next..].trim_start());
    let is_name = |name: &str| {
        let lead = before.strip_suffix(name);
        lead.is_some_and(|lead| !lead.ends_with(char::is_alphanumeric))
    };
    NAMES.iter().any(|(name, next)| is_name(name) && following.starts_with(next))
        && !starts_sentence(following)
}
