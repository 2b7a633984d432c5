//! What a request says of length and form, out of a directive's options.

use super::Purpose;
use crate::domain::directive::{SynthesisFormat, SynthesisOptions};

/// Words where nothing was asked for: findings are read one by one, a narrative in one go.
const WORDS_STRUCTURED: u32 = 300;
const WORDS_NARRATIVE: u32 = 450;
/// Tokens of an answer for each of its words: German and JSON take more than English prose.
const TOKENS_A_WORD: usize = 3;
/// A shorter text says nothing.
const WORDS_MIN: u32 = 20;

/// The length that is asked for, never longer than the answer's tokens allow.
pub(super) fn length(options: &SynthesisOptions, output_tokens: usize) -> String {
    let possible = u32::try_from(output_tokens / TOKENS_A_WORD).unwrap_or(u32::MAX).max(WORDS_MIN);
    match options.target_length {
        Some(words) => format!("about {} words in all", words.min(possible)),
        None => {
            let usual = match options.format {
                SynthesisFormat::Structured => WORDS_STRUCTURED,
                SynthesisFormat::Narrative => WORDS_NARRATIVE,
            };
            format!("at most about {} words in all, less where less is said", usual.min(possible))
        }
    }
}

/// What the form asks for.
pub(super) fn format(purpose: Purpose, options: &SynthesisOptions) -> String {
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
        (Purpose::Retrieval | Purpose::Reasoning | Purpose::Composition, SynthesisFormat::Structured) => {
            "Form: findings that can each be read alone, under their topic as a heading."
        }
        (Purpose::Retrieval | Purpose::Reasoning | Purpose::Composition, SynthesisFormat::Narrative) => {
            "Form: a narrative; the findings are its paragraphs, in reading order. Each finding has one more member, \
             `transition`: at most twelve words that lead over from the paragraph before and state nothing, so no \
             figure, no name and no claim; `\"\"` for the first."
        }
    };
    let mut form = form.to_owned();
    if purpose.is_draft() && !options.include_contradictions {
        form.push_str(" Leave `contradictions` empty: `[]`.");
    }
    if purpose.is_draft() && !options.include_gaps {
        form.push_str(" Leave `gaps` empty: `[]`.");
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_is_what_was_asked_for_as_far_as_the_answer_has_room() {
        let mut options = SynthesisOptions::default();
        assert_eq!(length(&options, 4_000), "at most about 300 words in all, less where less is said");
        options.format = SynthesisFormat::Narrative;
        assert_eq!(length(&options, 600), "at most about 200 words in all, less where less is said");
        options.target_length = Some(250);
        assert_eq!(length(&options, 4_000), "about 250 words in all");
        options.target_length = Some(100_000);
        assert_eq!(length(&options, 300), "about 100 words in all");
        assert_eq!(length(&options, 0), "about 20 words in all");
    }

    #[test]
    fn transitions_are_asked_for_in_narratives_only() {
        let mut options = SynthesisOptions::default();
        for purpose in Purpose::ALL {
            assert!(!format(purpose, &options).contains("transition"), "{purpose:?}");
        }
        options.format = SynthesisFormat::Narrative;
        options.include_gaps = false;
        let narrative = format(Purpose::Reasoning, &options);
        assert!(narrative.contains("`transition`") && narrative.ends_with("Leave `gaps` empty: `[]`."));
        assert!(!format(Purpose::Answer, &options).contains("transition"));
    }
}
