//! `/docs`: the document for people, with Swagger UI from this program itself.
//!
//! Nothing is loaded from elsewhere: the page names relative addresses only, and its `Content-Security-Policy` keeps a
//! browser from any other host (Swagger UI would otherwise ask an online validator).

use std::sync::Arc;

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::response::{IntoResponse, Response};
use utoipa_swagger_ui::Config;

use super::{FileProblems, OpenProblems};
use crate::domain::verdict::Code;
use crate::edge::http::extract::{PathText, path_text};
use crate::edge::http::problem::Problem;

const PAGE: &str = include_str!("docs.html");
const SCRIPT: &str = include_str!("docs.js");
/// Swagger UI sets styles in the page and draws small images from `data:`.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/// This document, as a page
#[utoipa::path(
    get, path = "/docs", tag = "operations",
    responses((status = 200, description = "Swagger UI", body = String, content_type = "text/html"), OpenProblems),
)]
pub async fn get_docs() -> impl IntoResponse {
    let html = (CONTENT_TYPE, "text/html; charset=utf-8");
    ([html, (CONTENT_SECURITY_POLICY, POLICY), (CACHE_CONTROL, "no-cache")], PAGE)
}

/// What the page needs
#[utoipa::path(
    get, path = "/docs/{file}", tag = "operations",
    params(("file" = String, Path, description = "A file's name", example = "docs.js")),
    responses(
        (status = 200, description = "A script, a style or an image", content(
            (String = "text/javascript"), (String = "text/css"), ("image/png")
        )),
        FileProblems,
    ),
)]
pub async fn get_docs_file(file: PathText) -> Response {
    let file = path_text(file);
    let found = match file.as_str() {
        "docs.js" => Some(("text/javascript".to_owned(), SCRIPT.as_bytes().into())),
        "swagger-ui-bundle.js" | "swagger-ui.css" | "favicon-32x32.png" => vendored(&file),
        _ => None,
    };
    match found {
        Some((media, bytes)) => {
            let headers = [(CONTENT_TYPE, media.as_str()), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
            (headers, [(CACHE_CONTROL, "max-age=3600")], bytes).into_response()
        }
        None => Problem::new(Code::NotFound, "the page of /docs has no such file").into_response(),
    }
}

fn vendored(file: &str) -> Option<(String, std::borrow::Cow<'static, [u8]>)> {
    let found = utoipa_swagger_ui::serve(file, Arc::new(Config::from("/openapi.json"))).ok()??;
    Some((found.content_type, found.bytes))
}
