//! Opposites that changed their subjects: of `demand doubled while the price halved` a claim makes `demand halved while the price
//! doubled`.

use super::what::What;
use crate::domain::near_duplicates::{Features, Role};
use crate::domain::text::figures::Unit;
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

/// Whether two figures of a kind that both have once stand behind each other's words: of `headache in 12 percent and fever in 4` a
/// claim makes `fever in 12 percent, headache in 4`.
pub(super) fn figures_are_exchanged(claim: &Features<'_>, said: &Features<'_>) -> bool {
    const FIGURES_MAX: usize = 16;
    // With dates it is they that tell what belongs together.
    if claim.figures.iter().any(|figure| figure.unit == Unit::Date) {
        return false;
    }
    let once = |of: &Features<'_>, what: What| -> Option<usize> {
        let mut same = of.figures.iter().filter(|figure| What::of(figure) == what);
        same.next().filter(|_| same.next().is_none()).map(|figure| figure.start)
    };
    let both = claim.figures.iter().take(FIGURES_MAX).map(What::of);
    let both: Vec<_> = both.filter_map(|what| Some((what, once(claim, what)?, once(said, what)?))).collect();
    let before = |of: &Features<'_>, other: &Features<'_>, start: usize| {
        let words = of.elements.iter().rev().filter(|element| element.end <= start && says(element.role));
        let mut shared =
            words.map(|element| element.term).filter(|term| other.terms.binary_search(term).is_ok());
        shared.next()
    };
    both.iter().enumerate().any(|(at, (one, mine, theirs))| {
        both[at + 1..].iter().filter(|(other, ..)| one.rivals(*other)).any(|(_, my_other, their_other)| {
            let ours = [before(claim, said, *mine), before(claim, said, *my_other)];
            let said = [before(said, claim, *theirs), before(said, claim, *their_other)];
            ours[0].is_some()
                && ours[1].is_some()
                && ours[0] != ours[1]
                && ours[0] == said[1]
                && ours[1] == said[0]
        })
    })
}

fn says(role: Role) -> bool {
    matches!(role, Role::Content | Role::Name)
}

/// The nearest word before a mark, in its clause, that both sentences can be asked for.
fn subject(of: &Features<'_>, marked: &Marked) -> Option<Term> {
    let is_near = |end: usize| !of.text[end..marked.start].contains([',', ';']);
    let before = of.elements.iter().rev().filter(|element| element.end <= marked.start);
    let before = before.filter(|element| is_near(element.end));
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

    #[test]
    fn figures_stay_behind_their_words() {
        let mut lexicon = Lexicon::default();
        let said = "Effects were mild: headache in 12 percent and fever in 4 percent of participants";
        for (claim, exchanged) in [
            ("Fever occurred in 12 percent and headache in 4 percent", true),
            ("Headache occurred in 12 percent and fever in 4 percent", false),
            ("12 percent of participants had headache and 4 percent had fever", false),
        ] {
            let (mine, theirs) = (Features::of(&mut lexicon, claim), Features::of(&mut lexicon, said));
            assert_eq!(figures_are_exchanged(&mine, &theirs), exchanged, "{claim}");
        }
    }
}
