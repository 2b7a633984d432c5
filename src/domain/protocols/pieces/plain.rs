//! Texts that come one after another without an envelope: pieces, or each the whole so far?

/// The texts so far, as long as nothing tells.
#[derive(Debug, Default)]
pub(super) struct Plain {
    joined: String,
    last: String,
}

impl Plain {
    /// Takes the next text; all of them, joined, where it tells that they are pieces: a blank stands between it and the one before, and
    /// it doesn't begin with that. Nobody writes a whole text so.
    pub(super) fn take(&mut self, text: &str, bytes_max: usize) -> Option<String> {
        let goes_on = text.starts_with(self.last.trim_end());
        let has_blank = text.starts_with(char::is_whitespace) || self.last.ends_with(char::is_whitespace);
        let are_pieces = !self.last.is_empty() && !goes_on && has_blank;
        if goes_on || self.joined.len() + text.len() > bytes_max {
            self.joined.clear();
        }
        self.joined.push_str(text);
        text.clone_into(&mut self.last);
        are_pieces.then(|| std::mem::take(&mut self.joined))
    }

    /// Blanks between two texts belong to the first.
    pub(super) fn take_blank(&mut self, blank: &str) {
        if !self.last.is_empty() {
            self.joined.push_str(blank);
            self.last.push_str(blank);
        }
    }
}

/// A string, a number or a word of JSON as text.
pub(super) fn text(json: &str) -> Option<String> {
    match json.as_bytes().first()? {
        b'"' => serde_json::from_str(json).ok(),
        b'[' | b'{' => None,
        _ => Some(json.to_owned()),
    }
}

/// Whether a text among an envelope's data is one.
pub(super) fn is_word(text: &str) -> bool {
    text != "null"
}
