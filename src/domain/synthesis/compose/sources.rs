//! The list of sources at the end of a synthesis: made from the sources themselves, never taken over from a text.

use std::fmt::Write;

use super::labels::Labels;
use super::plain;
use crate::domain::aggregate::result::{Finding, Source};
use crate::domain::directive::SynthesisOptions;

/// A synthesis with the list of the sources that it cites.
pub fn with_sources(
    body: &str,
    sources: &[Source],
    findings: &[Finding],
    options: &SynthesisOptions,
) -> String {
    let labels = Labels::of(options.language.as_deref(), findings);
    let mut out = body.to_owned();
    let mut used = sources.iter().filter(|source| source.used).peekable();
    if used.peek().is_some() {
        let _ = write!(out, "\n\n## {}\n", labels.sources);
    }
    for source in used {
        let title = plain(&source.title);
        match &source.url {
            Some(url) if *url != source.title => {
                let _ = write!(out, "\n{}. [{title}](<{url}>)", source.id);
            }
            Some(url) => {
                let _ = write!(out, "\n{}. <{url}>", source.id);
            }
            None => {
                let _ = write!(out, "\n{}. {title}", source.id);
            }
        }
    }
    out
}
