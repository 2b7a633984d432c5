//! `/console`: the web page for operators and developers, as it stands in `src/edge/console`, from the binary itself.
//!
//! Everything that the page loads comes from here: the policy that goes with it allows nothing else, no inline script and no
//! inline style. Browsers ask each time whether a file has changed (`no-cache` and an entity tag), so that a new version of the
//! service is a new page at once.

use std::fmt::Write;
use std::sync::LazyLock;

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use super::extract::{PathText, path_text};
use super::openapi::{FileProblems, OpenProblems};
use super::problem::Problem;
use crate::domain::verdict::Code;

/// What the page may do: load scripts, styles and data of this host, and nothing more.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// A file of the page.
struct Asset {
    name: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
}

macro_rules! asset {
    ($name:literal, $content_type:expr) => {
        Asset {
            name: $name,
            content_type: $content_type,
            bytes: include_bytes!(concat!("../console/", $name)),
        }
    };
}

/// The files of the page; the first one is the page itself.
static ASSETS: &[Asset] = &[
    asset!("index.html", HTML),
    asset!("access.js", SCRIPT),
    asset!("announce.js", SCRIPT),
    asset!("app.css", CSS),
    asset!("client.js", SCRIPT),
    asset!("contributions.js", SCRIPT),
    asset!("dom.js", SCRIPT),
    asset!("events.js", SCRIPT),
    asset!("fold.js", SCRIPT),
    asset!("follow.js", SCRIPT),
    asset!("format.js", SCRIPT),
    asset!("frames.js", SCRIPT),
    asset!("icon.svg", SVG),
    asset!("lane.js", SCRIPT),
    asset!("main.js", SCRIPT),
    asset!("markdown.js", SCRIPT),
    asset!("overview.js", SCRIPT),
    asset!("replay.js", SCRIPT),
    asset!("result.css", CSS),
    asset!("result.js", SCRIPT),
    asset!("router.js", SCRIPT),
    asset!("stream.js", SCRIPT),
    asset!("system.js", SCRIPT),
    asset!("tabs.js", SCRIPT),
    asset!("timeline.js", SCRIPT),
    asset!("views.css", CSS),
    asset!("virtual.js", SCRIPT),
];

/// Their entity tags, in the same order.
static TAGS: LazyLock<Vec<HeaderValue>> = LazyLock::new(|| ASSETS.iter().map(tag_of).collect());

/// The console
///
/// A page that shows sessions, steps as they run, results and the service's health. It reads only the public API.
#[utoipa::path(
    get, path = "/console", tag = "operations",
    responses(
        (status = 200, description = "The page", body = String, content_type = "text/html"),
        (status = 304, description = "It hasn't changed"),
        OpenProblems,
    ),
)]
pub async fn get_console(headers: HeaderMap) -> Response {
    serve(0, &headers)
}

/// A file of the console
#[utoipa::path(
    get, path = "/console/{file}", tag = "operations",
    params(("file" = String, Path, description = "Its name", example = "main.js")),
    responses(
        (status = 200, description = "The file", body = String, content_type = "text/javascript"),
        (status = 304, description = "It hasn't changed"),
        FileProblems,
    ),
)]
pub async fn get_console_file(file: PathText, headers: HeaderMap) -> Response {
    let file = path_text(file);
    match ASSETS.iter().position(|asset| asset.name == file) {
        Some(index) => serve(index, &headers),
        None => Problem::new(Code::NotFound, "the console has no such file").into_response(),
    }
}

/// The console, as people type it
///
/// The same page. Its addresses are absolute, so that they hold here as well.
#[utoipa::path(
    get, path = "/console/", tag = "operations",
    responses(
        (status = 200, description = "The page", body = String, content_type = "text/html"),
        (status = 304, description = "It hasn't changed"),
        OpenProblems,
    ),
)]
pub async fn get_console_slash(headers: HeaderMap) -> Response {
    serve(0, &headers)
}

fn serve(index: usize, headers: &HeaderMap) -> Response {
    let (Some(asset), Some(tag)) = (ASSETS.get(index), TAGS.get(index)) else {
        return Problem::new(Code::NotFound, "the console has no such file").into_response();
    };
    let always = [
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (ETAG, tag.clone()),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    if is_known(headers, tag) {
        return (StatusCode::NOT_MODIFIED, always).into_response();
    }
    let content_type = [(CONTENT_TYPE, HeaderValue::from_static(asset.content_type))];
    (always, content_type, asset.bytes).into_response()
}

/// Whether the caller has this version (RFC 9110, section 13.1.2: weak comparison, `*` is any).
fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let lists = headers.get_all(IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    lists
        .flat_map(|list| list.split(','))
        .map(str::trim)
        .any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one).as_bytes() == tag.as_bytes())
}

/// The first half of the SHA-256 of its bytes, in quotation marks.
fn tag_of(asset: &Asset) -> HeaderValue {
    let mut tag = String::from("\"");
    for byte in Sha256::digest(asset.bytes).iter().take(16) {
        // Writing to a string can't fail.
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    HeaderValue::from_str(&tag).unwrap_or_else(|_| HeaderValue::from_static("\"console\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that the console weighs, uncompressed.
    const BYTES_MAX: usize = 150 * 1024;

    fn status(tag: Option<&str>) -> StatusCode {
        let mut headers = HeaderMap::new();
        if let Some(tag) = tag {
            headers.insert(IF_NONE_MATCH, HeaderValue::from_str(tag).unwrap());
        }
        serve(0, &headers).status()
    }

    #[test]
    fn every_file_of_the_folder_is_served_and_all_are_small() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/edge/console");
        let mut there: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let mut served: Vec<_> = ASSETS.iter().map(|asset| asset.name.to_owned()).collect();
        there.sort();
        served.sort();
        assert_eq!(there, served);
        let bytes: usize = ASSETS.iter().map(|asset| asset.bytes.len()).sum();
        assert!(bytes < BYTES_MAX, "{bytes} bytes");
    }

    #[test]
    fn the_example_is_the_consoles_own_client() {
        let own: &[u8] = include_bytes!("../console/client.js");
        let example: &[u8] = include_bytes!("../../../examples/client.mjs");
        assert!(own == example, "examples/client.mjs is a copy of src/edge/console/client.js");
        let lines = own.split(|byte| *byte == b'\n').count();
        assert!(lines < 151, "{lines} lines aren't tiny");
    }

    #[test]
    fn a_file_that_is_known_isnt_sent_again() {
        let tag = TAGS[0].to_str().unwrap();
        assert_eq!(status(None), StatusCode::OK);
        assert_eq!(status(Some(tag)), StatusCode::NOT_MODIFIED);
        assert_eq!(status(Some(&format!("\"other\", W/{tag}"))), StatusCode::NOT_MODIFIED);
        assert_eq!(status(Some("*")), StatusCode::NOT_MODIFIED);
        assert_eq!(status(Some("\"other\"")), StatusCode::OK);
    }

    #[test]
    fn the_page_has_nothing_inline_and_names_no_other_host() {
        let page = std::str::from_utf8(ASSETS[0].bytes).unwrap();
        for forbidden in ["<style", " style=", "<script>", " onclick=", "javascript:", "http:", "https:"] {
            assert!(!page.contains(forbidden), "{forbidden}");
        }
    }
}
