//! The order of findings: what is said of the question, and best known, comes first; what is equal in that stands as it was written.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{Claims, Confidence, Finding};
use crate::domain::text::words::Term;

/// How strong a finding is: more comes first.
type Strength = ((Confidence, usize, bool), usize, bool, usize);

struct Ranked<'t> {
    strength: Reverse<Strength>,
    /// Whose it is, and where it stands there.
    own: (&'t str, usize),
    /// How many findings of the same subagent are as strong and stand before it.
    turn: usize,
    text: String,
    finding: Finding,
}

/// Most certain first, then those that most say, then sentences before rows of tables, then those that have most of what was
/// `asked`. What answers and is contested stands with what would be as certain without that: the answer isn't behind all else.
/// Of equals each subagent's stand in its own order, and subagents take turns.
pub(super) fn in_order(
    claims: &Claims<'_>,
    findings: Vec<Finding>,
    contested: &BTreeSet<usize>,
    asked: &[Term],
) -> Vec<Finding> {
    let ranked = |finding: Finding| Ranked {
        strength: Reverse(strength(claims, &finding, contested, asked)),
        own: place(claims, &finding),
        turn: 0,
        text: with_long_numbers(&finding.content),
        finding,
    };
    let mut ranked: Vec<Ranked<'_>> = findings.into_iter().map(ranked).collect();
    ranked.sort_by(|a, b| (a.strength, a.own, &a.text).cmp(&(b.strength, b.own, &b.text)));
    for at in 1..ranked.len() {
        let (before, this) = (&ranked[at - 1], &ranked[at]);
        if before.strength == this.strength && before.own.0 == this.own.0 {
            ranked[at].turn = before.turn + 1;
        }
    }
    let letters = |text: &str| text.bytes().filter(|byte| !byte.is_ascii_digit()).count();
    ranked.sort_by_cached_key(|ranked| {
        let Ranked { strength, turn, text, .. } = ranked;
        (*strength, *turn, Reverse(letters(text)), text.clone())
    });
    ranked.into_iter().map(|ranked| ranked.finding).collect()
}

fn strength(claims: &Claims<'_>, finding: &Finding, contested: &BTreeSet<usize>, asked: &[Term]) -> Strength {
    let is_told = claims.statements[finding.shown].row.is_none();
    // Numbers count too: a question about region 390 isn't answered by another.
    let said = claims.features[finding.shown].words.iter().filter(|word| word.is_content());
    let said: BTreeSet<Term> = said.map(|word| word.term).collect();
    let answers = said.iter().filter(|term| asked.binary_search(term).is_ok()).count();
    let is_contested = finding.statements.iter().any(|at| contested.contains(at));
    let confidence = match finding.confidence {
        Confidence::Low if is_contested && answers > 0 && !finding.sources.is_empty() => Confidence::Medium,
        Confidence::Medium if is_contested && answers > 0 => Confidence::High,
        Confidence::Low | Confidence::Medium | Confidence::High => finding.confidence,
    };
    // Sources that aren't told apart are no more than one.
    let are_together = finding.statements.iter().any(|&at| claims.statements[at].around.rests_on > 1);
    let sources = if are_together { finding.sources.len().min(1) } else { finding.sources.len() };
    ((confidence, finding.contributors.len(), is_told), answers, !is_contested, sources)
}

/// Whose a finding is, and where it stands there: of those who say it in the same words the first by name.
fn place<'t>(claims: &Claims<'t>, finding: &Finding) -> (&'t str, usize) {
    let said = finding.statements.iter().map(|&at| &claims.statements[at]);
    let same = said.filter(|said| said.text == finding.content);
    same.map(|said| (said.subagent, said.start)).min().unwrap_or_default()
}

/// A text that sorts by its numbers: `Step 2` before `Step 10`.
fn with_long_numbers(text: &str) -> String {
    /// Digits of a number that is compared as one.
    const DIGITS: usize = 12;
    let mut out = String::with_capacity(text.len() + DIGITS);
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        out.extend(std::iter::repeat_n('0', DIGITS.saturating_sub(end)));
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    out + rest
}
