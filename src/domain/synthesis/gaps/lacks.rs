//! What a part asks for that words alone don't tell: another year or model than what was said, and a time.

use crate::domain::near_duplicates::Features;
use crate::domain::text::phrases::{begins_with_any, has_any};
use crate::domain::text::scripts::is_wide;
use crate::domain::text::words::{Kind, Lexicon, Term};

/// A number in a query.
struct Asked<'q> {
    term: Term,
    start: usize,
    text: &'q str,
    /// The word before it.
    before: &'q str,
}

/// The numbers of a query that tell its parts apart: `the Pixel 9 and the Pixel 8`, `in 2022 and 2023`.
pub(super) struct Numbers<'q> {
    query: &'q str,
    asked: Vec<Asked<'q>>,
    is_span: bool,
}

/// Numbers of a query that are compared with each other.
const NUMBERS_MAX: usize = 64;
/// Words before a year of several that are asked for each by itself.
const LISTING: &[&str] =
    &["in", "and", "or", "for", "of", "vs", "versus", "und", "oder", "im", "jahr", "et", "ou", "en", "y"];
/// Of what lies between two years nobody need name both.
const SPANS: &[&str] =
    &["between", "from", "since", "until", "zwischen", "von", "seit", "bis", "entre", "depuis", "desde"];

impl<'q> Numbers<'q> {
    pub fn of(query: &'q str, lexicon: &mut Lexicon) -> Self {
        let numbers = lexicon.words(query).into_iter().filter(|word| word.kind == Kind::Number);
        let asked = numbers.map(|word| {
            let before = query[..word.start].trim_end();
            let edge = |c: char| !c.is_alphanumeric();
            Asked {
                term: word.term,
                start: word.start,
                text: &query[word.range()],
                before: before.rsplit(edge).next().unwrap_or_default(),
            }
        });
        let is_span = query.split(' ').any(|word| SPANS.contains(&word.to_lowercase().as_str()));
        Self { query, asked: asked.take(NUMBERS_MAX).collect(), is_span }
    }

    /// Whether a part, a slice of the query, has a number that nobody says, where another one like it is said.
    pub fn lacks(&self, part: &str, said: impl Fn(Term) -> bool, features: &[Features<'_>]) -> bool {
        let start = (part.as_ptr() as usize).wrapping_sub(self.query.as_ptr() as usize);
        let own = |asked: &&Asked<'q>| (start..start.saturating_add(part.len())).contains(&asked.start);
        self.asked.iter().filter(own).filter(|mine| !said(mine.term)).any(|mine| {
            let mut others = self.asked.iter().filter(|other| other.term != mine.term && said(other.term));
            others.any(|other| self.are_alike(mine, other)) && !is_within_years(mine.text, features)
        })
    }

    fn are_alike(&self, one: &Asked<'_>, other: &Asked<'_>) -> bool {
        match (is_year(one.text), is_year(other.text)) {
            (true, true) => {
                let is_listed = |of: &Asked<'_>| LISTING.contains(&of.before.to_lowercase().as_str());
                !self.is_span && is_listed(one) && is_listed(other)
            }
            (false, false) => one.before.starts_with(char::is_uppercase) && one.before == other.before,
            (true, false) | (false, true) => false,
        }
    }
}

fn is_year(number: &str) -> bool {
    number.len() == 4 && number.starts_with(['1', '2']) && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether years are told from one before to one behind.
fn is_within_years(number: &str, features: &[Features<'_>]) -> bool {
    let Ok(year) = number.parse::<u64>() else { return false };
    let years = features.iter().flat_map(|of| &of.figures).filter_map(|figure| figure.years());
    is_year(number) && years.into_iter().any(|(from, to)| (from..=to).contains(&year))
}

/// How a question begins that asks for a time in the past. `When should` and `when is` ask for a condition as well.
#[rustfmt::skip]
const WHEN: &[&str] = &["when was ", "when were ", "when did ", "wann wurde ", "wann wurden ", "wann war ", "quand a été ", "quand a-t-", "cuándo fue ", "cuándo se "];

/// What tells a time without a digit.
#[rustfmt::skip]
const TIMES: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "centur", "decade", "year", "month", "week", "day", "yesterday", "ago", "after", "before", "during", "never", "yet", "since", "until", "when", "spring", "summer", "autumn", "winter", "jahr", "monat", "woche", "tag", "gestern", "nach",
    "siècle", "année", "mois", "après", "avant", "hier", "siglo", "año", "después", "antes", "ayer", "januar", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember",
];

/// Whether a part asks when something was, and nothing that was said tells a time.
pub(super) fn lacks_a_time(part: &str, features: &[Features<'_>]) -> bool {
    let part = part.to_lowercase();
    let tells = |text: &str| {
        text.contains(|c: char| c.is_numeric() || is_wide(c)) || {
            let lower = text.to_lowercase();
            has_any(&lower, TIMES)
        }
    };
    begins_with_any(&part, WHEN) && !features.iter().any(|of| tells(of.text))
}
