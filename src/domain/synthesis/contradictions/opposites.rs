//! Words that can't both be said of one thing where the rest is the same: `is supported` and `is disabled`, `is soluble` and `is
//! insoluble`, `is unpaid` and `was paid on 3 March`.
//!
//! Some are listed; most are the other with `un-`, `in-` or `non-` before it. Both stand behind an auxiliary: `a public company` may also
//! be private. Verbs are listed, and all behind them must be the same: `covers floods` and `excludes floods`.

use std::sync::LazyLock;

use super::Kind;
use super::besides::without;
use super::denied::are_of_one;
use super::differ::Difference;
use super::plain::tail::{Tail, tail};
use super::plain::{Plain, Words, base, begin_with, common, phrase};
use super::reading::Reading;
use crate::domain::near_duplicates::Features;
use crate::domain::text::terms::{KnownTerms, TermMap};
use crate::domain::text::words::{Lexicon, Term};

/// Phrases of both sides, divided by `|`.
#[rustfmt::skip]
const PAIRS: &[[&str; 2]] = &[
    ["supported|enabled", "disabled"],
    ["valid|in force", "expired|lapsed|void"],
    ["open source", "proprietary|closed source"],
    ["open|offen|geöffnet|ouvert|ouverte|abierto|abierta", "closed|geschlossen|fermé|fermée|cerrado|cerrada"],
    ["public", "private"], ["temporary", "permanent"], ["present", "absent"], ["genuine|authentic", "fake|counterfeit|forged"],
    ["free|free of charge", "paid"], ["kostenlos", "kostenpflichtig"], ["gratuit|gratuite", "payant|payante"], ["empty|leer", "full|voll"],
    ["in stock", "out of stock|sold out"], ["verfügbar", "ausverkauft"], ["rechtmäßig", "rechtswidrig"],
    ["mandatory|required|compulsory|necessary|needed", "optional|voluntary|not mandatory|not required|not compulsory|not necessary|not needed"],
    ["Pflicht|verpflichtend|notwendig|nötig|erforderlich|zwingend erforderlich|obligatorisch", "freiwillig|optional|nicht nötig|nicht notwendig|nicht erforderlich|nicht verpflichtend|keine Pflicht"],
    ["obligatoire", "facultatif|facultative"], ["obligatorio|obligatoria", "opcional|voluntario|voluntaria"],
];
/// What was done, and that it isn't yet.
#[rustfmt::skip]
const DONE: &[[&str; 2]] = &[
    ["paid|settled", "unpaid|outstanding|overdue"], ["fixed|resolved|solved|patched", "open|unresolved|unfixed|unpatched|unsolved|ongoing"], ["repaired", "unrepaired|broken"],
    ["finished|completed", "unfinished|ongoing|in progress"], ["published", "unpublished"], ["delivered", "undelivered"], ["signed", "unsigned"],
];
/// What something does, and what it then doesn't.
#[rustfmt::skip]
const ACTS: &[[&str; 2]] = &[
    ["covers|includes|insures", "excludes"], ["succeeded|passed|worked", "failed"], ["survived", "died"], ["confirmed|admitted", "denied"],
    ["inclut|comprend", "exclut"], ["incluye|cubre", "excluye"], ["umfasst|beinhaltet", "ausschließt"],
];
/// German verbs whose state stands at the end: `ist am Montag geschlossen`.
const STATE_LAST: [&str; 6] = ["ist", "sind", "war", "waren", "bleibt", "bleiben"];
/// Of what is open that it can be fixed.
const FIXED: &str = "bug issue ticket defect incident vulnerability problem request";
/// What a negation begins with.
const PREFIXES: [&str; 7] = ["un", "non", "in", "im", "il", "ir", "i"];
/// Words that mean something else, or the same, without such a beginning.
#[rustfmt::skip]
const NO_OPPOSITES: [&str; 10] =
    ["valuable", "flammable", "famous", "different", "habitable", "tense", "passive", "bedingt", "heimlich", "längst"];
/// Letters of a word without it.
const LETTERS_MIN: usize = 4;
const FREE_OF: [&str; 2] = ["frei", "pflichtig"];

type Sides = Vec<[Vec<Vec<Term>>; 2]>;

fn read(pairs: &[[&str; 2]]) -> Sides {
    let mut lexicon = Lexicon::default();
    let mut side = |side: &str| side.split('|').map(|words| phrase(&mut lexicon, words)).collect();
    pairs.iter().map(|[one, other]| [side(one), side(other)]).collect()
}

static LISTED: LazyLock<Sides> = LazyLock::new(|| read(PAIRS));
static DOES_OR_NOT: LazyLock<Sides> = LazyLock::new(|| read(ACTS));
static DONE_OR_NOT: LazyLock<Sides> = LazyLock::new(|| read(DONE));
static TO_FIX: LazyLock<Vec<Term>> = LazyLock::new(|| phrase(&mut Lexicon::default(), FIXED));

/// Of each phrase of both the first word that says something: without it there is no such phrase.
static TELLING: LazyLock<KnownTerms<()>> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    let mut telling = |phrase: &str| {
        let words = lexicon.words(phrase);
        words.iter().find(|word| word.is_content()).or(words.first()).map(|word| (base(word.term), ()))
    };
    let phrases = PAIRS.iter().chain(DONE).chain(ACTS).flatten().flat_map(|side| side.split('|'));
    phrases.filter_map(&mut telling).collect::<TermMap<()>>().into()
});

/// What leaves open whether it is so, or is so of some.
const HEDGES: &str = "may might can could should would sometimes often usually mostly typically some many";
static HEDGING: LazyLock<Vec<Term>> = LazyLock::new(|| phrase(&mut Lexicon::default(), HEDGES));

/// One says the opposite of the other.
pub(super) fn difference(a: &Reading<'_, '_>, b: &Reading<'_, '_>) -> Option<Difference> {
    let [mine, theirs] = [a.words()?, b.words()?];
    let at = common(&mine.all, &theirs.all);
    let [one, other] = [mine.all.get(at..)?, theirs.all.get(at..)?];
    let texts = [a.of.text, b.of.text];
    let is_state = one.first()?.is_predicate && other.first()?.is_predicate
        || ends_with_state(texts[0], one) && ends_with_state(texts[1], other);
    let before = &mine.all[..at];
    // What isn't open need not be closed, and what may be open may be closed.
    let is_told = before.iter().any(|word| word.is_content)
        && !before.iter().any(|word| word.denies || HEDGING.contains(&word.term));
    if !is_told {
        return None;
    }
    let of_state = || {
        state((mine, one), (theirs, other), texts)
            .or_else(|| done((mine, one), (theirs, other), texts))
            .or_else(|| done((theirs, other), (mine, one), [texts[1], texts[0]]).map(|[b, a]| [a, b]))
    };
    let lengths = is_state.then(of_state).flatten().or_else(|| acts(one, other))?;
    let ranges = [&one[..lengths[0]], &other[..lengths[1]]]
        .map(|words| words.first().zip(words.last()).map_or(0..0, |(first, last)| first.start..last.end));
    let mut lexicon = Lexicon::default();
    // Opposite words tell elsewhere that two are of others.
    let cut = [0, 1].map(|at| without(texts[at], &ranges[at]));
    let [left, right] = [&cut[0], &cut[1]].map(|cut| Features::of(&mut lexicon, cut));
    let [one, other] = [0, 1].map(|at| texts[at][ranges[at].clone()].to_owned());
    are_of_one((a.said, &left), (b.said, &right)).then_some(Difference::new(Kind::Polarity, one, other))
}

/// Whether a statement may have a word that has an opposite: most have none.
pub(super) fn may_have_one(of: &Features<'_>) -> bool {
    of.words
        .iter()
        .any(|word| TELLING.get(base(word.term)).is_some() || may_be_made(&of.text.as_bytes()[word.range()]))
}

/// Whether a word may be another with a negation before it, be such a negation, or say that something is subject to something.
fn may_be_made(word: &[u8]) -> bool {
    let begins = |prefix: &str| {
        let begin = word.get(..prefix.len()).filter(|_| word.len() >= prefix.len() + LETTERS_MIN);
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(prefix.as_bytes()))
    };
    let subject = FREE_OF[1].as_bytes();
    match word[0] | 0x20 {
        // As all of them begin, and nearly no other word.
        b'u' | b'n' | b'i' if PREFIXES.iter().any(|prefix| begins(prefix)) => true,
        b'n' if word.eq_ignore_ascii_case(b"non") => true,
        _ => word.len().checked_sub(subject.len()).is_some_and(|at| word[at..].eq_ignore_ascii_case(subject)),
    }
}

/// How many words the opposite states are of which two tell at one time.
fn state(
    (mine, one): (&Words, &[Plain]),
    (theirs, other): (&Words, &[Plain]),
    texts: [&str; 2],
) -> Option<[usize; 2]> {
    let lengths = listed(&LISTED, one, other)
        .or_else(|| listed(&LISTED, other, one).map(|[b, a]| [a, b]))
        .or_else(|| is_negated(texts, &one[0], &other[0]).then_some([1, 1]))
        .or_else(|| is_apart_from(texts[0], one, other).then_some([2, 1]))
        .or_else(|| is_apart_from(texts[1], other, one).then_some([1, 2]))?;
    let is_past = mine.is_past(one[0].start);
    if is_past != theirs.is_past(other[0].start) {
        return None;
    }
    let (rest, their_rest) = (&one[lengths[0]..], &other[lengths[1]..]);
    let same = common(rest, their_rest);
    let [behind, their_behind] = [tail(texts[0], &rest[same..])?, tail(texts[1], &their_rest[same..])?];
    let holds = |tail: Tail| match tail {
        Tail::None | Tail::Reason | Tail::Open | Tail::Rule => true,
        Tail::Since => !is_past,
        Tail::Only | Tail::Done => false,
    };
    let is_one =
        behind == Tail::None || their_behind == Tail::None || [behind, their_behind] == [Tail::Since; 2];
    (holds(behind) && holds(their_behind) && is_one).then_some(lengths)
}

/// How many words say that something was done, and that it isn't yet.
fn done(
    (mine, one): (&Words, &[Plain]),
    (theirs, other): (&Words, &[Plain]),
    texts: [&str; 2],
) -> Option<[usize; 2]> {
    let lengths = listed(&DONE_OR_NOT, one, other)?;
    let is_done = mine.denials == Some(0) && theirs.denials == Some(0) && theirs.tells_of_now(other[0].start);
    let open = texts[1][other[0].start..].starts_with("open");
    let may_be_fixed = !open || mine.all.iter().any(|word| TO_FIX.contains(&word.term));
    let behind = tail(texts[0], &one[lengths[0]..])?;
    let ends = other.len() == lengths[1] && matches!(behind, Tail::None | Tail::Done | Tail::Reason);
    (is_done && may_be_fixed && ends).then_some(lengths)
}

/// Whether nothing but a state stands behind what a German statement says of its subject.
fn ends_with_state(text: &str, words: &[Plain]) -> bool {
    words.len() == 1 && text.split(' ').any(|word| STATE_LAST.contains(&word))
}

/// How many words say what something does, and that it doesn't, where all behind them is the same.
fn acts(one: &[Plain], other: &[Plain]) -> Option<[usize; 2]> {
    let lengths =
        listed(&DOES_OR_NOT, one, other).or_else(|| listed(&DOES_OR_NOT, other, one).map(|[b, a]| [a, b]))?;
    let (rest, their_rest) = (&one[lengths[0]..], &other[lengths[1]..]);
    let same = common(rest, their_rest);
    (same == rest.len() && same == their_rest.len()).then_some(lengths)
}

/// How many words the first side has here, and the second there.
fn listed(pairs: &Sides, one: &[Plain], other: &[Plain]) -> Option<[usize; 2]> {
    let longest = |side: &[Vec<Term>], words: &[Plain]| {
        side.iter().filter(|phrase| begin_with(words, phrase)).map(Vec::len).max()
    };
    pairs.iter().find_map(|[mine, theirs]| Some([longest(mine, one)?, longest(theirs, other)?]))
}

/// `non-toxic` beside `toxic`.
fn is_apart_from(text: &str, one: &[Plain], other: &[Plain]) -> bool {
    let [non, what, ..] = one else { return false };
    text[non.start..non.end].eq_ignore_ascii_case("non")
        && text[non.end..].starts_with('-')
        && other.first().is_some_and(|other| other.term == what.term)
}

/// Whether one word is the other with `un-` or the like before it, or is free of what the other is subject to.
fn is_negated(texts: [&str; 2], one: &Plain, other: &Plain) -> bool {
    let [one, other] =
        [texts[0][one.start..one.end].to_lowercase(), texts[1][other.start..other.end].to_lowercase()];
    let (short, long) = if one.len() < other.len() { (&one, &other) } else { (&other, &one) };
    let is_prefixed = long.strip_suffix(short.as_str()).is_some_and(|prefix| {
        // `installed` isn't the opposite of `stalled`, nor `improved` of `proved`.
        let may_be_verb = short.ends_with("ed") && !matches!(prefix, "un" | "non" | "non-");
        let is_short_form = prefix != "i" || short.starts_with(['l', 'r']);
        PREFIXES.contains(&prefix.trim_end_matches('-')) && !may_be_verb && is_short_form
    });
    let stem = |word: &str, ending: &str| word.strip_suffix(ending).map(str::to_owned);
    let is_free = |free: &str, subject: &str| {
        let stems = stem(free, FREE_OF[0]).zip(stem(subject, FREE_OF[1]));
        stems.is_some_and(|(free, subject)| !free.is_empty() && free == subject)
    };
    let is_word = short.chars().count() >= LETTERS_MIN && !NO_OPPOSITES.contains(&short.as_str());
    is_prefixed && is_word || is_free(&one, &other) || is_free(&other, &one)
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn opposite_words_of_one_thing_contradict() {
        for (one, other) in [
            ("Cross-play is supported.", "Cross-play is disabled."),
            ("Cross-play is enabled.", "Cross-play is disabled until further notice."),
            ("Cross-play is enabled.", "Known issue: cross-play is disabled."),
            ("The licence is valid.", "The licence has expired."),
            ("The tunnel is open to traffic.", "The tunnel remains closed to traffic."),
            ("The editor is open source.", "The editor is proprietary."),
            ("The compound is soluble in water.", "The compound is insoluble in water."),
            ("The sample is complete.", "The sample is incomplete."),
            ("The repository is public.", "The repository is private."),
            ("The ban is temporary.", "The ban is permanent."),
            ("The ticket is refundable.", "The ticket is nonrefundable."),
            ("The ink is toxic.", "The ink is non-toxic."),
            ("The tax is constitutional.", "The tax is unconstitutional."),
            ("Die Klage ist zulässig.", "Die Klage ist unzulässig."),
            ("Die Rente ist steuerfrei.", "Die Rente ist steuerpflichtig."),
            ("Der Pass ist offen.", "Der Pass ist geschlossen."),
            ("Le vote est obligatoire.", "Le vote est facultatif."),
            ("La venta es legal.", "La venta es ilegal."),
            ("Eine Reservierung ist Pflicht.", "Eine Reservierung ist nicht nötig."),
            ("The invoice is unpaid.", "The invoice was paid on 3 March."),
            ("The bug is still open.", "The bug was fixed in 2.3."),
            ("The incident is resolved.", "The incident is ongoing."),
            ("The policy covers floods.", "The policy excludes floods."),
            ("The price includes VAT and shipping.", "The price excludes VAT and shipping."),
            ("Das Museum ist geöffnet.", "Das Museum ist geschlossen."),
            ("Das Museum ist am Montag geöffnet.", "Das Museum ist am Montag geschlossen."),
            ("La póliza cubre las inundaciones.", "La póliza excluye las inundaciones."),
        ] {
            let expected = Some(Kind::Polarity);
            assert_eq!(kind(one, other), expected, "{one} / {other}");
            assert_eq!(kind(other, one), expected, "{other} / {one}");
        }
    }

    #[test]
    fn opposite_words_of_others_do_not() {
        for (one, other) in [
            ("Cross-play is supported.", "Cross-chat is disabled."),
            ("Cross-play is supported on Xbox.", "Cross-play is disabled on PC."),
            ("Cross-play is supported.", "Cross-play is disabled if you opt out."),
            ("The licence was valid.", "The licence has expired."),
            ("The licence is valid.", "The permit has expired."),
            ("The tunnel is open to traffic.", "The tunnel is closed to lorries."),
            ("The tunnel was open in 2019.", "The tunnel was closed in 2021."),
            ("The tunnel is open.", "The tunnel was closed on 3 March."),
            ("The editor is open source.", "The plugin is proprietary."),
            ("The compound is soluble in water.", "The compound is insoluble in ethanol."),
            ("Acme is a public company.", "Acme is a private company with ties to the state."),
            ("The gas is flammable.", "The gas is inflammable."),
            ("The driver is stalled.", "The driver is installed."),
            ("The invoice was unpaid on 1 March.", "The invoice was paid on 3 March."),
            ("The bridge is still open.", "The bridge was fixed in 2020."),
            ("The bug is still open in 2.4.", "The bug was fixed in 2.3."),
            ("The invoice is unpaid.", "The invoice will be paid on 3 March."),
            ("It is soluble.", "It is insoluble."),
            ("The incident was resolved.", "The other incident is ongoing."),
            ("The migration succeeded in Oslo.", "The migration failed in Bergen."),
            ("The first migration succeeded.", "The second migration failed."),
            ("The policy covers floods.", "The policy excludes earthquakes."),
            ("The policy covers floods.", "The policy excludes floods by tsunamis."),
            ("Das Museum ist am Montag geöffnet.", "Das Museum ist am Dienstag geschlossen."),
            ("Das Museum ist geöffnet.", "Das Museum ist am Montag geschlossen."),
            ("The tool is not open source.", "The tool is not proprietary."),
            ("The gain may be taxable.", "The gain may be untaxable."),
            ("Entries are often complete.", "Entries are often incomplete."),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }
}
