//! How many tokens a text is for a language model.
//!
//! Exact for the models of OpenAI with the vocabularies `o200k_base` and `cl100k_base` (byte-pair encoding, Sennrich et
//! al. 2016, over pieces cut by a regular expression, as `tiktoken` does). The vocabularies of others aren't public: for
//! them a configured factor multiplies the count of `o200k_base`. A vocabulary is read when it is first used (50 ms, 34 MB
//! of the binary each).
//!
//! Counting is O(n), also for one word of a million letters.

use bpe_openai::{cl100k_base, o200k_base};

mod known;
mod pieces;
#[cfg(test)]
mod tests;
mod whole;

pub use known::Known;

/// Which pieces of text are one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vocabulary {
    /// 200,000 tokens: GPT-4o and all later models of OpenAI.
    O200k,
    /// 100,000 tokens: GPT-4, GPT-3.5 and the embedding models.
    Cl100k,
}

/// Counts the tokens of texts for one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tokenizer {
    vocabulary: Vocabulary,
    /// Thousandths of a model's token for one of the vocabulary: whole numbers, so that counts are exact everywhere.
    factor_milli: u32,
}

/// The models with the older vocabulary, by the start of their name.
const CL100K_MODELS: &[&str] = &["gpt-4-", "gpt-3.5", "gpt-35", "text-embedding-3", "text-embedding-ada-002"];
/// The models with the newer one.
const O200K_MODELS: &[&str] =
    &["gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "gpt-oss", "chatgpt-4o", "o1", "o3", "o4", "codex-"];

impl Tokenizer {
    /// Exact for GPT-4o and later.
    pub const fn o200k() -> Self {
        Self { vocabulary: Vocabulary::O200k, factor_milli: 1000 }
    }

    /// Exact for GPT-4 and GPT-3.5.
    pub const fn cl100k() -> Self {
        Self { vocabulary: Vocabulary::Cl100k, factor_milli: 1000 }
    }

    /// For a model by its name (a provider before a `/` is left out). Where its vocabulary isn't known, `factor` says how
    /// many tokens of it a token of o200k is, in thousandths, rounded; below 0.1, above 10 it is brought to that bound, and
    /// what isn't a number is 1.
    pub fn for_model(name: &str, factor: f64) -> Self {
        let name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
        if name == "gpt-4" || CL100K_MODELS.iter().any(|start| name.starts_with(start)) {
            return Self::cl100k();
        }
        if O200K_MODELS.iter().any(|start| name.starts_with(start)) {
            return Self::o200k();
        }
        let factor = if factor.is_nan() { 1.0 } else { factor.clamp(0.1, 10.0) };
        // 100 to 10,000 after the clamp: the conversion loses nothing.
        Self { vocabulary: Vocabulary::O200k, factor_milli: (factor * 1000.0).round() as u32 }
    }

    /// Which vocabulary is counted with.
    pub const fn vocabulary(&self) -> Vocabulary {
        self.vocabulary
    }

    /// The tokens of a text, rounded up where a factor is used.
    pub fn count(&self, text: &str) -> usize {
        self.of_raw(self.raw(text))
    }

    /// The tokens of the vocabulary, before the factor.
    pub fn raw(&self, text: &str) -> usize {
        self.pieces(text).map(|(_, tokens)| tokens).sum()
    }

    /// Whether a text has at most `limit` tokens. Takes O(limit) time however long the text is, and none where the text is
    /// so short in bytes that it must fit.
    pub fn fits(&self, text: &str, limit: usize) -> bool {
        let raw = self.raw_limit(limit);
        let encoder = self.encoder();
        text.len() <= raw || encoder.count_till_limit(&encoder.normalize(text), raw).is_some()
    }

    /// The pieces that a text is cut into before it is encoded, in order and without gaps: where each begins, in bytes, and
    /// how many tokens of the vocabulary (before the factor) it is. The counts of pieces add up exactly.
    pub fn pieces(&self, text: &str) -> impl Iterator<Item = (usize, usize)> {
        self.cut(text, |piece| self.encoded(piece))
    }

    /// The same, with `encode` asked for the tokens of what isn't known to be one.
    fn cut<'t>(
        &self,
        text: &'t str,
        mut encode: impl FnMut(&'t [u8]) -> usize,
    ) -> impl Iterator<Item = (usize, usize)> {
        let encoder = self.encoder();
        let by_hand = self.vocabulary == Vocabulary::O200k;
        let mut at = 0;
        std::iter::from_fn(move || {
            let rest = text.as_bytes().get(at..).filter(|rest| !rest.is_empty())?;
            let length = if by_hand { pieces::first(rest) } else { None };
            let length = length.or_else(|| encoder.split(text.get(at..)?).next().map(str::len))?;
            let (start, piece) = (at, &rest[..length]);
            at += length;
            let is_token = by_hand && whole::is_token(piece);
            Some((start, if is_token { 1 } else { encode(piece) }))
        })
    }

    /// The most tokens of the vocabulary that `limit` tokens of the model allow.
    pub fn raw_limit(&self, limit: usize) -> usize {
        let raw = limit as u128 * 1000 / u128::from(self.factor_milli);
        usize::try_from(raw).unwrap_or(usize::MAX)
    }

    /// The tokens of the model for `raw` tokens of the vocabulary, rounded up.
    pub fn of_raw(&self, raw: usize) -> usize {
        let tokens = (raw as u128 * u128::from(self.factor_milli)).div_ceil(1000);
        usize::try_from(tokens).unwrap_or(usize::MAX)
    }

    fn encoder(&self) -> &'static bpe_openai::Tokenizer {
        match self.vocabulary {
            Vocabulary::O200k => o200k_base(),
            Vocabulary::Cl100k => cl100k_base(),
        }
    }
}

/// Whether `o200k_base`, which everything that is combined is counted with, has been read: who must not take long asks first.
pub fn is_read() -> bool {
    whole::is_read()
}

/// Reads it, unless it has been.
pub fn read() {
    whole::read();
}
