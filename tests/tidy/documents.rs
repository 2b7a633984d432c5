//! What documents promise is there.

use std::fs;

use crate::none;
use crate::source::{File, files, root};

fn documents() -> Vec<File> {
    let mut documents = files();
    documents.retain(|file| file.path.ends_with(".md"));
    documents
}

#[test]
fn links_between_files_lead_somewhere() {
    let mut findings = Vec::new();
    for document in documents() {
        let folder = root().join(&document.path).parent().unwrap().to_owned();
        for link in links(&document.text) {
            let path = link.split(['#', '?']).next().unwrap();
            if !link.contains("://") && !link.starts_with("mailto:") && !folder.join(path).exists() {
                findings.push(format!("{}: {link}", document.path));
            }
        }
    }
    none(findings);
}

#[test]
fn links_to_headings_lead_to_one() {
    let documents = documents();
    let mut findings = Vec::new();
    for document in &documents {
        let path = root().join(&document.path);
        for link in links(&document.text).into_iter().filter(|link| !link.contains("://")) {
            let Some((file, heading)) = link.split_once('#') else { continue };
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            // What isn't there at all is told above.
            let Ok(text) = fs::read_to_string(&target) else { continue };
            let is_document = target.extension().is_some_and(|extension| extension == "md");
            if is_document && !anchors(&text).iter().any(|anchor| anchor == heading) {
                findings.push(format!("{}: {link}", document.path));
            }
        }
    }
    none(findings);
}

/// What the headings of a document are linked by: their words in lower case with hyphens between, and a number where those
/// were there before.
fn anchors(markdown: &str) -> Vec<String> {
    let mut in_code = false;
    let mut anchors: Vec<String> = Vec::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        let Some(heading) = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#'))
        else {
            continue;
        };
        if in_code {
            continue;
        }
        let words = heading.trim().to_lowercase().replace(' ', "-");
        let words: String = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
        let numbered = (1..).map(|number| format!("{words}-{number}"));
        let mut possible = std::iter::once(words.clone()).chain(numbered);
        anchors.extend(possible.find(|anchor| !anchors.contains(anchor)));
    }
    anchors
}

/// The targets of `[text](target)`, outside of code.
fn links(markdown: &str) -> Vec<&str> {
    let mut in_code = false;
    let mut links = Vec::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if !in_code {
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
            links.extend(targets.filter(|target| !target.is_empty()));
        }
    }
    links
}
