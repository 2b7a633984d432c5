//! Who said what a sentence of its own quotes, where that stands behind it: `“We ship in May.” — Jane Doe, CEO`,
//! `“We ship in May.” Jane Doe told reporters.` The quotation says something else without.

use crate::domain::text::sentences::following::{char_at, skip_space};

/// Bytes of what names a speaker, and its words.
const BYTES_MAX: usize = 96;
const NAME_WORDS_MAX: usize = 10;
const CLAUSE_WORDS_MAX: usize = 6;

/// Say that somebody said something, in a clause that says nothing else.
#[rustfmt::skip]
const SAYING: [&str; 24] = [
    "said", "says", "told", "added", "explained", "stated", "noted", "wrote", "argued", "warned", "announced", "replied", "asked", "insisted",
    "sagte", "sagt", "erklärte", "betonte", "schrieb", "dit", "déclaré", "dijo", "afirmó", "explicó",
];
/// Of whom it is said alone: in `Sales said goodbye` the verb has another object.
const HEARERS: [&str; 8] = ["reporters", "journalists", "us", "investors", "analysts", "on", "in", "am"];

/// Where what names the speaker of `text[start..end]` ends, a whole sentence that is nothing but a quotation.
pub(in crate::domain::text::sentences) fn speaker_end(text: &str, start: usize, end: usize) -> Option<usize> {
    let said = &text[start..end];
    // Most sentences quote nothing.
    let marks = |c: char| matches!(c, '-' | '*' | '•' | '>' | '_' | ' ' | '★' | '☆');
    let quoted = said.trim_start_matches(marks);
    let quoted = numbered(quoted).unwrap_or(quoted).trim_start_matches(marks);
    if !quoted.starts_with(['"', '“', '„', '«']) {
        return None;
    }
    let of_marker = |c: char| c.is_ascii_digit() || matches!(c, '[' | ']' | ' ' | '*' | '_');
    if !said.trim_end_matches(of_marker).ends_with(['"', '”', '»', '“']) {
        return None;
    }
    let rest = &text[end..text.floor_char_boundary(end + BYTES_MAX)];
    signature(rest).or_else(|| clause(rest)).or_else(|| note(rest)).map(|length| end + length)
}

/// What stands behind the number of an item: `1. “…”`.
fn numbered(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < text.len()).then(|| rest.strip_prefix(['.', ')'])).flatten()
}

/// A few words in brackets that end the line: `“Love it!” (15 March)`.
fn note(rest: &str) -> Option<usize> {
    const NOTE_BYTES_MAX: usize = 32;
    let inside = rest.strip_prefix(" (")?;
    let (note, behind) = inside.split_at_checked(inside.find(')')?)?;
    let ends = behind[1..].trim_start_matches([' ', '\r', '*', '_']);
    let is_note = note.len() <= NOTE_BYTES_MAX
        && note.contains(char::is_alphanumeric)
        && !note.contains(['(', '[', '\n', ':', '.', '!', '?']);
    (is_note && (ends.is_empty() || ends.starts_with('\n'))).then_some(" (".len() + note.len() + ")".len())
}

/// A name behind a dash, up to the end of its line.
fn signature(rest: &str) -> Option<usize> {
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let at = match rest[blanks..].strip_prefix('\n') {
        Some(next) => rest.len() - next.trim_start_matches(['>', ' ', '\t']).len(),
        None => blanks,
    };
    let dashed = ["—", "–", "―", "--"].iter().find_map(|dash| rest[at..].strip_prefix(dash))?;
    let line = dashed.split('\n').next()?;
    let whole = line.len() < dashed.len() || rest.len() < BYTES_MAX - 3;
    let name = line.trim_matches([' ', '*', '_', '\r']);
    let is_name = name.starts_with(char::is_uppercase)
        && !name.ends_with(['.', '!', '?', ':', ';', '"', '”'])
        && name.split(' ').count() <= NAME_WORDS_MAX;
    (whole && is_name).then(|| rest.len() - dashed.len() + line.trim_end().len())
}

/// A clause in the same line that says who said it, and nothing else.
fn clause(rest: &str) -> Option<usize> {
    let begin = skip_space(rest, 0);
    if begin == 0 || rest[..begin].contains('\n') || !char_at(rest, begin)?.is_uppercase() {
        return None;
    }
    let (clause, _) = rest[begin..].split_once('.')?;
    let words: Vec<&str> = clause.split(' ').collect();
    let verb = words.iter().position(|word| SAYING.contains(word)).filter(|verb| *verb > 0)?;
    let is_all =
        words.get(verb + 1).is_none_or(|next| HEARERS.contains(next) || next.starts_with(char::is_uppercase));
    let end = begin + clause.len() + 1;
    let is_ended = rest[end..].is_empty() || rest[end..].starts_with(|c: char| c.is_whitespace() || c == '[');
    (words.len() <= CLAUSE_WORDS_MAX && is_all && is_ended && !clause.contains(['\n', ',', '"', '“', ':']))
        .then_some(end)
}

#[cfg(test)]
mod tests {
    use crate::domain::text::sentences::sentences;

    fn split(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn who_said_it_stays_with_a_quotation() {
        for said in [
            "\"The tram is faster.\" — Jane Doe, CEO",
            "\"The tram is faster.\"\n— Jane Doe, CEO of *Acme*",
            "“The tram is faster.” -- Jane Doe",
            "“The tram is faster.” [1] – Dr. Jane Doe, 2024 [1]",
            "“The tram is faster.” Jane Doe told reporters.",
            "„Die Bahn ist schneller.“ Das sagte Jana Doe am Montag.",
            "\"The tram is faster. It is cheap.\" Jane Doe said.",
        ] {
            assert_eq!(split(&format!("It rose. {said}\nIt fell."))[1..], [said, "It fell."], "{said}");
            assert_eq!(split(said), [said]);
        }
        let list = "- \"It is slow.\" — Customer A\n- \"It is fast.\" – Customer B";
        assert_eq!(split(list), ["- \"It is slow.\" — Customer A", "- \"It is fast.\" – Customer B"]);
        let list = "1. \"It is slow!\" – P3\n2) \"It is fast.\" – P1, P4";
        assert_eq!(split(list), ["1. \"It is slow!\" – P3", "2) \"It is fast.\" – P1, P4"]);
        let quote = "> \"It is slow.\"\n> — Jane Doe";
        assert_eq!(split(quote), [quote]);
    }

    #[test]
    fn a_note_in_brackets_stays_with_a_quotation_that_its_line_ends_with() {
        for said in [
            "★★☆☆☆ \"Where did it go??\" (14 March)",
            "- “Love it!” (15 March)",
            "\"It is slow.\" (Ana, Berlin)",
        ] {
            assert_eq!(split(&format!("{said}\nIt fell.")), [said, "It fell."]);
            assert_eq!(split(said), [said]);
        }
        for text in ["\"It is slow.\" (It is not.)", "\"It is slow.\" (15 March) It fell."] {
            assert!(split(text).len() > 1, "{text}");
        }
    }

    #[test]
    fn other_text_behind_a_quotation_is_of_its_own() {
        for (text, count) in [
            ("\"It is slow.\" — That is what they say of it.", 2),
            ("\"It is slow.\" Sales said goodbye to it.", 2),
            ("\"It is slow.\" Jane Doe said that it is fast.", 2),
            ("\"It is slow.\" Said Doe in May.", 2),
            ("It is slow. — Jane Doe", 2),
            ("\"It is slow.\"\n- Jane Doe is fast.", 2),
            ("\"It is slow.\" It fell.", 2),
        ] {
            assert_eq!(split(text).len(), count, "{text}");
        }
    }
}
