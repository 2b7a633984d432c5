//! What a draft is held against: every sentence of the baseline's results and excerpts, by the sources that it cites.
//!
//! A source's evidence is the sentences that cite it, of all subagents, and its excerpts. What a result without sources
//! says is evidence too, under a place of its own behind the sources'. Everything is read and indexed once; memory is a
//! small multiple of the texts', of which at most [`SEARCHED_BYTES_MAX`] are read, in equal shares.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::plain::plain;
use super::together::{are_together, is_together};
use super::unlisted::unlisted;
use crate::domain::aggregate::result::{AggregatedResult, Source, TaskResult};
use crate::domain::aggregate::url_identity::identify;
use crate::domain::synthesis::citations::keep;
use crate::domain::synthesis::claims::{self, Mark, Site, statements};
use crate::domain::synthesis::support;
use crate::domain::text::language;
use crate::domain::text::sentences::sentences;
use crate::domain::text::terms::TermSet;
use crate::domain::text::words::{Lexicon, Term};

/// Bytes of all results that are read.
const SEARCHED_BYTES_MAX: usize = 4 << 20;
/// Sentences that tell in which language it is, with the spaces between them.
const LANGUAGE_SENTENCES: usize = 200;

/// A sentence, and who says it.
#[derive(Debug, Clone)]
pub(in crate::domain::synthesis) struct Said<'r> {
    /// Without markup and markers.
    pub text: Cow<'r, str>,
    /// Who says it; of an excerpt, who cites it.
    pub by: Vec<&'r str>,
    /// Places of what it cites: source `n` has place `n - 1`.
    pub places: Vec<usize>,
}

/// The sentences of one place.
#[derive(Debug, Clone, Default)]
pub(super) struct Index<'r> {
    pub text: support::Evidence<'r>,
    /// Of each of its sentences, which of all it is.
    pub said: Vec<usize>,
}

/// What the results of a baseline say, ready to be asked.
#[derive(Debug)]
pub struct Evidence<'r> {
    question: String,
    pub(super) sources: usize,
    /// Whether it is of prose, of which each paragraph says something of its own.
    pub(in crate::domain::synthesis) is_prose: bool,
    pub(super) said: Vec<Said<'r>>,
    pub(super) all: support::Evidence<'r>,
    pub(super) places: Vec<Index<'r>>,
    /// Of each place, the independent witness that it is: a registrable domain.
    pub(super) domains: Vec<Site>,
    /// Subagents with a result that names sources.
    pub(super) sourced: BTreeSet<&'r str>,
    /// Subagents that cite a source somewhere.
    citing: BTreeSet<&'r str>,
    /// Subagents with a whole result.
    pub(super) whole: BTreeSet<&'r str>,
    /// Subagents whose results name several sources and don't say what is from which.
    pub(super) together: BTreeSet<&'r str>,
    /// What the baseline found contradicted.
    pub(super) contested: BTreeSet<String>,
    /// Their language, where their words tell it.
    pub(super) language: Option<&'static str>,
    question_terms: TermSet,
    /// Words that stand capitalised within a sentence somewhere.
    names: TermSet,
}

impl<'r> Evidence<'r> {
    /// Reads a baseline. O(words · log words).
    pub fn of(lexicon: &mut Lexicon, result: &'r AggregatedResult, question: &str) -> Self {
        let (said, places) = gather(result);
        let named = |wanted: &dyn Fn(&&TaskResult) -> bool| {
            result.results.iter().filter(wanted).map(|result| result.subagent.as_str()).collect()
        };
        let sources = result.sources.len();
        let statements = result.contradictions.iter().flat_map(|found| &found.statements);
        let cites = |said: &&Said<'_>| said.places.iter().any(|place| *place < sources);
        Self {
            citing: said.iter().filter(cites).flat_map(|said| said.by.iter().copied()).collect(),
            domains: result.sources.iter().map(site).collect(),
            sourced: named(&|result| !result.sources.is_empty()),
            whole: named(&|result| !result.partial),
            together: named(&|result| is_together(result, sources)),
            is_prose: result.style.is_prose(),
            contested: statements.map(|said| plain(&said.text, sources).into_owned()).collect(),
            ..Self::assembled(lexicon, said, places, sources, question)
        }
    }

    /// Indexes sentences by their places, of which the first `sources` are sources.
    pub(in crate::domain::synthesis) fn assembled(
        lexicon: &mut Lexicon,
        said: Vec<Said<'r>>,
        places: Vec<Vec<usize>>,
        sources: usize,
        question: &str,
    ) -> Self {
        let beginning: String =
            said.iter().flat_map(|said| [said.text.as_ref(), " "]).take(LANGUAGE_SENTENCES).collect();
        lexicon.learn(said.iter().map(|said| said.text.as_ref()), language::told(&beginning));
        // Each is read once, of however many places it is evidence.
        let read: Vec<_> = said.iter().map(|said| support::Read::new(lexicon, said.text.clone())).collect();
        let index = |said: Vec<usize>| Index {
            text: support::Evidence::of_read(said.iter().map(|at| read[*at].clone())),
            said,
        };
        let all = support::Evidence::of_read(read.iter().cloned());
        let names = names(lexicon, &said);
        let places = places.into_iter().map(index).collect();
        Self {
            question: question.to_owned(),
            sources,
            is_prose: false,
            all,
            places,
            domains: Vec::new(),
            sourced: BTreeSet::new(),
            citing: BTreeSet::new(),
            whole: BTreeSet::new(),
            together: BTreeSet::new(),
            contested: BTreeSet::new(),
            language: language::surely(&beginning),
            question_terms: lexicon.terms(question).into_iter().collect(),
            names,
            said,
        }
    }

    /// Whether a sentence of the material is this one, letter by letter.
    pub(in crate::domain::synthesis) fn has(&self, text: &str) -> bool {
        self.said.iter().any(|said| said.text.trim() == text.trim())
    }

    /// How many sources there are.
    pub(in crate::domain::synthesis) fn sources(&self) -> usize {
        self.sources
    }

    /// What is known of each source, and behind them of what cites nothing.
    pub(in crate::domain::synthesis) fn texts(&self) -> Vec<support::Evidence<'r>> {
        self.places.iter().map(|place| place.text.clone()).collect()
    }

    /// What was asked.
    pub fn question(&self) -> &str {
        &self.question
    }

    /// Whether a word occurs in the question or in what is known.
    pub(in crate::domain::synthesis) fn knows(&self, term: Term) -> bool {
        self.question_terms.contains(&term) || self.all.has(term)
    }

    /// Whether a word occurs in the question.
    pub(super) fn asks(&self, term: Term) -> bool {
        self.question_terms.contains(&term)
    }

    /// Whether a word is a name wherever it stands.
    pub(super) fn is_name(&self, term: Term) -> bool {
        self.names.contains(&term)
    }

    /// Whether a result of a subagent names sources.
    pub(super) fn has_sources(&self, subagent: &str) -> bool {
        self.sourced.contains(subagent)
    }

    /// Whether what stands at a place is of a subagent that cites elsewhere: what such a one says without a source opens its
    /// report or leads over, and is no finding.
    pub(super) fn is_of_one_who_cites(&self, place: usize) -> bool {
        let by = |at: &usize| self.said[*at].by.iter().any(|name| self.citing.contains(name));
        self.places.get(place).is_some_and(|index| index.said.iter().any(by))
    }

    /// Sentences that have at least `least` of some terms, by that share, the most first; the first `most` of them.
    pub(super) fn alike(&self, terms: &[Term], least: f64, most: usize) -> Vec<(usize, f64)> {
        let mut shared: BTreeMap<usize, u32> = BTreeMap::new();
        for term in terms {
            for at in self.all.sentences_with(*term) {
                *shared.entry(at).or_default() += 1;
            }
        }
        let share = |count: u32| f64::from(count) / terms.len().max(1) as f64;
        let mut found: Vec<(usize, f64)> = shared.into_iter().map(|(at, count)| (at, share(count))).collect();
        found.retain(|(_, share)| *share >= least);
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(most);
        found
    }
}

/// A source's registrable domain; what has none is known by its number.
fn site(source: &Source) -> Site {
    let identity = source.url.as_deref().and_then(identify);
    let domain = identity.map_or_else(|| format!("source {}", source.id), |identity| identity.domain);
    Site { domain, quality: source.quality }
}

/// Every sentence, and for each place which of them are its evidence: the sources' first, then one for each subagent that
/// says something without citing.
pub(in crate::domain::synthesis) fn gather(result: &AggregatedResult) -> (Vec<Said<'_>>, Vec<Vec<usize>>) {
    let sources = result.sources.len();
    let mut said: Vec<Said<'_>> = Vec::new();
    let share = SEARCHED_BYTES_MAX / result.results.len().max(1);
    let mut own: BTreeMap<&str, usize> = BTreeMap::new();
    let by_url: BTreeMap<String, usize> = (result.sources.iter().enumerate())
        .filter_map(|(place, source)| Some((identify(source.url.as_deref()?)?.key, place + 1)))
        .collect();
    let source_of = |url: &str| by_url.get(&identify(url)?.key).copied();
    for task in &result.results {
        let text = task.whole.as_ref().unwrap_or(&task.content);
        let text = &text[..text.floor_char_boundary(share)];
        let (text, report) = keep(text, sources);
        let cited = claims::Said {
            text: &text,
            subagent: &task.subagent,
            marks: &Mark::all(&report.citations),
            source_of: &source_of,
            ..claims::Said::uncited(&text)
        };
        let stated = statements(cited);
        let cites = stated.iter().any(|statement| !statement.sources.is_empty());
        // As in the baseline: a result that names one source and cites nowhere rests on that one. What else cites nothing
        // stands as its subagent put it, at a place of its own.
        // One that names several and cites nothing rests on them together.
        let uncited: Vec<usize> = match &task.sources[..] {
            [only] if !cites => vec![*only as usize - 1],
            several if !cites && are_together(several, &report) => {
                several.iter().map(|number| *number as usize - 1).collect()
            }
            _ if task.sources.is_empty() || stated.iter().any(|statement| statement.sources.is_empty()) => {
                let next = sources + own.len();
                vec![*own.entry(task.subagent.as_str()).or_insert(next)]
            }
            _ => Vec::new(),
        };
        said.extend(stated.into_iter().map(|statement| Said {
            text: plain(statement.text, sources).into_owned().into(),
            by: vec![&task.subagent],
            places: if statement.sources.is_empty() {
                uncited.clone()
            } else {
                statement.sources.iter().filter_map(|number| number.checked_sub(1)).collect()
            },
        }));
    }
    for (place, source) in result.sources.iter().enumerate() {
        for snippet in &source.snippets {
            let by: Vec<&str> = source.cited_by.iter().map(String::as_str).collect();
            said.extend(
                sentences(snippet).into_iter().filter_map(|range| snippet.get(range)).map(|text| Said {
                    text: plain(text, sources),
                    by: by.clone(),
                    places: vec![place],
                }),
            );
        }
    }
    said.extend(unlisted(result, &said, &own));
    let mut places = vec![Vec::new(); sources + own.len()];
    for (at, said) in said.iter().enumerate() {
        for place in &said.places {
            places[*place].push(at);
        }
    }
    (said, places)
}

fn names(lexicon: &mut Lexicon, said: &[Said<'_>]) -> TermSet {
    let mut names = TermSet::default();
    for said in said {
        let words = lexicon.words(&said.text);
        let inner = words.iter().skip(1).filter(|word| word.is_content());
        let capital = inner.filter(|word| said.text[word.range()].starts_with(char::is_uppercase));
        names.extend(capital.map(|word| word.term));
    }
    names
}
