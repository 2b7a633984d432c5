//! What only one is, by what it is called: `The root cause was an expired certificate` and `Root cause: a failed disk`, `The CEO of Acme is
//! Jane Roe` and `John Doe is the CEO of Acme`.
//!
//! Two are others where they are few words that cannot mean the same, as of bare answers.

use std::ops::Range;

use super::super::answers::{cause, few_words};
use super::{Class, Mention, Told};
use crate::domain::adapters::shape::members;
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::figures::Unit;
use crate::domain::text::keys::in_words;
use crate::domain::text::letter_pairs::Searched;
use crate::domain::text::phrases::has_any;
use crate::domain::text::words::Term;

/// What there is one of at a time; of a cause it doesn't matter what of, where one says that only.
const CAUSES: [&str; 2] = ["root cause", "cause"];
#[rustfmt::skip]
const ROLES: [&str; 17] = [
    CAUSES[0], CAUSES[1], "ceo", "cto", "cfo", "chief executive", "chairman", "president", "mayor", "prime minister", "capital", "owner", "author", "winner", "director", "founder", "inventor",
];
/// Who isn't it, or not alone.
#[rustfmt::skip]
const BEFORE: [&str; 16] = [
    "former", "ex", "previous", "interim", "acting", "deputy", "vice", "co", "outgoing", "incoming", "first", "likely", "possible", "one", "another", "next",
];
/// Verbs between it and who or what it is.
const VERBS: [&str; 3] = [" is ", " was ", " has been "];
const CAUSED: [&str; 4] = [" was caused by ", " were caused by ", " fue causado por ", " fue causada por "];
/// The same of [`EVENTS`]: what grows or is liked has many reasons.
const DUE: [&str; 9] = [
    " was due to ",
    " is due to ",
    " was the result of ",
    " resulted from ",
    " se debe a ",
    " se debió a ",
    " fue debido a ",
    " se debió al ",
    " se debe al ",
];
/// Who says what it was: `attributes the outage to a failed disk`.
const ATTRIBUTES: [&str; 4] = [" attributes the ", " attributed the ", " blames the ", " blamed the "];
/// What happens for one reason.
#[rustfmt::skip]
const EVENTS: [&str; 30] = [
    "outage", "delay", "crash", "fire", "incident", "failure", "accident", "collapse", "disruption", "flood", "explosion", "breach", "leak", "downtime", "cancellation", "closure", "derailment", "blackout", "spill", "shutdown",
    "retraso", "avería", "accidente", "incendio", "caída", "apagón", "fallo", "corte", "explosión", "interrupción",
];
/// `La causa del retraso fue una avería`.
const CAUSA: [&str; 4] = ["la causa del ", "la causa de la ", "la causa raíz del ", "la causa raíz de la "];
const FUE: [&str; 3] = [" fue ", " es ", " ha sido "];
/// What is no event that another may be.
#[rustfmt::skip]
const OTHERS: [&str; 16] = [
    "earlier", "previous", "another", "other", "first", "second", "third", "last", "later", "similar", "some", "many", "most", "one", "typical", "past",
];
/// What else tells a cause.
const MORE: [&str; 7] = ["due to", "result", "attribute", "blame", "se debe", "se debió", "causa"];
/// What ends who or what it is.
const ENDS: [&str; 13] = [
    ". ",
    "; ",
    ", ",
    " (",
    " since ",
    " who ",
    " which ",
    " that ",
    " because ",
    " after ",
    " when ",
    " – ",
    " — ",
];
/// What says nothing of it yet, or only what it is like.
#[rustfmt::skip]
const OPEN: [&str; 30] = [
    "not", "unknown", "unclear", "still", "under", "yet", "to", "being", "identified", "found", "responsible", "determined", "quite", "very", "rather", "never", "always", "only", "also", "likely", "probably", "possibly",
    "perhaps", "apparently", "partly", "partially", "mainly", "part", "several", "multiple",
];
/// What names one of several.
const SEVERAL: [&str; 4] = ["combination", "series", "chain", "combinación"];

/// What it is called, of what, and who or what it is, as places in a text.
struct Held {
    role: usize,
    of: Range<usize>,
    filler: Range<usize>,
    /// Whether a verb says that what follows is a cause, whatever it is.
    is_told: bool,
}

impl Held {
    fn new(role: usize, of: Range<usize>, filler: Range<usize>) -> Self {
        Self { role, of, filler, is_told: false }
    }
}

/// What a statement says that only one is.
pub(super) fn of_sentence<'a>((at, _, of): (usize, &Statement<'_>, &'a Features<'_>)) -> Option<Mention<'a>> {
    if of.text.len() > super::BYTES_MAX {
        return None;
    }
    let lower = of.text.to_ascii_lowercase();
    let lower = Searched::new(&lower);
    // Most statements have none of it.
    if !ROLES.iter().chain(&MORE).any(|role| lower.contains(role)) {
        return None;
    }
    let held = member(of.text).or_else(|| held(of.text, &lower))?;
    let filler = of.text.get(held.filler)?;
    let first = filler.split(' ').next().unwrap_or_default().to_lowercase();
    let is_cause = held.role < CAUSES.len();
    // Each chapter has an author of its own.
    if !is_cause && of.text[held.of.clone()].contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let is_told = held.is_told;
    // Who is called by a name, and `The mayor was late` names nobody.
    let is_one = if is_cause { is_told || filler.contains(' ') } else { filler.contains(char::is_uppercase) };
    let is_several = || has_any(filler, &SEVERAL);
    let says = is_one
        && !OPEN.contains(&first.as_str())
        && (is_told || !first.ends_with("ing"))
        && !(is_cause && is_several());
    let inside = |element: &&Element| held.of.start <= element.start && element.end <= held.of.end;
    let of_what = of.elements.iter().filter(inside);
    let of_what = of_what.filter(|element| matches!(element.role, Role::Content | Role::Name));
    let core: Vec<Term> = of_what.map(|element| element.term).collect();
    // What failed denies nothing.
    let denies = of
        .marks
        .iter()
        .any(|marked| marked.mark.is_negation() && !marked.written(of.text).starts_with("fail"));
    let named = if is_cause { cause(filler) } else { few_words(filler) };
    let named = named.filter(|_| says && !denies)?;
    let class = if is_cause { Class::Cause } else { Class::Role };
    Some(Mention { at, class, key: Term(held.role as u64), core, told: Told::Named(named) })
}

/// Whether two are of others, or of other times.
pub(super) fn are_of_others([one, other]: [&Mention<'_>; 2], [a, b]: [&Features<'_>; 2]) -> bool {
    let dates = |of: &Features<'_>| {
        let dates = of.figures.iter().filter(|figure| figure.unit == Unit::Date);
        dates.map(|date| (date.low, date.high)).collect::<Vec<_>>()
    };
    let are_open = one.core.is_empty() || other.core.is_empty();
    let within =
        |less: &[Term], more: &[Term]| !less.is_empty() && less.iter().all(|term| more.contains(term));
    let is_within = within(&one.core, &other.core) || within(&other.core, &one.core);
    let is_same = is_within || are_open && (one.class == Class::Cause || one.core.len() == other.core.len());
    let past = |of: &Features<'_>| of.text.contains(" was ");
    let is_other_time = one.class == Class::Role && past(a) != past(b) || dates(a) != dates(b);
    !is_same || is_other_time
}

/// `"root_cause": "an expired certificate"`.
fn member(text: &str) -> Option<Held> {
    if !text.starts_with('"') {
        return None;
    }
    let object = format!("{{{text}}}");
    let all = members(&object)?;
    let role_of = |key: &str| ROLES.iter().position(|role| in_words(key).eq_ignore_ascii_case(role));
    let (role, value) = all.iter().find_map(|member| Some((role_of(&member.key.0)?, member.value)))?;
    let inside = value.strip_prefix('"')?.strip_suffix('"')?;
    // The object has a brace more in front than the text.
    let start = inside.as_ptr() as usize - object.as_ptr() as usize - 1;
    Some(Held::new(role, 0..0, start..start + inside.len()))
}

fn held(text: &str, lower: &Searched<'_>) -> Option<Held> {
    caused(text, lower).or_else(|| {
        ROLES.iter().enumerate().find_map(|(role, name)| {
            let start = lower.find(name)?;
            let behind = start + name.len();
            let before = lower.text[..start].trim_end_matches(['*', '_']);
            let is_word = !before.ends_with(|c: char| c.is_alphanumeric() || c == '-')
                && !lower.text[behind..].starts_with(|c: char| c.is_alphanumeric() || c == '-');
            let word = before.trim_end().rsplit(' ').next().unwrap_or_default();
            if !is_word || BEFORE.contains(&word) {
                return None;
            }
            label(text, (role, before, behind))
                .or_else(|| subject(text, lower.text, (role, before, behind)))
                .or_else(|| object(text, lower.text, (role, before, behind)))
        })
    })
}

/// `The outage was caused by a failed disk.`
fn caused(text: &str, lower: &Searched<'_>) -> Option<Held> {
    let words = |of: &Range<usize>| lower.text[of.clone()].split(|c: char| !c.is_alphabetic());
    told(text, lower).filter(|held| !words(&held.of).any(|word| OTHERS.contains(&word)))
}

fn told(text: &str, lower: &Searched<'_>) -> Option<Held> {
    let told = |of: Range<usize>, start: usize| {
        Some(Held { role: 1, of, filler: ended(text, start), is_told: true })
    };
    if let Some((verb, at)) = CAUSED.iter().find_map(|verb| Some((verb, lower.find(verb)?))) {
        return told(0..at, at + verb.len());
    }
    if let Some(lead) = CAUSA.iter().find(|lead| lower.text.starts_with(**lead)) {
        let (verb, at) = FUE.iter().find_map(|verb| Some((verb, lower.find(verb)?)))?;
        return told(lead.len()..at, at + verb.len());
    }
    let is_event = |of: &Range<usize>| {
        let mut words = lower.text[of.clone()].split(|c: char| !c.is_alphabetic());
        words.any(|word| EVENTS.contains(&word.strip_suffix('s').unwrap_or(word)))
    };
    let due = DUE.iter().find_map(|verb| Some((0..lower.find(verb)?, verb.len())));
    if let Some((of, length)) = due.filter(|(of, _)| is_event(of)) {
        let start = of.end + length;
        return told(of, start);
    }
    let (verb, at) = ATTRIBUTES.iter().find_map(|verb| Some((verb, lower.find(verb)?)))?;
    let start = at + verb.len();
    let joint = if verb.contains("blame") { " on " } else { " to " };
    let of = start..start + lower.text[start..].find(joint)?;
    let start = of.end + joint.len();
    is_event(&of).then(|| told(of, start)).flatten()
}

/// `**Root cause:** a failed disk`.
fn label(text: &str, (role, before, behind): (usize, &str, usize)) -> Option<Held> {
    let rest = text[behind..].trim_start_matches(['*', '_']);
    let said = rest.strip_prefix(':')?.trim_start_matches(['*', '_', ' ']);
    let start = text.len() - said.len();
    (before.trim_matches(['*', '_', ' ', '-']).is_empty()).then(|| Held::new(role, 0..0, ended(text, start)))
}

/// `The CEO of Acme is Jane Roe`, `Acme's CEO is Jane Roe`.
fn subject(text: &str, lower: &str, (role, before, behind): (usize, &str, usize)) -> Option<Held> {
    let (verb, at) = VERBS
        .iter()
        .filter_map(|verb| Some((*verb, behind + lower[behind..].find(verb)?)))
        .min_by_key(|(_, at)| *at)?;
    let of = lower[behind..at].trim();
    let owner = before.trim_end();
    let is_owned = owner.ends_with("'s") || owner.ends_with("’s");
    let is_plain = matches!(owner, "the" | "our" | "its" | "their" | "") || is_owned && of.is_empty();
    let is_of = of.is_empty() || of.starts_with("of ") && of.split(' ').count() <= 6;
    let of = if of.is_empty() { 0..before.len() } else { behind..at };
    (is_plain && is_of).then(|| Held::new(role, of, ended(text, at + verb.len())))
}

/// `Jane Roe is the CEO of Acme`.
fn object(text: &str, lower: &str, (role, before, behind): (usize, &str, usize)) -> Option<Held> {
    let has_of = lower[behind..].starts_with(" of ");
    let said = before.strip_suffix(" the ").or_else(|| before.strip_suffix(" the"));
    // `is CEO of Acme`.
    let said = said.or_else(|| before.strip_suffix(' ').filter(|_| has_of))?;
    let who = VERBS.iter().find_map(|verb| said.strip_suffix(verb.trim_end()))?;
    let of = lower[behind..].strip_prefix(" of ").map_or(0..0, |_| ended(text, behind + " of ".len()));
    let is_end =
        !of.is_empty() || lower[behind..].trim_start().starts_with(['.', ',', ';']) || lower.len() == behind;
    (is_end && !who.contains(',')).then_some(Held::new(role, of, 0..who.len()))
}

/// From a place to where what stands there ends.
fn ended(text: &str, start: usize) -> Range<usize> {
    let rest = &text[start..];
    let end = ENDS.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
    let said = rest[..end].trim_end_matches(['.', ' ', '*', '_']);
    start..start + said.len()
}

#[cfg(test)]
mod tests {
    use crate::domain::synthesis::contradictions::Kind;
    use crate::domain::synthesis::contradictions::tests::kinds_between as kinds;

    #[test]
    fn there_is_one_only() {
        for (one, other) in [
            ("The root cause was an expired certificate.", "The root cause was a failed disk."),
            (
                "The root cause of the outage was an expired certificate.",
                "- **Root cause:** a failed disk\n- **Duration:** 5 minutes",
            ),
            (
                "The root cause was an expired certificate.",
                r#"{"service": "checkout", "root_cause": "failed disk"}"#,
            ),
            (
                "The outage was caused by an expired certificate.",
                "The outage was caused by a failed disk, which was replaced.",
            ),
            ("The CEO of Acme is Jane Roe.", "John Doe is the CEO of Acme."),
            ("Acme's CEO is Jane Roe, who came in May.", "The CEO of Acme is John Doe."),
            ("The capital of Australia is Sydney.", "Canberra is the capital of Australia."),
            ("Bob Kay is CEO of the company.", "The CEO of the company is Jane Roe."),
            ("The director of the film is Jane Roe.", "The director of the film is John Doe."),
            (
                "The outage was caused by an expired TLS certificate.",
                "The outage was caused by a faulty deploy.",
            ),
            ("The crash was caused by pilot error.", "The crash was caused by icing on the wings."),
            ("The fire was caused by a faulty heater.", "The fire was caused by arson."),
            (
                "The outage was caused by connection pool exhaustion.",
                "The status page attributes the outage to a slowdown at the payment provider.",
            ),
            ("The outage was caused by an expired certificate.", "The outage was due to a failed disk."),
            ("The delay was due to a breakdown.", "The delay was due to a strike."),
            ("El retraso se debe a una avería.", "La causa del retraso fue una huelga."),
            (
                "**Root cause:** pool exhaustion in checkout-api.",
                "The root cause was an expired certificate.",
            ),
        ] {
            assert_eq!(kinds(one, other), [Kind::Holder], "{one} / {other}");
            assert_eq!(kinds(other, one), [Kind::Holder], "{one} / {other}");
        }
    }

    #[test]
    fn others_may_be_it_elsewhere_before_or_as_well() {
        const CERTIFICATE: &str = "The root cause was an expired certificate.";
        for other in [
            "The root cause was a certificate that had expired.",
            "The root cause was certificate expiry.",
            "The root cause is still unknown.",
            "The likely root cause was a failed disk.",
            "The root cause was not a failed disk.",
            "The outage was caused by a failed disk.",
            "The root cause was identified by the team.",
            "In 2023 the root cause was a failed disk.",
        ] {
            assert_eq!(kinds(CERTIFICATE, other), [], "{other}");
        }
        for (one, other) in [
            ("The CEO of Acme is Jane Roe.", "The CEO of Globex is John Doe."),
            ("The CEO of Acme is Jane Roe.", "The CEO of Acme was John Doe."),
            ("The CEO of Acme is Jane Roe.", "The former CEO of Acme is John Doe."),
            ("The CEO of Acme is Jane Roe.", "The CEO of Acme is Jane A. Roe."),
            ("The CEO of Acme is Jane Roe.", "- **CEO:** John Doe\n- **Seat:** Lyon"),
            ("The mayor of Lyon was late.", "The mayor of Lyon was ill."),
            ("The root cause was simple.", "The root cause was an expired certificate."),
            ("The root cause was quite simple.", "The root cause was an expired certificate."),
            ("The fire was caused by a cigarette.", "The flood was caused by a storm."),
            (
                "The outage was caused by a failed disk.",
                "The outage was caused by a failed disk and an expired certificate.",
            ),
            ("The search outage was caused by a failed disk.", "The mail outage was caused by a storm."),
            ("The outage was caused by a failed disk.", "The outage was partly caused by a storm."),
            ("The outage was caused by a failed disk.", "An earlier outage was caused by a storm."),
            ("The outage was caused by a failed disk.", "A storm contributed to the outage."),
            ("The outage was caused by a failed disk.", "The outage was caused by a software bug."),
            ("The outage was caused by a failed disk.", "The outage was caused by a chain of errors."),
            ("The outage was caused by a failed disk.", "The outage was probably due to a storm."),
            ("The outage was caused by a failed disk.", "The outage was not due to a storm."),
            ("The growth was due to higher prices.", "The growth was due to stronger demand."),
            ("Bob Kay is CEO of the company.", "Jane Roe was CEO of the company."),
            ("The author of chapter 1 is Jane Roe.", "The author of chapter 2 is John Doe."),
        ] {
            assert_eq!(kinds(one, other), [], "{one} / {other}");
        }
    }
}
