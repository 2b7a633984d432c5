//! What stands in a result beside what it says: how it begins and ends, who was there, the query that was run, a note.

use crate::domain::aggregate::result::Finding;
use crate::domain::text::language;
use crate::domain::text::phrases::{begins_with_any, has_any};

/// How a sentence begins that closes, or opens, without saying anything.
#[rustfmt::skip]
const BEGINS: [&str; 12] = [
    "in conclusion", "to conclude", "in closing", "note:", "**note", "notes:", "hinweis:", "remarque", "nota:", "sure —", "sure,", "here is an overview",
];
/// Lines of a text about itself.
#[rustfmt::skip]
const LABELS: [&str; 15] = [
    "attendees", "participants", "present", "author", "authors", "subject", "cc", "last updated", "prepared by", "prepared for", "meeting date", "teilnehmer", "anwesend", "betreff", "participants présents",
];
/// What leads to what is said.
const OPENINGS: [&str; 4] = ["introduction", "einleitung", "introducción", "引言"];
/// None of these is longer in any case: a letter of a byte has at most three as a capital.
const OPENING_BYTES_MAX: usize = 40;
/// Queries, which aren't what they bring.
const QUERIES: [&str; 5] = ["SELECT ", "select ", "WITH ", "curl ", "GET /"];

/// Whether a finding is one that nobody asked for. The question is in lower case.
pub(super) fn is_aside(finding: &Finding, question: &str) -> bool {
    let text = finding.content.trim_start_matches(['*', '_', ' ']);
    let begins = |listed: &[&str]| {
        listed
            .iter()
            .any(|begins| text.get(..begins.len()).is_some_and(|head| head.eq_ignore_ascii_case(begins)))
    };
    let label = || text.split_once(':').map(|(label, _)| label.trim_matches(['*', '_', ' ']).to_lowercase());
    let is_label =
        || label().is_some_and(|label| LABELS.contains(&label.as_str()) && !asks(question, &label));
    let section = finding.topic.rsplit(": ").next().unwrap_or_default();
    begins(&BEGINS)
        || begins_with_any(text, &QUERIES) && !asks_for_one(question)
        || is_label()
        || section.len() <= OPENING_BYTES_MAX && OPENINGS.contains(&section.to_lowercase().as_str())
        || is_praise(text, question)
}

/// Whether a text praises where it was asked what is wrong.
fn is_praise(text: &str, question: &str) -> bool {
    const WRONG: [&str; 6] = ["dislike", "complain", "hate about", "frustrat", "wrong with", "problems with"];
    const PRAISES: [&str; 5] = ["★★★★★", "love ", "great ", "excellent", "perfect"];
    has_any(question, &WRONG) && has_any(&text.to_lowercase(), &PRAISES)
}

/// Whether a question is for a query itself: `Write a SQL query for revenue.`
fn asks_for_one(question: &str) -> bool {
    const WORDS: [&str; 8] =
        ["sql", "query", "curl", "command", "request", "statement", "abfrage", "requête"];
    has_any(question, &WORDS)
}

fn asks(question: &str, label: &str) -> bool {
    question.contains(label.trim_end_matches('s'))
}

/// Of each finding whether it is in another language than the question, where some are in that; none where all are of one.
pub(super) fn foreign(findings: &[Finding], question: &str) -> Vec<bool> {
    let Some(own) = language::surely(question) else { return Vec::new() };
    let told: Vec<_> = findings.iter().map(|finding| language::surely(&finding.content)).collect();
    // One word tells the own language of a short sentence, which is looked for.
    let is_own = |finding: &Finding| language::told(&finding.content) == own;
    let are_both = told.iter().flatten().any(|other| *other != own) && findings.iter().any(is_own);
    let foreign = told.iter().map(|of| of.is_some_and(|other| other != own));
    if are_both { foreign.collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::{Finding, foreign};
    use crate::domain::aggregate::result::Level;

    fn finding(topic: &str, content: &str) -> Finding {
        let (topic, content) = (topic.to_owned(), content.to_owned());
        let (sources, contributors) = (Vec::new(), vec!["a".to_owned()]);
        Finding {
            topic,
            content,
            sources,
            contributors,
            confidence: Level::Low,
            verify: None,
            by_model: false,
            step: None,
        }
    }

    fn is_aside(finding: &Finding, question: &str) -> bool {
        super::is_aside(finding, &question.to_lowercase())
    }

    #[test]
    fn what_stands_beside_an_answer_is_none() {
        for (topic, content) in [
            ("Meeting", "**Attendees:** Ana, Ben"),
            ("Remote Work: Introduction", "Remote work has become popular."),
            ("t", "In conclusion, Brazil offers great opportunities."),
            ("t", "SELECT COUNT(*) FROM users;"),
        ] {
            assert!(is_aside(&finding(topic, content), "What was decided?"), "{content}");
        }
        for (topic, content) in [
            ("Meeting", "Launch moves to 1 July."),
            ("Introduction of the euro", "The euro came in 2002."),
            ("t", "Select a plan first."),
        ] {
            assert!(!is_aside(&finding(topic, content), "What was decided?"), "{content}");
        }
        assert!(is_aside(&finding("t", "\"Love the new look!\""), "What do users dislike?"));
        assert!(!is_aside(&finding("t", "\"Love the new look!\""), "What do users say?"));
        assert!(!is_aside(&finding("Meeting", "**Attendees:** Ana, Ben"), "Who were the attendees?"));
        assert!(!is_aside(&finding("t", "SELECT sum(a) FROM b;"), "Write a SQL query for revenue."));
    }

    #[test]
    fn what_is_in_another_language_is_told_where_both_are_there() {
        let german = finding("t", "Die Grundförderung für eine Wärmepumpe beträgt 30 %.");
        let english = || finding("t", "Germany subsidises the pumps with up to 70% of the costs.");
        let question = "Wie hoch ist die Förderung für Wärmepumpen?";
        assert_eq!(foreign(&[english(), german], question), [true, false]);
        assert_eq!(foreign(&[english()], question), [false; 0]);
    }
}
