//! What a figure counts: of `45 percent of the women and 30 percent of the men` a claim makes `45 percent of the men`.

use super::meaning::Tongue;
use super::what::What;
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::words::{Kind, Word};

/// Figures of a sentence that are looked at.
const FIGURES_MAX: usize = 16;
/// Words of what is counted.
const COUNTED_MAX: usize = 3;
/// Letters that words of one family have in common at their beginning.
const FAMILY_MIN: usize = 5;
/// What stands between a figure and what it counts, in the languages that are common.
#[rustfmt::skip]
const LEADING: &[&str] = &[
    "of", "the", "all", "its", "their", "our", "these", "those", "such", "der", "die", "das", "den", "dem", "des", "von", "aller", "alle", "seiner", "ihrer", "de", "du", "la", "le",
    "les", "l", "d", "los", "las", "el", "del", "di", "dei", "delle", "degli", "della", "do", "da", "dos", "das", "van", "het",
];

/// What a figure counts in a claim, and what in each sentence that counts something by it, where another figure counts there what
/// the claim has. What is counted may stand before the figure, and a claim may have another word for it.
pub(super) fn counts_another<'t>(claim: &Features<'t>, said: &[Features<'t>]) -> Option<(&'t str, &'t str)> {
    let figures = claim.figures.iter().filter(|figure| is_count(figure)).take(FIGURES_MAX);
    let mut counting = figures.map(|figure| (What::of(figure), counted(claim, figure)));
    counting.find_map(|(what, mine)| {
        let mut other = None;
        for said in said.iter().filter(|_| !mine.is_empty()) {
            let all: Vec<(What, Vec<&str>)> = counts(said);
            let (same, others): (Vec<_>, Vec<_>) = all.iter().partition(|(theirs, _)| *theirs == what);
            if same.is_empty() {
                continue;
            }
            // Behind what is counted may stand what is said of it: the first word decides.
            let is_kept = same
                .iter()
                .any(|(_, theirs)| shares(&mine[..1], theirs) || mentions(claim, what, &theirs[..1]));
            let is_anothers = |mine: &&str| {
                let has = |theirs: &(What, Vec<&str>)| shares(&[*mine], &theirs.1);
                others.iter().any(|other| has(other)) && !same.iter().any(|same| has(same))
            };
            if is_kept || !mine.iter().any(is_anothers) {
                return None;
            }
            other = other.or_else(|| same[0].1.first().copied());
        }
        mine.first().copied().zip(other)
    })
}

/// The figures of a sentence that count something, with that.
fn counts<'t>(of: &Features<'t>) -> Vec<(What, Vec<&'t str>)> {
    let figures = of.figures.iter().filter(|figure| is_count(figure)).take(FIGURES_MAX);
    let counting = figures.map(|figure| (What::of(figure), counted(of, figure)));
    counting.filter(|(_, counted)| !counted.is_empty()).collect()
}

fn shares(mine: &[&str], theirs: &[&str]) -> bool {
    mine.iter().any(|mine| theirs.iter().any(|other| say_the_same(mine, other)))
}

/// Whether a claim has what a figure counts in another place than behind it, and not as what another figure counts.
fn mentions(claim: &Features<'_>, what: What, theirs: &[&str]) -> bool {
    let others: Vec<&str> = counts(claim)
        .into_iter()
        .filter(|(other, _)| *other != what)
        .flat_map(|(_, counted)| counted)
        .collect();
    let mut words = claim.words.iter().filter(|word| says(word)).map(|word| &claim.text[word.range()]);
    words.any(|word| shares(&[word], theirs) && !others.iter().any(|other| say_the_same(word, other)))
}

fn is_count(figure: &Figure) -> bool {
    !matches!(figure.unit, Unit::Date | Unit::Weekday | Unit::Label | Unit::Ordinal)
}

/// The words behind a figure that say what it counts: those that stand together, up to a word that only connects.
fn counted<'t>(of: &Features<'t>, figure: &Figure) -> Vec<&'t str> {
    let (mut found, mut end) = (Vec::new(), figure.end);
    for word in of.words.iter().filter(|word| word.start >= figure.end) {
        let together =
            of.text[end..word.start].chars().all(|c| matches!(c, ' ' | '\u{a0}' | '-' | '\'' | '’'));
        if !together || found.len() == COUNTED_MAX {
            break;
        }
        let written = &of.text[word.range()];
        let leads = found.is_empty() && LEADING.contains(&written.to_lowercase().as_str());
        match (leads, says(word)) {
            (true, _) => {}
            (false, true) => found.push(written),
            (false, false) => break,
        }
        end = word.end;
    }
    found
}

fn says(word: &Word) -> bool {
    word.kind == Kind::Content
}

fn say_the_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let shorter = one.chars().count().min(other.chars().count());
    common >= FAMILY_MIN.min(shorter.max(3)) || Tongue::english().say_the_same(&one, &other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn what_a_figure_counts_stays_with_it() {
        let mut lexicon = Lexicon::default();
        let shares = "In the survey, 45 percent of the women and 30 percent of the men agreed";
        let staff = "The clinic has 120 nurses and 30 doctors";
        for (claim, said, kept) in [
            ("45 percent of the women agreed", shares, true),
            ("45% of women agreed", shares, true),
            ("Of the women, 45 percent agreed", shares, true),
            ("45 percent of the men agreed", shares, false),
            ("30 percent of the women agreed", shares, false),
            ("30 percent of all men agreed", shares, true),
            ("The clinic has 30 doctors and 120 nurses", staff, true),
            ("The clinic has 30 nurses and 120 doctors", staff, false),
            ("The clinic employs 120 trained nurses", staff, true),
            ("Die Klinik hat 30 Pfleger", "Die Klinik hat 120 Pfleger und 30 Ärzte", false),
            (
                "El 30 por ciento de los hombres votó",
                "Votó el 45 por ciento de las mujeres y el 30 por ciento de los hombres",
                true,
            ),
            ("The clinic has 30 physicians", staff, true),
            ("Revenue rose by 5 percent in May", "In May revenue rose by 5 percent of sales", true),
        ] {
            let mine = Features::of(&mut lexicon, claim);
            let theirs = [Features::of(&mut lexicon, said)];
            assert_eq!(counts_another(&mine, &theirs).is_none(), kept, "{claim} / {said}");
        }
    }
}
