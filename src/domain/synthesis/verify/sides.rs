//! Opposites that changed their subjects: of `demand doubled while the price halved` a claim makes `demand halved while the price
//! doubled`.

use crate::domain::aggregate::near_duplicates::{Features, Role};
use crate::domain::text::polarity::Marked;
use crate::domain::text::words::Term;

/// Whether two opposites that both have stand beside each other's words.
pub(super) fn are_exchanged(claim: &Features<'_>, said: &Features<'_>) -> bool {
    let opposites = |of: &Features<'_>| -> Vec<(Marked, Marked)> {
        let once = |marked: &&Marked| of.marks.iter().filter(|other| other.mark == marked.mark).count() == 1;
        let marks: Vec<&Marked> = of.marks.iter().filter(once).collect();
        let pairs = marks.iter().flat_map(|one| marks.iter().map(move |other| (**one, **other)));
        pairs
            .filter(|(one, other)| one.mark.replaces(other.mark) && one.mark.side < other.mark.side)
            .collect()
    };
    let theirs = opposites(said);
    opposites(claim).iter().any(|(one, other)| {
        let same = |pair: &&(Marked, Marked)| (pair.0.mark, pair.1.mark) == (one.mark, other.mark);
        theirs.iter().find(same).is_some_and(|(first, second)| {
            let mine = [subject(claim, one), subject(claim, other)];
            let theirs = [subject(said, first), subject(said, second)];
            let is = |at: usize, of: usize| mine[at].is_some() && mine[at] == theirs[of];
            (is(0, 1) && !is(1, 1)) || (is(1, 0) && !is(0, 0))
        })
    })
}

/// The nearest word before a mark that both sentences can be asked for.
fn subject(of: &Features<'_>, marked: &Marked) -> Option<Term> {
    let says = |role: Role| matches!(role, Role::Content | Role::Name);
    let before = of.elements.iter().rev().filter(|element| element.end <= marked.start);
    before.filter(|element| says(element.role) && !element.marked).map(|element| element.term).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn opposites_stay_with_their_subjects() {
        let mut lexicon = Lexicon::default();
        let said = "Demand for cobalt doubled from 2015 to 2022, while its price halved";
        for (claim, exchanged) in [
            ("Demand for cobalt halved from 2015 to 2022, while its price doubled", true),
            ("The price halved, while demand for cobalt doubled", false),
            ("Cobalt doubled in demand and the price halved", false),
            ("Demand for cobalt doubled", false),
        ] {
            let (mine, theirs) = (Features::of(&mut lexicon, claim), Features::of(&mut lexicon, said));
            assert_eq!(are_exchanged(&mine, &theirs), exchanged, "{claim}");
        }
    }
}
