//! Texts that decline to answer, or that say that nothing was found: only where that is (almost) all there is.
//!
//! Each sentence either declines, reports that nothing was found, is a courtesy, or says something. The first one
//! decides what the text would be; the words of all that say something, turns like ", but …" included, decide whether
//! it is one, and a refusal beside a statement of the matter is none: an answer may have a caveat.

use super::lacking::{is_blocked, lacks_information};
use super::nothing::longest_prefix;
use super::phrases::{
    ADVERBS, APOLOGIES, ATTRIBUTIONS, BESIDES_MAX, CANT, COURTESIES, DECLINES, EMPTY_HANDED, FINDINGS,
    JOINTS, LAST_APOLOGIES, LAST_CANT, LAST_VERBS, MACHINES, MACHINES_DONT, NOT_FOUND, SCOPES, TOPICS, TURNS,
    VERBS, VERBS_DE,
};
use super::plain::{begins, behind, sentences, word_count};
use super::small_talk;
use super::unknown;
use super::unreached::{gives_up, is_of_server, is_unfound, is_unopened};
use crate::domain::aggregate::input::FailureStatus;
use crate::domain::text::phrases::{ends_with_any, has_any};

/// What is declined beside an answer.
const ADVICE: [&str; 5] = ["advice", "beratung", "conseil", "consejo", "asesor"];

/// Words of a sentence with a figure that states something.
const FIGURE_WORDS_MIN: usize = 3;

/// Words of a Japanese sentence of what wasn't found.
const UNFOUND_WORDS_MAX: usize = 20;

/// Words behind a turn that say what was found instead.
const TURNED_WORDS_MIN: usize = 4;
/// What declines without saying who: with a figure or a list it says of something else that it can't.
const NOBODY: &[&str] = &["unable to ", "无法", "不能"];

/// `Refusal`, `Empty` where nothing was found, or `Error` where nothing could be opened; `None` where something is said.
pub(super) fn judge(words: &str) -> Option<FailureStatus> {
    let is_mark = |c: char| matches!(c, '.' | '。' | '!' | '(' | ')' | ' ');
    if EMPTY_HANDED.contains(&without_apology(words).trim_matches(is_mark)) {
        return Some(FailureStatus::Empty);
    }
    let (mut status, mut besides, mut states, mut is_caveat) = (None, 0, false, false);
    let (mut has_figure, mut is_told_before) = (false, false);
    for sentence in sentences(words) {
        let meant = without_apology(sentence);
        let last = declines_at_end(sentence, words).then_some(FailureStatus::Refusal);
        let kind = last.or_else(|| status_of(meant));
        if kind.is_none() && meant.is_empty() {
            continue;
        }
        match kind {
            Some(kind) => {
                // An earlier sentence that says something only delays a refusal that is most of the text.
                status = status.or(Some(kind));
                is_caveat |= has_any(meant, &ADVICE);
                let after = words_after_turn(meant);
                // `No results were found in 2023, but in 2024 twelve were.`
                if kind == FailureStatus::Empty && after >= TURNED_WORDS_MIN {
                    return None;
                }
                besides += after;
            }
            None if is_courtesy(meant) || status.is_some() && is_of_server(meant) => {}
            // Who couldn't open one thing may have read another.
            None if status == Some(FailureStatus::Error) => return None,
            // A figure is something that is said, however short.
            None if status == Some(FailureStatus::Empty) && states_figure(meant) => return None,
            None => {
                besides += word_count(meant);
                // Behind a refusal stands its reason, unless it has a figure.
                let may_be_reason =
                    status.is_some() && !is_caveat && !meant.contains(|c: char| c.is_ascii_digit());
                let is_stated = small_talk::states(meant);
                states |= !may_be_reason && is_stated;
                has_figure |= is_stated && states_figure(meant);
                is_told_before |= status.is_none() && small_talk::answers(meant);
            }
        }
    }
    // `It is covered. I couldn't find the deductible.` answers a half; what stands behind may be why nothing was found.
    let is_answered = |status| {
        status == FailureStatus::Refusal && states
            || status == FailureStatus::Empty && (has_figure || is_told_before)
    };
    status.filter(|status| besides <= BESIDES_MAX && !is_answered(*status))
}

fn status_of(meant: &str) -> Option<FailureStatus> {
    if declines(meant) {
        Some(FailureStatus::Refusal)
    } else if not_found(meant)
        || is_unfound(meant)
        || found_nothing(meant)
        || is_unknown(meant)
        || unfound_at_end(meant)
    {
        Some(FailureStatus::Empty)
    } else if is_unopened(meant) || gives_up(meant) {
        Some(FailureStatus::Error)
    } else {
        None
    }
}

/// Whether its author says that he doesn't know what was asked.
fn is_unknown(meant: &str) -> bool {
    unknown::who(meant) == Some(unknown::Who::Author)
}

/// A sentence behind its apology: "I'm sorry, but I can't" is "I can't".
pub(super) fn without_apology(sentence: &str) -> &str {
    let mut rest = sentence;
    while let Some(length) = longest_prefix(rest, APOLOGIES) {
        rest = rest[length..].trim_start();
        while let Some(joint) = JOINTS.iter().find_map(|joint| rest.strip_prefix(joint)) {
            rest = joint.trim_start();
        }
    }
    rest
}

fn declines(meant: &str) -> bool {
    declines_at_start(meant)
        || declines_as_machine(meant)
        || declines_with_verb_last(meant)
        || is_blocked(meant)
}

/// Japanese and Korean: what a text says of itself with an apology, and that it can't.
fn declines_at_end(sentence: &str, text: &str) -> bool {
    let has = |words: &[&str], within: &str| has_any(within, words);
    // The end is soonest looked at, and most sentences have another.
    ends_with_any(sentence, LAST_CANT) && has(LAST_VERBS, sentence) && has(LAST_APOLOGIES, text)
}

/// Japanese: that what was asked for wasn't found, and not what that is.
fn unfound_at_end(meant: &str) -> bool {
    const ENDS: &[&str] = &[
        "見つかりませんでした",
        "見つけられませんでした",
        "見つけることができませんでした",
        "確認できませんでした",
    ];
    const ASKED: &[&str] = &["情報", "データ", "回答", "答え", "資料"];
    let end = meant.trim_end_matches(['。', '.', ' ']);
    ends_with_any(end, ENDS) && has_any(meant, ASKED) && word_count(meant) <= UNFOUND_WORDS_MAX
}

fn declines_at_start(meant: &str) -> bool {
    let cant = CANT.iter().filter_map(|cant| behind(meant, cant)).any(|rest| {
        let rest = ADVERBS.iter().find_map(|adverb| behind(rest, adverb)).unwrap_or(rest);
        begins(rest, VERBS)
    });
    (cant && !(begins(meant, NOBODY) && is_measured(meant)) && !names_time(meant))
        || longest_prefix(meant, DECLINES).is_some()
}

/// Whether a time of the day stands in it: who reports an outage says since when. `I can't access the site, it returns 503 since 09:14`
fn names_time(meant: &str) -> bool {
    let is_time = |four: &[u8]| {
        four[0].is_ascii_digit() && four[1] == b':' && four[2].is_ascii_digit() && four[3].is_ascii_digit()
    };
    meant.as_bytes().windows(4).any(is_time)
}

/// Whether a figure or a list stands in it, which isn't a year or an address: `unable to process more than 40 requests`.
fn is_measured(meant: &str) -> bool {
    let is_year = |word: &str| word.len() == 4 && word.starts_with(['1', '2']);
    let mut numbers = meant.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    let lists = meant.split_once(':').is_some_and(|(_, list)| list.contains(','));
    !meant.contains("://") && !meant.contains("www.") && (numbers.any(|number| !is_year(number)) || lists)
}

/// "As an AI, I don't …": it has to speak of itself, as "as an AI company, X …" does not.
fn declines_as_machine(meant: &str) -> bool {
    let Some(length) = longest_prefix(meant, MACHINES) else { return false };
    let rest = &meant[length..];
    let of_itself = has_any(rest, &[" i ", " i'm ", "我", " ich ", " je ", " no ", ",i "]);
    of_itself && has_any(rest, MACHINES_DONT)
}

/// German and Dutch.
fn declines_with_verb_last(meant: &str) -> bool {
    const SPEAKS: &[&str] = &[
        "ich kann ",
        "kann ich ",
        "ich darf ",
        "darf ich ",
        "dabei kann ich ",
        "das kann ich ",
        "ik kan ",
        "kan ik ",
        "ik mag ",
        "diese frage kann ich ",
        "diese anfrage kann ich ",
        "hierbei kann ich ",
    ];
    if !begins(meant, SPEAKS) {
        return false;
    }
    let before_turn = before_turn(meant);
    has_any(before_turn, &[" nicht", " keine", " niet", " geen "]) && has_any(before_turn, VERBS_DE)
}

fn not_found(meant: &str) -> bool {
    (begins(meant, NOT_FOUND) || lacks_information(meant)) && {
        let before_turn = before_turn(meant);
        let object = object(before_turn);
        !has_any(object, FINDINGS)
            && !has_any(before_turn, ATTRIBUTIONS)
            && !cites(before_turn)
            && !counts_what_was_searched(before_turn)
    }
}

/// German, where what was looked for stands before who looked: `Zu den Preisen konnte ich keine Informationen finden.`
pub(super) fn found_nothing(meant: &str) -> bool {
    const LOOKS: &[&str] = &["konnte ich ", "ich konnte ", "habe ich ", "ich habe "];
    #[rustfmt::skip]
    const NOTHING: &[&str] = &[
        " keine informationen ", " keine angaben ", " keine daten ", " keine ergebnisse ", " keine treffer ", " keine quellen ", " keine aktuellen informationen ", " keine verlässlichen informationen ",
        " keine verlässlichen angaben ", " keine aktuellen daten ", " nichts ",
    ];
    const ENDS: &[&str] = &[" finden", " gefunden", " ermitteln"];
    let end = meant.trim_end_matches(['.', '!', ' ']);
    ends_with_any(end, ENDS)
        && has_any(meant, LOOKS)
        && has_any(meant, NOTHING)
        && !meant.contains([';', ':'])
        && turn(meant).is_none()
        && !cites(meant)
        && !counts_what_was_searched(meant)
}

/// What was looked for, without what it was to be about.
fn object(sentence: &str) -> &str {
    if sentence.contains("关于") {
        return sentence.rsplit('的').next().unwrap_or(sentence);
    }
    let topic = TOPICS.iter().filter_map(|topic| sentence.find(topic)).min();
    &sentence[..topic.unwrap_or(sentence.len())]
}

/// `in all 120 files`, `of 120 patients`; not `in 2024`, which may belong to what was asked.
fn counts_what_was_searched(sentence: &str) -> bool {
    let words: Vec<&str> = sentence.split(' ').collect();
    words.windows(3).any(|of| {
        let is_number = of[1].bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.'));
        let is_year = of[1].len() == 4 && of[1].starts_with(['1', '2']);
        SCOPES.contains(&of[0]) && is_number && !is_year && of[2].starts_with(char::is_alphabetic)
    })
}

/// Whether a sentence names a source: what a source didn't find is what it found out.
fn cites(sentence: &str) -> bool {
    let numbers = |bracket: &str| bracket.starts_with(|c: char| c.is_ascii_digit());
    sentence.split('[').skip(1).any(numbers)
}

fn states_figure(meant: &str) -> bool {
    meant.contains(|c: char| c.is_ascii_digit()) && word_count(meant) >= FIGURE_WORDS_MIN
}

fn is_courtesy(meant: &str) -> bool {
    begins(meant, COURTESIES)
}

/// To be asked for where it matters only: it looks for every turn in all of the sentence.
fn before_turn(sentence: &str) -> &str {
    &sentence[..turn(sentence).map_or(sentence.len(), |(at, _)| at)]
}

/// Where the sentence turns, and where it goes on.
fn turn(sentence: &str) -> Option<(usize, usize)> {
    TURNS.iter().filter_map(|turn| sentence.find(turn).map(|at| (at, at + turn.len()))).min()
}

fn words_after_turn(sentence: &str) -> usize {
    let Some((_, start)) = turn(sentence) else { return 0 };
    let tail = sentence[start..].trim_start_matches([',', ' ']);
    if is_courtesy(tail) || declines_at_start(tail) { 0 } else { word_count(tail) }
}
