//! What the texts of the results say together: findings, insights, contradictions, gaps.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

mod broken_off;
mod contradicted;
mod expected;
mod rests;
mod searched;
#[cfg(test)]
mod tests;
mod too_long;

use super::Question;
use super::gather::{Gathered, Kept};
use super::numbered::{Numbered, Text};
use super::result::{Contradiction, Finding, Insight, Level};
use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::Reader;
use crate::domain::synthesis::claims::{self, Claims, OF_A_PART};
use crate::domain::synthesis::compose::lead_of;
use crate::domain::synthesis::contradictions::{Asked, Compared, differing};
use crate::domain::synthesis::examine::Material;
use crate::domain::synthesis::gaps::{UNLISTED, asks_what_to_do, gaps};
use crate::domain::synthesis::support::{Evidence, Read};
use crate::domain::text::words::{Lexicon, Word};
use crate::domain::wanted::still_wanted;
use contradicted::numbers;
use expected::expected;
use searched::{NOTHING_OF, Searched};
use too_long::is_too_long;

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
    /// Of each text, where markers go for what it names and doesn't cite.
    pub rests: Vec<Vec<(usize, Vec<u32>)>>,
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

/// Claims, what contradicts, and what is missing. What `is_prose` is printed whole: nothing of it is missing where none is quoted.
pub(super) fn find<'t>(
    (question, is_prose): (&Question, bool),
    gathered: &'t Gathered,
    (texts, words): (&'t [Text], &'t [Vec<Word>]),
    numbered: &Numbered<'t>,
    reader: &mut Reader,
) -> (Found, Material<'t>) {
    let asked = distinct(reader.lexicon().terms(&question.text()));
    let share = SEARCHED_BYTES_MAX / texts.len().max(1);
    let tasks: Vec<&str> =
        gathered.kept.iter().map(|kept| kept.input.task.as_deref().unwrap_or_default()).collect();
    let told_apart = claims::told_apart(&tasks, reader.lexicon());
    let all = gathered.kept.iter().zip(told_apart).zip(texts).zip(words);
    let read = |((kept, text), words): (((&'t Kept, &'t str), &'t Text), &'t Vec<Word>)| {
        Searched::of(kept, text, words, share, numbered, (&asked, reader.lexicon()))
    };
    let all: Vec<Searched<'t>> = all.map(read).collect();
    let found: usize = all.iter().map(|searched| searched.said.len()).sum();
    let (mut said, mut features) = (Vec::with_capacity(found), Vec::with_capacity(found));
    let (mut silent, mut guarded) = (Vec::new(), BTreeMap::<&str, String>::new());
    let (mut rests, mut places) = (Vec::with_capacity(texts.len()), Vec::with_capacity(found));
    let (mut tasks, mut scopes) = (Vec::new(), Vec::new());
    let mut answered = Asked { query: question.asked(), results: Vec::with_capacity(texts.len()) };
    for (searched, kept) in all.into_iter().zip(&gathered.kept) {
        rests.push(searched.rests);
        places.extend(std::iter::repeat_n(kept.input.place, searched.said.len()));
        if kept.twin_of.is_none() {
            answered.results.push(said.len()..said.len() + searched.said.len());
        }
        // Who has no task is often called by it: `security`, `performance`.
        let task = kept.input.task.as_deref().unwrap_or(&kept.input.subagent);
        let called = [task, &kept.input.subagent];
        tasks.extend(called.into_iter().filter(|_| !searched.said.is_empty()));
        scopes.extend(searched.scope);
        said.extend(searched.said);
        features.extend(searched.features);
        silent.extend(searched.silent);
        for (quotation, read) in searched.guarded {
            guarded.entry(quotation).or_insert(read);
        }
    }
    silent.retain(|gap: &String| !(is_prose && gap.starts_with(NOTHING_OF)));
    silent.sort();
    still_wanted();
    let mut claims = Claims::of(said, features);
    claims.places = places;
    still_wanted();
    let Compared { found: mut against, pairs_checked, unchecked } =
        differing(&claims.statements, &claims.features, claims.order.clone(), &answered);
    against.retain(|found| !found.places.iter().any(|at| is_too_long(claims.statements[*at].text)));
    let contested: BTreeSet<usize> = against.iter().flat_map(|found| found.places).collect();
    still_wanted();
    let site = |number: usize| numbered.site(number as u32);
    let all = claims.findings(&site, &contested, &asked);
    let (against, contradictions) = contradicted::listed(against, &claims, &all);
    let whole: BTreeSet<&str> =
        gathered.kept.iter().filter(|kept| !kept.partial).map(|kept| kept.input.subagent.as_str()).collect();
    let expected = expected(gathered);
    let (all, too_long) = too_long::apart(all);
    let (listed, mut rest) = listed(all);
    let mut listed = claims.with_steps(listed);
    for finding in &mut listed {
        finding.topic = numbered.uncited(std::mem::take(&mut finding.topic));
    }
    let beyond = [beyond(&listed, &rest), too_long::unquoted(&too_long)];
    rest.extend(too_long);
    let query = question.text();
    let headings = claims.statements.iter().flat_map(|said| [said.heading, said.around.section]);
    let mut headings: Vec<&str> = headings.filter(|line| !line.is_empty()).chain(scopes).collect();
    // Neighbours stand below the same.
    headings.dedup();
    headings.sort_unstable();
    headings.dedup();
    let about = (&*query, &*tasks, &*headings);
    let mut gaps = gaps(about, (&listed, &rest), &claims.features, &expected, reader.lexicon());
    gaps.extend(beyond.into_iter().flatten());
    gaps.extend(contradicted::beyond(against.len(), contradictions));
    gaps.extend(silent);
    gaps.extend(gathered.too_many());
    gaps.extend(left_unchecked(unchecked));
    // As it stands in the texts, unless something in it would be read as a citation that is none.
    let shown = |text: String| guarded.get(text.as_str()).cloned().unwrap_or(text);
    let steps = claims::steps(&claims, &listed);
    let is_to_act = asks_what_to_do(&query);
    let insights = {
        let topics: BTreeMap<usize, &str> =
            listed.iter().chain(&rest).map(|finding| (finding.shown, finding.topic.as_str())).collect();
        let above = |shown: usize| {
            let topic = topics.get(&shown)?;
            lead_of(topic, claims.statements[shown].text).map(str::to_owned)
        };
        claims::insights(&claims, is_to_act, &above)
    };
    let findings = listed.into_iter().zip(steps).map(|(finding, step)| Finding {
        content: shown(finding.content.to_owned()),
        step,
        ..finding_of(finding, &whole)
    });
    still_wanted();
    let insights = insights.into_iter().filter(|insight| !is_too_long(&insight.text)).take(INSIGHTS_MAX);
    let listed = gathered.kept.iter().zip(words).filter(|(kept, _)| kept.twin_of.is_none());
    let results = listed
        .map(|(kept, words)| (kept.input.task_id.as_str(), kept.input.subagent.as_str(), words.as_slice()));
    let evidence = evidence(claims, numbered.excerpts(), reader.lexicon());
    let material = Material { query, results: results.collect(), evidence };
    let found = Found {
        findings: findings.collect(),
        insights: insights
            .map(|insight| Insight {
                text: shown(insight.text),
                lead_in: insight.lead_in.map(|line| numbered.uncited(line)),
                sources: numbers(&insight.sources),
            })
            .collect(),
        contradictions: against
            .into_iter()
            .map(|found| contradicted::contradiction_of(found, &shown))
            .collect(),
        gaps,
        pairs_checked,
        rests,
    };
    (found, material)
}

/// By source its excerpts and the statements that cite it, and behind the sources what cites none: nothing cites it, but
/// what cites nothing is held against it too.
fn evidence<'t>(claims: Claims<'t>, excerpts: Vec<Vec<&'t str>>, lexicon: &mut Lexicon) -> Vec<Evidence<'t>> {
    let mut excerpt = |text: &'t str| Read::new(lexicon, Cow::Borrowed(text));
    let mut read: Vec<Vec<Arc<Read<'_>>>> =
        excerpts.into_iter().map(|of| of.into_iter().map(&mut excerpt).collect()).collect();
    let mut uncited = Vec::new();
    for (statement, features) in claims.statements.iter().zip(claims.features) {
        let negated = features.marks.iter().any(|marked| marked.mark.is_negation());
        // Read once: a sentence may cite as many sources as it has words.
        let said = Read::of(Cow::Borrowed(statement.text), features.words, negated);
        for source in &statement.sources {
            if let Some(of) = read.get_mut(source.wrapping_sub(1)) {
                of.push(said.clone());
            }
        }
        if statement.sources.is_empty() {
            uncited.push(said);
        }
    }
    read.into_iter().chain([uncited]).map(Evidence::of_read).collect()
}

/// The findings that are listed, and the rest: the best, among them one of each subagent as far as there is room.
fn listed(all: Vec<claims::Finding<'_>>) -> (Vec<claims::Finding<'_>>, Vec<claims::Finding<'_>>) {
    if all.len() <= FINDINGS_MAX {
        return (all, Vec::new());
    }
    let (mut heard, mut chosen) = (BTreeSet::new(), vec![false; all.len()]);
    let mut room = FINDINGS_MAX;
    for (at, finding) in all.iter().enumerate() {
        let is_new = finding.contributors.iter().any(|name| !heard.contains(name));
        if is_new && room > 0 {
            heard.extend(finding.contributors.iter().copied());
            chosen[at] = true;
            room -= 1;
        }
    }
    for chosen in chosen.iter_mut().filter(|chosen| !**chosen).take(room) {
        *chosen = true;
    }
    let (mut listed, mut rest) = (Vec::with_capacity(FINDINGS_MAX), Vec::with_capacity(all.len()));
    for (finding, is_chosen) in all.into_iter().zip(chosen) {
        if is_chosen { listed.push(finding) } else { rest.push(finding) }
    }
    (listed, rest)
}

/// What says that there are more findings than are listed, and whose are all among those.
fn beyond<'t>(listed: &[claims::Finding<'t>], rest: &[claims::Finding<'t>]) -> Option<String> {
    const NAMED_MAX: usize = 12;
    let all = |findings: &[claims::Finding<'t>]| -> BTreeSet<&'t str> {
        findings.iter().flat_map(|finding| &finding.contributors).copied().collect()
    };
    let (heard, mut unheard) = (all(listed), all(rest));
    unheard.retain(|name| !heard.contains(name));
    let named: Vec<&str> = unheard.iter().take(NAMED_MAX).copied().collect();
    let more = unheard.len() - named.len();
    let others = if more > 0 { format!(" and {more} others") } else { String::new() };
    let silent = match named.is_empty() {
        true => String::new(),
        false => format!("; nothing of {}{others} is listed", named.join(", ")),
    };
    let (left, all) = (rest.len(), rest.len() + listed.len());
    (left > 0).then(|| format!("{left} of {all} {UNLISTED}{silent}."))
}

/// What says that not all that is alike was compared.
fn left_unchecked(statements: usize) -> Option<String> {
    (statements > 0).then(|| {
        format!(
            "More sentences are alike than are compared with each other ({statements}): contradictions among them may be missing."
        )
    })
}

/// What only parts of results say is sure to no more than a low degree: their subagents didn't get to the end.
fn finding_of(finding: claims::Finding<'_>, whole: &BTreeSet<&str>) -> Finding {
    let partial = !finding.contributors.iter().any(|name| whole.contains(name));
    let confidence = match finding.confidence {
        _ if partial => Level::Low,
        claims::Confidence::Low => Level::Low,
        claims::Confidence::Medium => Level::Medium,
        claims::Confidence::High => Level::High,
    };
    Finding {
        topic: finding.topic,
        content: finding.content.to_owned(),
        sources: numbers(&finding.sources),
        confidence,
        contributors: finding.contributors.into_iter().map(str::to_owned).collect(),
        verify: if partial { Some(OF_A_PART.to_owned()) } else { finding.verify.map(Cow::into_owned) },
        by_model: false,
        step: None,
    }
}
