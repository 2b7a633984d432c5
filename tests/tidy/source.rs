//! The files of the project, and Rust without its comments and texts.

use std::fs;
use std::path::Path;

/// A text file.
pub struct File {
    /// From the project's root, with `/`.
    pub path: String,
    /// All of it.
    pub text: String,
}

/// The project's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every text file that is the project's own.
pub fn files() -> Vec<File> {
    let mut files = Vec::new();
    collect(root(), &mut files);
    assert!(files.len() > 50, "where are the files? {}", root().display());
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

/// The Rust files under a folder.
pub fn rust(folder: &str) -> Vec<File> {
    let mut files = files();
    files.retain(|file| file.path.starts_with(folder) && file.path.ends_with(".rs"));
    files
}

fn collect(folder: &Path, files: &mut Vec<File>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let ours = !name.starts_with('.') || [".ci", ".config", ".npmrc"].contains(&name.as_str());
        if !ours || ["target", "node_modules"].contains(&name.as_str()) {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), files);
        } else if let Ok(text) = fs::read_to_string(entry.path()) {
            files.push(File { path: relative(&entry.path()), text });
        }
    }
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/")
}

impl File {
    /// Whether the whole file is tests.
    pub fn is_tests(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.contains("/tests/")
    }

    /// The file less its tests.
    pub fn without_tests(&self) -> String {
        if self.is_tests() {
            return String::new();
        }
        let mut text = self.text.clone();
        while let Some(begin) = text.find("#[cfg(test)]\nmod tests {") {
            let end = text[begin..].find("\n}\n").map_or(text.len(), |end| begin + end + "\n}\n".len());
            text.replace_range(begin..end, "");
        }
        text
    }

    /// What the file says of itself: its first comment.
    pub fn head(&self) -> String {
        self.text.lines().take_while(|line| line.starts_with("//!")).collect::<Vec<_>>().join("\n")
    }
}

/// Rust with comments, texts and characters left out; lines stay.
pub fn code(rust: &str) -> String {
    let mut out = String::new();
    let mut rest = rust;
    while let Some(next) = rest.chars().next() {
        let length = skipped(rest, &out);
        if length == 0 {
            out.push(next);
            rest = &rest[next.len_utf8()..];
        } else {
            let (left_out, after) = rest.split_at(length);
            out.push(' ');
            out.extend(left_out.chars().filter(|character| *character == '\n'));
            rest = after;
        }
    }
    out
}

/// The length of the comment, text or character that `rest` begins with.
fn skipped(rest: &str, before: &str) -> usize {
    let in_word = before.ends_with(|last: char| last.is_alphanumeric() || last == '_');
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return rest.find("*/").map_or(rest.len(), |end| end + 2);
    }
    if rest.starts_with('"') {
        return quoted(rest, '"');
    }
    if !in_word && let Some(raw) = raw_text(rest) {
        return raw;
    }
    // A lifetime has no second quote where a character has it.
    let is_character = rest.starts_with("'\\") || rest.chars().nth(2) == Some('\'');
    if rest.starts_with('\'') && is_character { quoted(rest, '\'') } else { 0 }
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut characters = rest.char_indices().skip(1);
    while let Some((index, character)) = characters.next() {
        if character == '\\' {
            characters.next();
        } else if character == quote {
            return index + 1;
        }
    }
    rest.len()
}

fn raw_text(rest: &str) -> Option<usize> {
    let hashes_on = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let text = hashes_on.trim_start_matches('#');
    let hashes = "#".repeat(hashes_on.len() - text.len());
    let end = format!("\"{hashes}");
    let inside = text.strip_prefix('"')?;
    Some(rest.len() - inside.len() + inside.find(&end)? + end.len())
}

#[test]
fn code_is_what_is_neither_comment_nor_text() {
    let rust = "a // b\nc /* d\n */ e 'f' \"g\\\"h\" &'i j r#\"k\"l\"# for_\"m\" '\\'' n";
    let words: Vec<String> = code(rust).split_whitespace().map(str::to_owned).collect();
    assert_eq!(words, ["a", "c", "e", "&'i", "j", "for_", "n"]);
}
