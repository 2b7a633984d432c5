//! The sentence around a URL: white space, quotes, brackets, and the punctuation behind it.

/// Brackets and quotes that come in pairs. A closing one ends the URL's text only where it has no opening one in it.
const PAIRS: [(char, char); 14] = [
    ('(', ')'),
    ('[', ']'),
    ('{', '}'),
    ('<', '>'),
    ('（', '）'),
    ('［', '］'),
    ('【', '】'),
    ('「', '」'),
    ('『', '』'),
    ('《', '》'),
    ('〈', '〉'),
    ('“', '”'),
    ('‘', '’'),
    ('«', '»'),
];

/// What ends a sentence or stands for Markdown's emphasis, code or table behind a URL.
const MARKS: [char; 25] = [
    '.', ',', ';', ':', '!', '?', '"', '\'', '*', '`', '|', '\\', '。', '，', '、', '；', '：', '！', '？',
    '…', '．', '｡', '､', '„', '‚',
];

/// `text` without what the sentence put around it. Linear: each kind of bracket is counted once.
pub(super) fn bare(text: &str) -> &str {
    let text = text.trim_matches(is_blank);
    let text =
        text.trim_start_matches(|c| is_opening(c) || matches!(c, '"' | '\'' | '*' | '`') || is_blank(c));
    &text[..end(text)]
}

/// `link` with its last character escaped, where [`bare`] would cut that character off.
pub(super) fn guarded(link: &str) -> Option<String> {
    if end(link) == link.len() {
        return None;
    }
    let last = link.bytes().next_back().filter(u8::is_ascii)?;
    Some(format!("{}%{last:02X}", &link[..link.len() - 1]))
}

/// Where the sentence's punctuation behind the URL begins, in bytes.
fn end(text: &str) -> usize {
    let mut unopened: [Option<usize>; PAIRS.len()] = [None; PAIRS.len()];
    let mut end = text.len();
    for (at, c) in text.char_indices().rev() {
        if !(MARKS.contains(&c) || is_blank(c) || is_unopened(text, c, &mut unopened)) {
            break;
        }
        end = at;
    }
    end
}

/// Whether `c` closes what nothing in `text` opens. `unopened` remembers how many more such there are of each kind.
fn is_unopened(text: &str, c: char, unopened: &mut [Option<usize>; PAIRS.len()]) -> bool {
    let Some(kind) = PAIRS.iter().position(|pair| pair.1 == c) else { return false };
    let left = unopened[kind].get_or_insert_with(|| {
        let (open, close) = PAIRS[kind];
        text.matches(close).count().saturating_sub(text.matches(open).count())
    });
    if *left == 0 {
        return false;
    }
    *left -= 1;
    true
}

fn is_opening(c: char) -> bool {
    PAIRS.iter().any(|pair| pair.0 == c)
}

/// White space, and the invisible marks that copying brings along.
fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}
