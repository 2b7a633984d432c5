//! What the texts of the results say together: findings, insights, contradictions, gaps.

use std::borrow::Cow;
use std::collections::BTreeSet;

mod broken_off;

use super::Question;
use super::gather::{Gathered, Kept};
use super::near_duplicates::{Features, Reader};
use super::numbered::{Numbered, Text};
use super::result::{Contradiction, ContradictionKind, Failure, Finding, Insight, Level, Statement};
use crate::domain::synthesis::claims::{self, Claims, Said, statements};
use crate::domain::synthesis::contradictions::{self, contradictions};
use crate::domain::synthesis::examine::Material;
use crate::domain::synthesis::gaps::{Brought, Expected, UNLISTED, gaps};
use crate::domain::synthesis::support::{Evidence, Read};
use crate::domain::text::words::{Lexicon, Word};

/// Findings of a result at most: the rest stands in the results themselves.
const FINDINGS_MAX: usize = 60;
/// Bytes of all texts that are searched for findings, in equal shares: about half a second of work.
const SEARCHED_BYTES_MAX: usize = 4 << 20;
/// Insights of a result at most.
const INSIGHTS_MAX: usize = 20;

/// What was found in the texts, in the draft's numbers.
pub(super) struct Found {
    pub findings: Vec<Finding>,
    pub insights: Vec<Insight>,
    pub contradictions: Vec<Contradiction>,
    pub gaps: Vec<String>,
    pub pairs_checked: usize,
}

impl Found {
    /// The same in the final numbers.
    pub(super) fn renumbered(mut self, numbered: &mut Numbered<'_>) -> Self {
        for finding in &mut self.findings {
            finding.sources = numbered.finals(&finding.sources);
            finding.content = numbered.renumber(&finding.content);
        }
        for insight in &mut self.insights {
            insight.sources = numbered.finals(&insight.sources);
            insight.text = numbered.renumber(&insight.text);
        }
        for contradiction in &mut self.contradictions {
            contradiction.sources = numbered.finals(&contradiction.sources);
            for statement in &mut contradiction.statements {
                statement.text = numbered.renumber(&statement.text);
                statement.source =
                    statement.source.and_then(|source| numbered.finals(&[source]).first().copied());
            }
        }
        self
    }
}

/// As many whole lines of a text as fit, or a part of the first.
fn head(text: &str, bytes_max: usize) -> &str {
    if text.len() <= bytes_max {
        return text;
    }
    let most = text.floor_char_boundary(bytes_max);
    &text[..text[..most].rfind('\n').unwrap_or(most)]
}

/// Claims, what contradicts, and what is missing.
pub(super) fn find<'t>(
    question: &Question,
    gathered: &'t Gathered,
    (texts, words): (&'t [Text], &'t [Vec<Word>]),
    numbered: &Numbered<'t>,
    reader: &mut Reader,
) -> (Found, Material<'t>) {
    let source_of = |url: &str| numbered.draft_of(url);
    let (mut said, mut features) = (Vec::new(), Vec::new());
    let mut silent = Vec::new();
    let share = SEARCHED_BYTES_MAX / texts.len().max(1);
    for ((kept, text), words) in gathered.kept.iter().zip(texts).zip(words) {
        let Kept { input, twin_of, .. } = kept;
        let whole = broken_off::searched(kept, &text.content);
        let (before, searched) = (said.len(), head(whole, share));
        let subagent = &input.subagent;
        said.extend(statements(Said { text: searched, subagent, marks: &text.marks, source_of: &source_of }));
        if searched.len() == whole.len() {
            broken_off::leave_out(kept, searched, before, &mut said);
        }
        features.extend(said[before..].iter().map(|statement: &claims::Statement<'t>| {
            let part = statement.start..statement.start + statement.text.len();
            Features::of_words(statement.text, reader.lexicon().words_within(&text.content, words, part))
        }));
        rest_on_the_only_source(&mut said[before..], text.only);
        let name = format!("{} ({})", input.subagent, input.task_id);
        if searched.len() < whole.len() {
            let kib = searched.len() / 1024;
            silent.push(format!("Only the first {kib} KiB of {name} were searched for findings."));
        } else if said.len() == before && twin_of.is_none() {
            silent.push(format!("Nothing of {name} is quoted: it has no sentences."));
        }
    }
    silent.sort();
    let claims = Claims::of(said, features);
    let against = contradictions(&claims.statements, &claims.features);
    let contested: BTreeSet<usize> = against.found.iter().flat_map(|found| found.places).collect();
    let domain = |number: usize| numbered.domain(number as u32);
    let mut asked = reader.lexicon().terms(&question.text());
    asked.sort_unstable();
    asked.dedup();
    let all = claims.findings(&domain, &contested, &asked);
    let whole: BTreeSet<&str> =
        gathered.kept.iter().filter(|kept| !kept.partial).map(|kept| kept.input.subagent.as_str()).collect();
    let expected = expected(gathered);
    let (listed, rest) = listed(all);
    let mut gaps = gaps(&question.text(), (&listed, &rest), &claims.features, &expected, reader.lexicon());
    gaps.extend(beyond(&listed, &rest));
    gaps.extend(silent);
    let findings = listed.into_iter().map(|finding| finding_of(finding, &whole)).collect();
    let insights = claims::insights(&claims).into_iter().take(INSIGHTS_MAX);
    let listed = gathered.kept.iter().zip(words).filter(|(kept, _)| kept.twin_of.is_none());
    let results = listed
        .map(|(kept, words)| (kept.input.task_id.as_str(), kept.input.subagent.as_str(), words.as_slice()));
    let evidence = evidence(&claims, numbered.excerpts(), reader.lexicon());
    let material = Material { query: question.text(), results: results.collect(), evidence };
    let found = Found {
        findings,
        insights: insights
            .map(|insight| Insight { text: insight.text, sources: numbers(&insight.sources) })
            .collect(),
        contradictions: against.found.into_iter().map(contradiction_of).collect(),
        gaps,
        pairs_checked: against.pairs_checked,
    };
    (found, material)
}

/// Those that failed; of some there is what they had said until then.
fn expected(gathered: &Gathered) -> Vec<Expected<'_>> {
    let parts: BTreeSet<&str> =
        gathered.kept.iter().filter(|kept| kept.partial).map(|kept| kept.input.task_id.as_str()).collect();
    gathered
        .failures
        .iter()
        .map(|Failure { task_id, subagent, status, error, .. }| Expected {
            name: subagent,
            status,
            why: Some(error.as_str()).filter(|why| !why.is_empty()),
            brought: if parts.contains(task_id.as_str()) { Brought::Part } else { Brought::Nothing },
        })
        .collect()
}

/// By source its excerpts and the statements that cite it, and behind the sources what cites none: nothing cites it, but
/// what cites nothing is held against it too.
fn evidence<'t>(
    claims: &Claims<'t>,
    excerpts: Vec<Vec<&'t str>>,
    lexicon: &mut Lexicon,
) -> Vec<Evidence<'t>> {
    let mut excerpt = |text: &'t str| Read::new(lexicon, Cow::Borrowed(text));
    let mut read: Vec<Vec<Read<'_, '_>>> =
        excerpts.into_iter().map(|of| of.into_iter().map(&mut excerpt).collect()).collect();
    let mut uncited = Vec::new();
    for (statement, features) in claims.statements.iter().zip(&claims.features) {
        let said = || Read {
            text: Cow::Borrowed(statement.text),
            words: Cow::Borrowed(features.words.as_slice()),
            negated: features.marks.iter().any(|marked| marked.mark.is_negation()),
        };
        for source in &statement.sources {
            if let Some(of) = read.get_mut(source.wrapping_sub(1)) {
                of.push(said());
            }
        }
        if statement.sources.is_empty() {
            uncited.push(said());
        }
    }
    read.into_iter().chain([uncited]).map(Evidence::of_read).collect()
}

/// The findings that are listed, and the rest: the best, among them one of each subagent as far as there is room.
fn listed(all: Vec<claims::Finding>) -> (Vec<claims::Finding>, Vec<claims::Finding>) {
    if all.len() <= FINDINGS_MAX {
        return (all, Vec::new());
    }
    let (mut heard, mut chosen) = (BTreeSet::new(), vec![false; all.len()]);
    let mut room = FINDINGS_MAX;
    for (at, finding) in all.iter().enumerate() {
        let is_new = finding.contributors.iter().any(|name| !heard.contains(name));
        if is_new && room > 0 {
            heard.extend(&finding.contributors);
            chosen[at] = true;
            room -= 1;
        }
    }
    for chosen in chosen.iter_mut().filter(|chosen| !**chosen).take(room) {
        *chosen = true;
    }
    let mut chosen = chosen.into_iter();
    all.into_iter().partition(|_| chosen.next().unwrap_or_default())
}

/// What says that there are more findings than are listed, and whose are all among those.
fn beyond(listed: &[claims::Finding], rest: &[claims::Finding]) -> Option<String> {
    const NAMED_MAX: usize = 12;
    let heard: BTreeSet<&String> = listed.iter().flat_map(|finding| &finding.contributors).collect();
    let unheard: BTreeSet<&String> =
        rest.iter().flat_map(|finding| &finding.contributors).filter(|name| !heard.contains(name)).collect();
    let named: Vec<&str> = unheard.iter().take(NAMED_MAX).map(|name| name.as_str()).collect();
    let more = unheard.len() - named.len();
    let others = if more > 0 { format!(" and {more} others") } else { String::new() };
    let silent = match named.is_empty() {
        true => String::new(),
        false => format!("; nothing of {}{others} is listed", named.join(", ")),
    };
    let (left, all) = (rest.len(), rest.len() + listed.len());
    (left > 0).then(|| format!("{left} of {all} {UNLISTED}{silent}."))
}

/// A result that names one source and cites it nowhere rests on that one: there is no other that its sentences could be from,
/// but for those that show an address of their own. Of several, which of them says a sentence isn't known, and isn't guessed.
fn rest_on_the_only_source(said: &mut [claims::Statement<'_>], only: Option<u32>) {
    let Some(only) = only.map(|only| only as usize) else { return };
    if said.iter().all(|statement| !statement.sources.contains(&only)) {
        let silent = said.iter_mut().filter(|statement| statement.sources.is_empty());
        silent.for_each(|statement| statement.sources.push(only));
    }
}

/// What only parts of results say is sure to no more than a low degree: their subagents didn't get to the end.
fn finding_of(finding: claims::Finding, whole: &BTreeSet<&str>) -> Finding {
    let partial = !finding.contributors.iter().any(|name| whole.contains(name.as_str()));
    let confidence = match finding.confidence {
        _ if partial => Level::Low,
        claims::Confidence::Low => Level::Low,
        claims::Confidence::Medium => Level::Medium,
        claims::Confidence::High => Level::High,
    };
    let why = || "It comes from a part of a result: its subagent didn't end well.".to_owned();
    Finding {
        topic: finding.topic,
        content: finding.content,
        sources: numbers(&finding.sources),
        confidence,
        contributors: finding.contributors,
        verify: if partial { Some(why()) } else { finding.verify },
        by_model: false,
    }
}

fn contradiction_of(found: contradictions::Contradiction) -> Contradiction {
    let statements = found.statements.into_iter().map(|said| Statement {
        text: said.text,
        source: said.source.map(|number| number as u32),
        subagent: said.subagent,
    });
    Contradiction {
        description: found.description,
        kind: match found.kind {
            contradictions::Kind::Number => ContradictionKind::Number,
            contradictions::Kind::Date => ContradictionKind::Date,
            contradictions::Kind::Negation => ContradictionKind::Negation,
            contradictions::Kind::Polarity => ContradictionKind::Polarity,
        },
        statements: statements.collect(),
        sources: numbers(&found.sources),
        suggestion: found.suggestion,
    }
}

fn numbers(sources: &[usize]) -> Vec<u32> {
    sources.iter().map(|number| *number as u32).collect()
}
