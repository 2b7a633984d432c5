//! What a statement is about beside what it measures: names, times, parts.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::Scoped;
use super::times::times;
use crate::domain::adapters::shape::{Member, members};
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::claims::Statement;
use crate::domain::synthesis::contradictions::dates::dates_fit;
use crate::domain::synthesis::contradictions::narrowed::ABROAD;
use crate::domain::synthesis::contradictions::rows::TIMES;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::keys::in_words;
use crate::domain::text::scripts::is_wide;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::{Lexicon, Term};

/// What says nothing of which one it is: what happened, what joins, what tells.
#[rustfmt::skip]
const ASIDE: &[&str] = &[
    "outage", "incident", "disruption", "downtime", "event", "failure", "störung", "ausfall", "incidente", "interrupción", "trial", "study", "impact", "overview", "detail", "result", "fact", "key",
    "summary", "timeline", "total", "number", "report", "reported", "said", "according", "postmortem", "lasted", "last", "down", "took", "take", "took", "place", "during", "first", "initially",
    "minute", "minutes", "hour", "hours", "duration", "motion", "vote", "voted", "votes", "carried", "approve", "approved", "approval", "passed", "council", "member", "members", "by", "from", "to",
    "open", "opens", "opened", "opening", "close", "closes", "closed", "daily", "every", "day", "days", "except", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "start", "starts", "begin", "begins", "began", "commence", "work", "due", "expected", "scheduled", "planned", "set", "date", "effect", "force", "enter", "enters", "entry", "apply", "applies", "effective", "comes", "come",
    "reopen", "reopens", "reopening", "again", "not", "before", "earlier", "than", "early", "late", "end", "et", "al", "detected", "detect", "noticed", "notice", "discovered", "spotted",
    "identified", "flagged", "found", "insgesamt", "lang", "nicht", "erreichbar", "dauerte", "dauer", "uhr", "um", "öffnet", "schließt", "geöffnet", "täglich", "öffnungszeiten", "von", "bis", "und", "der", "die", "das", "den", "dem", "des",
    "ein", "eine", "war", "ist", "wird", "am", "im", "in", "zu", "el", "la", "los", "las", "de", "del", "a", "y", "es", "se", "abre", "cierra", "abierto", "abierta", "horario", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado",
    "domingo", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "minuten", "stunden", "wurde", "fecha", "vigor", "entra", "entrará", "kraft", "tritt", "gilt", "customer", "customers", "user", "users", "within", "later", "ab", "since", "new",
];
/// What says that something is meant otherwise, or of a part.
#[rustfmt::skip]
const OTHERWISE: &[&str] = &[
    "forecast", "predicted", "prediction", "expected", "estimated", "estimate", "planned", "target", "goal", "projected", "projection", "budget", "budgeted", "proposed", "proposal", "average", "mean", "median", "typical",
    "typically", "maximum", "minimum", "previous", "previously", "former", "initial", "original", "originally", "if", "should", "would", "could", "may", "might", "among", "including", "each", "per", "only", "half", "another",
    "other", "more", "additional", "further", "remaining", "rest", "least", "most", "geplant", "erwartet", "prognose", "durchschnitt", "davon", "recommended", "hypothetical", "example", "temporarily", "usually", "normally",
];
/// What leads in a place, a part or a condition.
#[rustfmt::skip]
const LEADING: &[&str] = &[
    "in", "on", "at", "among", "across", "within", "from", "along", "for", "with", "without", "under", "above", "over", "outside", "near", "via", "while", "when", "because", "since", "im", "am", "an", "auf", "für", "bei", "mit", "en", "para", "con",
];
/// Keys of JSON that say of which part a member is.
#[rustfmt::skip]
const NARROWING: [&str; 18] = [
    "region", "country", "market", "segment", "plan", "tier", "edition", "environment", "env", "version", "group", "category", "type", "variant", "season", "location", "city", "status",
];
/// What goes on behind it.
const GOING_ON: [&str; 8] = ["the", "a", "of", "and", "its", "all", "der", "la"];
/// Heads of what decides.
#[rustfmt::skip]
const CHAMBERS: &[&str] = &["council", "committee", "commission", "board", "senate", "house", "assembly", "parliament", "court", "panel", "jury", "subcommittee", "委員", "议会", "議会", "委员"];

static KNOWN: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(ASIDE.iter().map(|word| (*word, ()))).into());
static MEANT: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(OTHERWISE.iter().chain(ABROAD).map(|word| (*word, ()))).into());
/// Whether a word leads in, or goes on.
static LEADS: LazyLock<KnownTerms<bool>> = LazyLock::new(|| {
    let [leads, goes_on] = [LEADING, &GOING_ON].map(|words| words.iter().copied());
    terms::table(leads.map(|word| (word, true)).chain(goes_on.map(|word| (word, false)))).into()
});
static DECIDING: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(CHAMBERS.iter().map(|word| (*word, ()))).into());

/// Whether a text says that it is meant otherwise than as a fact, or of a part.
pub(super) fn is_meant_otherwise(of: &Features<'_>) -> bool {
    of.words.iter().any(|word| MEANT.get(word.term).is_some())
}

/// Whether two texts name other dates, or one names one.
pub(super) fn are_of_other_times(one: &Features<'_>, other: &Features<'_>) -> bool {
    let is_date = |time: &Figure| time.unit == Unit::Date;
    let values =
        |of: &Features<'_>| times(of).filter(is_date).map(|time| (time.low, time.high)).collect::<Vec<_>>();
    values(one) != values(other)
}

/// What a statement, and the lines above it, say beside what is measured; terms ascend.
#[derive(Debug)]
pub(super) struct Scope {
    class: Scoped,
    /// All that it says.
    says: Vec<Term>,
    /// What of that tells which one it is.
    subject: Vec<Term>,
    names: Vec<Term>,
    /// Behind `in`, `among`, `with`.
    narrowing: Vec<Term>,
    /// What says that it is meant otherwise.
    meant: Vec<Term>,
    chambers: Vec<Term>,
    times: Vec<Figure>,
    is_wide: bool,
}

/// The lines above statements that are compared, each read once: many stand below the same.
#[derive(Default)]
pub(super) struct Lines<'t>(BTreeMap<&'t str, Features<'t>>);

impl Scope {
    pub(super) fn of<'t>(
        class: Scoped,
        core: &[Term],
        (statement, of): (&Statement<'t>, &Features<'t>),
        lines: &mut Lines<'t>,
        lexicon: &mut Lexicon,
    ) -> Self {
        let mut scope = Self {
            class,
            says: Vec::with_capacity(of.elements.len()),
            subject: Vec::with_capacity(of.elements.len()),
            names: Vec::new(),
            narrowing: Vec::new(),
            meant: Vec::new(),
            chambers: Vec::new(),
            times: Vec::new(),
            is_wide: of.text.starts_with(is_wide),
        };
        if of.text.starts_with('"') {
            scope.take_in_members(statement, core, lexicon);
        } else {
            scope.take_in(of, core);
            scope.narrow(of, core);
        }
        let heading = statement.row.map_or(statement.heading, |row| row.section);
        for line in [heading, statement.around.within, statement.around.announced, statement.around.section] {
            if !line.is_empty() && line.len() <= super::BYTES_MAX {
                scope.take_in(lines.0.entry(line).or_insert_with(|| Features::of(lexicon, line)), core);
            }
        }
        for terms in [&mut scope.says, &mut scope.subject, &mut scope.names, &mut scope.narrowing] {
            terms.sort_unstable();
            terms.dedup();
        }
        scope
    }

    fn take_in(&mut self, of: &Features<'_>, core: &[Term]) {
        for element in &of.elements {
            let Element { term, role, .. } = *element;
            if matches!(role, Role::Content | Role::Name | Role::Adverb | Role::Attribution | Role::Character)
            {
                self.says.push(term);
            }
            if matches!(role, Role::Content | Role::Name | Role::Character) && is_said(term, core) {
                self.subject.push(term);
                if role == Role::Name {
                    self.names.push(term);
                }
            }
        }
        let among = |known: &'static KnownTerms<()>| {
            of.words.iter().map(|word| word.term).filter(|term| known.get(*term).is_some())
        };
        self.meant.extend(among(&MEANT).filter(|term| !core.contains(term)));
        self.chambers.extend(among(&DECIDING));
        self.times.extend(times(of));
    }

    /// Takes in what members of JSON name, and of when they are.
    fn take_in_members(&mut self, statement: &Statement<'_>, core: &[Term], lexicon: &mut Lexicon) {
        for key in statement.around.keys.iter().filter(|key| !key.is_empty()) {
            self.take_in(&Features::of(lexicon, &in_words(key)), core);
        }
        let object = format!("{{{}}}", statement.text);
        for Member { key, value } in members(&object).unwrap_or_default() {
            let key = key.0.to_lowercase();
            let text = value.trim_matches('"');
            let is_name = value.starts_with('"') && !text.contains(|c: char| c.is_ascii_digit());
            if NARROWING.contains(&key.as_str()) {
                self.narrowing
                    .extend(Features::of(lexicon, text).elements.iter().map(|element| element.term));
            } else if is_name || TIMES.contains(&key.as_str()) {
                self.take_in(&Features::of(lexicon, text), core);
            }
        }
    }

    /// Takes in what stands behind `in` and the like.
    fn narrow(&mut self, of: &Features<'_>, core: &[Term]) {
        let mut is_inside = false;
        let mut end = 0;
        for word in &of.words {
            let gap = end..word.start;
            end = word.end;
            let leads = LEADS.get(word.term).copied();
            if leads == Some(true) {
                is_inside = true;
                continue;
            }
            is_inside = is_inside
                && (word.is_content() || leads.is_some())
                && !of.text.get(gap).is_some_and(|gap| gap.contains([',', ';', '.', ':', '(', ')']));
            let is_figure =
                || of.figures.iter().any(|figure| figure.start < word.end && word.start < figure.end);
            if is_inside && word.is_content() && is_said(word.term, core) && !is_figure() {
                self.narrowing.push(word.term);
            }
        }
    }

    /// Whether two are of others.
    pub(super) fn is_apart(&self, other: &Self) -> bool {
        let lacks = |terms: &[Term], of: &Self| terms.iter().any(|term| of.says.binary_search(term).is_err());
        let is_event =
            matches!(self.class, Scoped::Lasting | Scoped::Vote | Scoped::Noticed | Scoped::Constant);
        if lacks(&self.names, other) && lacks(&other.names, self) || self.is_meant_otherwise(other) {
            return true;
        }
        if !self.are_of_same_time(other, is_event) {
            return true;
        }
        let narrowed = [lacks(&self.narrowing, other), lacks(&other.narrowing, self)];
        let is_narrowed = match self.class {
            Scoped::Vote => narrowed == [true, true],
            // Behind `by` stands who, and how.
            Scoped::Noticed => false,
            Scoped::Count
            | Scoped::Lasting
            | Scoped::Period
            | Scoped::Hours
            | Scoped::Effect
            | Scoped::Start
            | Scoped::Reopening
            | Scoped::Attribute
            | Scoped::Constant => narrowed.contains(&true),
        };
        // What a Chinese or Japanese sentence is about is among what it is called.
        let is_wide = self.is_wide && other.is_wide;
        let lacking = [lacks(&self.subject, other), lacks(&other.subject, self)];
        let are_both = !self.subject.is_empty() && !other.subject.is_empty();
        let are_disjoint =
            are_both && !self.subject.iter().any(|term| other.says.binary_search(term).is_ok());
        let is_other = match self.class {
            Scoped::Hours | Scoped::Period | Scoped::Effect | Scoped::Start | Scoped::Reopening => {
                !is_wide && (lacking.contains(&true) || !are_both)
            }
            Scoped::Vote => {
                let share = |term: &Term| other.chambers.contains(term);
                !self.chambers.is_empty() && !other.chambers.is_empty() && !self.chambers.iter().any(share)
            }
            Scoped::Count => lacking == [true, true],
            Scoped::Lasting | Scoped::Noticed => false,
            // What has it tells them apart already.
            Scoped::Attribute | Scoped::Constant => return is_narrowed,
        };
        is_narrowed || are_disjoint || is_other
    }

    fn is_meant_otherwise(&self, other: &Self) -> bool {
        if matches!(self.class, Scoped::Start | Scoped::Reopening | Scoped::Effect | Scoped::Period) {
            return false;
        }
        let lacks = |a: &Self, b: &Self| a.meant.iter().any(|term| !b.meant.contains(term));
        lacks(self, other) || lacks(other, self)
    }

    fn are_of_same_time(&self, other: &Self, is_event: bool) -> bool {
        if matches!(self.class, Scoped::Start | Scoped::Reopening | Scoped::Effect) {
            return true;
        }
        if self.times.is_empty() || other.times.is_empty() {
            return is_event || self.times.is_empty() && other.times.is_empty();
        }
        let fits = |time: &Figure, other: &Self| {
            other.times.iter().any(|their| {
                time.unit == their.unit
                    && (time.low == their.low && time.high == their.high
                        || time.unit == Unit::Date && dates_fit(time, their))
            })
        };
        self.times.iter().all(|time| fits(time, other)) && other.times.iter().all(|time| fits(time, self))
    }
}

/// Whether a term tells which one it is: it is none of those that say what is measured, and not [`ASIDE`].
fn is_said(term: Term, core: &[Term]) -> bool {
    KNOWN.get(term).is_none() && !core.contains(&term)
}
