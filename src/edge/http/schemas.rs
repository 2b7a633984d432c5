//! `/schemas`: JSON Schemas of what adapters make, and of the raw outputs that they understand.

use axum::Json;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::extract::{PathText, path_text};
use super::openapi::{FileProblems, OpenProblems};
use super::problem::Problem;
use crate::domain::adapters;
use crate::domain::verdict::Code;

/// The schemas there are.
#[derive(Serialize, ToSchema)]
pub struct SchemaList {
    schemas: Vec<SchemaLine>,
}

/// One schema.
#[derive(Serialize, ToSchema)]
struct SchemaLine {
    /// `<adapter>` of the regular payload, `<adapter>.raw` of raw outputs.
    name: &'static str,
    /// Where it is.
    href: String,
}

/// List the schemas of subagents' outputs
#[utoipa::path(
    get, path = "/schemas", tag = "operations",
    responses((status = 200, description = "Their names", body = SchemaList), OpenProblems),
)]
pub async fn list_schemas() -> Json<SchemaList> {
    let line = |(name, _)| SchemaLine { name, href: format!("/schemas/{name}") };
    Json(SchemaList { schemas: adapters::schemas().map(line).collect() })
}

/// See a schema of subagents' outputs
///
/// JSON Schema, draft 2020-12. `.json` may be added to the name.
#[utoipa::path(
    get, path = "/schemas/{name}", tag = "operations",
    params(("name" = String, Path, description = "`<adapter>` or `<adapter>.raw`", example = "documentation")),
    responses(
        (status = 200, description = "The schema", body = Object, content_type = "application/schema+json"),
        FileProblems,
    ),
)]
pub async fn get_schema(name: PathText) -> Response {
    let name = path_text(name);
    let wanted = name.strip_suffix(".json").unwrap_or(&name);
    match adapters::schemas().find(|(name, _)| *name == wanted) {
        Some((_, text)) => {
            let headers = [(CONTENT_TYPE, "application/schema+json"), (CACHE_CONTROL, "max-age=3600")];
            (headers, text).into_response()
        }
        None => Problem::new(Code::NotFound, "there is no such schema; /schemas lists them").into_response(),
    }
}
