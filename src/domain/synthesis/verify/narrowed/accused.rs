//! What somebody says of another one that does him harm where it isn't so: `the editor said the minister lied`.

use super::words::SAYS;
use super::{Features, has_one, is_taken, tokens};

/// With these somebody says it.
#[rustfmt::skip]
const SAID: &[&str] = &[
    "said", "says", "say", "told", "wrote", "writes", "reported", "reports", "sagte", "sagten", "sagt", "erklärte", "schrieb", "déclaré", "dit", "affirmé", "affirme", "dijo", "dijeron", "dice", "afirmó", "afirma",
    "ha detto", "disse", "dichiarato", "zei", "zegt",
];
/// What is said then; `*` stands for any ending.
#[rustfmt::skip]
const HARMFUL: &[&str] = &[
    "lie", "lied", "lies", "lying", "liar*", "cheat*", "stole", "stolen", "steal*", "theft", "brib*", "fraud*", "corrupt*", "launder*", "embezzl*", "scam*", "crime*", "criminal*", "guilty", "murder*", "rape*", "raped", "assault*",
    "abus*", "harass*", "racist*", "biased", "incompetent*", "negligen*", "illegal*", "unlawful*", "betray*", "blackmail*", "extort*", "pollut*", "poison*", "dump*", "evad*", "conceal*", "falsif*", "manipulat*", "violat*", "breach*", "discriminat*", "tortur*", "misled", "mislead*", "spied", "spies",
    "log", "logen", "lügt", "gelogen", "lügner*", "betrog*", "betrug*", "bestoch*", "korrupt*", "gestohlen", "menti", "ment", "mentait", "volé", "corromp*", "mintió", "miente", "mentía", "robó", "mentito", "mente", "mentiu", "roubou",
    "loog", "gelogen",
];

/// Who says it, where a claim tells it as a fact; `whole` is the sentence that the claim is a part of.
pub(super) fn accusation(claim: &Features<'_>, whole: &str, said: &Features<'_>) -> Option<String> {
    if !has_one(claim.text, HARMFUL) || has_one(whole, SAYS) || has_one(whole, SAID) {
        return None;
    }
    let told = tokens(said.text).filter(|(_, word)| SAID.contains(&word.as_str())).find(|(range, _)| {
        let end = said.text[range.end..].find(';').map_or(said.text.len(), |at| range.end + at);
        is_taken(claim, said, &(range.end..end)) && has_one(&said.text[range.end..end], HARMFUL)
    });
    told.map(|(range, _)| {
        let from = said.text[..range.start].rfind([';', ',', '.']).map_or(0, |at| at + 1);
        said.text[from..range.end].trim().to_owned()
    })
}
