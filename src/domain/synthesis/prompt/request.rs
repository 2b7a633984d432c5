//! A request's text, put together so that it is within a model's window.
//!
//! What the template and its small values take is counted once for each of two sizes of the values; the rest of the
//! window is for the material. The finished text is counted again, as a whole: that is the number that is given back, and
//! a text beyond the window never leaves here.

use super::encode::json_text;
use super::fence::Nonce;
use super::file::Prompt;
use super::material::Material;
use super::reduce::{Detail, levels, reduced};
use super::shorten::beginning;
use super::template::Placeholder;
use super::{Asked, NothingToSay, Window};
use crate::domain::text::tokens::Tokenizer;

/// What a chat template adds around two messages, in tokens.
const TEMPLATE_TOKENS: usize = 32;
/// How often a nonce is made longer that stands in the data. Each time doubles it.
const NONCES_MAX: usize = 40;
/// The tag around material, and those around items and a text.
const DATA: &str = "data";
const ITEMS: &str = "items";

/// What others wrote, and what we say of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Values<'a> {
    pub query: Option<&'a str>,
    pub goal: Option<&'a str>,
    pub instructions: Option<&'a str>,
    pub document_context: Option<&'a str>,
    pub language: String,
    pub length: String,
    pub format: String,
    /// Whole lines.
    pub items: String,
    /// Whole lines.
    pub text: String,
}

/// The values in the sizes that a level allows, as they are written.
struct Written {
    query: String,
    goal: String,
    instructions: String,
    document_context: String,
}

impl Written {
    /// `total` are the tokens of the vocabulary that the whole request may take.
    fn new(values: &Values<'_>, total: usize, is_short: bool, tokenizer: &Tokenizer) -> Self {
        let written = |text: Option<&str>, share: usize, short: usize| {
            let most = total / if is_short { short } else { share };
            let text = text.filter(|text| !text.trim().is_empty());
            json_text(text.map(|text| beginning(text, most, tokenizer)).as_deref())
        };
        Self {
            query: written(values.query, 3, 8),
            goal: written(values.goal, 8, 24),
            instructions: written(values.instructions, 8, 24),
            document_context: written(values.document_context, 6, 32),
        }
    }
}

/// A request under construction.
pub(super) struct Frame<'a> {
    pub prompt: &'a Prompt,
    pub values: Values<'a>,
    pub tokenizer: &'a Tokenizer,
    pub window: Window,
}

impl Frame<'_> {
    /// The tokens of the vocabulary that the whole request may take.
    pub(super) fn total(&self) -> usize {
        let kept_free = self.window.output_tokens.saturating_add(TEMPLATE_TOKENS);
        self.tokenizer.raw_limit(self.window.context_tokens.saturating_sub(kept_free))
    }

    /// The tokens of the vocabulary that are left for material where nothing else is said.
    pub(super) fn room(&self) -> usize {
        let total = self.total();
        let written = Written::new(&self.values, total, true, self.tokenizer);
        let empty = self.filled(&written, "", &Nonce::new(0));
        total.saturating_sub(self.tokenizer.raw(&empty.system) + self.tokenizer.raw(&empty.user))
    }

    /// The request with as much of the material as fits.
    pub(super) fn ask(&self, material: &Material<'_>, nonce: u64) -> Result<Asked, NothingToSay> {
        self.with_nonce(nonce, |nonce| self.attempt(material, nonce, |_| true))
    }

    /// The request with all of the material in full; nothing where that doesn't fit.
    pub(super) fn ask_whole(&self, material: &Material<'_>, nonce: u64) -> Option<Asked> {
        self.with_nonce(nonce, |nonce| self.attempt(material, nonce, |detail| detail.whole)).ok()
    }

    /// The request without material.
    pub(super) fn ask_text(&self, nonce: u64) -> Result<Asked, NothingToSay> {
        self.with_nonce(nonce, |nonce| {
            let written = Written::new(&self.values, self.total(), false, self.tokenizer);
            let asked = self.filled(&written, "", nonce);
            (asked.input_tokens <= self.limit()).then_some(asked)
        })
    }

    /// Makes a request whose nonce stands in its tags only.
    fn with_nonce(
        &self,
        nonce: u64,
        attempt: impl Fn(&Nonce) -> Option<Asked>,
    ) -> Result<Asked, NothingToSay> {
        let mut nonce = Nonce::new(nonce);
        for _ in 0..NONCES_MAX {
            let asked = attempt(&nonce).ok_or(NothingToSay::Window)?;
            let tags = [Placeholder::Material, Placeholder::Items, Placeholder::Text];
            let blocks = self.prompt.user.placeholders().filter(|place| tags.contains(place)).count();
            if nonce.occurs_in(&asked.user) == 2 * blocks && nonce.occurs_in(&asked.system) == 0 {
                return Ok(asked);
            }
            nonce = nonce.doubled();
        }
        Err(NothingToSay::Window)
    }

    fn attempt(
        &self,
        material: &Material<'_>,
        nonce: &Nonce,
        may: impl Fn(&Detail) -> bool,
    ) -> Option<Asked> {
        let total = self.total();
        let sized = |is_short| {
            let written = Written::new(&self.values, total, is_short, self.tokenizer);
            let empty = self.filled(&written, "", nonce);
            let taken = self.tokenizer.raw(&empty.system) + self.tokenizer.raw(&empty.user);
            (written, total.saturating_sub(taken))
        };
        let frames = [sized(false), sized(true)];
        levels(material, frames[1].1).iter().filter(|detail| may(detail)).find_map(|detail| {
            let (written, room) = &frames[usize::from(detail.is_short)];
            self.at(material, detail, written, *room, nonce)
        })
    }

    fn at(
        &self,
        material: &Material<'_>,
        detail: &Detail,
        written: &Written,
        room: usize,
        nonce: &Nonce,
    ) -> Option<Asked> {
        let lines = reduced(material, detail, room, self.tokenizer)?;
        let asked = self.filled(written, &lines.text, nonce);
        let left_out = material.units.len() - lines.shown;
        let asked = Asked { ids: lines.ids, shown: lines.shown, left_out, levels: detail.level, ..asked };
        (asked.input_tokens <= self.limit()).then_some(asked)
    }

    fn limit(&self) -> usize {
        self.window.context_tokens.saturating_sub(self.window.output_tokens)
    }

    /// The prompt with everything in its place.
    fn filled(&self, written: &Written, lines: &str, nonce: &Nonce) -> Asked {
        let material = nonce.fenced(DATA, lines);
        let items = nonce.fenced(ITEMS, &self.values.items);
        let text = nonce.fenced(DATA, &self.values.text);
        let value = |place: Placeholder| match place {
            Placeholder::Query => written.query.as_str(),
            Placeholder::Goal => &written.goal,
            Placeholder::Instructions => &written.instructions,
            Placeholder::DocumentContext => &written.document_context,
            Placeholder::Language => &self.values.language,
            Placeholder::Length => &self.values.length,
            Placeholder::Format => &self.values.format,
            Placeholder::Material => &material,
            Placeholder::Items => &items,
            Placeholder::Text => &text,
        };
        let (system, user) = (self.prompt.system.fill(value), self.prompt.user.fill(value));
        let raw = self.tokenizer.raw(&system) + self.tokenizer.raw(&user);
        let input_tokens = self.tokenizer.of_raw(raw).saturating_add(TEMPLATE_TOKENS);
        let stable = nonce.taken_out(&user);
        Asked { system, user, stable, input_tokens, ids: Vec::new(), shown: 0, left_out: 0, levels: 1 }
    }
}
