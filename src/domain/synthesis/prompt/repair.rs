//! The request to correct items that failed their check: only them, why, and what they could rest on.

use serde_json::Value;

use super::encode::clean_value;
use super::file::Prompt;
use super::lines::{self, Unit};
use super::material::Material;
use super::request::Frame;
use super::{Asked, NothingToSay, PromptInput, Window, frame};
use crate::domain::text::terms::TermSet;
use crate::domain::text::tokens::Tokenizer;
use crate::domain::text::words::Lexicon;

/// How many words a claim and an item share that are about the same.
const SHARED_WORDS_MIN: usize = 2;
/// What a shared source counts for, in words.
const SHARED_SOURCE: usize = 3;
/// Words of a drafted text that are compared.
const WORDS_MAX: usize = 256;

/// The request to correct failing items, each as drafted and with the reasons in words. An item that no claim shares a
/// source or words with can't be mended and is left out; where none is left there is nothing to say. What doesn't fit
/// half the window, from the last item on, is left out too.
pub fn ask_repair(
    prompt: &Prompt,
    items: &[(Value, Vec<String>)],
    input: &PromptInput<'_>,
    tokenizer: &Tokenizer,
    window: Window,
) -> Result<Asked, NothingToSay> {
    let frame = frame(prompt, input, tokenizer, window);
    // A draft out of whole parts is mended by them, where there is room for those beside what failed.
    let fits = |parts: &Material<'_>| {
        parts.units.iter().map(|part| tokenizer.raw(part.said())).sum::<usize>() <= frame.total() / 2
    };
    let parts = Material::of_parts(input.result, input.options, input.task_type).filter(fits);
    let mut material = parts.unwrap_or_else(|| Material::of(input.result, input.options, None));
    material.asides.clear();
    mend(frame, material, items, input.nonce)
}

/// The request to correct `items` with what of `material` has to do with them.
pub(super) fn mend(
    mut frame: Frame<'_>,
    mut material: Material<'_>,
    items: &[(Value, Vec<String>)],
    nonce: u64,
) -> Result<Asked, NothingToSay> {
    let mut lexicon = Lexicon::default();
    let claims: Vec<Said> = material.units.iter().map(|unit| Said::of_unit(unit, &mut lexicon)).collect();
    let mut room = frame.total() / 2;
    // How much each claim has to do with the items.
    let mut weight = vec![0; claims.len()];
    for (number, (draft, reasons)) in (1..).zip(items) {
        let line = lines::item(number, &clean_value(draft), reasons);
        let cost = frame.tokenizer.raw(&line);
        if cost > room {
            continue;
        }
        let said = Said::of_draft(draft, &mut lexicon);
        let shares: Vec<usize> = claims.iter().map(|claim| claim.shared(&said)).collect();
        if shares.iter().all(|share| *share == 0) {
            continue;
        }
        room -= cost;
        frame.values.items.push_str(&line);
        weight.iter_mut().zip(shares).for_each(|(weight, share)| *weight = share.max(*weight));
    }
    if frame.values.items.is_empty() {
        return Err(NothingToSay::Material);
    }
    let mut units: Vec<(usize, Unit<'_>)> = weight.into_iter().zip(material.units).collect();
    units.retain(|(weight, _)| *weight > 0);
    // Stable: among equals the stronger stays first.
    units.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    material.units = units.into_iter().map(|(_, unit)| unit).collect();
    for source in material.sources.values_mut() {
        source.snippet = None;
    }
    frame.ask(&material, nonce)
}

/// What a text is about: its words, and the sources that it cites.
#[derive(Default)]
struct Said {
    words: TermSet,
    sources: Vec<u32>,
}

impl Said {
    fn of_unit(unit: &Unit<'_>, lexicon: &mut Lexicon) -> Self {
        let (text, sources): (&str, &[u32]) = match unit {
            Unit::Claim(_, finding) => (&finding.content, &finding.sources),
            Unit::Result(_, result) | Unit::Part(_, result) => (unit.said(), &result.sources),
            Unit::Entry(_, text, sources) => (text, sources),
        };
        Self { words: lexicon.terms(text).into_iter().collect(), sources: sources.to_vec() }
    }

    /// Of a finding as a model drafted it: the words of its texts, and the numbers of members that name sources.
    fn of_draft(draft: &Value, lexicon: &mut Lexicon) -> Self {
        let mut said = Self::default();
        for (key, value) in draft.as_object().into_iter().flatten() {
            let numbers = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            if key.starts_with("source") {
                let numbers = numbers.iter().filter_map(Value::as_u64);
                said.sources.extend(numbers.filter_map(|number| u32::try_from(number).ok()));
            } else if key != "confidence"
                && let Some(text) = value.as_str()
            {
                said.words.extend(lexicon.terms(text).into_iter().take(WORDS_MAX));
            }
        }
        said
    }

    /// How much both have in common; 0 where it isn't worth to be told.
    fn shared(&self, other: &Self) -> usize {
        let sources = self.sources.iter().filter(|source| other.sources.contains(source)).count();
        let words = other.words.iter().filter(|word| self.words.contains(word)).count();
        if sources == 0 && words < SHARED_WORDS_MIN { 0 } else { SHARED_SOURCE * sources + words }
    }
}
