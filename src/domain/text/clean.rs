//! Names, titles and excerpts of others, made fit to stand in a line of our own.
//!
//! Control characters, marks that turn the direction of writing, and characters that can't be seen are left out; every
//! run of whitespace is one space; the length has a bound. What is left can neither start a line nor hide a part of
//! itself. Linear in what is read, which is little more than what is kept.

mod quoted;
#[cfg(test)]
mod tests;

pub use quoted::{quoted_line, quoted_text};

/// Whether a character has no place in a line: controls, direction marks, and what is invisible and joins nothing.
///
/// The joiners U+200C and U+200D stay: Persian and emoji are written with them.
pub fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}'
        )
}

/// Whether a character shows nothing: whitespace, what [`is_hostile`] names, joiners and blank letters.
pub fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || is_hostile(c)
        || matches!(
            c,
            '\u{200C}'
                | '\u{200D}'
                | '\u{34F}'
                | '\u{115F}'
                | '\u{1160}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{FFA0}'
                | '\u{FE00}'..='\u{FE0F}'
        )
}

/// `text` as one line of at most `chars_max` characters, the ellipsis counted that says where it was cut.
pub fn one_line(text: &str, chars_max: usize) -> String {
    // Most are one already.
    let is_plain = text.len() <= chars_max && text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if is_plain && !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ") {
        return text.to_owned();
    }
    let mut line = String::with_capacity(text.len().min(4 * chars_max));
    let (mut chars, mut gap) = (0, false);
    for c in text.chars() {
        if c.is_whitespace() {
            gap = chars > 0;
            continue;
        }
        if is_hostile(c) {
            continue;
        }
        if chars + usize::from(gap) >= chars_max {
            cut(&mut line, chars, chars_max);
            return line;
        }
        if gap {
            line.push(' ');
            chars += 1;
            gap = false;
        }
        line.push(c);
        chars += 1;
    }
    line
}

/// Puts an ellipsis at the end of `line`, of `chars` characters, in place of the last one where there is no room.
fn cut(line: &mut String, chars: usize, chars_max: usize) {
    if chars_max == 0 {
        return;
    }
    if chars >= chars_max {
        line.pop();
    }
    line.truncate(line.trim_end().len());
    line.push('…');
}

/// A line with what Markdown would read as markup put behind backslashes (CommonMark 0.31, section 2.4).
///
/// An underscore within a word stays, as it means nothing there.
pub fn escape_inline(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len() + 16);
    let mut before = ' ';
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let within_word = before.is_alphanumeric() && chars.peek().is_some_and(|next| next.is_alphanumeric());
        if matches!(c, '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '&')
            || (c == '_' && !within_word)
        {
            escaped.push('\\');
        }
        escaped.push(c);
        before = c;
    }
    escaped
}

/// The same, but for citations: `[1]` stays as it is.
pub fn escape_but_citations(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len() + 16);
    let mut rest = line;
    while let Some(at) = rest.find('[') {
        let digits = rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let end = at + digits + 2;
        let closes = rest.as_bytes().get(end - 1) == Some(&b']');
        let is_citation = digits > 0 && closes && !rest[end..].starts_with('(');
        let (taken, cited) = if is_citation { (end, &rest[at..end]) } else { (at + 1, "\\[") };
        escaped.push_str(&escape_inline(&rest[..at]));
        escaped.push_str(cited);
        rest = &rest[taken..];
    }
    escaped.push_str(&escape_inline(rest));
    escaped
}

/// `text` in a fenced code block that it can't close: the fence is longer than any run of backticks in it.
pub fn fenced(text: &str, language: &str) -> String {
    let (mut longest, mut run) = (0, 0);
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat((longest + 1).max(3));
    let text = text.trim_end_matches(['\n', '\r']);
    format!("{fence}{language}\n{text}\n{fence}")
}
