//! What a sentence holds: terms, figures, names, citations, links.

/// How many terms are told apart.
pub(super) const BUCKETS: usize = 1 << 16;

/// Counts of what makes a sentence worth keeping.
#[derive(Default, Debug, PartialEq)]
pub(super) struct Features {
    pub(super) figures: u32,
    pub(super) names: u32,
    pub(super) citations: u32,
    /// Bytes of addresses.
    pub(super) address_bytes: usize,
    bytes: usize,
    entry: bool,
    lead_in: bool,
}

impl Features {
    /// The salience, from the two terms that depend on the rest of the text: both 0 to 1.
    pub(super) fn score(&self, centrality: f32, lead: f32) -> f32 {
        let count = self.figures + self.names + 2 * self.citations;
        let fact = if count > 0 { 1.0 } else { 0.0 };
        let richness = (count.min(8) as f32) / 8.0;
        let score = fact + 0.5 * centrality + 0.3 * lead + 0.4 * richness;
        if self.entry || self.address_bytes * 5 > self.bytes * 2 {
            return score * 0.2;
        }
        if self.lead_in { score * 0.5 } else { score }
    }
}

/// The bucket of a word in any case (FNV-1a, folded).
pub(super) fn bucket(word: &[u8]) -> u16 {
    fold(word.iter().fold(HASH_OF_NOTHING, |hash, byte| hashed(hash, byte.to_ascii_lowercase())))
}

const HASH_OF_NOTHING: u32 = 0x811c_9dc5;

fn hashed(hash: u32, lower: u8) -> u32 {
    (hash ^ u32::from(lower)).wrapping_mul(0x0100_0193)
}

fn fold(hash: u32) -> u16 {
    (hash ^ (hash >> 16)) as u16
}

/// Reads a sentence once: its features, and its terms into `terms`.
pub(super) fn read(text: &str, terms: &mut Vec<u16>) -> Features {
    let bytes = text.as_bytes();
    let mut features = Features {
        bytes: bytes.len(),
        entry: is_entry(bytes),
        lead_in: text.trim_end_matches(['*', '_']).ends_with([':', '：']),
        ..Features::default()
    };
    let mut at = 0;
    let mut wide: Option<u32> = None;
    let mut first_word = true;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {
                let word = Word::read(&bytes[at..]);
                at += word.bytes;
                if matches!(&bytes[start..at], b"http" | b"https") && bytes[at..].starts_with(b"://") {
                    at += run(&bytes[at..], |byte| {
                        !byte.is_ascii_whitespace() && !matches!(byte, b')' | b']' | b'>' | b'"')
                    });
                    features.address_bytes += at - start;
                } else {
                    features.word(&word, first_word, terms);
                    first_word = false;
                }
                wide = None;
            }
            b'0'..=b'9' => {
                at += run(&bytes[at..], |byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
                features.figures += 1;
                wide = None;
            }
            b'[' if bytes.get(at + 1).is_some_and(|next| next.is_ascii_digit() || *next == b'^') => {
                at += 1 + run(&bytes[at + 1..], |byte| byte != b']');
                features.citations += 1;
                wide = None;
            }
            0x80.. => {
                let c = text[at..].chars().next().unwrap_or(' ');
                at += c.len_utf8();
                match c {
                    '【' => {
                        features.citations += 1;
                        at += text[at..]
                            .char_indices()
                            .take(48)
                            .find(|(_, c)| *c == '】')
                            .map_or(0, |(close, _)| close);
                        wide = None;
                    }
                    '《' | '「' => features.names += 1,
                    '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' => {
                        if let Some(last) = wide {
                            terms.push(fold(
                                (last.wrapping_mul(0x9E37_79B1)) ^ u32::from(c).wrapping_mul(0x85EB_CA6B),
                            ));
                        }
                        wide = Some(u32::from(c));
                        first_word = false;
                    }
                    _ => wide = None,
                }
            }
            _ => {
                at += 1;
                wide = None;
            }
        }
    }
    features
}

/// Letters and digits in a row.
struct Word {
    bytes: usize,
    capitals: usize,
    begins_with_capital: bool,
    hash: u32,
}

/// What goes on with a word, in lower case, and 0 for what doesn't: ASCII's letters and digits, and all of those scripts that
/// have two bytes a letter.
static IN_WORD: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    loop {
        if byte.is_ascii_alphanumeric() || matches!(byte, 0x80..0xC0 | 0xC3..=0xD4) {
            table[byte as usize] = byte.to_ascii_lowercase();
        }
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

impl Word {
    /// The word that a text begins with, each byte looked at once.
    fn read(text: &[u8]) -> Self {
        let (mut bytes, mut capitals, mut hash) = (0, 0, HASH_OF_NOTHING);
        for byte in text {
            let lower = IN_WORD[usize::from(*byte)];
            if lower == 0 {
                break;
            }
            capitals += usize::from(lower != *byte);
            hash = hashed(hash, lower);
            bytes += 1;
        }
        Self { bytes, capitals, begins_with_capital: text.first().is_some_and(u8::is_ascii_uppercase), hash }
    }
}

impl Features {
    fn word(&mut self, word: &Word, first: bool, terms: &mut Vec<u16>) {
        // Acronyms are names also at the start of a sentence.
        if word.capitals >= 2 || word.capitals == 1 && !first && word.bytes >= 3 && word.begins_with_capital {
            self.names += 1;
        }
        if word.bytes >= 4 {
            terms.push(fold(word.hash));
        }
    }
}

fn run(bytes: &[u8], is_in: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| !is_in(*byte)).unwrap_or(bytes.len())
}

/// Whether a line is an entry of references: `[1] Title`, `[^1]: Title`.
fn is_entry(line: &[u8]) -> bool {
    let [b'[', rest @ ..] = line else { return false };
    let rest = rest.strip_prefix(b"^").unwrap_or(rest);
    let digits = run(rest, |byte| byte.is_ascii_digit());
    digits > 0 && matches!(&rest[digits..], [b']', b' ' | b':', ..])
}
