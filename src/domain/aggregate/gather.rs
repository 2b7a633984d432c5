//! Which of the tasks' results take part, and in which order.

use super::input::{FailureStatus, TaskInput};
use super::relevance::{Relevance, relevance};
use super::result::Failure;
use super::take_in::{
    Judged, judge, leave_out, resolve_escapes, write_csv, write_shell_tables, write_tables,
};
use super::{Question, failures, json_sources, payload};
use crate::domain::directive::AggregationOptions;
use crate::domain::near_duplicates::Reader;
use crate::domain::text::words::{Kind, Lexicon, Term, Word};
use crate::domain::wanted::still_wanted;

mod noted;
mod twins;

/// Terms of a sketch.
const SKETCH: usize = 16;

/// A result that takes part.
#[derive(Debug)]
pub(super) struct Kept {
    pub input: TaskInput,
    pub relevance: Relevance,
    /// Whether it is only what there was of one that failed, or still runs.
    pub partial: bool,
    pub notes: Vec<String>,
    /// Its place in [`Gathered::kept`] where it says the same as a more relevant one: it isn't listed, but what it
    /// cites counts, and that it agrees.
    pub twin_of: Option<usize>,
    /// Its least terms, by which texts that may be alike are found.
    sketch: Vec<Term>,
    /// The words of its content, until they are those of its text.
    pub words: Vec<Word>,
}

/// What takes part.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// The most relevant first.
    pub kept: Vec<Kept>,
    pub failures: Vec<Failure>,
    /// Those that brought nothing but, it may be, sources: by task.
    pub unusable: Vec<TaskInput>,
    /// Tasks in all.
    pub total: usize,
    /// Those with a whole result.
    pub successful: usize,
    /// Those that haven't ended.
    pub pending: usize,
    /// Left out for their relevance, or because there are too many.
    pub filtered: usize,
    /// Those of them that are left out because there are too many.
    pub beyond: usize,
    /// The same of the nodes below.
    pub beyond_below: usize,
}

/// Judges, ranks, filters and merges. Nothing depends on the order of the tasks.
pub(super) fn gather(
    reader: &mut Reader,
    question: &Question,
    mut tasks: Vec<TaskInput>,
    options: &AggregationOptions,
) -> Gathered {
    tasks.sort_by(|a, b| key(a).cmp(&key(b)));
    let count = |input: &TaskInput| input.subagents.unwrap_or(1);
    let mut gathered = Gathered { total: tasks.iter().map(count).sum(), ..Gathered::default() };
    let mut usable = Vec::new();
    for mut input in tasks {
        still_wanted();
        resolve_escapes(&mut input);
        leave_out(&mut input);
        json_sources::declare(&mut input);
        payload::limits::note(&mut input);
        match judge(&input, question.query.as_deref()) {
            Judged::Usable { notes, failed } => {
                let partial = failed.is_some() || input.status != super::input::InputStatus::Success;
                gathered.successful += usize::from(!partial);
                let runs = matches!(failed, None | Some((FailureStatus::Pending, _)));
                gathered.pending += usize::from(partial && runs);
                if let Some((status, error)) = &failed {
                    gathered.failures.push(failures::failure(&input, *status, error));
                }
                write_tables(&mut input);
                write_shell_tables(&mut input);
                write_csv(&mut input);
                usable.push((input, notes, partial));
            }
            Judged::Unusable { status, error } => {
                if status == FailureStatus::Pending {
                    gathered.pending += count(&input);
                }
                gathered.failures.push(failures::failure(&input, status, &error));
                gathered.unusable.push(input);
            }
        }
    }
    still_wanted();
    failures::sort(&mut gathered.failures);
    gathered.kept = ranked(reader.lexicon(), question, usable);
    let most = options.max_results as usize;
    let before = gathered.kept.len();
    gathered.kept.retain(|kept| kept.relevance.blended >= options.min_relevance);
    if options.deduplicate {
        twins::merge(&mut gathered.kept, reader.lexicon());
    }
    let relevant = gathered.kept.len();
    truncate(&mut gathered.kept, most);
    gathered.beyond = relevant - gathered.kept.len();
    gathered.filtered = before - gathered.kept.len();
    gathered
}

/// What tells tasks apart, whatever the order they came in.
fn key(input: &TaskInput) -> (usize, &str, &str, &str, Option<&str>) {
    (input.place, &input.task_id, &input.subagent, &input.content, input.error.as_deref())
}

fn ranked(
    lexicon: &mut Lexicon,
    question: &Question,
    usable: Vec<(TaskInput, Vec<String>, bool)>,
) -> Vec<Kept> {
    let words: Vec<Vec<Word>> = usable.iter().map(|(input, _, _)| lexicon.words(&input.content)).collect();
    let read = usable.iter().zip(&words);
    still_wanted();
    let terms: Vec<Vec<Term>> = read.map(|((input, _, _), words)| terms(&input.content, words)).collect();
    let reported: Vec<Option<f64>> = usable.iter().map(|(input, _, _)| input.relevance).collect();
    let (query, goal) = (question.query.as_deref(), question.goal.as_deref());
    let relevance =
        relevance(lexicon, query.unwrap_or_default(), goal.unwrap_or_default(), &terms, &reported);
    let judged = usable.into_iter().zip(relevance).zip(terms.into_iter().zip(words));
    let kept = judged.map(|(((input, notes, partial), relevance), (terms, words))| Kept {
        input,
        relevance,
        partial,
        notes,
        twin_of: None,
        sketch: sketch(&terms),
        words,
    });
    let mut kept: Vec<Kept> = kept.collect();
    // A stable sort: equals stay in the order of their places and ids.
    kept.sort_by(|Kept { relevance: a, .. }, Kept { relevance: b, .. }| {
        b.blended.total_cmp(&a.blended).then(b.strength.total_cmp(&a.strength))
    });
    kept
}

/// The terms of a text, without the numbers of its citation markers: a question about plant 7 isn't answered by `[7]`.
fn terms(text: &str, words: &[Word]) -> Vec<Term> {
    let bytes = text.as_bytes();
    let marker = |word: &Word| {
        let before = word.start.checked_sub(1).map(|at| bytes[at]);
        word.kind == Kind::Number
            && (matches!(before, Some(b'[' | b'^')) || bytes.get(word.end) == Some(&b']'))
    };
    let mut terms = Vec::with_capacity(words.len());
    terms.extend(words.iter().filter(|word| word.is_content() && !marker(word)).map(|word| word.term));
    terms
}

/// The least of a text's terms, ascending.
fn sketch(terms: &[Term]) -> Vec<Term> {
    let mut least: Vec<Term> = Vec::with_capacity(SKETCH + 1);
    for term in terms {
        // Most are greater than the greatest of sixteen.
        if least.len() == SKETCH && least.last().is_some_and(|greatest| greatest <= term) {
            continue;
        }
        if let Err(place) = least.binary_search(term) {
            least.insert(place, *term);
            least.truncate(SKETCH);
        }
    }
    least
}

/// Leaves so many results, and the twins of those. A twin comes after its original, so places stay right.
fn truncate(kept: &mut Vec<Kept>, most: usize) {
    let beyond =
        kept.iter().enumerate().filter(|(_, kept)| kept.twin_of.is_none()).map(|(at, _)| at).nth(most);
    let Some(beyond) = beyond else { return };
    let tail = kept.split_off(beyond);
    kept.extend(tail.into_iter().filter(|kept| kept.twin_of.is_some_and(|of| of < beyond)));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_sketch_holds_the_least_terms_each_once(terms in proptest::collection::vec(0_u64..60, 0..90)) {
            let terms: Vec<Term> = terms.into_iter().map(Term).collect();
            let mut least = terms.clone();
            least.sort_unstable();
            least.dedup();
            least.truncate(SKETCH);
            prop_assert_eq!(sketch(&terms), least);
        }
    }
}
