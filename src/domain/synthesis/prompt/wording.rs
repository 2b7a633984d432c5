//! What a request says of length and form, out of a directive's options.

use super::Purpose;
use crate::domain::directive::{SynthesisFormat, SynthesisOptions, TaskType};

/// Words where nothing was asked for: findings are read one by one, a narrative in one go.
const WORDS_STRUCTURED: u32 = 300;
const WORDS_NARRATIVE: u32 = 450;
/// Tokens of an answer for each of its words: German and JSON take more than English prose.
const TOKENS_A_WORD: usize = 3;
/// A shorter text says nothing.
const WORDS_MIN: u32 = 20;

/// The length that is asked for, never longer than the answer's tokens allow. A document is as long as its parts where nobody
/// says how long.
pub(super) fn length(
    (purpose, task): (Purpose, Option<TaskType>),
    options: &SynthesisOptions,
    output_tokens: usize,
) -> String {
    let possible = u32::try_from(output_tokens / TOKENS_A_WORD).unwrap_or(u32::MAX).max(WORDS_MIN);
    let usual = match options.format {
        SynthesisFormat::Structured => WORDS_STRUCTURED,
        SynthesisFormat::Narrative => WORDS_NARRATIVE,
    };
    match (options.target_length, task) {
        (Some(words), _) if purpose.is_draft() => {
            format!("about {} words in all, of which `summary` has few", words.min(possible))
        }
        (Some(words), _) => format!("about {} words in all", words.min(possible)),
        (None, Some(TaskType::Composition)) => {
            format!("as long as the parts are together, at most about {possible} words: nothing is summed up")
        }
        (None, Some(TaskType::Retrieval | TaskType::Reasoning) | None) => {
            format!("at most about {} words in all, less where less is said", usual.min(possible))
        }
    }
}

/// What the form asks for: of a draft what its task is, whatever prompt it is asked for with.
pub(super) fn format((purpose, task): (Purpose, Option<TaskType>), options: &SynthesisOptions) -> String {
    let form = match (purpose, options.format) {
        (Purpose::Answer, SynthesisFormat::Structured) => {
            "Form: short paragraphs, and a list where the notes list things."
        }
        (Purpose::Answer, SynthesisFormat::Narrative) => {
            "Form: paragraphs that follow from each other, no lists."
        }
        (Purpose::Repair, SynthesisFormat::Structured) | (Purpose::Judge, _) => "",
        (Purpose::Repair, SynthesisFormat::Narrative) => {
            "Form: each finding has one more member, `transition`: the item's own, or `\"\"`."
        }
        (Purpose::Retrieval | Purpose::Reasoning | Purpose::Composition, _) => of_task(task),
    };
    let mut form = form.to_owned();
    if purpose.is_draft() && options.format == SynthesisFormat::Narrative && !is_prose(task) {
        form.push_str(NARRATIVE);
    }
    if purpose.is_draft() && !options.include_contradictions {
        form.push_str(" Leave `contradictions` empty: `[]`.");
    }
    if purpose.is_draft() && !options.include_gaps {
        form.push_str(" Leave `gaps` empty: `[]`.");
    }
    form
}

/// What is added to the form of a narrative.
const NARRATIVE: &str = " It is a narrative: the findings are its paragraphs, in reading order. Each finding has one more \
    member, `transition`: at most twelve words that lead over from the paragraph before and state nothing, so no figure, no \
    name and no claim; `\"\"` for the first.";

fn is_prose(task: Option<TaskType>) -> bool {
    task == Some(TaskType::Composition)
}

/// What a kind of task comes to.
const fn of_task(task: Option<TaskType>) -> &'static str {
    match task {
        None | Some(TaskType::Retrieval) => {
            "Form: findings that can each be read alone, under their topic as a heading, the most relevant to the question first."
        }
        Some(TaskType::Reasoning) => {
            "Form: positions. The findings are what each subagent holds and why, one position after the other: they are shown \
             below the name of who holds it. `contradictions` has where positions part, and is shown before them; `summary` \
             has the conclusion, as far as they come to one."
        }
        Some(TaskType::Composition) => {
            "Form: prose that keeps the parts and their order. The findings are the paragraphs of the document, of each part \
             all that it says: they are shown one after the other below the headings of the parts."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAFT: (Purpose, Option<TaskType>) = (Purpose::Retrieval, None);

    #[test]
    fn length_is_what_was_asked_for_as_far_as_the_answer_has_room() {
        let mut options = SynthesisOptions::default();
        assert_eq!(length(DRAFT, &options, 4_000), "at most about 300 words in all, less where less is said");
        let prose = (Purpose::Composition, Some(TaskType::Composition));
        assert!(
            length(prose, &options, 3_000).contains("as the parts are together, at most about 1000 words")
        );
        options.format = SynthesisFormat::Narrative;
        assert_eq!(length(DRAFT, &options, 600), "at most about 200 words in all, less where less is said");
        options.target_length = Some(250);
        let answer = (Purpose::Answer, None);
        assert_eq!(length(answer, &options, 4_000), "about 250 words in all");
        assert_eq!(length(DRAFT, &options, 4_000), "about 250 words in all, of which `summary` has few");
        assert!(length(prose, &options, 4_000).starts_with("about 250 words in all"));
        options.target_length = Some(100_000);
        assert_eq!(length(answer, &options, 300), "about 100 words in all");
        assert_eq!(length(answer, &options, 0), "about 20 words in all");
    }

    #[test]
    fn transitions_are_asked_for_in_narratives_only() {
        let mut options = SynthesisOptions::default();
        for purpose in Purpose::ALL {
            assert!(!format((purpose, None), &options).contains("transition"), "{purpose:?}");
        }
        options.format = SynthesisFormat::Narrative;
        options.include_gaps = false;
        let narrative = format((Purpose::Reasoning, Some(TaskType::Reasoning)), &options);
        assert!(narrative.contains("`transition`") && narrative.ends_with("Leave `gaps` empty: `[]`."));
        assert!(!format((Purpose::Answer, None), &options).contains("transition"));
        assert!(
            !format((Purpose::Composition, Some(TaskType::Composition)), &options).contains("transition")
        );
    }

    #[test]
    fn a_model_is_told_what_its_task_comes_to_whatever_prompt_is_named() {
        let options = SynthesisOptions::default();
        for (task, words) in [
            (None, "findings that can each be read alone"),
            (Some(TaskType::Retrieval), "the most relevant to the question first"),
            (Some(TaskType::Reasoning), "positions"),
            (Some(TaskType::Composition), "prose that keeps the parts and their order"),
        ] {
            for purpose in [Purpose::Retrieval, Purpose::Reasoning, Purpose::Composition] {
                assert!(format((purpose, task), &options).contains(words), "{purpose:?} {task:?}");
            }
        }
    }
}
