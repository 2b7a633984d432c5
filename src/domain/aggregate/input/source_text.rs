//! A source that is given as a text.
//!
//! | text | read as |
//! |---|---|
//! | `https://…`, `<https://…>`, `www.…`, a DOI or an arXiv id | its address |
//! | `[Title](https://…)` | both |
//! | `Title - https://…`, `Title: https://…`, `Title (https://…)`, `https://… Title` | both |
//! | `https://…/a b` | an address with a blank, which browsers take for `%20` |
//! | one of these behind `[3]` or `[^3]:` | the same, and its id |
//! | any other text | its title |

use super::SourceInput;
use crate::domain::aggregate::url_identity::identify;
use crate::domain::text::clean::one_line;
use crate::domain::text::phrases::ends_with_any;

/// Longest text that is looked at, in characters; addresses are shorter.
const CHARS_MAX: usize = 4_096;

/// Marks between a title and an address.
const JOINTS: &[char] =
    &[' ', '-', '–', '—', ':', '：', '|', '(', ')', '<', '>', ',', '，', ';', '[', ']', '·', '"', '（', '）'];

/// Schemes of addresses that hold another one: what they name can't be looked up at it.
const WRAPPERS: &[&str] = &["blob:", "view-source:", "filesystem:", "javascript:", "data:", "vbscript:"];

/// What files are called that are cited.
const FILES: &[&str] =
    &["pdf", "html", "htm", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "csv", "txt", "md", "json", "xml"];

/// Words that begin what is said of an address behind it.
#[rustfmt::skip]
const TITLE_LEADS: &[&str] = &[
    "accessed", "retrieved", "viewed", "visited", "updated", "published", "via", "page", "p.", "pp.", "section", "sec.", "and", "or", "by", "from", "in", "on", "at", "the", "a", "an", "see",
    "abgerufen", "zugegriffen", "seite", "s.", "consulté", "consultado",
];

pub(super) fn read(text: &str) -> Option<SourceInput> {
    let line = one_line(text, CHARS_MAX);
    let line = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(&line).trim();
    let (id, line) = numbered(line);
    if line.is_empty() {
        return None;
    }
    let mut source = link(line).or_else(|| beside_address(line)).unwrap_or_else(|| without_scheme(line));
    source.id = id;
    Some(source)
}

/// The id and the rest, where the text begins with a citation's own marker.
fn numbered(line: &str) -> (Option<String>, &str) {
    let Some((id, rest)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return (None, line);
    };
    let id = id.trim_start_matches('^');
    let is_number = (1..=4).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_digit());
    // `[1](https://…)` is a link whose text is a number.
    if !is_number || rest.starts_with('(') {
        return (None, line);
    }
    (Some(id.to_owned()), rest.trim_start_matches([':', '.', ' ']))
}

/// A text that is a Markdown link, whole.
fn link(line: &str) -> Option<SourceInput> {
    let inner = line.strip_prefix('[')?.trim_end_matches(['.', ',']).strip_suffix(')')?;
    let (title, target) = inner.rsplit_once("](")?;
    // A title of the link itself (`(https://… "title")`) says less than its text.
    let url = target.split_whitespace().next()?.trim_matches(['<', '>']);
    Some(SourceInput { url: Some(url.to_owned()), title: titled(title), ..SourceInput::default() })
}

fn beside_address(line: &str) -> Option<SourceInput> {
    let start = scheme_at(line)?;
    let (before, rest) = line.split_at(start);
    if ends_with_any(&before.to_ascii_lowercase(), WRAPPERS) {
        return None;
    }
    let end = rest.find([' ', '<', '>', '"', '）', '》', '」']).unwrap_or(rest.len());
    // `https://example.org/Annual Report.pdf` is one address, as browsers show it.
    let is_file = || !is_file_name(&rest[..end]) && is_file_name(rest);
    let is_whole = before.is_empty() && end < rest.len() && (is_file() || goes_on(rest, end));
    let end = if is_whole { rest.len() } else { end };
    let (address, after) = rest.split_at(end);
    let address = closed(address);
    // `https://exa mple.com/` is no address of `exa`.
    let host = address.split("://").nth(1).and_then(|rest| rest.split(['/', '?', '#', ':']).next());
    if !after.is_empty()
        && host.is_some_and(|host| !host.contains('.') && host != "localhost" && !host.starts_with('['))
    {
        return None;
    }
    let title = titled(before.trim_matches(JOINTS)).or_else(|| titled(after.trim_matches(JOINTS)));
    Some(SourceInput { url: Some(address.to_owned()), title, ..SourceInput::default() })
}

/// Whether an address goes on behind the blank at `end`, as browsers read it: `https://example.org/a b` has no title, since that
/// would begin with a capital or behind a mark, or be longer.
fn goes_on(line: &str, end: usize) -> bool {
    const WORDS_MAX: usize = 2;
    let address = &line[..end];
    let has_path = address.split_once("://").is_some_and(|(_, rest)| rest.contains('/'))
        && !address.ends_with(['.', ',', ';', ':', ')', '|']);
    let Some(behind) = line[end..].strip_prefix(' ').filter(|behind| has_path && !behind.contains("://"))
    else {
        return false;
    };
    let is_address = |c: char| c.is_ascii_alphanumeric() || " -._~/?&=%+#".contains(c);
    let mut words = behind.split(' ');
    let begins = behind.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    let is_said = words.next().is_some_and(|first| TITLE_LEADS.contains(&first));
    begins && !is_said && behind.chars().all(is_address) && words.count() < WORDS_MAX
}

/// Whether a text ends like the name of a file.
fn is_file_name(text: &str) -> bool {
    let Some((stem, extension)) = text.rsplit_once('.') else { return false };
    let lower = extension.to_ascii_lowercase();
    stem.contains("://") && FILES.contains(&lower.as_str())
}

/// An address without a closing bracket that it doesn't open itself.
fn closed(address: &str) -> &str {
    let mut address = address;
    for (open, close) in [('(', ')'), ('[', ']')] {
        while address.ends_with(close) && address.matches(close).count() > address.matches(open).count() {
            address = &address[..address.len() - 1];
        }
    }
    address
}

/// Where `http://` or `https://` begins.
fn scheme_at(line: &str) -> Option<usize> {
    memchr::memmem::find_iter(line.as_bytes(), b"://").find_map(|colon| {
        ["https", "http"].into_iter().find_map(|scheme| {
            let start = colon.checked_sub(scheme.len())?;
            line.get(start..colon)?.eq_ignore_ascii_case(scheme).then_some(start)
        })
    })
}

fn without_scheme(line: &str) -> SourceInput {
    let one_word = !line.contains(' ');
    if one_word && line.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) {
        let url = Some(format!("https://{line}"));
        return SourceInput { url, ..SourceInput::default() };
    }
    if identify(line).is_some() {
        return SourceInput { url: Some(line.to_owned()), ..SourceInput::default() };
    }
    SourceInput { title: titled(line), ..SourceInput::default() }
}

fn titled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
