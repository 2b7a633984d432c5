//! Those of whom something is said: `some of the batteries`, `most of the surveyed teachers`, told of all.

use super::{Features, clauses, has_one, is_taken, tokens};

/// What says that a part of them is meant, where a clause begins with it or `of` stands behind.
#[rustfmt::skip]
const SOME: &[&str] = &[
    "some", "einige", "einigen", "manche", "certains", "certaines", "quelques", "algunos", "algunas", "alcuni", "alcune", "alguns", "algumas", "sommige", "enkele", "некоторые",
];
/// With these a claim says it of a part, too; `*` stands for any ending.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "some", "several", "part", "parts", "partial*", "partly", "portion", "certain", "few", "number", "various", "occasional*", "sometimes", "among", "not", "particular", "selected", "minority", "may", "can", "could", "might",
    "one", "two", "three", "einige*", "manche*", "mehrere*", "teil*", "certain*", "quelques", "plusieurs", "partie", "algun*", "vari*", "parte", "alcun*", "sommige*", "enkele*", "deel", "некотор*", "часть", "ряд",
];
/// Those who were asked or what was looked at, before what they are.
#[rustfmt::skip]
const SAMPLED: &[&str] = &[
    "surveyed", "polled", "interviewed", "questioned", "sampled", "tested", "examined", "inspected", "audited", "responding",
    "befragten", "befragte", "getesteten", "untersuchten", "ondervraagde", "ondervraagden", "опрошенных", "опрошенные",
];
/// The same, behind it.
#[rustfmt::skip]
const SAMPLED_BEHIND: &[&str] = &[
    "surveyed", "polled", "interviewed", "questioned", "sampled", "interrogés", "interrogées", "sondés", "sondées", "testés", "testées", "encuestados", "encuestadas", "entrevistados", "entrevistadas", "inquiridos",
    "intervistati", "intervistate", "ondervraagd",
];
/// The same in Chinese and Japanese.
const SAMPLED_WIDE: &[&str] =
    &["受访", "受调查", "被调查", "参与调查", "接受调查", "調査対象", "調査に答えた"];
/// What leads to them.
#[rustfmt::skip]
const LEADING: &[&str] = &["of", "the", "all", "most", "many", "few", "some", "percent", "half", "der", "die", "den", "aller", "alle", "van", "de"];
/// With these a claim says that they were asked, too.
#[rustfmt::skip]
const ASKED: &[&str] = &[
    "survey*", "poll*", "interview*", "question*", "sampl*", "test*", "examin*", "inspect*", "audit*", "respon*", "participa*", "stud*", "trial*", "asked", "told", "answer*",
    "befrag*", "umfrage*", "getest*", "untersuch*", "teilnehm*", "interrog*", "sond*", "enquête", "étude", "testé*", "encuest*", "entrevist*", "estudi*", "inquir*", "intervist*", "sondaggio", "ondervraag*", "enquête*", "опрос*", "опрош*",
    "调查", "受访", "調査", "回答",
];

/// The words of a sentence that say of whom it is so, where a claim says it of all; `whole` is the sentence that the claim is a part of.
pub(super) fn of_whom(claim: &Features<'_>, whole: &str, said: &Features<'_>) -> Option<String> {
    let parts = clauses(said.text, |_| false);
    let is_told =
        |start: usize| parts.iter().any(|part| part.contains(&start) && is_taken(claim, said, part));
    let words: Vec<_> = tokens(said.text).collect();
    let word = |at: usize| words.get(at).map_or("", |(_, word)| word.as_str());
    let some = (0..words.len()).find(|at| {
        let (range, written) = &words[*at];
        let mut clause = parts.iter().filter(|part| part.contains(&range.start));
        let begins = clause.any(|part| !said.text[part.start..range.start].contains(char::is_alphanumeric));
        // `some 300 people` are about so many.
        let counts = said.text[range.end..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        SOME.contains(&written.as_str())
            && !counts
            && (begins || word(at + 1) == "of")
            && is_told(range.start)
    });
    let some = some.filter(|_| !has_one(whole, PARTS));
    let sampled = || {
        let one = (1..words.len()).find(|at| {
            let before =
                LEADING.contains(&word(at - 1)) && SAMPLED.contains(&word(*at)) && !word(at + 1).is_empty();
            let behind = *at > 1 && LEADING.contains(&word(at - 2)) && SAMPLED_BEHIND.contains(&word(*at));
            (before || behind) && is_told(words[*at].0.start)
        });
        one.filter(|_| !has_one(whole, ASKED))
    };
    let wide = || {
        let found = SAMPLED_WIDE.iter().find_map(|phrase| Some((said.text.find(phrase)?, *phrase)));
        found.filter(|(at, _)| is_told(*at) && !has_one(whole, ASKED)).map(|(_, phrase)| phrase.to_owned())
    };
    some.or_else(sampled).map(|at| said.text[words[at].0.clone()].to_owned()).or_else(wide)
}
