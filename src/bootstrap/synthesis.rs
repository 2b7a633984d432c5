//! Language models, from the configuration to their ports.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use futures::StreamExt;
use url::Url;

use super::calls::ca_certificates;
use crate::config::{Config, Model, SchemaSupport, Spending as SpendingConfig, SynthesisProvider};
use crate::domain::allowed_host::AllowedHost;
use crate::domain::backoff::BackoffSettings;
use crate::domain::synthesis::budget::Price;
use crate::domain::synthesis::prompt::{BUILT_IN, Prompt, PromptLibrary, Purpose};
use crate::domain::text::tokens::Tokenizer;
use crate::edge::completion_cache::{MemoryCompletions, MemoryCompletionsSettings};
use crate::edge::language_model::{HttpLanguageModel, ModelOptions, Provider, SchemaMode};
use crate::edge::subagents::{CallOptions, HttpSubagents, Secrets};
use crate::engine::ports::completion_cache::CompletionCache;
use crate::engine::ports::language_model::ModelRequest;
use crate::engine::synthesis::models::{ModelSettings, ModelSlot, Models};
use crate::engine::synthesis::{Explanations, Spending, Synthesiser, SynthesiserParts};
use crate::engine::telemetry::Telemetry;

/// What a model may write, and how long it may take, where it is only looked whether it answers.
const REACH_TOKENS: u32 = 16;
const REACH_TIME: Duration = Duration::from_secs(20);
/// Bytes of a model's answer at most.
const ANSWER_BYTES: usize = 64 << 20;

/// Who writes.
pub(super) fn synthesiser(
    config: &Config,
    shared: Option<Arc<dyn CompletionCache>>,
    telemetry: &Telemetry,
) -> anyhow::Result<Synthesiser> {
    let cache = cache(config, shared);
    let synthesis = &config.synthesis;
    let first = synthesis.first();
    let chain: Vec<&Model> =
        [&first, &synthesis.fallback].into_iter().filter(|model| model.is_set()).collect();
    let prompts = prompts(&synthesis.prompts)?;
    let models = if chain.is_empty() { None } else { Some(models(config, &chain, cache.clone())?) };
    for (slot, key) in models.iter().flat_map(Models::chain).zip(["synthesis", "synthesis.fallback"]) {
        has_room(config, slot, key, &prompts)?;
    }
    let judge =
        if synthesis.judge.is_set() { Some(self::models(config, &[&synthesis.judge], cache)?) } else { None };
    Ok(Synthesiser::new(SynthesiserParts {
        models,
        judge,
        prompts: Arc::new(prompts),
        request: spending(&synthesis.request),
        session: spending(&synthesis.session),
        timeout: Duration::from_millis(synthesis.timeout_ms),
        explanations: Explanations::new(synthesis.explain_bytes),
        telemetry: telemetry.clone(),
    }))
}

/// Whether the prompts and the models can be used.
///
/// # Errors
/// Where one can't; the text says which, and why.
pub fn check(config: &Config) -> anyhow::Result<()> {
    let synthesis = &config.synthesis;
    let prompts = prompts(&synthesis.prompts)?;
    for (model, key) in [(&synthesis.first(), "synthesis"), (&synthesis.fallback, "synthesis.fallback")] {
        if model.is_set() {
            has_room(config, &slot(config, model)?, key, &prompts)?;
        }
    }
    if synthesis.judge.is_set() {
        slot(config, &synthesis.judge)?;
    }
    Ok(())
}

/// Whether a model's window has room for what it is to write about, beside each prompt that may be used.
fn has_room(config: &Config, slot: &ModelSlot, key: &str, prompts: &PromptLibrary) -> anyhow::Result<()> {
    let is_asked = |prompt: &&Prompt| !matches!(prompt.purpose, Purpose::Judge | Purpose::Repair);
    let least = |prompt: &Prompt| Some((slot.least_window(prompt)?, prompt.name.clone()));
    if let Some((least, name)) = prompts.prompts().filter(is_asked).filter_map(least).max() {
        let detail = format!(
            "{} is too small for the prompt `{name}` and anything to write about. The least that works is {least}",
            slot.context_tokens
        );
        return Err(config.wrong(&format!("{key}.context_tokens"), detail).into());
    }
    Ok(())
}

/// Asks each model for a word: whether its server, its name and its key are right.
pub(crate) async fn reach(config: &Config) -> Vec<(&'static str, Result<String, String>)> {
    let synthesis = &config.synthesis;
    let (first, fallback, judge) = (&synthesis.first(), &synthesis.fallback, &synthesis.judge);
    let mut reached = Vec::new();
    for (name, model) in [("synthesis", first), ("synthesis.fallback", fallback), ("synthesis.judge", judge)]
    {
        if model.is_set() {
            reached.push((name, reach_one(config, model).await));
        }
    }
    reached
}

async fn reach_one(config: &Config, model: &Model) -> Result<String, String> {
    let slot = slot(config, model).map_err(|error| format!("{error:#}"))?;
    let mut said = slot.model.ask(ModelRequest {
        system: String::new(),
        user: "Say: ready".to_owned(),
        schema: None,
        temperature: 0.0,
        output_tokens_max: REACH_TOKENS,
        patience: REACH_TIME,
        traceparent: None,
    });
    match said.next().await {
        Some(Ok(_)) => Ok(format!("{} answers", model.model)),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("the model's server says nothing".to_owned()),
    }
}

/// The prompts that are built in, and those of a folder.
///
/// # Errors
/// Where one can't be used; the text says which, where in it and why.
pub(crate) fn prompts(folder: &str) -> anyhow::Result<PromptLibrary> {
    let mut own = Vec::new();
    if !folder.is_empty() {
        let cannot = || format!("synthesis.prompts {folder} can't be read");
        for file in std::fs::read_dir(folder).with_context(cannot)? {
            let path = file.with_context(cannot)?.path();
            if path.extension().is_some_and(|extension| extension == "md") {
                own.push((name_of(&path), std::fs::read_to_string(&path).with_context(cannot)?));
            }
        }
        own.sort();
    }
    Ok(PromptLibrary::new(&BUILT_IN, &own)?)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Where answers are kept: where replicas share them, else in memory; nowhere, where nothing is to be kept.
fn cache(config: &Config, shared: Option<Arc<dyn CompletionCache>>) -> Option<Arc<dyn CompletionCache>> {
    let synthesis = &config.synthesis;
    let kept = MemoryCompletionsSettings { bytes_max: synthesis.cache_bytes, ..Default::default() };
    let memory = || Arc::new(MemoryCompletions::new(kept)) as Arc<dyn CompletionCache>;
    (synthesis.cache_seconds > 0 && synthesis.cache_bytes > 0).then(|| shared.unwrap_or_else(memory))
}

fn models(
    config: &Config,
    chain: &[&Model],
    cache: Option<Arc<dyn CompletionCache>>,
) -> anyhow::Result<Models> {
    let synthesis = &config.synthesis;
    let slots = chain.iter().map(|model| slot(config, model)).collect::<anyhow::Result<Vec<_>>>()?;
    let settings = ModelSettings {
        calls_max: synthesis.calls_max,
        attempts: synthesis.attempts,
        backoff: BackoffSettings {
            base_ms: config.invoke.backoff_base_ms,
            most_ms: config.invoke.backoff_most_ms,
        },
        breaker: config.breaker.settings(),
        cache_age: Duration::from_secs(synthesis.cache_seconds),
        ..ModelSettings::default()
    };
    Ok(Models::new(slots, cache, settings))
}

fn slot(config: &Config, model: &Model) -> anyhow::Result<ModelSlot> {
    let provider = match model.provider {
        SynthesisProvider::Anthropic => Provider::Anthropic,
        SynthesisProvider::OpenAi | SynthesisProvider::None => Provider::OpenAi,
    };
    let base_url = match model.base_url.as_str() {
        "" => provider.default_base_url(),
        given => given,
    };
    let base_url: Url = base_url.parse().context("synthesis.base_url isn't a URL")?;
    let key = model.api_key.is_set().then(|| key_header(provider, model.api_key.expose()));
    let secrets = key.iter().map(|value| (SECRET.to_owned(), value.clone()));
    let secrets = Secrets::new(secrets)
        .map_err(|_| anyhow::anyhow!("synthesis.api_key isn't a value of an HTTP header"))?;
    let options = ModelOptions {
        key: key.map(|_| format!("secret:{SECRET}")),
        schema: match model.schema {
            SchemaSupport::Auto => SchemaMode::Auto,
            SchemaSupport::JsonSchema => SchemaMode::JsonSchema,
            SchemaSupport::JsonObject => SchemaMode::JsonObject,
            SchemaSupport::None => SchemaMode::None,
        },
        ..ModelOptions::new(provider, base_url.clone(), model.model.clone())
    };
    let transport = HttpSubagents::new(call_options(config, &base_url, secrets)?)?;
    let micros = |price: f64| (price * 1e6).round() as u64;
    Ok(ModelSlot {
        model: Arc::new(HttpLanguageModel::new(options, Arc::new(transport))?),
        tokenizer: Tokenizer::for_model(&model.model, model.token_factor),
        context_tokens: model.context_tokens,
        price: Price { input_micros: micros(model.input_price), output_micros: micros(model.output_price) },
    })
}

/// The value of the header that proves who asks.
fn key_header(provider: Provider, key: &str) -> String {
    match provider {
        Provider::OpenAi => format!("Bearer {key}"),
        Provider::Anthropic => key.to_owned(),
    }
}

/// The name of the key among the secrets of a model's own transport.
const SECRET: &str = "synthesis_key";

/// A transport that reaches one model's server and nothing else; whoever configures it may have it anywhere.
fn call_options(config: &Config, base_url: &Url, secrets: Secrets) -> anyhow::Result<CallOptions> {
    let (invoke, synthesis) = (&config.invoke, &config.synthesis);
    let host = base_url.host_str().context("synthesis.base_url has no host")?;
    let port = base_url.port_or_known_default().context("synthesis.base_url has no port")?;
    let allowed: AllowedHost =
        format!("{host}:{port}").parse().map_err(|_| anyhow::anyhow!("synthesis.base_url has no host"))?;
    Ok(CallOptions {
        allowed_hosts: vec![allowed],
        allow_private: true,
        secrets,
        ca_certificates: ca_certificates(config)?,
        calls_max: synthesis.calls_max,
        connect_timeout: Duration::from_millis(invoke.connect_timeout_ms),
        idle_timeout: Duration::from_millis(synthesis.idle_timeout_ms),
        answer_bytes_max: ANSWER_BYTES,
    })
}

fn spending(config: &SpendingConfig) -> Spending {
    let bound = |value: u64| (value > 0).then_some(value);
    Spending {
        tokens: bound(config.tokens),
        calls: (config.calls > 0).then_some(config.calls),
        micros: (config.cost > 0.0).then_some((config.cost * 1e6) as u64),
    }
}
