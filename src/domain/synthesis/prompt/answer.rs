//! The request for an answer out of a context sheet.

use serde_json::Value;

use super::file::Prompt;
use super::lines::{SourceInfo, Sources, Unit};
use super::material::Material;
use super::repair::mend;
use super::request::{Frame, Values};
use super::{Asked, NothingToSay, Window, language, wording};
use crate::domain::directive::SynthesisOptions;
use crate::domain::text::tokens::Tokenizer;

/// What an answer is made from.
#[derive(Debug, Clone, Copy)]
pub struct AnswerInput<'a> {
    /// What has to be answered.
    pub objective: &'a str,
    /// The sheet's entries, with `[n]`.
    pub entries: &'a [String],
    /// What each `n` stands for: its number and title.
    pub references: &'a [(u32, String)],
    /// Language, length and format.
    pub options: &'a SynthesisOptions,
    /// A random number, new for each request.
    pub nonce: u64,
}

/// The request for an answer; nothing to say where the sheet says nothing.
pub fn ask_answer(
    prompt: &Prompt,
    input: &AnswerInput<'_>,
    tokenizer: &Tokenizer,
    window: Window,
) -> Result<Asked, NothingToSay> {
    let (frame, material) = framed(prompt, input, tokenizer, window)?;
    frame.ask(&material, input.nonce)
}

/// The request to correct sentences of an answer that failed their check, each a draft's finding with the reasons in words;
/// the answer to it has the form of a draft.
pub fn ask_answer_repair(
    prompt: &Prompt,
    items: &[(Value, Vec<String>)],
    input: &AnswerInput<'_>,
    tokenizer: &Tokenizer,
    window: Window,
) -> Result<Asked, NothingToSay> {
    let (frame, material) = framed(prompt, input, tokenizer, window)?;
    mend(frame, material, items, input.nonce)
}

fn framed<'a>(
    prompt: &'a Prompt,
    input: &AnswerInput<'a>,
    tokenizer: &'a Tokenizer,
    window: Window,
) -> Result<(Frame<'a>, Material<'a>), NothingToSay> {
    let mut sources = Sources::new();
    for (number, title) in input.references {
        let info = SourceInfo { title, url: None, kind: None, quality: None, snippet: None };
        sources.entry(*number).or_insert(info);
    }
    let said = (1..).zip(input.entries).filter(|(_, text)| !text.trim().is_empty());
    let units: Vec<Unit<'_>> =
        said.map(|(number, text)| Unit::Entry(number, text, cited(text, &sources))).collect();
    if units.is_empty() {
        return Err(NothingToSay::Material);
    }
    let values = Values {
        query: Some(input.objective),
        language: language(input.options.language.as_deref(), input.objective),
        length: wording::length((prompt.purpose, None), input.options, window.output_tokens),
        format: wording::format((prompt.purpose, None), input.options),
        ..Values::default()
    };
    let material = Material { units, sources, ..Material::default() };
    Ok((Frame { prompt, values, tokenizer, window }, material))
}

/// The known numbers in the markers of a text, `[1]` or `[1, 2]`, each once, in the text's order. O(n log n).
fn cited(text: &str, known: &Sources<'_>) -> Vec<u32> {
    let mut seen = std::collections::BTreeSet::new();
    let mut numbers = Vec::new();
    for (open, _) in text.match_indices('[') {
        let inside = &text[open + 1..];
        let length = inside.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b',' | b' ')).count();
        if inside.as_bytes().get(length) != Some(&b']') {
            continue;
        }
        let found = inside[..length].split(',').filter_map(|number| number.trim().parse::<u32>().ok());
        numbers.extend(found.filter(|number| known.contains_key(number) && seen.insert(*number)));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_of_known_sources_are_found_once() {
        let info = SourceInfo { title: "t", url: None, kind: None, quality: None, snippet: None };
        let known = Sources::from([(1, info), (2, info), (12, info)]);
        for (text, numbers) in [
            ("a [2]. b [1][2]", vec![2, 1]),
            ("a [1, 12] [3]", vec![1, 12]),
            ("[x] [1 [2](u) [] [ ] [99999999999] [", vec![2]),
            ("", vec![]),
        ] {
            assert_eq!(cited(text, &known), numbers, "{text}");
        }
        let hostile = "[1".repeat(100_000);
        assert!(cited(&hostile, &known).is_empty());
    }
}
