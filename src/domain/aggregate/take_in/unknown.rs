//! Sentences that leave open what was asked: `I couldn't find out how long it takes.`, `It is unclear how it works.`
//!
//! Each says first that something isn't known, and then what, as a question: `how …`, `wie …`. What isn't known *whether* is a finding of
//! research, and so is what nobody found any evidence of.

use std::sync::LazyLock;

use super::phrases::TURNS;
use super::plain::{begins, behind, plain, word_count};
use crate::domain::text::first_letters::Heads;
use crate::domain::text::phrases::ends_with_any;

/// Who says that it isn't known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    /// Whoever looked for it: that says nothing of the matter.
    Author,
    /// Nobody is named: with a source it is what that says.
    Nobody,
}

/// How who looked for something says that he hasn't found it, up to what that is.
#[rustfmt::skip]
const NOT_FOUND: &[&str] = &[
    "i couldn't ", "i could not ", "i was unable to ", "i was not able to ", "i wasn't able to ", "i can't ", "i cannot ", "i am unable to ", "i'm unable to ", "i didn't ", "i did not ", "i haven't ", "i have not ", "i don't ", "i do not ",
    "we couldn't ", "we could not ", "we were unable to ", "we were not able to ", "we didn't ", "we did not ",
];
#[rustfmt::skip]
const FINDS: &[&str] = &[
    "find out ", "find ", "found out ", "found ", "determine ", "establish ", "work out ", "figure out ", "ascertain ", "identify ", "tell ", "say ", "know ", "verify ", "confirm ",
];
/// The same in one.
#[rustfmt::skip]
const NOT_SAID: &[&str] = &[
    "ich konnte nicht herausfinden, ", "ich konnte nicht ermitteln, ", "ich konnte nicht feststellen, ", "ich konnte nicht klären, ", "ich konnte nicht finden, ", "ich habe nicht herausgefunden, ", "ich habe nicht gefunden, ", "ich weiß nicht, ", "wir konnten nicht herausfinden, ", "wir konnten nicht ermitteln, ",
    "je n'ai pas pu trouver ", "je n'ai pas pu déterminer ", "je n'ai pas pu savoir ", "je n'ai pas réussi à trouver ", "je n'ai pas réussi à savoir ", "je n'ai pas trouvé ", "je n'ai pas pu établir ", "je ne sais pas ",
    "no pude encontrar ", "no pude averiguar ", "no pude determinar ", "no pude saber ", "no he podido encontrar ", "no he podido averiguar ", "no he podido determinar ", "no encontré ", "no he encontrado ", "no logré averiguar ",
];
/// What was looked through.
#[rustfmt::skip]
const SOURCES: &[&str] = &[
    "the sources ", "my sources ", "the available sources ", "the search results ", "none of the sources ", "the pages that i found ", "the available information ", "the material ",
    "die quellen ", "die suchergebnisse ", "keine der quellen ", "in den quellen steht nicht, ", "aus den quellen geht nicht hervor, ", "les sources ", "aucune source ", "las fuentes ", "ninguna fuente ",
];
/// How one begins that denies itself.
const DENIES: &[&str] = &["none ", "keine ", "in den ", "aus den ", "aucune ", "ninguna "];
#[rustfmt::skip]
const SAY_NOT: &[&str] = &[
    "don't ", "do not ", "doesn't ", "does not ", "didn't ", "did not ", "sagen nicht, ", "nennen nicht, ", "geben nicht an, ", "verraten nicht, ", "sagt, ", "nennt, ", "ne disent pas ", "ne précisent pas ", "ne mentionnent pas ", "ne indiquent pas ", "n'indiquent pas ", "ne dit ", "ne précise ", "n'indique ",
    "no dicen ", "no indican ", "no mencionan ", "no especifican ", "no precisan ", "dice ", "indica ", "menciona ", "especifica ",
];
#[rustfmt::skip]
const SAY: &[&str] = &["say ", "says ", "mention ", "mentions ", "state ", "states ", "specify ", "tell ", "tells ", "show ", "explain ", "indicate ", "give ", "cover ", "reveal ", "disclose "];
/// How nobody says it, up to what that is.
#[rustfmt::skip]
const UNKNOWN: &[&str] = &[
    "it is unclear ", "it's unclear ", "it is not clear ", "it isn't clear ", "it's not clear ", "it remains unclear ", "it is unknown ", "it is not known ", "it isn't known ", "it's not known ", "it is not yet known ", "it remains unknown ", "unclear is ", "nobody knows ", "no one knows ",
    "there is no data on ", "there are no data on ", "there is no information on ", "there is no information about ", "there are no figures on ", "there are no details on ", "there is no public data on ", "there is no public information on ",
    "no data is available on ", "no data are available on ", "no information is available on ", "no information is available about ", "no information was found on ", "no information was found about ", "no data was found on ", "no details were found on ",
    "es ist unklar, ", "es ist nicht klar, ", "es bleibt unklar, ", "unklar ist, ", "unklar bleibt, ", "es ist nicht bekannt, ", "es ist unbekannt, ", "nicht bekannt ist, ", "unbekannt ist, ", "es gibt keine daten dazu, ", "es gibt keine daten darüber, ", "es gibt keine angaben dazu, ", "es gibt keine angaben darüber, ", "es gibt keine informationen dazu, ", "es gibt keine informationen darüber, ", "niemand weiß, ",
    "il n'est pas clair ", "on ne sait pas ", "on ignore ", "il n'y a pas de données sur ", "il n'existe pas de données sur ", "il n'y a pas d'informations sur ", "nul ne sait ",
    "no está claro ", "no se sabe ", "se desconoce ", "se ignora ", "no hay datos sobre ", "no hay información sobre ", "nadie sabe ",
];
/// What may stand between that and what isn't known.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "any information on ", "any information about ", "any information as to ", "any details on ", "any details about ", "any data on ", "any figures on ", "information on ", "information about ", "data on ", "anything on ", "anything about ", "a statement on ", "exactly ", "out ", "yet ",
    "d'informations sur ", "d'information sur ", "de données sur ", "información sobre ", "datos sobre ", "exactement ", "exactamente ", "genau ", "leider ",
];
/// What asks.
#[rustfmt::skip]
const ASKS: &[&str] = &[
    "how ", "what ", "when ", "where ", "which ", "who ", "whose ", "why ", "wie ", "wieviel ", "was ", "wann ", "wo ", "wer ", "wen ", "wem ", "warum ", "welche ", "welcher ", "welches ", "welchen ", "woher ", "wohin ", "weshalb ",
    "combien ", "comment ", "quand ", "où ", "qui ", "pourquoi ", "quel ", "quelle ", "quels ", "quelles ", "ce que ", "ce qui ", "en combien ", "cuánto ", "cuánta ", "cuántos ", "cuántas ", "cómo ", "cuándo ", "dónde ", "quién ", "quiénes ", "qué ", "cuál ", "cuáles ", "por qué ",
];
/// How a question ends that nobody answers, and one that its author didn't.
#[rustfmt::skip]
const ENDS: &[&str] = &[
    " is not known", " isn't known", " is unknown", " is unclear", " is not clear", " isn't clear", " remains unclear", " remains unknown", " is not yet known", " is not stated", " isn't stated", " is not specified", " is not disclosed", " was not disclosed", " has not been disclosed", " is not mentioned", " is not reported", " is not public",
    " ist nicht bekannt", " ist unbekannt", " ist unklar", " ist nicht klar", " bleibt unklar", " wird nicht genannt", " ist nicht angegeben", " n'est pas connu", " n'est pas clair", " n'est pas précisé", " no se sabe", " no está claro", " no se conoce", " no se indica",
];
#[rustfmt::skip]
const ENDS_OF_AUTHORS: &[&str] = &[
    "konnte ich nicht herausfinden", "konnte ich nicht ermitteln", "konnte ich nicht finden", "konnte ich nicht feststellen", "konnte ich leider nicht herausfinden", "konnte ich leider nicht ermitteln", "habe ich nicht gefunden", "habe ich nicht herausgefunden", "i couldn't find out", "i could not find out", "i couldn't determine",
];
/// What couldn't be done, or didn't answer, in front of what that leaves open.
#[rustfmt::skip]
const FAILED: &[&str] = &[
    "i couldn't ", "i could not ", "i can't ", "i cannot ", "i was unable to ", "i was not able to ", "we couldn't ", "we could not ", "returned an error", "returned a ", "did not load", "didn't load", "would not load", "wouldn't load", "failed to load", "timed out", "was not available", "is not available", "was unavailable", "is unavailable", "is down", "was down", "did not respond", "didn't respond", "requires a login", "is behind a paywall", "was blocked",
    "ich konnte ", "war nicht erreichbar", "ist nicht erreichbar", "je n'ai pas pu ", "no pude ",
];
/// What joins the two, and how the second says that something is left open.
const SO: &[&str] = &[", so ", ", therefore ", "; so ", ", daher ", ", deshalb ", ", donc ", ", así que "];
#[rustfmt::skip]
const I_LACK: &[&str] = &[
    "i have no ", "i don't have ", "i do not have ", "i can't say ", "i cannot say ", "i can't tell ", "i cannot tell ", "i don't know ", "i do not know ", "i couldn't ", "i could not ", "i can't ", "i cannot ", "we have no ", "we don't have ", "ich habe keine", "ich kann nicht sagen", "fehlt ", "je n'ai pas ", "no tengo ",
];
#[rustfmt::skip]
const LACKS: &[&str] = &[
    " is missing", " are missing", " is unknown", " are unknown", " is not known", " isn't known", " is not included", " isn't included", " are not included", " aren't included", " is unclear", " remains unknown", " remains open", " is left out", " are left out", " could not be checked", " couldn't be checked", " could not be verified", " is not available",
    " fehlt", " fehlen", " manque", " falta",
];

/// Words and bytes of such a sentence.
const WORDS_MAX: usize = 30;
const BYTES_MAX: usize = 260;

/// The first bytes that such a sentence may begin with, but for an apology, in small letters: nearly all others are out by them. What
/// begins as many sentences do (`the sources`) is looked up by eight.
static SHORT: LazyLock<Heads<4>> =
    LazyLock::new(|| Heads::of(&[NOT_FOUND, NOT_SAID, ASKS, super::phrases::APOLOGIES]));
static LONG: LazyLock<Heads<8>> = LazyLock::new(|| Heads::of(&[SOURCES, UNKNOWN]));

/// Whether a sentence, as it is written, may be such.
pub(super) fn may_be_one(sentence: &str) -> bool {
    sentence.len() <= BYTES_MAX
        && (SHORT.may_begin(sentence) || LONG.may_begin(sentence) || may_follow(sentence))
}

/// Whether a sentence may say what something that failed leaves open. Few have such a joint.
fn may_follow(sentence: &str) -> bool {
    let mut commas = memchr::memchr2_iter(b',', b';', sentence.as_bytes());
    commas.any(|at| SO.iter().any(|so| sentence.as_bytes()[at..].starts_with(so.as_bytes())))
}

/// Whether a plain sentence says what its author couldn't open, and what that leaves open: `I couldn't load the page (HTTP 503), so the address
/// is missing`. What it says besides isn't said of the matter.
fn is_left_open(meant: &str) -> bool {
    let Some((failed, open)) = SO.iter().find_map(|so| meant.split_once(so)) else { return false };
    let is_short = word_count(meant) <= WORDS_MAX && !open.contains([',', ';', ':']);
    let is_lack = begins(open, I_LACK) || LACKS.iter().any(|end| open.ends_with(end));
    is_short && is_lack && FAILED.iter().any(|words| failed.contains(words))
}

/// Whether a sentence, as it is written, leaves open what was asked.
pub(super) fn leaves_open(sentence: &str) -> bool {
    if !may_be_one(sentence) {
        return false;
    }
    let words = plain(sentence);
    if is_left_open(words.trim_end_matches(['.', '!', ' '])) {
        return true;
    }
    who(super::refusal::without_apology(words.trim_end_matches(['.', '!', ' ']))).is_some()
}

/// Who says in a plain sentence that he, or nobody, knows something; `None` where it says something else.
pub(super) fn who(meant: &str) -> Option<Who> {
    let after = |text, table: &[&str]| table.iter().find_map(|phrase| behind(text, phrase));
    let asks = |rest| {
        let rest = after(rest, BETWEEN).unwrap_or(rest);
        begins(after(rest, BETWEEN).unwrap_or(rest), ASKS)
    };
    // What is only about something is none of these.
    let of_matter =
        |rest: &str| BETWEEN.iter().any(|word| word.ends_with(" on ") && behind(rest, word).is_some());
    let found = after(meant, NOT_FOUND).and_then(|rest| after(rest, FINDS));
    let said = after(meant, NOT_SAID);
    let told = after(meant, SOURCES).and_then(|rest| {
        let denied = after(rest, SAY_NOT);
        // `None of the sources says how …` denies it in front.
        let is_denied = denied.is_some() || begins(meant, DENIES);
        let rest = denied.unwrap_or(rest);
        is_denied.then(|| after(rest, SAY).unwrap_or(rest))
    });
    let is_question = begins(meant, ASKS);
    let who = if found.is_some_and(|rest| asks(rest) || of_matter(rest))
        || [said, told].into_iter().flatten().any(asks)
        || is_question && ends_with_any(meant, ENDS_OF_AUTHORS)
    {
        Who::Author
    } else if after(meant, UNKNOWN).is_some_and(asks) || is_question && ends_with_any(meant, ENDS) {
        Who::Nobody
    } else {
        return None;
    };
    (!brings(meant)).then_some(who)
}

/// Whether something is said besides: a second half, or a figure that isn't a year.
pub(super) fn brings(meant: &str) -> bool {
    let is_year = |number: &str| number.len() == 4 && number.starts_with(['1', '2']);
    let mut numbers = meant.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    meant.contains([';', ':', '['])
        || word_count(meant) > WORDS_MAX
        || TURNS.iter().any(|turn| meant.contains(turn))
        || numbers.any(|number| !is_year(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(sentence: &str) -> Option<Who> {
        let who = who(plain(sentence).trim_end_matches('.'));
        assert_eq!(leaves_open(sentence), who.is_some(), "{sentence}");
        who
    }

    #[test]
    fn what_nobody_could_tell_is_no_answer() {
        for sentence in [
            "I couldn't find out how long a decision takes.",
            "I could not find any information on how long a decision takes.",
            "I was unable to determine who pays for it.",
            "I couldn’t find any data on the price.",
            "The sources don't say how long it takes.",
            "None of the sources says when it opens.",
            "Ich konnte nicht herausfinden, wie lange es dauert.",
            "Wie lange es dauert, konnte ich nicht herausfinden.",
            "Wo es liegt, konnte ich nicht herausfinden.",
            "Die Quellen sagen nicht, wie lange es dauert.",
            "Je n'ai pas trouvé combien de temps cela prend.",
            "Les sources ne précisent pas combien cela coûte.",
            "No pude averiguar cuánto cuesta.",
            "Las fuentes no indican cuánto cuesta.",
        ] {
            assert_eq!(told(sentence), Some(Who::Author), "{sentence}");
        }
        for sentence in [
            "It is unclear how long a decision takes.",
            "There is no data on how long a decision takes.",
            "How long a decision takes is not known.",
            "No information was found on how long it takes.",
            "Es ist unklar, wie lange es dauert.",
            "Wie lange es dauert, ist nicht bekannt.",
            "On ne sait pas combien de temps cela prend.",
            "No se sabe cuánto cuesta.",
        ] {
            assert_eq!(told(sentence), Some(Who::Nobody), "{sentence}");
        }
    }

    #[test]
    fn what_a_page_that_failed_leaves_open_is_no_answer() {
        for sentence in [
            "I couldn't load the contact page (HTTP 503), so the address is missing.",
            "The contact page returned an error, so I have no address.",
            "The site timed out, so I can't say what tickets cost.",
            "Ich konnte die Seite nicht laden, daher fehlt die Adresse.",
        ] {
            assert!(leaves_open(sentence), "{sentence}");
        }
        for sentence in [
            "I could not access the logs of EU-West, so the counts below only cover US-East.",
            "The service timed out, so the order was lost.",
            "The lift is down, so visitors must use the stairs.",
            "The sign is old, so the address is missing.",
            "The page returned an error, so we restarted the server.",
            "I couldn't sleep, so I have no complaints, but the room costs 80 euros.",
            "The API returned a 500, so retries are needed.",
            "The museum was down the road, so the bus stop is missing a sign.",
            "Der Aufzug ist defekt, daher fehlt der Zugang nicht.",
            "The data is missing.",
        ] {
            assert!(!leaves_open(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_was_found_not_to_be_so_is_one() {
        for sentence in [
            "I couldn't find any evidence that it causes cancer.",
            "It is unclear whether vitamin D prevents colds.",
            "There is no data on pregnant women.",
            "It is unclear how many died, but at least twelve were hurt.",
            "It is unclear how the 12 passengers got out.",
            "How it works is explained in the manual.",
            "The contract doesn't say when the rent is due.",
            "The sources of the river lie in the Alps.",
            "The results do not differ.",
            "The sources say how long it takes.",
            "I don't know a better printer.",
            "I found out how long it takes.",
            "Die Quellen des Flusses liegen in den Alpen.",
            "What is not known to be safe is unsafe.",
            "Users could not find out how to log in.",
        ] {
            assert_eq!(told(sentence), None, "{sentence}");
        }
    }
}
