//! A draft that is cut off gives what is complete of it.

use super::style::{JSON, Style};
use super::{Draft, drafts, read_checked};

/// What was read of a draft that may have been cut off; nothing, if there was nothing.
fn part(answer: &str) -> (Draft, bool) {
    read_checked(answer).map(|reading| (reading.draft, reading.complete)).unwrap_or_default()
}

#[track_caller]
fn is_part(part: &Draft, whole: &Draft, answer: &str) {
    assert!(whole.findings.starts_with(&part.findings), "{answer}");
    assert!(whole.contradictions.starts_with(&part.contradictions), "{answer}");
    assert!(whole.gaps.starts_with(&part.gaps), "{answer}");
    assert!(part.summary.is_empty() || part.summary == whole.summary, "{answer}");
}

#[test]
fn every_cut_gives_a_prefix_and_more_text_never_gives_less() {
    for draft in drafts() {
        let value = serde_json::to_value(&draft).unwrap();
        for (before, behind) in [
            ("", ""),
            ("```json\n", "\n```"),
            ("<think>a</think>", ""),
            ("{\"result\": ", "}"),
            ("So: [", "]"),
        ] {
            for json in [
                serde_json::to_string(&draft).unwrap(),
                serde_json::to_string_pretty(&draft).unwrap(),
                Style { ascii: true, comma: ",", ..JSON }.write(&value),
                Style { open: "'", close: "'", ..JSON }.write(&value),
            ] {
                let answer = format!("{before}{json}{behind}");
                let mut last = 0;
                for at in (0..answer.len()).filter(|at| answer.is_char_boundary(*at)) {
                    let (part, complete) = part(&answer[..at]);
                    is_part(&part, &draft, &answer[..at]);
                    let inner = before.len() + json.len();
                    assert!(!complete || at >= inner, "{}", &answer[..at]);
                    assert!(part.findings.len() >= last, "{}", &answer[..at]);
                    last = part.findings.len();
                }
                assert_eq!(part(&answer), (draft.clone(), true));
            }
        }
    }
}

/// The server closes the fence, or says that it stopped, behind a cut.
#[test]
fn what_follows_a_cut_is_no_part_of_the_draft() {
    for draft in drafts() {
        let json = serde_json::to_string(&draft).unwrap();
        for behind in ["\n```", "\n\n[truncated]", "…", "\n```\nThat's it."] {
            for at in (0..json.len()).filter(|at| json.is_char_boundary(*at)) {
                let answer = format!("{}{behind}", &json[..at]);
                let (part, complete) = part(&answer);
                assert!(!complete || part != draft, "{answer}");
                for finding in &part.findings {
                    assert!(draft.findings.contains(finding), "{answer}\n{finding:?}");
                }
            }
        }
    }
}
