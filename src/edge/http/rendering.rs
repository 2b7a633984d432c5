//! An aggregated result in the form that is asked for.

use std::str::FromStr;

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::accept::preferred;
use super::extract::shown;
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::render::{anthropic, html, llm, slack};
use crate::domain::verdict::{Code, Refusal};

/// A form of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// As it is.
    Json,
    /// Markdown for a language model's context.
    Llm,
    /// Anthropic's `search_result` blocks.
    Anthropic,
    /// A Slack message: text and blocks.
    Slack,
    /// A page that shows who contributed what.
    Html,
}

impl FromStr for Format {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text {
            "json" => Ok(Self::Json),
            "llm" => Ok(Self::Llm),
            "anthropic" => Ok(Self::Anthropic),
            "slack" => Ok(Self::Slack),
            "html" => Ok(Self::Html),
            _ => {
                let detail =
                    format!("`format` is json, llm, anthropic, slack or html, not `{}`", shown(text));
                Err(Refusal::at(Code::InvalidEvent, "", detail))
            }
        }
    }
}

impl Format {
    /// The form that an `Accept` header prefers; JSON where it names none.
    pub fn accepted(headers: &HeaderMap) -> Self {
        let offered =
            [("application/json", Self::Json), ("text/markdown", Self::Llm), ("text/html", Self::Html)];
        preferred(headers, &offered).unwrap_or(Self::Json)
    }
}

/// The answer that carries a result.
pub fn rendered(result: &AggregatedResult, query: Option<&str>, format: Format) -> Response {
    match format {
        Format::Json => fresh(Json(result)),
        Format::Llm => fresh(typed("text/markdown; charset=utf-8", llm::llm(result, query))),
        Format::Anthropic => fresh(Json(anthropic::anthropic(result))),
        Format::Slack => fresh(Json(slack::slack(result))),
        Format::Html => {
            let headers = [
                (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(html::CONTENT_SECURITY_POLICY)),
                (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
                (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            ];
            fresh((headers, typed("text/html; charset=utf-8", html::html(result, query))))
        }
    }
}

fn typed(media_type: &'static str, text: String) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, media_type)], text)
}

/// No proxy may repeat it.
fn fresh(response: impl IntoResponse) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], response).into_response()
}
