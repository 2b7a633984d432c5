//! The day of the week before a date: `Friday 7 March`. It says nothing that the date doesn't.

use super::differ::by_unit;
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit};

/// What stands between the two.
const BETWEEN: [&str; 10] = ["", ",", "the", ", the", ".", ".,", "den", ", den", ", dem", ", le"];

/// The day of the week that stands before a date.
fn before<'f>(of: &'f Features<'_>, date: &Figure) -> Option<&'f Figure> {
    let is_day = date.unit == Unit::Date && date.low.whole().is_some_and(|day| !day.is_multiple_of(100));
    let is_its = |figure: &&Figure| {
        let between = of.text.get(figure.end..date.start).map(str::trim);
        figure.unit == Unit::Weekday && between.is_some_and(|between| BETWEEN.contains(&between))
    };
    of.figures.iter().filter(|_| is_day).find(is_its)
}

/// Where a date begins, with its day of the week.
pub(super) fn start_of(of: &Features<'_>, date: &Figure) -> usize {
    before(of, date).map_or(date.start, |weekday| weekday.start)
}

/// Whether a figure is the day of the week before a date.
pub(super) fn is_of_date(of: &Features<'_>, figure: &Figure) -> bool {
    let is_its = |date: &Figure| before(of, date).is_some_and(|weekday| weekday.start == figure.start);
    figure.unit == Unit::Weekday && of.figures.iter().any(is_its)
}

/// Whether any is.
pub(super) fn are_of_dates(of: &Features<'_>) -> bool {
    of.figures.iter().any(|figure| is_of_date(of, figure))
}

/// The figures by unit but for those.
pub(super) fn without<'f>(of: &'f Features<'_>) -> Vec<&'f Figure> {
    by_unit(&of.figures).into_iter().filter(|figure| !is_of_date(of, figure)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn the_day_of_the_week_hides_no_other_date() {
        for (one, other) in [
            ("The deadline is Friday 7 March.", "The deadline is Monday 10 March."),
            ("The deadline is Friday 7 March.", "The deadline is 10 March."),
            ("The deadline is Tuesday, 4 March 2025.", "The deadline is Wednesday, 5 March 2025."),
            ("The meeting is on Tuesday, March 4, 2025.", "The meeting is on Wednesday, March 5, 2025."),
            ("Die Sitzung ist am Montag, 3. Mai 2025.", "Die Sitzung ist am Dienstag, 4. Mai 2025."),
            ("Die Frist endet am Montag, den 3. Mai.", "Die Frist endet am Dienstag, den 4. Mai."),
            ("Die Frist endet Montag, 3. Mai.", "Die Frist endet am 4. Mai."),
            ("Die Sitzung beginnt Mo., 3. Mai, 9 Uhr.", "Die Sitzung beginnt Di., 4. Mai, 9 Uhr."),
            ("La réunion a lieu le lundi 3 mai 2025.", "La réunion a lieu le mardi 4 mai 2025."),
            ("La reunión es el lunes, 3 de mayo de 2025.", "La reunión es el martes, 4 de mayo de 2025."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Date), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Date), "{other} / {one}");
        }
        for (one, other) in [
            ("The deadline is Friday 7 March.", "The deadline is 7 March."),
            ("The deadline is Friday 7 March.", "The deadline is Friday, 7 March 2025."),
            ("The deadline is Friday 7 March.", "The review is Monday 10 March."),
            ("Die Frist endet am Montag, 3. Mai.", "Die Frist endet am 3. Mai."),
            ("The shop is open on Friday 7 March.", "The shop is open on Monday 10 March."),
            ("The deadline for A is Friday 7 March.", "The deadline for B is Monday 10 March."),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }
}
