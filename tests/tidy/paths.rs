//! Which paths a piece of Rust names: those of its `use` declarations and those in its expressions.

/// Every path of two and more parts, with lists expanded and `super` resolved from the file's own place.
pub fn paths(file: &str, code: &str) -> Vec<String> {
    let tokens = tokens(code);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at = if is_word(tokens[at]) { read(&tokens, at, "", &mut found) } else { at + 1 };
    }
    found.retain(|path| path.contains("::"));
    found.into_iter().map(|path| resolved(file, &path)).collect()
}

/// Reads one path, or one tree of them, that begins at `at`; returns where it ends.
fn read(tokens: &[&str], at: usize, before: &str, found: &mut Vec<String>) -> usize {
    match tokens.get(at) {
        Some(&"{") => {
            let mut at = at + 1;
            while at < tokens.len() && tokens[at] != "}" {
                at = if tokens[at] == "," { at + 1 } else { read(tokens, at, before, found) };
            }
            at + 1
        }
        Some(part) if is_word(part) => {
            let path = if before.is_empty() { (*part).to_owned() } else { format!("{before}::{part}") };
            let goes_on = |next: &&str| is_word(next) || ["{", "*"].contains(next);
            if tokens.get(at + 1) == Some(&"::") && tokens.get(at + 2).is_some_and(goes_on) {
                read(tokens, at + 2, &path, found)
            } else {
                found.push(path);
                if tokens.get(at + 1) == Some(&"as") { at + 3 } else { at + 1 }
            }
        }
        _ => {
            found.push(before.to_owned());
            at + 1
        }
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphanumeric() || first == '_')
}

fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let in_word = |character: char| character.is_alphanumeric() || character == '_';
        let length = match rest.find(|character| !in_word(character)).unwrap_or(rest.len()) {
            0 if rest.starts_with("::") => 2,
            0 => first.len_utf8(),
            word => word,
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// `super::x` and `self::x` in `src/a/b.rs` are `crate::a::x` and `crate::a::b::x`.
fn resolved(file: &str, path: &str) -> String {
    let file = file.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    let mut place: Vec<&str> = if file == "lib" { Vec::new() } else { file.split('/').collect() };
    let Some(mut rest) = path.strip_prefix("self::").or(path.starts_with("super::").then_some(path)) else {
        return path.to_owned();
    };
    while let Some(after) = rest.strip_prefix("super::") {
        place.pop();
        rest = after;
    }
    ["crate"].into_iter().chain(place).chain([rest]).collect::<Vec<_>>().join("::")
}

#[test]
fn paths_are_found_in_lists_and_expressions() {
    let code =
        "use crate::{a::{B, self as c}, d::*};\nlet x: super::e::F = std::time::Instant::now(); g::<h>(i);";
    let expected = ["crate::a::B", "crate::a::self", "crate::d", "crate::j::e::F", "std::time::Instant::now"];
    assert_eq!(paths("src/j/k.rs", code), expected);
}
