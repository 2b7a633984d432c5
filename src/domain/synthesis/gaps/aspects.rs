//! What is asked in one word and answered in another: `How many people live in Rome?`, `The population is 2.8 million.`

use std::sync::LazyLock;

use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::Unit;
use crate::domain::text::keys::in_words;
use crate::domain::text::phrases::has_any;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::Term;

/// Words for one aspect, a line each.
#[rustfmt::skip]
const ASPECTS: &[&[&str]] = &[
    &["price", "pricing", "cost", "fee", "charge", "tariff", "expensive", "cheap", "kostet", "kosten", "coûte", "coûtent", "cuesta", "cuestan", "precio", "prezzo", "custa", "custam", "preço", "kost", "prijs"],
    &["speed", "fast", "slow", "latency", "throughput"],
    &["pro", "pros", "advantage", "benefit", "strength", "upside", "merit"],
    &["con", "cons", "disadvantage", "drawback", "downside", "weakness", "shortcoming"],
    &["population", "people", "inhabitant", "resident", "live", "citizen"],
    &["employee", "staff", "worker", "workforce", "headcount", "employ"],
    &["revenue", "sales", "turnover"],
    &["risk", "danger", "hazard", "threat"],
    &["founder", "founded", "established", "started"],
    &["based", "headquarter", "headquartered", "located"],
    &["ceo", "chief", "head", "boss", "lead", "leads", "led", "leader", "chef", "leitet", "leiter"],
    &["change", "rise", "rose", "fall", "fell", "grow", "grew", "increase", "decrease", "decline", "drop", "growth", "grown", "risen", "fallen"],
    &["duration", "dauert", "dauer", "lange", "dure", "durée", "dura", "duran", "duración"],
    &["won", "win", "winner", "beat", "defeat", "defeated", "victory"],
    &["score"],
    &["workaround"],
    &["wrote", "write", "written", "writer", "author", "autor", "schrieb"],
    &["invent", "invented", "inventor", "patented", "erfand", "erfinder"],
    &["decide", "decision", "decided", "accept", "accepted", "approve", "approved", "appoint", "appointed", "resolve", "resolved", "agree", "agreed", "besloten", "besluit", "besluiten", "beschlossen", "beschluss"],
    &["postgresql", "postgres"],
    &["kubernetes", "k8s"],
    &["safe", "safety", "secure", "security", "unsafe", "insecure"],
    &["severe", "severity", "critical", "cvss"],
    &["attend", "attended", "attendance", "spectators", "attendees"],
    &["deliver", "delivered", "delivery", "deliveries"],
    &["capital", "hauptstadt", "capitale"],
    &["rate"],
    &["plane", "flight", "fly", "flying", "airplane", "airline"],
    &["dislike", "hate", "complain", "complaint", "frustrated", "frustrating", "annoying", "annoyed"],
    &["guidance", "guide", "guided", "outlook"],
    &["down", "outage", "downtime", "unavailable", "unreachable", "offline", "ausfall", "ausgefallen", "erreichbar", "panne", "caída", "caído", "funcionaba"],
    &["daily", "day", "täglich", "tägliche", "tag"],
    &["remote", "remotely", "home", "homeoffice"],
    &["vacation", "holiday", "leave", "urlaub", "urlaubstage"],
    &["weight", "weigh", "weighs", "heavy", "gewicht", "wiegt", "schwer", "poids", "pèse", "peso", "pesa"],
    &["dose", "doses", "dosage", "dosis", "dosierung", "dosages"],
];
const PRICE: u8 = 0;
const SPEED: u8 = 1;
const DURATION: u8 = 12;
const SCORE: u8 = 14;
const WORKAROUND: u8 = 15;
const CAPITAL: u8 = 25;
const RATE: u8 = 26;
const DOSE: u8 = 35;
/// Two of which each may be meant without its name, unless the other is called by its own.
const OPPOSITES: [u8; 2] = [2, 3];
/// Seconds that tell how fast something is, at most.
const FAST: f64 = 60.0;

static ASPECT: LazyLock<KnownTerms<u8>> = LazyLock::new(|| {
    let aspects = ASPECTS.iter().zip(0_u8..);
    terms::table(aspects.flat_map(|(words, at)| words.iter().map(move |word| (*word, at)))).into()
});

/// One term for all words of an aspect; other words stay.
pub(in crate::domain::synthesis) fn aspect(term: Term) -> Term {
    ASPECT.get(term).map_or(term, |at| named(*at))
}

fn named(aspect: u8) -> Term {
    Term(0xA59E_C700 | u64::from(aspect))
}

/// The aspects of those that are asked for which are told without a word of theirs: by figures, or by several words.
pub(super) fn told_besides<'f>(
    features: &'f Features<'_>,
    is_asked: impl Fn(Term) -> bool,
) -> impl Iterator<Item = Term> + 'f {
    let by_figure = features.figures.iter().filter_map(|figure| match figure.unit {
        Unit::Money(_) => Some(PRICE),
        Unit::Measure { base: "s", .. } if figure.high.approximate() <= FAST => Some(SPEED),
        Unit::Measure { base: "s", .. } => Some(DURATION),
        Unit::Plain
        | Unit::Percent
        | Unit::Points
        | Unit::Measure { .. }
        | Unit::Ordinal
        | Unit::Times
        | Unit::Fraction
        | Unit::Date
        | Unit::Weekday
        | Unit::Label => None,
    });
    let is_told = |aspect, tells: fn(&str) -> bool| is_asked(named(aspect)) && tells(features.text);
    let by_words = [
        (SPEED, is_many_per_second as fn(&str) -> bool),
        (DOSE, is_dose),
        (SCORE, is_score),
        (WORKAROUND, works_around),
        (CAPITAL, governs),
        (RATE, is_per_time),
    ];
    let by_words = by_words.map(|(aspect, tells)| is_told(aspect, tells).then_some(aspect));
    by_figure.chain(by_words.into_iter().flatten()).map(named)
}

/// What has keys in it with those in words: `error_rate` is one word, and tells of an error rate, as `errorRate` does in JSON.
pub(super) fn keys(text: &str) -> Option<String> {
    let is_json = || memchr::memmem::find(text.as_bytes(), b"\":").is_some();
    if memchr::memchr(b'_', text.as_bytes()).is_none() && !is_json() {
        return None;
    }
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    Some(words.map(in_words).collect::<Vec<_>>().join(" "))
}

fn works_around(text: &str) -> bool {
    has_any(text, &["works around", "work around"])
}

/// Whether a text says where a country is governed from.
fn governs(text: &str) -> bool {
    const SEATS: [&str; 6] = [
        "seat of government",
        "seat of the government",
        "Regierungssitz",
        "siège du gouvernement",
        "sede del gobierno",
        "sede del governo",
    ];
    has_any(text, &SEATS)
}

/// Whether a text says how often something may be done: `100 reads per 6 seconds`.
fn is_per_time(text: &str) -> bool {
    const TIMES: [&str; 6] = ["second", "minute", "hour", "min", "sec", "day"];
    let behind = |(at, per): (usize, &str)| {
        text[at + per.len()..].trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ')
    };
    let is_time = |of: (usize, &str)| TIMES.iter().any(|time| behind(of).starts_with(time));
    text.match_indices('/').any(is_time) || text.match_indices(" per ").any(is_time)
}

/// Whether a text says how much of something is done in a moment: `18k requests per second`.
fn is_many_per_second(text: &str) -> bool {
    const MOMENTS: [&str; 4] = [" per second", " per minute", " a second", "/s"];
    text.contains(|c: char| c.is_ascii_digit())
        && MOMENTS.iter().any(|of| {
            let behind = text.find(of).map(|at| &text[at + of.len()..]);
            behind.is_some_and(|behind| !behind.starts_with(char::is_alphanumeric))
        })
}

/// Whether a text says how much of a medicine is taken: `75 mg a day`.
fn is_dose(text: &str) -> bool {
    const UNITS: [&str; 7] = ["mg", "µg", "mcg", "ml", "IU", "g", "units"];
    let words: Vec<&str> = text.split([' ', '\u{a0}', ',', '.', ';', ')', '/']).collect();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    words.windows(2).any(|pair| is_number(pair[0]) && UNITS.contains(&pair[1]))
        || words.iter().any(|word| is_number(word) && UNITS[..4].iter().any(|unit| word.ends_with(unit)))
}

/// `3-1`, `3:1`, but no time of day, date or range of years.
fn is_score(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Most texts have no sign behind a digit: `–` begins with 0xE2.
    let mut signs = memchr::memchr3_iter(b'-', b':', 0xE2, bytes);
    if !signs.any(|at| at > 0 && bytes[at - 1].is_ascii_digit()) {
        return false;
    }
    text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | ';')).any(|word| {
        let word = word.trim_end_matches(['.', '!', '?']);
        let sides = word.split_once(['-', '–', ':']);
        let is_side =
            |side: &str| (1..=2).contains(&side.len()) && side.bytes().all(|byte| byte.is_ascii_digit());
        sides.is_some_and(|(one, other)| is_side(one) && is_side(other))
    })
}

/// Whether a part names nothing but advantages or disadvantages.
pub(super) fn is_side(part: &[Term]) -> bool {
    part.iter().all(|term| OPPOSITES.map(named).contains(term))
}

/// The advantage or disadvantage that a part asks for where only the other one is said.
pub(super) fn lacks_a_side(part: &[Term], asked: impl Fn(Term) -> bool, said: impl Fn(Term) -> bool) -> bool {
    let [one, other] = OPPOSITES.map(named);
    [(one, other), (other, one)]
        .into_iter()
        .any(|(mine, theirs)| part.contains(&mine) && asked(theirs) && !said(mine) && said(theirs))
}
