//! What a model says of how far its work is, what it couldn't open or find, and what it says to who asked around that: `I'll now compile
//! the final answer.`, `I could not open the attached PDF.`, `I searched 12 databases and reviewed 45 articles.`

use super::phrases::{ADVICE, ANSWERS};
use super::{REFERRAL_WORDS_MAX, Told, WORDS_MAX, brings, has, has_figure, words};
use crate::domain::text::phrases::behind_any;

pub(super) const TOLD: [Told; 13] = [
    (COULD_NOT, is_unable),
    (COULD_ONLY, |said| has(said, READS) && reads(said) && words(said) <= WORDS_MAX),
    (HAS_ENOUGH, |said| {
        has(said, ENOUGH) && has(said, MATERIAL) && words(said) <= WORDS_MAX && !brings(said)
    }),
    (IS_TO_WRITE, is_to_write),
    (SETS_OUT, sets_out),
    (CONCLUDES, |said| ends_as(said, &[ANSWERS, WORK]) && words(said) <= WORDS_MAX && !brings(said)),
    (IS_DONE, |said| IS_DONE.contains(&bare(said).as_str())),
    (FAILED, |said| words(said) <= FAILED_WORDS_MAX && !said.contains([',', ';'])),
    (TALLIES, is_tally),
    (SHOWS, |said| bare(said).ends_with(" i found") && words(said) <= WORDS_MAX && !brings(said)),
    (TALKS, |said| words(said) <= WORDS_MAX && !brings(said) && !has(said, GOES_ON)),
    (CANNOT_ADVISE, |said| has(said, NOT) && has(said, ADVICE) && !brings(said)),
    (RATES, rates),
];

/// Words behind what a tool call came to.
const FAILED_WORDS_MAX: usize = 8;

/// Who couldn't, and what, where that is to read something or to find what others wrote.
#[rustfmt::skip]
const COULD_NOT: &[&str] = &[
    "i couldn't ", "i could not ", "i was unable to ", "i wasn't able to ", "i was not able to ", "i'm sorry, but i couldn't ", "i'm sorry, but i could not ", "i'm sorry, but i was unable to ", "sorry, i couldn't ", "sorry, i could not ",
    "unfortunately, i couldn't ", "unfortunately, i could not ", "unfortunately, i was unable to ", "i did not ", "i didn't ",
];
const COULD_ONLY: &[&str] = &["i could only ", "i was only able to ", "i can only "];
const READS: &[&str] = &[
    " access ",
    " open ",
    " load ",
    " read ",
    " reach ",
    " fetch ",
    " retrieve ",
    " view ",
    " download ",
    " browse ",
];
/// What is read.
#[rustfmt::skip]
const READ: &[&str] = &[
    "database", "databases", "pdf", "pdfs", "file", "files", "page", "pages", "document", "documents", "website", "websites", "link", "links", "attachment", "attachments", "paper", "papers", "article", "articles", "site", "api",
    "repository", "archive", "spreadsheet", "dataset", "url", "source", "sources", "transcript",
];
const FINDS: &[&str] = &[" find ", " locate "];
/// What others wrote: that there is no study or no evidence may be what was to be found out.
#[rustfmt::skip]
const WRITTEN: &[&str] = &["review", "reviews", "article", "articles", "documentation", "page", "pages", "document", "documents", "source", "sources", "report", "reports", "website"];
/// What it would say: then that there is none says something.
const SAYING: &[&str] = &[" show", " prov", " claim", " confirm", " say", " contradict", " critic"];
const CHECKS: &[&str] = &[
    " verify this ",
    " verify that ",
    " verify these ",
    " confirm this ",
    " confirm these ",
    " check this ",
    " check these ",
];
const CLAIMED: &[&str] = &[
    "claim",
    "claims",
    "figure",
    "figures",
    "number",
    "numbers",
    "statement",
    "statements",
    "information",
    "detail",
    "details",
];
/// What says more.
const GOES_ON: &[&str] = &[" but ", " because ", " so ", " since ", ", ", ";", ":"];

const HAS_ENOUGH: &[&str] = &[
    "now i have ",
    "i now have ",
    "i have enough ",
    "i have sufficient ",
    "i have all ",
    "good, i have ",
    "great, i have ",
];
const ENOUGH: &[&str] = &[" enough ", " sufficient ", " all the ", " all of the "];
const MATERIAL: &[&str] = &[" information", " data", " context", " details", " material"];

#[rustfmt::skip]
const IS_TO_WRITE: &[&str] = &["i'll now ", "i will now ", "i can now ", "now i'll ", "now i will ", "now i can ", "let me now ", "i am now going to "];
#[rustfmt::skip]
const WRITES: &[&str] = &[
    " compile ", " write ", " prepare ", " summarize ", " summarise ", " provide ", " synthesize ", " synthesise ", " present ", " answer ", " draft ", " produce ", " create ", " put together ", " give ",
];

/// What stands before the announcement.
const SETS_OUT: &[&str] = &["based on ", "after ", "having ", "from "];
#[rustfmt::skip]
const ANNOUNCES: &[&str] = &[", here are ", ", here is ", ", here's ", ", i can now ", ", i can ", ", i will ", ", i'll ", ", i have put together ", ", i have compiled "];

const CONCLUDES: &[&str] = &["this concludes ", "that concludes ", "this completes ", "that completes "];
const WORK: &[&str] = &["research", "investigation", "search", "work", "task", "response"];

/// All that is said then.
#[rustfmt::skip]
const IS_DONE: &[&str] = &[
    "task completed successfully", "task completed", "task complete", "the task is complete", "task is complete", "all tasks completed", "analysis complete", "analysis completed", "research complete", "research completed", "search complete",
    "search completed", "report complete", "working on it", "still working on it", "i'm working on it", "tl;dr below", "summary below", "see the summary below", "sources are listed below", "sources listed below", "sources below",
    "the sources are listed below", "references are listed below", "references below", "the references are listed below", "details below", "more details below", "full report below",
];
const FAILED: &[&str] = &[
    "tool call failed",
    "tool call timed out",
    "tool execution failed",
    "tool error",
    "function call failed",
    "the tool returned an error",
    "tool returned an error",
];

/// Whose work is counted.
#[rustfmt::skip]
const TALLIES: &[&str] = &[
    "i searched ", "i reviewed ", "i analysed ", "i analyzed ", "i read ", "i checked ", "i screened ", "i consulted ", "i examined ", "i looked at ", "i went through ", "i queried ", "i've searched ", "i've reviewed ", "i've analysed ", "i've analyzed ",
    "i have searched ", "i have reviewed ", "i have analysed ", "i have analyzed ", "we searched ", "we screened ",
];
/// What is searched and read, in whatever number.
#[rustfmt::skip]
const COUNTED: &[&str] = &[
    "databases", "articles", "documents", "sources", "pages", "papers", "studies", "reviews", "websites", "reports", "files", "records", "posts", "tickets", "emails", "transcripts", "publications", "results", "commits", "logs",
];
/// What was done with the next.
#[rustfmt::skip]
const AND: &[&str] = &[" and reviewed ", " and read ", " and analysed ", " and analyzed ", " and checked ", " and screened ", " and examined ", " and compared ", " and consulted "];

const SHOWS: &[&str] = &["here are ", "here is ", "here's "];
#[rustfmt::skip]
const TALKS: &[&str] = &[
    "i hope that answers ", "i hope it answers ", "hope that answers ", "good luck with your ", "best of luck with your ", "you're welcome to reach out", "you are welcome to reach out", "you're welcome to ask ", "you are welcome to ask ",
    "feel welcome to ask ", "the information above comes from ", "the information above is from ", "the information above is taken from ", "the above information comes from ", "the above information is from ", "all information above comes from ",
    "the information in this answer comes from ",
];
const CANNOT_ADVISE: &[&str] = &[
    "please note that i ",
    "note that i ",
    "please note i ",
    "i cannot give ",
    "i can't give ",
    "i cannot provide ",
    "i can't provide ",
    "i am not able to give ",
];
const NOT: &[&str] = &["cannot", "can't", " not ", "unable"];

/// What says of the text how sure it is, and who made it.
#[rustfmt::skip]
const RATES: &[&str] = &[
    "confidence:", "confidence level:", "overall confidence:", "my confidence:", "report generated ", "this report was generated ", "this summary was generated ", "this report was created by ", "generated on 1", "generated on 2",
];
const LEVELS: &[&str] = &["low", "medium", "high", "moderate", "very", "medium-high", "low-medium", "fairly"];

/// `I could not open the attached PDF.`, `I did not find any reviews of the library.`
fn is_unable(said: &str) -> bool {
    let rest = behind_any_of(said, COULD_NOT);
    let Some(rest) = rest.filter(|rest| words(rest) <= WORDS_MAX && !has(rest, GOES_ON)) else {
        return false;
    };
    let begins = |verbs: &[&str]| verbs.iter().any(|verb| rest.starts_with(verb));
    begins(READS) && reads(&rest)
        || begins(FINDS)
            && has_word(&rest, WRITTEN)
            && !has(&rest, SAYING)
            && !has(&rest, &[" in ", " within ", " among "])
        || begins(CHECKS) && has_word(&rest, CLAIMED)
}

/// Whether what is read is something that one reads.
fn reads(said: &str) -> bool {
    has_word(said, READ)
}

/// `I'll now compile the final answer.`
fn is_to_write(said: &str) -> bool {
    has(said, WRITES) && ends_as(said, &[ANSWERS, WORK]) && words(said) <= WORDS_MAX && !brings(said)
}

/// `Based on the search results, I can now provide an answer.`, `After reviewing 14 documents, here are my findings.`
fn sets_out(said: &str) -> bool {
    has(said, ANNOUNCES)
        && ends_as(said, &[ANSWERS, WORK])
        && words(said) <= REFERRAL_WORDS_MAX
        && !said.contains([';', ':', '\n', '"', '“'])
}

/// `I searched 12 databases and reviewed 45 articles.`: nothing of what stood there.
fn is_tally(said: &str) -> bool {
    let lower = bare(said);
    let counted = AND.iter().find_map(|and| lower.split_once(and));
    let (first, second) = counted.unwrap_or((lower.as_str(), ""));
    let counts = |part: &str| part.rsplit(' ').next().is_some_and(|last| COUNTED.contains(&last));
    let goes_on = [" and ", " which ", " that ", " of ", ", ", ":", ";"];
    let is_plain = |part: &str| !goes_on.iter().any(|more| part.contains(more));
    has_figure(said)
        && words(said) <= WORDS_MAX
        && is_plain(first)
        && is_plain(second)
        && counts(first)
        && (second.is_empty() || counts(second))
}

/// `Confidence: medium.`, `Report generated on 2025-06-01 by ResearchBot.`
fn rates(said: &str) -> bool {
    let Some((_, level)) = said.split_once(':').filter(|(label, _)| !has_figure(label)) else {
        return words(said) <= WORDS_MAX && !said.contains([',', ';']);
    };
    let level = bare(level);
    let first = level.split(' ').next().unwrap_or_default();
    let is_level = LEVELS.contains(&first) || first.starts_with(|c: char| c.is_ascii_digit());
    is_level && level.split(' ').count() <= 3
}

/// What stands behind one of some phrases, in small letters of ASCII and behind a space.
fn behind_any_of(said: &str, phrases: &[&str]) -> Option<String> {
    let lower = said.to_ascii_lowercase().replace('’', "'");
    behind_any(&lower, phrases).map(|rest| format!(" {rest}"))
}

/// In small letters, without what stands around it.
fn bare(said: &str) -> String {
    let said = said.trim_matches(|c: char| !c.is_alphanumeric());
    said.to_lowercase().replace('’', "'")
}

/// Whether the last word is one of some lists.
fn ends_as(said: &str, lists: &[&[&str]]) -> bool {
    let bare = bare(said);
    let last = bare.rsplit(' ').next().unwrap_or_default();
    lists.iter().any(|list| list.contains(&last))
}

fn has_word(said: &str, list: &[&str]) -> bool {
    let lower = said.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| list.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::super::is_own_work;

    #[test]
    fn how_far_a_model_is_and_what_it_could_not_read_is_its_own_work() {
        for text in [
            "I'm sorry, but I couldn't access the EudraVigilance database.",
            "I was unable to find a Cochrane review that addresses loans published after 2015.",
            "I could not open the attached PDF.",
            "I did not find any reviews of the library.",
            "Note: I could only read pages 1–8 of the document.",
            "I wasn’t able to verify this claim.",
            "Now I have enough information to answer.",
            "I'll now compile the final answer.",
            "Based on the search results, I can now provide an answer.",
            "After reviewing 14 documents, here are my findings.",
            "This concludes my analysis.",
            "Task completed successfully.",
            "Tool call failed: timeout.",
            "Working on it...",
            "I searched 12 databases and reviewed 45 articles.",
            "I analysed 1,204 App Store reviews.",
            "Here are the best options I found ✈️",
            "I hope that answers your question!",
            "Good luck with your project!",
            "You're welcome to reach out with follow-up questions.",
            "Please note that I cannot give legal advice.",
            "Confidence: medium.",
            "TL;DR below.",
            "Sources are listed below.",
            "The information above comes from the library's website.",
            "Report generated on 2025-06-01 by ResearchBot.",
        ] {
            assert!(is_own_work(text), "{text}");
        }
    }

    #[test]
    fn what_only_begins_so_may_answer() {
        for text in [
            "I could not open the door of the shed.",
            "I was unable to find a review that shows harm.",
            "I did not find any bugs in the documents.",
            "I couldn't access the database, so the migration failed.",
            "I could only read 20 words a minute before the operation.",
            "Now I have enough money.",
            "I will now vote against the plan.",
            "After 14 days, here is what changes: the rent.",
            "After the war, here are the ruins.",
            "This concludes the merger.",
            "The task was completed by the city in 2019.",
            "Tool call failed because the token had expired, and no ticket was booked for the trip.",
            "I searched 12 houses and found a gun.",
            "I analysed 1,204 reviews, of which 80% were positive.",
            "Here are the keys that I lost.",
            "Good luck charms are sold at the desk.",
            "Good luck with your visa depends on the clerk, but most get one.",
            "You're welcome to bring pets.",
            "Confidence: investors regained it in May.",
            "The confidence of the readers is medium.",
            "Sources are listed below the chart of 2019.",
            "The information above the door is in Latin.",
            "We found no books on chess.",
        ] {
            assert!(!is_own_work(text), "{text}");
        }
    }
}
