//! Which model, where, and how it is asked.

use std::fmt;

use http::{HeaderName, HeaderValue, header};
use url::Url;

use crate::domain::protocols::ANTHROPIC_VERSION;

/// Bytes of an answer's text where nothing else is said: some 250,000 tokens.
const TEXT_BYTES_MAX: usize = 1 << 20;
/// Bytes of an answer's body where nothing else is said: a token of text comes in up to 400 bytes of a message.
const ANSWER_BYTES_MAX: usize = 64 << 20;

/// Which API is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// Chat Completions, OpenAI's or another's.
    OpenAi,
    /// Messages.
    Anthropic,
}

impl Provider {
    /// `openai`, `anthropic`.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }

    /// Where the company that made the API serves it.
    pub fn default_base_url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
        }
    }
}

/// How a server is told the form of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SchemaMode {
    /// By the schema; where the server says that it doesn't take one, with less, and so from then on.
    #[default]
    Auto,
    /// By the schema, or it is an error: `response_format` of type `json_schema`, strict; Anthropic's
    /// `output_config.format`.
    JsonSchema,
    /// As some JSON object: `response_format` of type `json_object`. Anthropic has no such thing and is told nothing.
    JsonObject,
    /// Not at all: the prompt has to say it.
    None,
}

/// A model, and how it is asked.
#[derive(Clone)]
pub struct ModelOptions {
    /// The API.
    pub provider: Provider,
    /// Where the API is. Slashes at the end make no difference, a query is kept. For [`Provider::OpenAi`] a URL without a
    /// path gets `/v1`, one with a path stays, and then comes `/chat/completions`; for [`Provider::Anthropic`] a path that
    /// doesn't end in a version (`/v1`) gets `/v1`, and then comes `/messages`. A path that ends in those stays as it is.
    pub base_url: Url,
    /// The model's name there.
    pub model: String,
    /// The header's value that proves who asks, as it is given to the transport: `secret:<name>`, where the secret holds
    /// the whole value, `Bearer …` for most servers of [`Provider::OpenAi`].
    pub key: Option<String>,
    /// The header that the key goes into; `None`: `authorization`, for [`Provider::Anthropic`] `x-api-key`. Azure has
    /// `api-key`.
    pub key_header: Option<HeaderName>,
    /// How the form of the answer is told.
    pub schema: SchemaMode,
    /// The longest text of an answer, in bytes of UTF-8.
    pub text_bytes_max: usize,
    /// The longest body of an answer, in bytes. The transport has a limit of its own.
    pub answer_bytes_max: usize,
}

impl fmt::Debug for ModelOptions {
    /// Without the key, which could stand here in the clear, and without the URL's query.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelOptions")
            .field("provider", &self.provider)
            .field("origin", &self.base_url.origin().ascii_serialization())
            .field("model", &self.model)
            .field("schema", &self.schema)
            .finish_non_exhaustive()
    }
}

/// A model can't be set up; the text is for whoever configured it, and names no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model can't be set up: {0}")]
pub struct ModelSetupError(&'static str);

impl ModelOptions {
    /// A model of a provider at `base_url`, without a key, and with this service's limits.
    pub fn new(provider: Provider, base_url: Url, model: impl Into<String>) -> Self {
        Self {
            provider,
            base_url,
            model: model.into(),
            key: None,
            key_header: None,
            schema: SchemaMode::Auto,
            text_bytes_max: TEXT_BYTES_MAX,
            answer_bytes_max: ANSWER_BYTES_MAX,
        }
    }

    /// Whether it is asked where the API's makers serve it: nobody there goes on with our traces.
    pub(super) fn is_at_its_makers(&self) -> bool {
        let makers = Url::parse(self.provider.default_base_url());
        makers.is_ok_and(|makers| makers.host_str() == self.base_url.host_str())
    }

    /// The URL that requests go to; the rule stands at [`Self::base_url`].
    pub(super) fn endpoint(&self) -> Result<Url, ModelSetupError> {
        if !matches!(self.base_url.scheme(), "http" | "https") {
            return Err(ModelSetupError("its URL is neither http nor https"));
        }
        if self.model.trim().is_empty() {
            return Err(ModelSetupError("it has no name"));
        }
        let path = self.base_url.path().trim_end_matches('/');
        let last = path.rsplit('/').next().unwrap_or_default();
        let path = match self.provider {
            Provider::OpenAi if path.ends_with("/chat/completions") => path.to_owned(),
            Provider::OpenAi if path.is_empty() => "/v1/chat/completions".to_owned(),
            Provider::OpenAi => format!("{path}/chat/completions"),
            Provider::Anthropic if path.ends_with("/messages") => path.to_owned(),
            Provider::Anthropic if is_version(last) => format!("{path}/messages"),
            Provider::Anthropic => format!("{path}/v1/messages"),
        };
        let mut endpoint = self.base_url.clone();
        endpoint.set_path(&path);
        endpoint.set_fragment(None);
        Ok(endpoint)
    }

    /// What is sent with every request.
    pub(super) fn headers(&self) -> Result<Vec<(HeaderName, HeaderValue)>, ModelSetupError> {
        let json = HeaderValue::from_static("application/json");
        let mut headers = vec![(header::CONTENT_TYPE, json)];
        if self.provider == Provider::Anthropic {
            let (version, usual) = ANTHROPIC_VERSION;
            headers.push((HeaderName::from_static(version), HeaderValue::from_static(usual)));
        }
        if let Some(key) = &self.key {
            let mut value =
                HeaderValue::from_str(key).map_err(|_| ModelSetupError("its key can't be sent"))?;
            value.set_sensitive(true);
            let usual = match self.provider {
                Provider::OpenAi => header::AUTHORIZATION,
                Provider::Anthropic => HeaderName::from_static("x-api-key"),
            };
            headers.push((self.key_header.clone().unwrap_or(usual), value));
        }
        Ok(headers)
    }
}

/// `v1`, `v2beta`: as APIs name their versions.
fn is_version(segment: &str) -> bool {
    segment.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}
