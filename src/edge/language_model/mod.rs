//! Language models over HTTP: [`LanguageModel`] for OpenAI's Chat Completions, and the many servers that speak like them
//! (vLLM, Ollama, llama.cpp, gateways), and for Anthropic's Messages.
//!
//! The HTTP itself is the transport of [`Subagents`]: allowed hosts, addresses, TLS, limits and secrets are its business,
//! and what is given to it has to allow the model's host and a silence as long as the model may think. Here is decided
//! what is sent, what of it a server doesn't take, and what the answer means.

use std::fmt;
use std::sync::Arc;

use futures::stream::{self, BoxStream, StreamExt};
use http::{HeaderName, HeaderValue};
use parking_lot::Mutex;
use url::Url;

use self::asking::{Opened, open};
use self::habits::Habits;
pub use self::options::{ModelOptions, ModelSetupError, Provider, SchemaMode};
use self::reading::Reading;
use crate::domain::protocols::ModelEnd;
use crate::engine::ports::language_model::{LanguageModel, ModelError, ModelRequest, ModelSaid};
use crate::engine::ports::subagent::Subagents;

mod anthropic;
mod asking;
mod failure;
mod habits;
mod openai;
mod options;
mod reading;
#[cfg(test)]
mod tests;

/// One model behind one URL. See the [port](crate::engine::ports::language_model) for the contract.
pub struct HttpLanguageModel {
    place: Arc<Place>,
}

/// What all asking shares.
struct Place {
    options: ModelOptions,
    endpoint: Url,
    headers: Vec<(HeaderName, HeaderValue)>,
    transport: Arc<dyn Subagents>,
    /// What this server was found to take, until the process ends.
    habits: Mutex<Habits>,
}

impl fmt::Debug for HttpLanguageModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpLanguageModel").field("options", &self.place.options).finish_non_exhaustive()
    }
}

impl HttpLanguageModel {
    /// The model that `options` name, called by way of `transport`.
    ///
    /// # Errors
    ///
    /// Where nothing could ever be sent: a base URL that isn't `http` or `https`, no model, a key that is no header value.
    pub fn new(options: ModelOptions, transport: Arc<dyn Subagents>) -> Result<Self, ModelSetupError> {
        let endpoint = options.endpoint()?;
        let headers = options.headers()?;
        let habits = Mutex::new(Habits::of(options.provider, options.schema, &endpoint));
        Ok(Self { place: Arc::new(Place { options, endpoint, headers, transport, habits }) })
    }
}

impl LanguageModel for HttpLanguageModel {
    fn model(&self) -> &str {
        &self.place.options.model
    }

    fn provider(&self) -> &'static str {
        self.place.options.provider.name()
    }

    fn output_tokens_max(&self) -> Option<u32> {
        self.place.habits.lock().output_tokens_max
    }

    fn ask(&self, request: ModelRequest) -> BoxStream<'static, Result<ModelSaid, ModelError>> {
        let asking = Turn::Ask(self.place.clone(), request);
        stream::try_unfold(asking, |turn| turn.next()).boxed()
    }
}

/// How far a call is.
enum Turn {
    Ask(Arc<Place>, ModelRequest),
    Read(Reading),
    Over,
}

impl Turn {
    async fn next(self) -> Result<Option<(ModelSaid, Self)>, ModelError> {
        let mut reading = match self {
            Self::Ask(place, request) => match open(&place, &request).await? {
                Opened::Reading(reading) => reading,
                Opened::HeldBack(stop) => {
                    let end = ModelEnd { stop, usage: None, model: None };
                    return Ok(Some((ModelSaid::Done(end), Self::Over)));
                }
            },
            Self::Read(reading) => reading,
            Self::Over => return Ok(None),
        };
        Ok(Some(match reading.next().await? {
            text @ ModelSaid::Text(_) => (text, Self::Read(reading)),
            done @ ModelSaid::Done(_) => (done, Self::Over),
        }))
    }
}
