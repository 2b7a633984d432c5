//! The prompts that there are: those built in, and the operator's own.
//!
//! An own prompt with the name of a built-in one replaces it; other names are for directives that name a prompt. All are
//! read once, at start, so that a mistake is found before the first question.

use std::collections::BTreeMap;

use super::file::{self, Prompt, PromptError, Purpose};

#[cfg(test)]
mod tests;

macro_rules! built_in {
    ($($file:literal),*) => {
        [$(($file, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/config/prompts/", $file)))),*]
    };
}

/// The prompts of this build: their files' names and texts.
pub const BUILT_IN: [(&str, &str); 6] =
    built_in!("retrieval.md", "reasoning.md", "composition.md", "answer.md", "repair.md", "judge.md");

/// Prompts by name.
#[derive(Debug, Clone, Default)]
pub struct PromptLibrary {
    by_name: BTreeMap<String, Prompt>,
}

impl PromptLibrary {
    /// Reads all files, each a name and a text; the first mistake is told.
    pub fn new(built_in: &[(&str, &str)], own: &[(String, String)]) -> Result<Self, PromptError> {
        let mut by_name = BTreeMap::new();
        for (file, text) in built_in {
            let prompt = read(file, text)?;
            by_name.insert(prompt.name.clone(), prompt);
        }
        for (file, text) in own {
            let prompt = read(file, text)?;
            let name = prompt.name.clone();
            let replaced = by_name.get(&name).map(|replaced: &Prompt| replaced.purpose);
            if let Some(purpose) = replaced.filter(|purpose| *purpose != prompt.purpose) {
                let why = format!(
                    "`{name}` replaces a built-in prompt for `{}`: keep that purpose, or choose another name",
                    purpose.name()
                );
                return Err(PromptError { file: file.clone(), line: line_of(text, "purpose"), why });
            }
            by_name.insert(name, prompt);
        }
        Ok(Self { by_name })
    }

    /// The prompt of a name, where it serves this purpose (one for drafts serves all drafts); without a name the prompt
    /// that is called like the purpose.
    pub fn get(&self, name: Option<&str>, purpose: Purpose) -> Option<&Prompt> {
        let prompt = self.by_name.get(name.unwrap_or_else(|| purpose.name()))?;
        let serves = prompt.purpose == purpose || (prompt.purpose.is_draft() && purpose.is_draft());
        serves.then_some(prompt)
    }

    /// All prompts, by name.
    pub fn prompts(&self) -> impl Iterator<Item = &Prompt> {
        self.by_name.values()
    }
}

/// A file has its prompt's name, so that no two have one, and a copy of a built-in prompt under another name doesn't replace it.
fn read(file: &str, text: &str) -> Result<Prompt, PromptError> {
    let prompt = file::read(file, text)?;
    let name = &prompt.name;
    if file.strip_suffix(".md") == Some(name) {
        return Ok(prompt);
    }
    let why =
        format!("`name` is `{name}`, but the file is {file}: call it {name}.md, or write its own name there");
    Err(PromptError { file: file.to_owned(), line: line_of(text, "name"), why })
}

/// The line of a key of the front matter, from 1.
fn line_of(text: &str, key: &str) -> usize {
    let is_key = |line: &str| {
        line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with(':'))
    };
    text.lines().position(is_key).map_or(1, |index| index + 1)
}
