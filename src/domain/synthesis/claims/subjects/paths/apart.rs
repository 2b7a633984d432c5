//! Whether two paths are of different things.
//!
//! In one text the same heading below two others is of two things, whatever those are called: authors don't write it twice for one.
//! Two texts may call the same thing otherwise (`# Incident report`, `# Checkout outage`), so that only names tell their titles apart,
//! and other words only where neither text says the other's.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::LazyLock;

use super::{Path, Paths};
use crate::domain::synthesis::claims::subjects::generic::is_generic;
use crate::domain::synthesis::claims::subjects::headed::{is_section, telling};
use crate::domain::synthesis::claims::subjects::named::without_number;
use crate::domain::synthesis::claims::subjects::own::Own;
use crate::domain::synthesis::claims::subjects::sources::{is_firm, without_sources};
use crate::domain::text::keys::in_words;
use crate::domain::text::scripts::is_wide;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::{Kind, Lexicon, Term};

/// The words of each of two paths that the other hasn't.
pub(super) type Rest = [Vec<Term>; 2];

/// Words of a title that may be no name and still tell what a text is about.
const TITLE_WORDS_MAX: usize = 4;

/// What says no more of a text than that it is one, or of a firm than that it is one.
#[rustfmt::skip]
const SAY_NOTHING: &[&str] = &[
    "source", "document", "page", "website", "site", "comparison", "profile", "brief", "research", "quarterly", "earnings", "study",
    "inc", "corp", "corporation", "company", "group", "ltd", "limited", "llc", "plc", "gmbh", "ag", "kg", "co", "holding",
    "zusammenfassung", "bericht", "analyse", "ergebnisse", "antwort", "einleitung", "übersicht", "recherche", "vergleich", "quelle", "steckbrief", "unternehmen",
    "rapport", "réponse", "synthèse", "résumé", "aperçu", "conclusion", "recherche", "source", "entreprise",
    "informe", "análisis", "respuesta", "introducción", "resumen", "conclusión", "fuente", "comparación", "empresa", "relazione", "riassunto", "confronto", "analisi", "panoramica",
    "relatório", "resumo", "análise", "报告", "概述", "概览", "总结", "分析", "结论", "摘要", "简介", "背景", "调研", "研究", "对比", "比较", "来源", "概要", "結論", "分析", "まとめ",
];

static NOTHING: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(SAY_NOTHING.iter().map(|word| (*word, ()))).into());

/// A heading as it is compared.
struct Line<'t> {
    text: &'t str,
    /// All its words but those that hold it together.
    words: Vec<Term>,
    /// Those that say what stands below it, and whether each is written as a name.
    telling: Vec<(Term, bool)>,
    /// The same of one that is nothing but the name of a firm that publishes.
    firm: Vec<(Term, bool)>,
}

impl<'t> Line<'t> {
    fn of(text: &'t str, lexicon: &mut Lexicon) -> Self {
        let bare = in_words(without_number(text));
        // Who publishes is no thing that is written about.
        let line = without_sources(&bare, Own::Itself);
        let read = lexicon.words(&line);
        let words: Vec<Term> =
            lexicon.words(&bare).iter().filter(|word| word.is_content()).map(|word| word.term).collect();
        let is_name =
            |start: usize| line[start..].starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        let (mut telling, mut before) = (telling(&line, read), false);
        // `Source 1` is one of several.
        telling.retain(|word| {
            let is_nothing = NOTHING.get(word.term).is_some();
            let counts = std::mem::replace(&mut before, is_nothing) && word.kind == Kind::Number;
            !is_nothing && !counts
        });
        let telling: Vec<(Term, bool)> =
            telling.into_iter().map(|word| (word.term, is_name(word.start))).collect();
        let firm = if is_firm(&bare) { words.iter().map(|word| (*word, true)).collect() } else { Vec::new() };
        Self { text, words, telling, firm }
    }

    fn is_same(&self, other: &Self) -> bool {
        if self.words.is_empty() || other.words.is_empty() || self.words.len() != other.words.len() {
            return self.text == other.text;
        }
        // Letters, as in `Plan A`, are among those that tell alone.
        self.words == other.words && self.telling == other.telling
    }
}

/// A path as it is compared: the lines above, and its task.
#[derive(Clone)]
pub(super) struct Told<'t> {
    lines: Vec<Rc<Line<'t>>>,
    asked: Rc<Line<'t>>,
}

/// The paths as they are compared; each heading is read once, however many paths and pairs of them it stands in.
pub(super) fn read<'t>(paths: &[Path<'t>]) -> Vec<Told<'t>> {
    let (mut lexicon, mut known) = (Lexicon::default(), BTreeMap::new());
    let mut line = |text: &'t str| -> Rc<Line<'t>> {
        known.entry(text).or_insert_with(|| Rc::new(Line::of(text, &mut lexicon))).clone()
    };
    let told = |path: &Path<'t>| Told {
        lines: path.lines.iter().map(|text| line(text)).collect(),
        asked: line(path.asked),
    };
    paths.iter().map(told).collect()
}

impl Paths<'_, '_> {
    /// What tells two paths apart that are of different things.
    pub(super) fn compare(&self, one: usize, other: usize) -> Option<Rest> {
        let all = self.told.get_or_init(|| read(&self.known));
        let (mine, theirs) = (&all[one], &all[other]);
        if let Some(rest) = self.of_tasks(&mine.asked, &theirs.asked) {
            return Some(rest);
        }
        let [own, their] = [one, other].map(|at| self.known[at].subagent);
        if own == their {
            return of_one_text(&mine.lines, &theirs.lines);
        }
        self.of_two_texts((own, &mine.lines), (their, &theirs.lines))
    }

    /// The names that tell two tasks apart.
    fn of_tasks(&self, one: &Line<'_>, other: &Line<'_>) -> Option<Rest> {
        let are_names =
            |of: &Line<'_>| !of.telling.is_empty() && of.telling.iter().all(|word| self.is_name(*word));
        let are_apart = one.text != other.text && are_names(one) && are_names(other);
        are_apart.then(|| [one, other].map(|asked| terms_of(asked.telling.clone())))
    }

    fn is_name(&self, (term, is_written_so): (Term, bool)) -> bool {
        is_written_so && !is_generic(term) && !self.lowered().contains(&term)
    }

    /// By the outermost heading of each that the other hasn't: mostly that is the title.
    fn of_two_texts(
        &self,
        (one, mine): (&str, &[Rc<Line<'_>>]),
        (other, theirs): (&str, &[Rc<Line<'_>>]),
    ) -> Option<Rest> {
        let (Some((own, above)), Some((their_own, their_above))) = (mine.split_first(), theirs.split_first())
        else {
            return None;
        };
        let [a, b] = [left(above, theirs), left(their_above, mine)].map(|left| left.last().copied());
        let (a, b) = (a?, b?);
        let rest = [rest_of(&[a], theirs, true), rest_of(&[b], mine, true)];
        if rest.iter().any(Vec::is_empty) {
            return None;
        }
        let [is_named, is_other_named] =
            [&rest[0], &rest[1]].map(|of| of.iter().all(|word| self.is_name(*word)));
        let are_named = is_named && is_other_named;
        let are_alone = rest.iter().all(|of| of.len() == 1);
        // `Acme in short` and `Facts about Acme` are of one, `Hotel Adler` and `Hotel Bellevue` of two.
        let share = a.telling.iter().any(|(term, _)| !says_little(*term) && b.words.contains(term));
        if share && !(are_alone && a.words.len() == b.words.len()) {
            return None;
        }
        let is_bare = are_alone && a.words.len() == 1 && b.words.len() == 1;
        let is_short = |line: &Line<'_>| line.words.len() <= TITLE_WORDS_MAX;
        let are_short = is_short(a) && is_short(b);
        let are_apart = is_bare && are_named && own.is_same(their_own)
            || (are_named || are_short) && self.lacks(other, a, &rest[0]) && self.lacks(one, b, &rest[1]);
        are_apart.then(|| rest.map(terms_of))
    }

    /// Whether a text has none of some words of another's title.
    fn lacks(&self, subagent: &str, title: &Line<'_>, words: &[(Term, bool)]) -> bool {
        let is_said = |term: &Term| self.said(subagent).is_some_and(|said| said.contains(term));
        // One character is part of pairs in a sentence.
        let is_written = || {
            let mut own = self.statements.iter().filter(|said| said.subagent == subagent);
            title.text.contains(is_wide) && own.any(|said| said.text.contains(title.text))
        };
        !words.iter().any(|(term, _)| is_said(term)) && !is_written()
    }
}

/// By all headings above their own, which are two things where they say something; where their own differ they must name it.
fn of_one_text(mine: &[Rc<Line<'_>>], theirs: &[Rc<Line<'_>>]) -> Option<Rest> {
    let (Some((own, above)), Some((their_own, their_above))) = (mine.split_first(), theirs.split_first())
    else {
        return None;
    };
    let is_strict = !own.is_same(their_own);
    let (a, b) = (left(above, theirs), left(their_above, mine));
    let rest = [rest_of(&a, theirs, is_strict), rest_of(&b, mine, is_strict)];
    (!rest.iter().any(Vec::is_empty)).then(|| rest.map(terms_of))
}

/// Those that aren't in the other path.
fn left<'l, 't>(lines: &'l [Rc<Line<'t>>], other: &[Rc<Line<'t>>]) -> Vec<&'l Line<'t>> {
    let is_other = |line: &&Line<'t>| !other.iter().any(|other| other.is_same(line));
    lines.iter().map(|line| &**line).filter(is_other).collect()
}

/// The words that tell something and that no line of another path has; where it `is_strict` no word that any report may have above it,
/// nor the name of who may only say what stands below.
fn rest_of(lines: &[&Line<'_>], other: &[Rc<Line<'_>>], is_strict: bool) -> Vec<(Term, bool)> {
    let firms = lines.iter().flat_map(|line| &line.firm).filter(|_| !is_strict);
    let all = lines.iter().flat_map(|line| &line.telling).chain(firms).copied();
    let is_own = |(term, _): &(Term, bool)| {
        let has = |line: &Rc<Line<'_>>| {
            line.words.contains(term) || line.telling.iter().any(|word| word.0 == *term)
        };
        !(other.iter().any(has) || is_strict && says_little(*term))
    };
    all.filter(is_own).collect()
}

fn says_little(term: Term) -> bool {
    is_generic(term) || is_section(term)
}

fn terms_of(words: Vec<(Term, bool)>) -> Vec<Term> {
    words.into_iter().map(|(term, _)| term).collect()
}
