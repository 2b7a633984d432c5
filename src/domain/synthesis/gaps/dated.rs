//! Of a question about what happened on a day, all but the day: who answers hardly repeats it.

use super::aspect;
use crate::domain::text::figures::{Unit, figures};
use crate::domain::text::words::{Lexicon, Term, Word};

/// Terms beside a date from which on the date needn't be said.
const OTHERS_MIN: usize = 2;

/// What a part asks for without its dates, where enough is left. Whether there is another one of its kind in the query, `in 2022 and
/// 2023`, [`Numbers`](super::lacks::Numbers) looks at.
pub(super) fn without_dates(terms: Vec<Term>, part: &str, lexicon: &mut Lexicon) -> Vec<Term> {
    // Nearly all dates have a digit.
    if !part.bytes().any(|byte| byte.is_ascii_digit()) {
        return terms;
    }
    let words = lexicon.words(part);
    let dates: Vec<_> =
        figures(part, &words).into_iter().filter(|figure| figure.unit == Unit::Date).collect();
    let is_dated = |start: usize| dates.iter().any(|date| (date.range()).contains(&start));
    let (of_dates, others): (Vec<&Word>, Vec<&Word>) = words.iter().partition(|word| is_dated(word.start));
    let is_said_besides = |term: &Term| others.iter().any(|word| aspect(word.term) == *term);
    let is_of_date = |term: &Term| of_dates.iter().any(|word| aspect(word.term) == *term);
    let left: Vec<Term> =
        terms.iter().filter(|term| !is_of_date(term) || is_said_besides(term)).copied().collect();
    if left.len() >= OTHERS_MIN { left } else { terms }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::synthesis::gaps::asked_of;

    #[test]
    fn a_day_is_left_out_beside_what_else_is_asked() {
        let mut lexicon = Lexicon::default();
        for (part, left) in [
            ("caused the checkout outage on 12 March", "caused checkout outage"),
            ("caused the checkout outage", "caused checkout outage"),
            ("happened on 12 March", "happened 12 March"),
            ("the price of 12 bolts", "price 12 bolts"),
        ] {
            let terms = asked_of(part, &mut lexicon);
            let mut expected: Vec<Term> = lexicon.terms(left).into_iter().map(aspect).collect();
            expected.sort_unstable();
            assert_eq!(without_dates(terms, part, &mut lexicon), expected, "{part}");
        }
    }
}
