//! `[synthesis]`: which language models write, how they are asked, and what they may cost.

use serde::Deserialize;
use url::Url;

use super::check::Checks;
use super::secret::Secret;

/// Whose language model drafts answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SynthesisProvider {
    /// Nobody's: answers are extracted.
    None,
    /// OpenAI, or what speaks its protocol.
    OpenAi,
    /// Anthropic, or what speaks its protocol.
    Anthropic,
}

/// How a server is told the shape of its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaSupport {
    /// By a schema, and without one where the server refuses it.
    Auto,
    /// By a schema.
    JsonSchema,
    /// That it is to be JSON.
    JsonObject,
    /// In the prompt only.
    None,
}

/// One language model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Model {
    pub provider: SynthesisProvider,
    pub base_url: String,
    pub model: String,
    pub api_key: Secret,
    pub schema: SchemaSupport,
    pub context_tokens: u32,
    pub token_factor: f64,
    pub input_price: f64,
    pub output_price: f64,
}

impl Model {
    /// Whether there is one.
    pub fn is_set(&self) -> bool {
        self.provider != SynthesisProvider::None
    }

    fn check(&self, key: &str, checks: &mut Checks<'_>) {
        checks.range(&format!("{key}.context_tokens"), self.context_tokens.into(), 1_024..=100_000_000);
        if self.is_set() && self.model.trim().is_empty() {
            checks.refuse(&format!("{key}.model"), "a provider needs the name of a model");
        }
        let url: Option<Url> = self.base_url.parse().ok();
        let usable = |url: &Url| {
            matches!(url.scheme(), "http" | "https") && url.has_host() && url.password().is_none()
        };
        if !self.base_url.is_empty() && !url.as_ref().is_some_and(usable) {
            checks.refuse(
                &format!("{key}.base_url"),
                "it isn't an address that begins with http:// or https://",
            );
        }
        for (name, value, most) in [
            ("token_factor", self.token_factor, 10.0),
            ("input_price", self.input_price, 1e6),
            ("output_price", self.output_price, 1e6),
        ] {
            let least = if name == "token_factor" { 0.1 } else { 0.0 };
            if !(least..=most).contains(&value) {
                checks.refuse(&format!("{key}.{name}"), format!("{value} isn't between {least} and {most}"));
            }
        }
    }
}

/// What may be spent; 0 is no bound.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Spending {
    pub tokens: u64,
    pub calls: u32,
    pub cost: f64,
}

impl Spending {
    fn check(&self, key: &str, checks: &mut Checks<'_>) {
        if !(0.0..=1e9).contains(&self.cost) {
            checks.refuse(&format!("{key}.cost"), format!("{} isn't between 0 and 1000000000", self.cost));
        }
    }
}

/// The language models that write answers.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Synthesis {
    pub provider: SynthesisProvider,
    pub base_url: String,
    pub model: String,
    pub api_key: Secret,
    pub schema: SchemaSupport,
    pub context_tokens: u32,
    pub token_factor: f64,
    pub input_price: f64,
    pub output_price: f64,
    pub fallback: Model,
    pub judge: Model,
    pub timeout_ms: u64,
    pub idle_timeout_ms: u64,
    pub attempts: u32,
    pub calls_max: usize,
    pub prompts: String,
    pub delta_ms: u64,
    pub cache_seconds: u64,
    pub cache_bytes: usize,
    pub explain_bytes: usize,
    pub request: Spending,
    pub session: Spending,
}

impl Synthesis {
    /// The model that is asked first.
    pub fn first(&self) -> Model {
        Model {
            provider: self.provider,
            base_url: self.base_url.clone(),
            model: self.model.clone(),
            api_key: self.api_key.clone(),
            schema: self.schema,
            context_tokens: self.context_tokens,
            token_factor: self.token_factor,
            input_price: self.input_price,
            output_price: self.output_price,
        }
    }

    /// How long a step waits for its answer to be written, in milliseconds; `None`: nobody writes.
    pub fn writing_ms(&self) -> Option<u64> {
        (self.provider != SynthesisProvider::None).then_some(self.timeout_ms)
    }

    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        self.first().check("synthesis", checks);
        self.fallback.check("synthesis.fallback", checks);
        self.judge.check("synthesis.judge", checks);
        if self.provider == SynthesisProvider::None && (self.fallback.is_set() || self.judge.is_set()) {
            let detail = "a fallback or a judge needs a first model: set `synthesis.provider` too";
            checks.refuse("synthesis.provider", detail);
        }
        checks.range("synthesis.timeout_ms", self.timeout_ms, 100..=3_600_000);
        checks.range("synthesis.idle_timeout_ms", self.idle_timeout_ms, 10..=3_600_000);
        checks.range("synthesis.attempts", self.attempts.into(), 1..=20);
        checks.range("synthesis.calls_max", self.calls_max as u64, 1..=100_000);
        checks.range("synthesis.delta_ms", self.delta_ms, 0..=10_000);
        checks.range("synthesis.cache_seconds", self.cache_seconds, 0..=31_536_000);
        checks.range("synthesis.cache_bytes", self.cache_bytes as u64, 0..=1 << 34);
        checks.range("synthesis.explain_bytes", self.explain_bytes as u64, 0..=1 << 34);
        self.request.check("synthesis.request", checks);
        self.session.check("synthesis.session", checks);
    }
}
