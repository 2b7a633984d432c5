//! All that is compared, by every way of comparing.

use std::collections::BTreeSet;

use super::anchored::Anchors;
use super::another::is_another;
use super::candidates::candidates;
use super::circumstances;
use super::contents::say_the_same;
use super::differ::Difference;
use super::facts::{Facts, Told};
use super::reading::Reading;
use super::{
    Asked, Compared, Differing, Kind, amounts, answers, elsewhere, existing, flags, labelled, listed,
    measured, narrowed, not_before, priced_objects, rows, rules, sellers,
};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Paths, Row, Statement};
use crate::domain::text::words::Lexicon;
use crate::domain::wanted::still_wanted;

/// What of statements contradicts each other; `section` is that of the law which one rests on, `order` holds their places.
pub(super) fn between<'b>(
    statements: &[Statement<'_>],
    features: &[&Features<'_>],
    mut order: Vec<usize>,
    section: &dyn Fn(usize) -> Option<&'b str>,
    asked: &Asked<'_>,
    lexicon: &mut Lexicon,
) -> Compared {
    sort(&mut order, statements);
    let mut found = Found::new((statements, features), &order);
    let unchecked = found.alike(&order, section, lexicon);
    let (between_rows, of_rows) = rows::differences(&order, statements, features);
    let (between_labels, of_labels) = labelled::differences(&order, (statements, features), asked.query);
    let (between_objects, of_objects) = priced_objects::differences(&order, statements);
    let (between_amounts, of_amounts) = amounts::differences(&order, statements, features, lexicon);
    let (between_measured, of_measured) = measured::differences(&order, statements, features, lexicon);
    let read = (statements, features);
    let (between_flags, of_flags) = flags::differences(&order, read, asked.query, lexicon);
    let (between_existing, of_existing) = existing::differences(&order, read, lexicon);
    let (between_days, of_days) = not_before::differences(&order, read, lexicon);
    let answers = answers::differences(asked, statements, features);
    let listed = listed::differences(&order, (statements, features), asked, lexicon);
    let others = between_rows.into_iter().chain(between_labels).chain(between_objects);
    let others = others.chain(between_flags).chain(between_existing).chain(between_days);
    for (places, difference) in others.chain(between_amounts).chain(between_measured).chain(answers.found) {
        found.push(Differing::new(places, difference));
    }
    for differing in listed.found {
        found.push(differing);
    }
    let pairs_checked = found.pairs_checked
        + [of_rows, of_labels, of_objects, of_amounts, of_measured].iter().sum::<usize>()
        + [of_flags, of_existing, of_days].iter().sum::<usize>()
        + answers.pairs_checked
        + listed.pairs_checked;
    let mut found = found.found;
    let anchors = Anchors::new(statements);
    found.retain(|differing| !anchors.are_of_others(differing.places));
    found.sort_by(|a, b| sort_key(statements, a).cmp(&sort_key(statements, b)));
    Compared { found, pairs_checked, unchecked: unchecked + answers.unchecked }
}

/// What is found, each pair of texts once.
struct Found<'f, 't> {
    statements: &'f [Statement<'t>],
    features: &'f [&'f Features<'t>],
    /// What they stand below.
    paths: Paths<'f, 't>,
    /// By place which text it has, as a number.
    texts: Vec<usize>,
    seen: BTreeSet<[usize; 2]>,
    found: Vec<Differing>,
    pairs_checked: usize,
}

impl<'f, 't> Found<'f, 't> {
    fn new((statements, features): (&'f [Statement<'t>], &'f [&'f Features<'t>]), order: &[usize]) -> Self {
        let (texts, seen) = (texts(order, statements), BTreeSet::new());
        let paths = Paths::new(statements, features.iter().copied());
        Self { statements, features, paths, texts, seen, found: Vec::new(), pairs_checked: 0 }
    }

    /// The texts of two places, whichever comes first.
    fn pair(&self, places: [usize; 2]) -> [usize; 2] {
        let mut pair = places.map(|at| self.texts[at]);
        pair.sort_unstable();
        pair
    }

    fn push(&mut self, differing: Differing) {
        let [one, other] = differing.places;
        let texts = [one, other].map(|at| self.statements[at].text);
        if !self.paths.are_of_others(one, other)
            && !sellers::differ(texts)
            && is_example(self.statements[one].heading) == is_example(self.statements[other].heading)
            && self.seen.insert(self.pair(differing.places))
        {
            self.found.push(differing);
        }
    }

    /// Compares what shares rare terms, then the clauses of it; how many are like more others than they are compared with.
    fn alike<'b>(
        &mut self,
        order: &[usize],
        section: &dyn Fn(usize) -> Option<&'b str>,
        lexicon: &mut Lexicon,
    ) -> usize {
        let statements = self.statements;
        let all = statements.iter().zip(self.features);
        let readings: Vec<Reading<'_, '_>> = all.map(|(said, of)| Reading::new(said, of)).collect();
        let may_contradict = |one: usize, other: usize| independent(&statements[one], &statements[other]);
        let worth = candidates(order, &readings, &may_contradict);
        let mut rest = Vec::new();
        for (one, other) in worth.pairs {
            still_wanted();
            let other_rule = section(one).zip(section(other)).is_some_and(|(mine, theirs)| mine != theirs);
            if other_rule {
                continue;
            }
            self.pairs_checked += 1;
            // The same two sentences again, of others.
            if self.seen.contains(&self.pair([one, other])) {
                continue;
            }
            let (mine, theirs) = (&readings[one], &readings[other]);
            match difference(mine, theirs, lexicon) {
                Some(difference) => self.push(Differing::new([one, other], difference)),
                // Clauses of what is nearly the same are those that stand in the same place.
                None if !say_the_same(mine.content(), theirs.content()) => rest.push((one, other)),
                None => {}
            }
        }
        self.by_fact(&rest, &readings, lexicon);
        worth.unchecked
    }

    /// Compares the clauses of those that don't contradict each other as a whole.
    fn by_fact(&mut self, pairs: &[(usize, usize)], wholes: &[Reading<'_, '_>], lexicon: &mut Lexicon) {
        let told = Told::of(pairs, self.statements, self.features);
        let facts = Facts::new(&told, self.statements, lexicon);
        let readings = facts.readings();
        for &(one, other) in pairs {
            still_wanted();
            let texts = [one, other].map(|at| wholes[at].of.text);
            let [own, their] = [one, other].map(|at| &readings[facts.of(at)]);
            let mut found = own.iter().find_map(|mine| by_clause(texts, mine, &wholes[other], lexicon));
            found = found
                .or_else(|| their.iter().find_map(|theirs| by_clause(texts, &wholes[one], theirs, lexicon)));
            let mut pairs = own.iter().flat_map(|mine| their.iter().map(move |theirs| (mine, theirs)));
            found =
                found.or_else(|| pairs.find_map(|(mine, theirs)| by_clause(texts, mine, theirs, lexicon)));
            if let Some(difference) = found {
                self.push(Differing::new([one, other], difference));
            }
        }
    }
}

/// Whether what stands below a heading is only supposed.
fn is_example(heading: &str) -> bool {
    #[rustfmt::skip]
    const EXAMPLES: [&str; 16] = [
        "example", "examples", "sample", "illustration", "hypothetical example", "beispiel", "beispiele", "exemple", "exemples", "ejemplo", "ejemplos", "esempio", "esempi", "exemplo", "voorbeeld", "例",
    ];
    let bare = heading.trim_matches(|c: char| !c.is_alphanumeric());
    // Most are out by their length.
    bare.len() <= 20 && !bare.is_empty() && EXAMPLES.contains(&bare.to_lowercase().as_str())
}

/// How clauses of two texts differ, where not both say what only one of the clauses does.
fn by_clause(
    texts: [&str; 2],
    mine: &Reading<'_, '_>,
    theirs: &Reading<'_, '_>,
    lexicon: &mut Lexicon,
) -> Option<Difference> {
    let found = difference(mine, theirs, lexicon)?;
    let are_both = found.kind == Kind::Number && (says(texts[0], &found.other) || says(texts[1], &found.one));
    (!are_both).then_some(found)
}

/// How two differ, if nothing says that they are of others.
fn difference(mine: &Reading<'_, '_>, theirs: &Reading<'_, '_>, lexicon: &mut Lexicon) -> Option<Difference> {
    let difference = rules::difference(mine, theirs)?;
    // Who or where it is differs by such words itself.
    let is_told = matches!(difference.kind, Kind::Holder | Kind::Answer);
    let may_be_placed = matches!(difference.kind, Kind::Negation | Kind::Polarity);
    let are_of_others = is_another(mine.of, theirs.of)
        || may_be_placed && narrowed::is_placed(mine.clause(), theirs.clause())
        || !is_told && circumstances::differ(mine.of, theirs.of)
        || elsewhere::are_of_others((mine.said, mine.of), (theirs.said, theirs.of), lexicon);
    (!are_of_others).then_some(difference)
}

/// Whether a figure stands in a text as it is written.
fn says(text: &str, figure: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    text.match_indices(figure).any(|(at, _)| {
        let behind = &text[at + figure.len()..];
        !is_digit(text[..at].chars().next_back()) && !is_digit(behind.chars().next())
    })
}

/// By their texts, and of equal ones by what else tells them apart.
fn sort(order: &mut [usize], statements: &[Statement<'_>]) {
    order.sort_by(|&a, &b| {
        let (a, b) = (&statements[a], &statements[b]);
        a.text.cmp(b.text).then_with(|| key(a).cmp(&key(b)))
    });
}

/// By statement which text it has, as a number: equal texts stand side by side in `order`.
fn texts(order: &[usize], statements: &[Statement<'_>]) -> Vec<usize> {
    let mut texts = vec![0; statements.len()];
    for (rank, &at) in order.iter().enumerate().skip(1) {
        let before = order[rank - 1];
        texts[at] = texts[before] + usize::from(statements[before].text != statements[at].text);
    }
    texts
}

pub(super) fn key<'s, 't>(
    of: &'s Statement<'t>,
) -> (&'s str, &'s str, &'s [usize], &'s str, Option<Row<'t>>) {
    (of.text, of.subagent, &of.sources, of.heading, of.row)
}

fn sort_key<'t>(statements: &[Statement<'t>], of: &Differing) -> (Kind, &'t str, &'t str) {
    let [one, other] = of.places.map(|at| statements[at].text);
    (of.kind(), one, other)
}

/// Whether they come from different subagents, or from different sources.
pub(super) fn independent(one: &Statement<'_>, other: &Statement<'_>) -> bool {
    let apart = !one.sources.is_empty()
        && !other.sources.is_empty()
        && one.sources.iter().all(|source| !other.sources.contains(source));
    one.subagent != other.subagent || apart
}

#[cfg(test)]
mod tests {
    use super::super::tests::kinds_between as kinds;

    #[test]
    fn an_example_contradicts_no_fact() {
        let example = |limit| format!("## Example\n\nThe limit is {limit} requests.");
        assert_eq!(kinds(&example(5), "The limit is 10 requests."), []);
        assert_eq!(kinds(&example(5), &example(10)).len(), 1);
    }
}
