//! What kind of place a source is, by its host's registrable part and its file's extension.
//!
//! Hosts compare label by label from the right, never by substring: `slack.com.evil.org` is only a web page.

use super::url_identity::{UrlIdentity, host::is_under};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of a source, in snake case on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// A message or file in Slack.
    Slack,
    /// A page in Atlassian's cloud.
    Confluence,
    /// Any other page of the web.
    Web,
    /// A file or an office document: PDF, Word, Google Docs, Notion, SharePoint, Dropbox Paper.
    Document,
    /// Not a URL.
    Other,
}

const SLACK: &[&str] = &["slack.com", "slack-files.com", "slack-gov.com"];

const CONFLUENCE: &[&str] = &["atlassian.net"];

/// Hosts of documents, with the start that their paths must have.
const DOCUMENTS: &[(&str, &str)] = &[
    ("docs.google.com", ""),
    ("drive.google.com", ""),
    ("notion.so", ""),
    ("notion.site", ""),
    ("sharepoint.com", ""),
    ("sharepoint.cn", ""),
    ("onedrive.live.com", ""),
    ("1drv.ms", ""),
    ("paper.dropbox.com", ""),
    ("dropbox.com", "/scl/"),
    ("dropbox.com", "/s/"),
    ("dropbox.com", "/paper/"),
    ("quip.com", ""),
    ("coda.io", "/d/"),
    ("docs.qq.com", ""),
    ("shimo.im", ""),
    ("yuque.com", ""),
    ("kdocs.cn", ""),
];

/// Extensions of files that a person reads as a document.
const EXTENSIONS: &[&str] = &[
    "pdf", "doc", "docx", "odt", "rtf", "ppt", "pptx", "odp", "xls", "xlsx", "ods", "csv", "tsv", "epub",
    "pages", "numbers", "key",
];

/// The kind of the source that `url` names.
pub fn kind(url: &UrlIdentity) -> SourceKind {
    let Some((host, path)) = host_and_path(&url.url) else { return SourceKind::Other };
    if SLACK.iter().any(|domain| is_under(host, domain)) {
        SourceKind::Slack
    } else if CONFLUENCE.iter().any(|domain| is_under(host, domain)) {
        SourceKind::Confluence
    } else if DOCUMENTS.iter().any(|(domain, start)| is_under(host, domain) && path.starts_with(start))
        || is_file(path)
    {
        SourceKind::Document
    } else {
        SourceKind::Web
    }
}

/// Host and path of a URL as [`UrlIdentity::url`] holds it: no user information, host in lower case.
fn host_and_path(url: &str) -> Option<(&str, &str)> {
    let (_, rest) = url.split_once("://")?;
    let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        Some(_) | None => authority,
    };
    Some((host, path))
}

fn is_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    !stem.is_empty() && EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests;
