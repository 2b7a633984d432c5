//! A figure of a claim that what it was made from has otherwise: of another scale or unit (`€412 billion` for `€412 million`), of another
//! event (`the trial began on 9 April`, when the witness was heard), of what something is compared with.

use super::scope::tokens;
use super::what::What;
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::words::Term;

/// Figures of a sentence that are looked at.
const FIGURES_MAX: usize = 24;
/// Words of a sentence that a claim has, from which on it tells of the same event.
const SAME_MIN: usize = 2;
/// What something is compared with, or changes from, stands behind one of these.
#[rustfmt::skip]
const COMPARING: &[&str] = &[
    "than", "compared", "against", "versus", "vs", "from", "after", "gegenüber", "als", "nach", "contre", "frente", "rispetto", "contro", "desde", "que", "tegen", "dan",
];

/// A figure of a claim with that of what it was made from which has the same digits and is another.
pub(super) fn of_another_scale<'t>(
    claim: &Features<'t>,
    near: &[Features<'t>],
) -> Option<(&'t str, &'t str)> {
    let figures = claim.figures.iter().filter(|figure| is_measured(figure)).take(FIGURES_MAX);
    figures.into_iter().find_map(|mine| {
        let all = || near.iter().flat_map(|of| of.figures.iter().map(move |figure| (of, figure)));
        if all().any(|(_, theirs)| What::of(theirs) == What::of(mine) || is_end_of(mine, theirs)) {
            return None;
        }
        let written = digits(claim, mine);
        let other = all().find(|(of, theirs)| {
            let rivals = mine.unit == theirs.unit || mine.unit != Unit::Plain && theirs.unit != Unit::Plain;
            is_measured(theirs) && rivals && digits(of, theirs) == written
        });
        other
            .filter(|_| !written.is_empty())
            .map(|(of, theirs)| (&claim.text[mine.range()], &of.text[theirs.range()]))
    })
}

/// Whether a figure is where a span begins or ends: `from 5 million euros to 8 million euros`.
fn is_end_of(figure: &Figure, span: &Figure) -> bool {
    figure.unit == span.unit && figure.low == figure.high && [span.low, span.high].contains(&figure.low)
}

fn is_measured(figure: &Figure) -> bool {
    matches!(figure.unit, Unit::Plain | Unit::Percent | Unit::Points | Unit::Money(_) | Unit::Measure { .. })
}

/// The digits of a figure as they are written.
fn digits<'t>(of: &Features<'t>, figure: &Figure) -> &'t str {
    let written = &of.text[figure.range()];
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let from = written.find(|c: char| c.is_ascii_digit()).unwrap_or(written.len());
    let rest = &written[from..];
    rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())].trim_end_matches(['.', ','])
}

/// A figure of a claim with a rival of it, where what tells of the same has the rival and what has the figure tells of something else.
pub(super) fn of_another_event<'t>(
    claim: &Features<'t>,
    near: &[Features<'t>],
) -> Option<(&'t str, &'t str)> {
    let says = |of: &Features<'_>, element: &&Element| {
        matches!(element.role, Role::Content | Role::Name)
            && !of.figures.iter().any(|figure| figure.range().contains(&element.start))
    };
    let words: Vec<(Term, bool)> = claim
        .elements
        .iter()
        .filter(|element| says(claim, element))
        .map(|element| (element.term, claim.text[element.start..].starts_with(char::is_lowercase)))
        .collect();
    let shared = |of: &Features<'_>| -> Vec<bool> {
        let has = |term: Term| of.elements.iter().any(|other| other.term == term);
        words.iter().filter(|(term, _)| has(*term)).map(|(_, lower)| *lower).collect()
    };
    claim.figures.iter().take(FIGURES_MAX).find_map(|mine| {
        let what = What::of(mine);
        let has = |of: &Features<'_>| of.figures.iter().any(|figure| What::of(figure) == what);
        let (with, without): (Vec<_>, Vec<_>) = near.iter().partition(|of| has(of));
        if with.is_empty() || with.iter().any(|of| !shared(of).is_empty()) {
            return None;
        }
        without.into_iter().find_map(|of| {
            let is_rival = |figure: &&Figure| {
                what.rivals(What::of(figure))
                    && !claim.figures.iter().any(|own| What::of(own) == What::of(figure))
            };
            let rival = of.figures.iter().find(is_rival)?;
            let shared = shared(of);
            (shared.len() >= SAME_MIN && shared.contains(&true))
                .then(|| (&claim.text[mine.range()], &of.text[rival.range()]))
        })
    })
}

/// A date of what something is compared with, told of what is compared: of `61 aircraft in 2022, more than in 2021` it makes `61 aircraft
/// in 2021`. With it the date that it stands for.
pub(super) fn of_compared<'t>(claim: &Features<'t>, said: &Features<'t>) -> Option<(&'t str, &'t str)> {
    let dates = |of: &Features<'t>| -> Vec<Figure> {
        of.figures.iter().filter(|figure| is_date(of, figure)).take(FIGURES_MAX).copied().collect()
    };
    let (mine, theirs) = (dates(claim), dates(said));
    let compares = |text: &str| tokens(text).any(|(_, word)| COMPARING.contains(&word.as_str()));
    let [date] = mine[..] else { return None };
    if theirs.len() < 2 || compares(claim.text) {
        return None;
    }
    let known: Vec<&Figure> = theirs.iter().filter(|other| What::of(other) == What::of(&date)).collect();
    let [known] = known[..] else { return None };
    let words = tokens(said.text).filter(|(_, word)| COMPARING.contains(&word.as_str()));
    let bracket = said.text[..known.start].rfind('(').filter(|at| !said.text[*at..known.start].contains(')'));
    let mark = words.map(|(range, _)| range.start).chain(bracket).filter(|at| *at < known.start).max()?;
    let main = theirs.iter().find(|other| other.end <= mark && What::of(other) != What::of(&date))?;
    let value = |figure: &&Figure| !is_date(claim, figure);
    let is_main = |figure: &Figure| {
        said.figures.iter().any(|other| other.end <= mark && What::of(other) == What::of(figure))
    };
    let behind = |figure: &Figure| {
        said.figures.iter().any(|other| other.start > mark && What::of(other) == What::of(figure))
    };
    let mut values = claim.figures.iter().filter(value);
    let first = values.next()?;
    (is_main(first) && !behind(first)).then(|| (&claim.text[date.range()], &said.text[main.range()]))
}

fn is_date(of: &Features<'_>, figure: &Figure) -> bool {
    let written = &of.text[figure.range()];
    figure.unit == Unit::Date
        || figure.unit == Unit::Plain
            && written.len() == 4
            && written.bytes().all(|byte| byte.is_ascii_digit())
            && matches!(&written[..2], "18" | "19" | "20")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    type Compares = for<'t> fn(&Features<'t>, &[Features<'t>]) -> Option<(&'t str, &'t str)>;

    #[test]
    fn figure_stays_with_its_scale_its_event_and_its_side() {
        let one = |claim: &Features<'_>, near: &[Features<'_>]| of_compared(claim, &near[0]).is_some();
        let mut lexicon = Lexicon::default();
        let (scale, event): (Compares, Compares) = (of_another_scale, of_another_event);
        for (of, claim, said, expected) in [
            (
                Some(scale),
                "Acme had revenue of €412 billion.",
                &["It had revenue of €412 million."][..],
                true,
            ),
            (Some(scale), "The tower is 381 km high.", &["It has a height of 381 m."], true),
            (Some(scale), "The grant is 1,500,000 euros.", &["The grant is worth 1.5 million euros."], false),
            (Some(scale), "7 and 3 percent agreed.", &["It was 7% and 3%."], false),
            (
                Some(event),
                "The trial began on 9 April.",
                &["The trial began on 3 March.", "The witness was heard on 9 April."],
                true,
            ),
            (
                Some(event),
                "The firm moved on 9 April.",
                &["The firm began on 3 March.", "It moved on 9 April."],
                false,
            ),
            (
                None,
                "The firm sold 61 aircraft in 2021.",
                &["The firm sold 61 aircraft in 2022, more than in 2021."],
                true,
            ),
            (
                None,
                "The firm sold 61 aircraft in 2022.",
                &["The firm sold 61 aircraft in 2022, more than in 2021."],
                false,
            ),
            (
                None,
                "The city counted 82,800 in 2010.",
                &["The city counted 94,393 in 2020, compared with 82,800 in 2010."],
                false,
            ),
            (
                None,
                "Profit was $90 million in 2023.",
                &["Profit was $90 million in 2024 (2023: $70 million)."],
                true,
            ),
        ] {
            let near: Vec<Features<'_>> = said.iter().map(|text| Features::of(&mut lexicon, text)).collect();
            let claim = Features::of(&mut lexicon, claim);
            let found = of.map_or_else(|| one(&claim, &near), |of| of(&claim, &near).is_some());
            assert_eq!(found, expected, "{}", claim.text);
        }
    }
}
