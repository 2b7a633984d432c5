//! Words without which nothing of a class is told: most statements have none of them, and are read no further.

use std::sync::LazyLock;

use super::attributes;
use crate::domain::near_duplicates::Features;
use crate::domain::text::terms::{self, KnownTerms, TermMap};
use crate::domain::text::words::Word;

pub(super) const VOTES: u16 = 1;
pub(super) const DATED: u16 = 1 << 1;
pub(super) const LASTING: u16 = 1 << 2;
pub(super) const HOURS: u16 = 1 << 3;
pub(super) const FOUNDED: u16 = 1 << 4;
pub(super) const ROLES: u16 = 1 << 5;
pub(super) const ATTRIBUTES: u16 = 1 << 7;
pub(super) const DEATHS: u16 = 1 << 8;
/// What may be told in Chinese or Japanese.
pub(super) const CHARACTERS: u16 = 1 << 6;

#[rustfmt::skip]
const WORDS: &[(u16, &[&str])] = &[
    (VOTES, &["vote", "carried", "passed", "approved", "majority", "rejected", "margin", "ruled", "ruling", "failed", "favour", "favor", "confirmed", "adopted", "stimmen", "votos", "against", "contra"]),
    (DATED, &["effect", "force", "kraft", "vigor", "effective", "apply", "applied", "gilt", "start", "begin"]),
    (DATED | HOURS, &["open", "opened", "opening", "reopen", "reopening"]),
    (LASTING, &["lasted", "down", "unavailable", "offline", "unreachable", "outage", "duration", "downtime", "incident", "disruption", "dauerte", "dauer", "ausfalldauer", "ausfall", "erreichbar", "ausgefallen", "incidente"]),
    (HOURS, &["hour", "abre", "abierto", "abierta", "abiertos", "horario"]),
    (FOUNDED, &["founded", "established", "incorporated", "fundada", "fundado"]),
    (DEATHS, &["died", "killed", "claimed", "lost", "perished", "death", "fatality"]),
    (ROLES, &["cause", "ceo", "cto", "cfo", "executive", "chairman", "president", "mayor", "minister", "capital", "owner", "author", "winner", "director", "founder", "inventor", "due", "result", "attribute", "blame", "debe", "debió", "causa"]),
];

static CUES: LazyLock<KnownTerms<u16>> = LazyLock::new(|| {
    let mut cues = TermMap::default();
    let attributes: Vec<&str> = attributes::cues().collect();
    for (cue, words) in WORDS.iter().copied().chain([(ATTRIBUTES, attributes.as_slice())]) {
        for term in terms::table(words.iter().map(|word| (*word, ()))).into_keys() {
            *cues.entry(term).or_insert(0) |= cue;
        }
    }
    cues.into()
});

/// What a statement may tell.
pub(super) fn cues(of: &Features<'_>) -> u16 {
    // Other scripts tell all of them in words that aren't here, but for roles, which are English, and attributes.
    let beyond = if of.text.is_ascii() { 0 } else { !(ROLES | ATTRIBUTES) };
    let cue = |word: &Word| CUES.get(word.term).copied().unwrap_or_default();
    of.words.iter().fold(beyond, |all, word| all | cue(word))
}
