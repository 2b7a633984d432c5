//! A prompt's file: front matter, then the system's and the user's part.
//!
//! ```text
//! ---
//! name: legal
//! version: legal-3
//! purpose: reasoning          retrieval|reasoning|composition|answer|repair|judge
//! temperature: 0.2            0 to 2
//! output_tokens: 4000         what the answer may take
//! ---
//! # System
//! …
//! # User
//! … {{material}} …
//! ```
//!
//! What others wrote comes in through the user's part only, so that a system's message is the operator's own words.

use std::collections::BTreeMap;

use super::template::Template;

mod purpose;
#[cfg(test)]
mod tests;
pub use purpose::Purpose;

/// A larger file isn't a prompt. In bytes.
const FILE_BYTES_MAX: usize = 256 << 10;
/// Of a name and of a version, in bytes.
const NAME_BYTES_MAX: usize = 64;
/// No model writes more.
const OUTPUT_TOKENS_MAX: u32 = 1_000_000;
const SYSTEM: &str = "# System";
const USER: &str = "# User";
const KEYS: [&str; 5] = ["name", "version", "purpose", "temperature", "output_tokens"];

/// What a model is asked, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// What a directive calls it.
    pub name: String,
    /// Its version, which results name.
    pub version: String,
    /// What it is for.
    pub purpose: Purpose,
    /// The sampling temperature, 0 to 2.
    pub temperature: f64,
    /// Tokens that the answer may take.
    pub output_tokens: u32,
    /// The system's message.
    pub system: Template,
    /// The user's message.
    pub user: Template,
}

/// What is wrong with a prompt's file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("prompt file {file}, line {line}: {why}")]
pub struct PromptError {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong and what to do.
    pub why: String,
}

/// Reads a prompt's file. O(n).
pub fn read(file: &str, text: &str) -> Result<Prompt, PromptError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text).replace("\r\n", "\n");
    let reader = Reader { file };
    if text.len() > FILE_BYTES_MAX {
        return reader.refuse(1, format!("the file is larger than {} KiB: shorten it", FILE_BYTES_MAX >> 10));
    }
    let lines: Vec<&str> = text.split('\n').collect();
    let (head, begin) = reader.front_matter(&lines)?;
    let purpose = reader.purpose(&head)?;
    let (system, user) = reader.parts(&lines, begin, purpose)?;
    Ok(Prompt {
        name: reader.word(&head, "name")?,
        version: reader.word(&head, "version")?,
        purpose,
        temperature: reader.temperature(&head)?,
        output_tokens: reader.output_tokens(&head)?,
        system,
        user,
    })
}

/// The values of the front matter, with their lines from 1.
type Head<'t> = BTreeMap<&'t str, (usize, &'t str)>;

struct Reader<'f> {
    file: &'f str,
}

impl Reader<'_> {
    fn refuse<T>(&self, line: usize, why: impl Into<String>) -> Result<T, PromptError> {
        Err(PromptError { file: self.file.to_owned(), line, why: why.into() })
    }

    /// The front matter, and the index of the line after it.
    fn front_matter<'t>(&self, lines: &[&'t str]) -> Result<(Head<'t>, usize), PromptError> {
        if lines.first().map(|line| line.trim_end()) != Some("---") {
            return self.refuse(1, "the front matter is missing: begin the file with a line `---`");
        }
        let mut head = Head::new();
        for (index, line) in lines.iter().enumerate().skip(1) {
            let line = line.trim();
            if line == "---" {
                return Ok((head, index + 1));
            }
            let is_heading = line == SYSTEM || line == USER;
            if line.is_empty() || (line.starts_with('#') && !is_heading) {
                continue;
            }
            let Some((key, value)) = line.split_once(':') else {
                return self.refuse(index + 1, "not a `key: value`: end the front matter with a line `---`");
            };
            let Some(key) = KEYS.into_iter().find(|known| *known == key.trim()) else {
                let why = format!("unknown key `{}`: use {}", key.trim(), KEYS.join(", "));
                return self.refuse(index + 1, why);
            };
            if head.insert(key, (index + 1, unquoted(value))).is_some() {
                return self.refuse(index + 1, format!("`{key}` stands twice: keep one"));
            }
        }
        self.refuse(lines.len(), "the front matter doesn't end: close it with a line `---`")
    }

    fn value<'t>(&self, head: &Head<'t>, key: &str) -> Result<(usize, &'t str), PromptError> {
        match head.get(key) {
            Some(found) => Ok(*found),
            None => self.refuse(1, format!("`{key}` is missing: add it to the front matter")),
        }
    }

    fn word(&self, head: &Head<'_>, key: &str) -> Result<String, PromptError> {
        let (line, value) = self.value(head, key)?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if !(1..=NAME_BYTES_MAX).contains(&value.len()) || !value.bytes().all(plain) {
            let why = format!(
                "`{key}` has to be 1 to {NAME_BYTES_MAX} letters, digits, `-`, `_` or `.`, like `legal-1`"
            );
            return self.refuse(line, why);
        }
        Ok(value.to_owned())
    }

    fn purpose(&self, head: &Head<'_>) -> Result<Purpose, PromptError> {
        let (line, value) = self.value(head, "purpose")?;
        match Purpose::ALL.into_iter().find(|purpose| purpose.name() == value) {
            Some(purpose) => Ok(purpose),
            None => {
                let known = Purpose::ALL.map(Purpose::name).join(", ");
                self.refuse(line, format!("unknown purpose `{value}`: use one of {known}"))
            }
        }
    }

    fn temperature(&self, head: &Head<'_>) -> Result<f64, PromptError> {
        let (line, value) = self.value(head, "temperature")?;
        match value.parse::<f64>() {
            Ok(number) if (0.0..=2.0).contains(&number) => Ok(number),
            _ => self.refuse(line, format!("`temperature` is `{value}`: give a number from 0 to 2")),
        }
    }

    fn output_tokens(&self, head: &Head<'_>) -> Result<u32, PromptError> {
        let (line, value) = self.value(head, "output_tokens")?;
        match value.parse::<u32>() {
            Ok(number) if (1..=OUTPUT_TOKENS_MAX).contains(&number) => Ok(number),
            _ => {
                let why = format!(
                    "`output_tokens` is `{value}`: give a whole number from 1 to {OUTPUT_TOKENS_MAX}"
                );
                self.refuse(line, why)
            }
        }
    }

    fn parts(
        &self,
        lines: &[&str],
        begin: usize,
        purpose: Purpose,
    ) -> Result<(Template, Template), PromptError> {
        let system_at = self.heading(lines, begin, SYSTEM)?;
        let user_at = self.heading(lines, begin, USER)?;
        if let Some(stray) = (begin..system_at.min(user_at)).find(|at| !lines[*at].trim().is_empty()) {
            return self.refuse(stray + 1, "text before `# System`: move it into a part");
        }
        if user_at < system_at {
            return self.refuse(user_at + 1, "`# User` stands before `# System`: the system comes first");
        }
        let system = self.template(lines, system_at, user_at, SYSTEM)?;
        let user = self.template(lines, user_at, lines.len(), USER)?;
        self.check_system(&system, system_at)?;
        self.check_user(&user, user_at, purpose)?;
        Ok((system, user))
    }

    /// The index of the only line that is this heading.
    fn heading(&self, lines: &[&str], begin: usize, heading: &str) -> Result<usize, PromptError> {
        let mut found = (begin..lines.len()).filter(|at| lines[*at].trim_end() == heading);
        match (found.next(), found.next()) {
            (Some(at), None) => Ok(at),
            (None, _) => {
                self.refuse(lines.len(), format!("`{heading}` is missing: add that line and its part"))
            }
            (Some(_), Some(again)) => self.refuse(again + 1, format!("`{heading}` stands twice: keep one")),
        }
    }

    fn template(&self, lines: &[&str], at: usize, end: usize, part: &str) -> Result<Template, PromptError> {
        let text = lines[at + 1..end].join("\n");
        let text_at = text.len() - text.trim_start().len();
        let skipped = text[..text_at].matches('\n').count();
        if text.trim().is_empty() {
            return self.refuse(at + 1, format!("`{part}` is empty: write its text below it"));
        }
        match Template::read(text.trim()) {
            Ok(template) => Ok(template),
            Err(wrong) => self.refuse(at + 2 + skipped + wrong.line, wrong.why),
        }
    }

    fn check_system(&self, system: &Template, at: usize) -> Result<(), PromptError> {
        match system.placeholders().find(|place| place.is_foreign()) {
            None => Ok(()),
            Some(place) => {
                let why = format!("{place} brings in what others wrote: move it from `# System` to `# User`");
                self.refuse(at + 1, why)
            }
        }
    }

    fn check_user(&self, user: &Template, at: usize, purpose: Purpose) -> Result<(), PromptError> {
        let name = purpose.name();
        let allowed = purpose.placeholders();
        if let Some(place) = user.placeholders().find(|place| !allowed.contains(place)) {
            return self.refuse(at + 1, format!("a prompt for `{name}` has no {place}: take it out"));
        }
        for place in purpose.required() {
            match user.placeholders().filter(|other| other == place).count() {
                1 => {}
                0 => {
                    return self.refuse(at + 1, format!("{place} is missing in `# User`: `{name}` needs it"));
                }
                _ => return self.refuse(at + 1, format!("{place} stands twice in `# User`: keep one")),
            }
        }
        Ok(())
    }
}

/// A value without the quotation marks around it.
fn unquoted(value: &str) -> &str {
    let value = value.trim();
    let inside = |mark| value.strip_prefix(mark).and_then(|rest: &str| rest.strip_suffix(mark));
    inside('"').or_else(|| inside('\'')).unwrap_or(value)
}
