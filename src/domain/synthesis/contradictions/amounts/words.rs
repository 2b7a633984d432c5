//! The words that say what an amount is of, whatever stands between them.

use std::ops::Range;
use std::sync::LazyLock;

use super::super::rows::NAMING;
use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::figures::Unit;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::{Kind, Term};

/// What joins a thing and its amount, and says nothing of either.
#[rustfmt::skip]
const JOINTS: &[&str] = &[
    "reach", "reached", "achieve", "achieved", "deliver", "stand", "stood", "amount", "get", "got", "come", "came", "hit", "measure", "measured", "clock", "clocked", "record", "recorded", "show",
    "showed", "report", "reported", "list", "listed", "offer", "provide", "equal", "sit", "run", "value", "values", "result", "figure", "number", "metric", "hold", "held", "post", "posted", "generate", "generated", "earn", "earned", "closed", "currently", "exactly", "roughly",
    "approximately", "nearly", "only", "s", "beträgt", "betragen", "liegt", "liegen", "lag", "erreicht", "erreichte", "erzielt", "hat", "haben", "zählt", "wert", "bei", "von", "der", "die", "das", "des", "dem", "den",
    "vom", "im", "ist", "sind", "ein", "eine", "einen", "einer", "rund", "etwa", "est", "sont", "de", "du", "la", "le", "les", "à", "au", "un", "une", "atteint", "compte", "es", "son", "el", "los", "las", "del", "una",
    "alcanza", "tiene",
];

/// Words of which each says the same as the first of its group.
#[rustfmt::skip]
const SAME: &[&[&str]] = &[
    &["price", "priced", "pricing", "cost", "costs", "preis", "preise", "kostet", "kosten", "prix", "coûte", "precio", "cuesta"],
    &["population", "inhabitant", "inhabitants", "resident", "residents", "einwohner", "einwohnerzahl", "bevölkerung", "habitants", "habitantes", "población"],
    &["employee", "employees", "staff", "headcount", "mitarbeiter", "employés", "empleados"],
    &["height", "tall", "höhe", "hoch", "hauteur", "altura"],
    &["length", "long", "länge", "lang", "longueur"],
    &["width", "wide", "breite", "breit"],
    &["depth", "deep", "tiefe", "tief"],
    &["weight", "weigh", "weighs", "gewicht", "wiegt"],
    &["memory", "ram"],
];

/// Words that hold a sentence together, and say of which amount it speaks, or that it is none yet.
#[rustfmt::skip]
const TELLING: &[&str] = &[
    "after", "any", "because", "before", "being", "between", "both", "can", "could", "during", "each", "further", "if", "may", "might", "more", "most", "must", "or", "other", "shall", "should",
    "some", "such", "than", "then", "through", "until", "when", "where", "whether", "while", "will", "would",
];

/// What is told of one or of several things alike, and names none.
#[rustfmt::skip]
const NO_THINGS: &[&str] = &[
    "total", "totals", "sum", "overall", "average", "mean", "median", "min", "max", "minimum", "maximum", "other", "others", "all", "rest", "subtotal", "target", "baseline", "gesamt", "summe",
    "durchschnitt", "mittelwert", "moyenne", "promedio", "this", "it", "day", "week", "month", "quarter", "year", "tag", "woche", "monat", "quartal", "jahr",
];

/// What a line says that may be so of what it heads, and not of the same elsewhere.
#[rustfmt::skip]
const OTHERWISE: &[&str] = &[
    "target", "targets", "goal", "goals", "planned", "forecast", "forecasts", "projected", "projection", "projections", "expected", "estimate", "estimates", "estimated", "budget", "budgeted",
    "previous", "previously", "former", "old", "before", "after", "example", "examples", "hypothetical", "scenario", "scenarios", "assumption", "assumptions", "historical", "maximum", "minimum",
    "average", "median", "baseline", "proposed", "draft", "worst", "without", "during", "if", "simulated", "simulation", "theoretical", "peak", "idle", "legacy",
    "large", "small", "cold", "warm", "stress", "single", "multi", "offline", "online", "batch", "free", "paid", "student", "students", "discounted", "promotional", "summer", "winter", "weekend", "weekday", "adults", "children",
    "local", "remote",
    "ziel", "ziele", "soll", "prognose", "geplant", "erwartet", "vorher", "nachher", "objectif", "objectifs", "prévu", "objetivo", "objetivos", "previsto",
];

/// What kind of thing a name is of: `the checkout service`, `the city of Berlin`.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "service", "server", "system", "platform", "app", "application", "plan", "tier", "package", "edition", "component", "cluster", "module", "engine", "dienst", "tarif",
];

/// What stands between two words that say something else the other way round.
const TURNING: [&str; 5] = ["/", "→", "->", ">", "–"];
/// Bytes between `to` and the figure that it leads to.
const TO_BYTES_MAX: usize = 2;

/// What a word is known as.
#[derive(Clone, Copy)]
enum Known {
    Joint,
    Same(Term),
    Telling,
}

static KNOWN: LazyLock<KnownTerms<Known>> = LazyLock::new(|| {
    let mut known = Vec::with_capacity(JOINTS.len() + TELLING.len());
    known.extend(TELLING.iter().map(|word| (*word, Known::Telling)));
    let mut groups = terms::table(SAME.iter().enumerate().map(|(at, group)| (group[0], at)));
    let firsts: Vec<(usize, Term)> = groups.drain().map(|(term, at)| (at, term)).collect();
    for (at, term) in firsts {
        known.extend(SAME[at].iter().map(|word| (*word, Known::Same(term))));
    }
    known.extend(JOINTS.iter().map(|word| (*word, Known::Joint)));
    terms::table(known).into()
});

static NAMELESS: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(NO_THINGS.iter().map(|word| (*word, ()))).into());

static KIND: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(KINDS.iter().chain(NAMING).map(|word| (*word, ()))).into());

static OTHER: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(OTHERWISE.iter().map(|word| (*word, ()))).into());

/// What a part of a text says beside the figure that begins at `but`, in order, and so for as long as `goes_on` finds something known in it.
/// `None` where it doesn't.
pub(super) fn said_while(
    of: &Features<'_>,
    within: Range<usize>,
    but: Option<usize>,
    goes_on: &dyn Fn(Term) -> bool,
) -> Option<Vec<Term>> {
    let (mut said, mut before) = (Vec::new(), None::<&Element>);
    let is_within = |start: usize, end: usize| start >= within.start && end <= within.end;
    for element in of.elements.iter().filter(|element| is_within(element.start, element.end)) {
        let term = match element.role {
            Role::Figure if but == Some(element.start) => continue,
            Role::Discourse | Role::Attribution => continue,
            Role::Direction if is_joint_of(of, element, but) => continue,
            Role::Figure | Role::Character | Role::Direction => element.term,
            Role::Content | Role::Name | Role::Adverb if is_joint(element.term) => continue,
            Role::Content | Role::Name | Role::Adverb => canonical(element.term),
        };
        if !goes_on(term) {
            return None;
        }
        said.push(term);
        // `from Paris to London`, `EUR/USD`: the other way round it is another thing.
        let between = before
            .filter(|before| before.end <= element.start)
            .map(|before| (before, &of.text[before.end..element.start]));
        if let Some((before, between)) = between
            && (before.role == Role::Direction && !is_joint_of(of, before, but) || is_turning(between))
        {
            let pair = Term(before.term.0.rotate_left(5) ^ element.term.0);
            if !goes_on(pair) {
                return None;
            }
            said.push(pair);
        }
        before = Some(element);
    }
    for word in of.words.iter().filter(|word| word.kind == Kind::Stopword) {
        if is_within(word.start, word.end) && matches!(KNOWN.get(word.term), Some(Known::Telling)) {
            if !goes_on(word.term) {
                return None;
            }
            said.push(word.term);
        }
    }
    Some(said)
}

/// Whether what stands between two words says something else the other way round; a dash with blanks around it only joins.
fn is_turning(between: &str) -> bool {
    TURNING.contains(&between) || TURNING.contains(&between.trim()) && between.trim() != "–"
}

/// Whether a word only joins a thing and its amount.
pub(super) fn is_joint(term: Term) -> bool {
    matches!(KNOWN.get(term), Some(Known::Joint))
}

/// The first of the words that say the same as one.
pub(super) fn canonical(term: Term) -> Term {
    match KNOWN.get(term) {
        Some(Known::Same(first)) => *first,
        Some(Known::Joint | Known::Telling) | None => term,
    }
}

/// Whether `to` only joins what is counted and its figure, that begins at `but`: `amounts to 5`.
fn is_joint_of(of: &Features<'_>, element: &Element, but: Option<usize>) -> bool {
    let is_to = of.text[element.range()].eq_ignore_ascii_case("to");
    is_to
        && but.is_some_and(|but| {
            of.text.get(element.end..but).is_some_and(|between| between.len() <= TO_BYTES_MAX)
        })
}

/// What a part of a text says beside the figure that begins at `but`.
pub(super) fn said(of: &Features<'_>, within: Range<usize>, but: Option<usize>) -> Vec<Term> {
    said_while(of, within, but, &|_| true).unwrap_or_default()
}

/// Whether a part of a text names a thing: a sum, a year or a quarter of something is none.
pub(super) fn are_of_thing(of: &Features<'_>, within: Range<usize>) -> bool {
    let inside =
        of.elements.iter().filter(|element| element.start >= within.start && element.end <= within.end);
    let mut figures = of.figures.iter();
    inside.into_iter().any(|element| match element.role {
        Role::Content | Role::Name | Role::Character => {
            NAMELESS.get(element.term).is_none() && !is_joint(element.term)
        }
        Role::Figure => figures.any(|figure| figure.start == element.start && figure.unit == Unit::Label),
        Role::Adverb | Role::Discourse | Role::Attribution | Role::Direction => false,
    })
}

/// The words of a text that say what kind of thing that is which stands directly before them, or behind `of`.
pub(super) fn kinds(of: &Features<'_>) -> Vec<Term> {
    let is_kind = |at: usize| {
        let element = &of.elements[at];
        let is_behind = at.checked_sub(1).map(|before| &of.elements[before]).is_some_and(|before| {
            let names = matches!(before.role, Role::Content | Role::Name) && KNOWN.get(before.term).is_none();
            names && of.text[before.end..element.start] == *" "
        });
        element.role != Role::Figure
            && KIND.get(element.term).is_some()
            && (is_behind || of.text[element.end..].starts_with(" of "))
    };
    (0..of.elements.len()).filter(|at| is_kind(*at)).map(|at| of.elements[at].term).collect()
}

/// Whether a word says what kind of thing something is.
pub(super) fn is_kind(term: Term) -> bool {
    KIND.get(term).is_some()
}

/// Whether a word of a line may say that what it heads is so there alone.
pub(super) fn is_otherwise(term: Term) -> bool {
    OTHER.get(term).is_some()
}

/// All that two parts say, ascending.
pub(super) fn joined(parts: &[&[Term]]) -> Vec<Term> {
    distinct(parts.concat())
}
