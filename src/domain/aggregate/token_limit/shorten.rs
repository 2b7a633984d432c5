//! The first words of a sentence that is too long: cut where nothing breaks, with `…` and the citations of its end.

use crate::domain::text::tokens::Tokenizer;

/// A shorter beginning says nothing. In bytes.
const BYTES_MIN: usize = 20;
/// How many lengths are offered, since counts of parts don't quite add up.
const VERSIONS_MAX: usize = 3;
/// How many bytes of a sentence are looked at.
const BYTES_MAX: usize = 16_384;

/// The longest beginnings of a sentence that take at most about `room` tokens, longest first. With
/// `or_characters` also those of one in Chinese or Japanese without a comma.
pub(super) fn versions(
    sentence: &str,
    room: usize,
    or_characters: bool,
    tokenizer: &Tokenizer,
) -> Vec<String> {
    let body_end = sentence.len() - citations(sentence).len();
    let cited = tail(sentence);
    let reserve = tokenizer.raw(" …") + if cited.is_empty() { 0 } else { tokenizer.raw(cited) };
    let Some(room) = room.checked_sub(reserve) else { return Vec::new() };
    let body = &sentence[..body_end.min(floor(sentence, BYTES_MAX))];
    let mut cuts = cuts(body);
    let mut end = tokens_end(sentence, room, tokenizer);
    if cuts.is_empty() && or_characters {
        cuts = between_characters(body);
        // A tokenizer takes characters without a blank between them for one piece: it is counted up to each cut that is tried.
        let fitting = cuts.partition_point(|cut| tokenizer.raw(&body[..*cut]) <= room);
        end = fitting.checked_sub(1).map_or(0, |last| cuts[last]);
    }
    cuts.into_iter()
        .rev()
        .filter(|cut| *cut <= end)
        .take(VERSIONS_MAX)
        .map(|cut| shortened(&sentence[..cut], cited))
        .collect()
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Where the first `room` tokens of a text end, in bytes.
fn tokens_end(text: &str, room: usize, tokenizer: &Tokenizer) -> usize {
    let mut used = 0;
    for (start, tokens) in tokenizer.pieces(text) {
        used += tokens;
        if used > room {
            return start;
        }
    }
    text.len()
}

fn shortened(start: &str, cited: &str) -> String {
    let start = start.trim_end_matches([' ', ',', ';', ':', '，', '、', '；', '：', '-', '–', '—']);
    let space = if start.ends_with(|c: char| c.is_ascii()) { " " } else { "" };
    let gap = if cited.is_empty() { "" } else { space };
    format!("{start}{space}…{gap}{cited}")
}

/// The citation markers at the end of a sentence, without the marks around.
fn tail(sentence: &str) -> &str {
    let all = citations(sentence);
    all.trim_start().trim_end_matches(is_end)
}

fn is_end(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | ' ')
}

/// The end of a sentence from its last citation markers on: `[1][2].`; empty where there are none.
fn citations(sentence: &str) -> &str {
    const MARKER_MAX: usize = 48;
    let mut rest = sentence.trim_end_matches(is_end);
    let mut found = false;
    loop {
        let open = match rest.chars().next_back() {
            Some(']') => '[',
            Some('】') => '【',
            Some(_) | None => break,
        };
        let Some(at) = rest.rfind(open).filter(|at| rest.len() - at <= MARKER_MAX) else { break };
        let inside = rest[at + open.len_utf8()..].trim_start_matches('^');
        if !inside.starts_with(|c: char| c.is_numeric()) {
            break;
        }
        found = true;
        rest = rest[..at].trim_end_matches(is_end);
    }
    if found { &sentence[rest.len()..] } else { "" }
}

/// The places where a sentence may be cut, in bytes: between two words, or after a comma in Chinese and Japanese; outside
/// of brackets, quotations, code, mathematics, emphasis and links; not beside figures and citations, nor inside names.
fn cuts(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut marks = Marks::default();
    let mut word = 0;
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        marks.read(c);
        if c == ' ' {
            if at >= BYTES_MIN && marks.are_closed() && between(&text[word..at], &text[next..]) {
                found.push(at);
            }
            word = next;
        } else if matches!(c, '，' | '、' | '；') && next >= BYTES_MIN {
            let digits = |c: char| c.is_numeric();
            if marks.are_closed() && !(text[..at].ends_with(digits) && text[next..].starts_with(digits)) {
                found.push(at);
            }
            word = next;
        }
    }
    found
}

/// Where a text without commas may be cut in Chinese and Japanese: between two characters that are a word each (UAX 29), of
/// which neither opens nor closes anything.
fn between_characters(text: &str) -> Vec<usize> {
    let is_word =
        |c: char| matches!(c, '\u{3041}'..='\u{3096}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}');
    let mut found = Vec::new();
    let mut marks = Marks::default();
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if at >= BYTES_MIN && marks.are_closed() && is_word(before) && is_word(c) {
            found.push(at);
        }
        marks.read(c);
        before = c;
    }
    found
}

/// Whether a sentence may be cut between a word and what follows it.
fn between(word: &str, following: &str) -> bool {
    let letters = word.trim_end_matches([',', ';', ')', '*', '_', '”', '’', '"']);
    let plain = letters.ends_with(char::is_alphabetic)
        && !letters.contains(|c: char| c.is_numeric() || matches!(c, '/' | '@' | '$' | '\\'));
    let comma = word.len() > letters.len();
    let next = following.chars().next().unwrap_or(' ');
    let name = !comma && word.starts_with(char::is_uppercase) && next.is_uppercase();
    plain
        && !name
        && !matches!(next, ' ' | '[' | '【' | '(' | '（' | '%' | '‰' | '°')
        && (next.is_alphanumeric() || matches!(next, '"' | '“' | '*'))
}

/// What is open at a place.
#[derive(Default)]
struct Marks {
    depth: usize,
    /// Stars in a row up to here.
    run: usize,
    emphasis: bool,
    strong: bool,
    code: bool,
    quotation: bool,
    mathematics: bool,
}

impl Marks {
    fn read(&mut self, c: char) {
        if c == '*' {
            self.run += 1;
            return;
        }
        self.emphasis ^= self.run % 2 == 1;
        self.strong ^= self.run % 4 >= 2;
        self.run = 0;
        match c {
            '(' | '[' | '{' | '（' | '【' | '《' | '「' | '『' | '“' | '［' => self.depth += 1,
            ')' | ']' | '}' | '）' | '】' | '》' | '」' | '』' | '”' | '］' => {
                self.depth = self.depth.saturating_sub(1)
            }
            '`' => self.code ^= true,
            '"' => self.quotation ^= true,
            '$' => self.mathematics ^= true,
            _ => {}
        }
    }

    fn are_closed(&self) -> bool {
        self.depth == 0 && !(self.emphasis || self.strong || self.code || self.quotation || self.mathematics)
    }
}
