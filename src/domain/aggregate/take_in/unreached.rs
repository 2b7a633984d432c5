//! Who couldn't open what he was to read, or find what he was asked for, and says no more: `I was unable to access the website.`

use super::phrases::TURNS;
use super::plain::{begins, behind, plain, word_count};
use super::{sought, unknown};
use crate::domain::text::phrases::has_any;

/// Who can't.
#[rustfmt::skip]
const CANT: &[&str] = &[
    "i was unable to ", "i was not able to ", "i wasn't able to ", "i am unable to ", "i'm unable to ", "i am not able to ", "i'm not able to ", "i could not ", "i couldn't ", "i cannot ", "i can't ",
    "we were unable to ", "we were not able to ", "we could not ", "we couldn't ",
];
const OPEN: &[&str] =
    &["access ", "open ", "load ", "reach ", "fetch ", "retrieve ", "visit ", "view ", "browse "];
const FIND: &[&str] = &["find ", "locate "];
const WHICH: &[&str] = &["the ", "this ", "that ", "your ", "its "];
/// What is opened. A longer one stands before a shorter one.
#[rustfmt::skip]
const PLACES: &[&str] = &[
    "websites", "website", "web page", "webpage", "web site", "sites", "site", "pages", "page", "urls", "url", "links", "link", "article", "documents", "document", "content",
    "logs", "log", "files", "file", "database", "data", "records", "repository", "repo", "api", "server", "dashboard", "reports", "report", "calendar", "mailbox", "inbox", "emails", "drive", "folder", "dataset", "spreadsheet", "transcript",
];
/// What follows what is opened and says which it is.
const OF_WHICH: &[&str] = &[" for ", " of ", " from "];
/// Why something couldn't be done, where that is nothing that was asked about, and what it is then.
const WHY: &[&str] = &[" due to ", " because of ", " owing to ", " as the "];
#[rustfmt::skip]
const STOPPED: &[&str] = &[
    "error", "permission", "credential", "authentication", "authorization", "api key", "rate limit", "rate-limit", "timeout", "time-out", "access restriction", "connection", "network", "technical", "paywall", "captcha", "403", "404", "429", "500", "502", "503",
];
/// What isn't answered.
const GIVEN_UP: &[&str] =
    &["", " this", " that", " it", " the question", " this question", " your question", " the query"];
/// What isn't found, where that is all that is said of it.
#[rustfmt::skip]
const ASKED: &[&str] = &[
    "that information", "this information", "the information", "the requested information", "the answer", "an answer", "any answer",
];
/// What a server answered.
#[rustfmt::skip]
const SERVERS: &[&str] = &["the page ", "the website ", "the site ", "the server ", "the url ", "the link ", "the request ", "the webpage ", "the web page "];
const ANSWERED: &[&str] = &["returned ", "returns ", "responded with ", "gave "];
#[rustfmt::skip]
const ERRORS: &[&str] = &["error", "forbidden", "not found", "unauthorized", "access denied", "timeout", "403", "404", "429", "500", "502", "503"];
/// What is kept back.
#[rustfmt::skip]
const KEPT_BACK: &[&str] = &["share ", "disclose ", "provide ", "give out ", "reveal ", "help with ", "help you with ", "assist with ", "assist you with "];

/// Words of such a sentence, and of what it says behind what it is about.
const WORDS_MAX: usize = 14;
const BEHIND_WORDS_MAX: usize = 4;
/// The same of one that says what stopped him.
const STOPPED_WORDS_MAX: usize = 24;
/// Bytes of a sentence that may be one.
const BYTES_MAX: usize = 160;

/// Whether a plain sentence says that what was to be read couldn't be opened, and neither what was read instead nor a figure.
pub(super) fn is_unopened(meant: &str) -> bool {
    let object = CANT.iter().find_map(|cant| behind(meant, cant)).and_then(|rest| after(rest, OPEN));
    let place = object.and_then(|object| after(object, WHICH)).and_then(|rest| after(rest, PLACES));
    let is_said_of = |rest: &str| {
        // `the logs for 12 May` are named by their day.
        let is_named = begins(rest, OF_WHICH);
        (rest.is_empty() || rest.starts_with([' ', '.']))
            && word_count(rest) <= BEHIND_WORDS_MAX
            && if is_named { word_count(meant) <= WORDS_MAX && !goes_on(meant) } else { is_all(meant) }
    };
    place.is_some_and(is_said_of) || is_stopped(meant)
}

/// Whether its author couldn't open or find something for what is wrong with a tool: `I was unable to retrieve the budget due to a permissions error (403).`
fn is_stopped(meant: &str) -> bool {
    let rest = CANT.iter().find_map(|cant| behind(meant, cant)).filter(|_| meant.starts_with("i "));
    let object = rest.and_then(|rest| after(rest, OPEN).or_else(|| after(rest, FIND)));
    let why = object.and_then(|object| WHY.iter().find_map(|why| object.split_once(why)));
    // Of numbers only what a server answers.
    let is_code = |number: &str| number.len() == 3 && number.starts_with(['4', '5']);
    let mut numbers = meant.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    why.is_some_and(|(_, why)| has_any(why, STOPPED))
        && word_count(meant) <= STOPPED_WORDS_MAX
        && numbers.all(is_code)
        && !goes_on(meant)
}

/// Whether a plain sentence ends by giving up: `Access was denied, so I can't answer.`
pub(super) fn gives_up(meant: &str) -> bool {
    let Some((_, end)) = meant.rsplit_once(", so ") else { return false };
    let rest = CANT.iter().find_map(|cant| behind(end, cant)).and_then(|rest| behind(rest, "answer"));
    rest.is_some_and(|rest| GIVEN_UP.contains(&rest))
        && !meant.contains(|c: char| c.is_ascii_digit())
        && word_count(meant) <= WORDS_MAX
}

/// Whether a plain sentence says that what was asked for wasn't found, and not what that is.
pub(super) fn is_unfound(meant: &str) -> bool {
    let object = CANT.iter().find_map(|cant| behind(meant, cant)).and_then(|rest| after(rest, FIND));
    object.is_some_and(|object| ASKED.contains(&object.trim_end_matches(" you requested")))
}

/// Whether a plain sentence says what a server answered instead of a page. Alone it may be what was asked.
pub(super) fn is_of_server(meant: &str) -> bool {
    let answer = after(meant, SERVERS).and_then(|rest| after(rest, ANSWERED));
    answer.is_some_and(|answer| has_any(answer, ERRORS)) && word_count(meant) <= WORDS_MAX && !goes_on(meant)
}

/// Whether a sentence only tells how its author failed: that he couldn't open or find something, or that he keeps it back.
pub(super) fn tells_own_failure(sentence: &str) -> bool {
    let begins_so = sentence.starts_with(['I', 'U', 'W', 'S', 'H']) && sentence.len() <= BYTES_MAX;
    let may_be_unknown = unknown::may_be_one(sentence);
    let may_be_missed =
        sentence.len() <= BYTES_MAX && (begins_so || may_be_unknown || sought::may_be_one(sentence));
    if !may_be_missed && !may_be_unknown {
        return false;
    }
    let words = plain(sentence);
    let meant = super::refusal::without_apology(words.trim_end_matches(['.', '!', '。', ' ']));
    if may_be_unknown && unknown::who(meant) == Some(unknown::Who::Author) {
        return true;
    }
    if may_be_missed && sought::is_missed(meant) {
        return true;
    }
    if !begins_so {
        return false;
    }
    let kept_back = || {
        let rest = CANT.iter().find_map(|cant| behind(meant, cant));
        // Whoever speaks of what is his is quoted: `I can't share my account with friends.`
        rest.is_some_and(|rest| begins(rest, KEPT_BACK)) && !meant.contains(" my ") && is_all(meant)
    };
    is_unopened(meant) || is_unfound(meant) || kept_back()
}

/// Whether a sentence has no figure and no second half.
fn is_all(meant: &str) -> bool {
    !meant.contains(|c: char| c.is_ascii_digit()) && word_count(meant) <= WORDS_MAX && !goes_on(meant)
}

fn goes_on(meant: &str) -> bool {
    meant.contains([',', ';', ':']) || TURNS.iter().any(|turn| meant.contains(turn))
}

fn after<'t>(text: &'t str, table: &[&str]) -> Option<&'t str> {
    table.iter().find_map(|phrase| behind(text, phrase))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::aggregate::input::FailureStatus;
    use crate::domain::aggregate::take_in::says_nothing;

    #[test]
    fn who_could_not_open_or_find_it_brings_nothing() {
        for (text, status) in [
            ("Unfortunately I was not able to find that information.", FailureStatus::Empty),
            (
                "Unfortunately I was not able to find that information. The page returned a 403 Forbidden error.",
                FailureStatus::Empty,
            ),
            (
                "I was unable to access the website. The page returned a 403 Forbidden error.",
                FailureStatus::Error,
            ),
            ("I'm sorry, I couldn't open the page. Please try again later.", FailureStatus::Error),
            ("I could not access the logs for 12 May.", FailureStatus::Error),
            ("Access to the database was denied, so I can't answer.", FailureStatus::Error),
            (
                "I apologize, but I was unable to retrieve the budget due to a permissions error (403).",
                FailureStatus::Error,
            ),
            ("I couldn't access Jira because of an expired API key.", FailureStatus::Error),
            ("The tool returned no results for this query.", FailureStatus::Empty),
        ] {
            assert_eq!(says_nothing(text), Some(status), "{text}");
        }
        for text in [
            "I was unable to access the site on Monday, but the cached copy says the limit is 5 MB.",
            "I was unable to access the website. The limit is 5 MB.",
            "I was unable to access the website. Its owner is Acme.",
            "The page returned a 403 Forbidden error.",
            "I was not able to find the information about the 12 deaths in the report.",
            "I could not open the door of the house.",
            "I could not access the logs for 12 May, but the alert was sent at 09:05.",
            "I could not access the logs on 3 of 5 days.",
            "I could not reach the summit due to technical climbing of 40 metres.",
            "We were unable to reach the database due to a connection error.",
            "I was unable to access the site due to a paywall, but the cached copy says 5 MB.",
            "The register ends in 2021, so I can't answer.",
            "The tool returned no results for 3 of 5 queries and two for the others.",
        ] {
            assert_eq!(says_nothing(text), None, "{text}");
        }
    }

    #[test]
    fn a_sentence_of_how_its_author_failed_is_told_from_others() {
        for text in [
            "I cannot share private addresses.",
            "Unfortunately, I was unable to access the website.",
            "I couldn’t find that information.",
        ] {
            assert!(tells_own_failure(text), "{text}");
        }
        for text in [
            "I was unable to access the site on Monday, but the cached copy says 5 MB.",
            "I couldn't find any evidence that it causes cancer.",
            "I cannot recommend the phone.",
            "I can't share my account with friends.",
            "I cannot provide more than 5 addresses.",
            "“I cannot share private addresses.”",
            "Users cannot share private addresses.",
        ] {
            assert!(!tells_own_failure(text), "{text}");
        }
    }
}
