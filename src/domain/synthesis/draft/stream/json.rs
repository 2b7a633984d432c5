//! JSON that is being written, char by char, down to the strings that are shown.
//!
//! Commas are taken for blanks. Strings that aren't shown, and numbers and literals, are skipped; keys are kept as far as
//! a name of ours is long.

use super::super::NESTING_MAX;
use super::super::escapes::Escapes;
use super::super::fields::field;
use super::place::Place;

/// Bytes of a key that are kept at least; a longer one is none of ours.
const KEY_BYTES_MAX: usize = 64;

/// What an object expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wants {
    Key,
    Colon,
    Value,
}

/// An object or list that is open.
#[derive(Debug)]
enum Open {
    Object { place: Place, key: String, wants: Wants },
    List { place: Place, index: usize },
}

/// What is being skipped or kept.
#[derive(Debug)]
enum Within {
    Nothing,
    Key(Escapes, String),
    /// A string that isn't shown.
    Hidden(Escapes),
    /// A number or a literal.
    Word,
}

/// What a char does.
#[derive(Debug)]
pub(super) enum Step {
    On,
    /// A string with this path begins; its text is read elsewhere, to its closing quote. Whether it is rewritten.
    Show(String, bool),
    /// The outermost bracket was closed.
    End,
    /// This is no JSON.
    Lost,
}

/// The reader of one object or list.
#[derive(Debug)]
pub(super) struct Json {
    open: Vec<Open>,
    within: Within,
    /// Whether a field of a draft was seen.
    begun: bool,
}

impl Json {
    /// A draft, behind its opening bracket.
    pub(super) fn object() -> Self {
        let draft = Open::Object { place: Place::Draft, key: String::new(), wants: Wants::Key };
        Json { open: vec![draft], within: Within::Nothing, begun: false }
    }

    /// A list of findings, behind its opening bracket.
    pub(super) fn list() -> Self {
        let findings = Open::List { place: Place::Findings, index: 0 };
        Json { open: vec![findings], within: Within::Nothing, begun: true }
    }

    pub(super) fn take(&mut self, c: char) -> Step {
        match &mut self.within {
            Within::Nothing => self.structure(c),
            Within::Hidden(escapes) => {
                if c == '"' && !escapes.takes(c) {
                    self.within = Within::Nothing;
                } else {
                    escapes.take(c, &mut String::new());
                }
                Step::On
            }
            Within::Key(escapes, key) => {
                if c != '"' || escapes.takes(c) {
                    escapes.take(c, key);
                    key.truncate(key.floor_char_boundary(KEY_BYTES_MAX));
                    return Step::On;
                }
                escapes.end(key);
                let read = std::mem::take(key);
                self.within = Within::Nothing;
                self.keyed(read)
            }
            Within::Word if c.is_alphanumeric() || matches!(c, '-' | '+' | '.') => Step::On,
            Within::Word => {
                self.within = Within::Nothing;
                self.structure(c)
            }
        }
    }

    /// A key was read.
    fn keyed(&mut self, read: String) -> Step {
        let Some(Open::Object { place, key, wants }) = self.open.last_mut() else { return Step::Lost };
        self.begun |= *place == Place::Draft && field(&read).is_some_and(|field| field.is_of_draft());
        *key = read;
        *wants = Wants::Colon;
        Step::On
    }

    fn structure(&mut self, c: char) -> Step {
        if c.is_whitespace() || c == ',' {
            return Step::On;
        }
        match (c, self.open.last_mut()) {
            ('"', Some(Open::Object { wants: Wants::Key, .. })) => {
                self.within = Within::Key(Escapes::new(), String::new());
                Step::On
            }
            (':', Some(Open::Object { wants: wants @ Wants::Colon, .. })) => {
                *wants = Wants::Value;
                Step::On
            }
            ('}', Some(Open::Object { wants: Wants::Key, .. })) | (']', Some(Open::List { .. })) => {
                self.open.pop();
                if self.open.is_empty() { Step::End } else { Step::On }
            }
            (_, Some(Open::Object { wants: Wants::Value, .. } | Open::List { .. })) => self.value(c),
            _ => Step::Lost,
        }
    }

    /// A value begins with `c`.
    fn value(&mut self, c: char) -> Step {
        match c {
            '{' | '[' if self.open.len() == NESTING_MAX => Step::Lost,
            '{' => {
                let place = self.inner(false);
                self.open.push(Open::Object { place, key: String::new(), wants: Wants::Key });
                Step::On
            }
            '[' => {
                let place = self.inner(true);
                self.open.push(Open::List { place, index: 0 });
                Step::On
            }
            '"' => match self.shown() {
                Some((path, rewritten)) => Step::Show(path, rewritten),
                None => {
                    self.within = Within::Hidden(Escapes::new());
                    Step::On
                }
            },
            _ if c.is_alphanumeric() || c == '-' => {
                self.counted();
                self.within = Within::Word;
                Step::On
            }
            _ => Step::Lost,
        }
    }

    /// The place of the object or list that begins here.
    fn inner(&mut self, list: bool) -> Place {
        let begun = self.begun;
        let place = match self.open.last() {
            // The draft may be inside something else, as long as there was nothing of it outside.
            Some(Open::Object { place: Place::Draft, key, .. })
                if !begun && !list && field(key).is_none() =>
            {
                Place::Draft
            }
            Some(Open::Object { place, key, .. }) => place.of_field(key, list),
            Some(Open::List { place, index }) => place.of_item(*index, list),
            None => Place::Other,
        };
        self.counted();
        place
    }

    /// The path of the string that begins here, if it is shown.
    fn shown(&mut self) -> Option<(String, bool)> {
        let shown = match self.open.last() {
            Some(Open::Object { place, key, .. }) => place.text_of_field(key),
            Some(Open::List { place, index }) => place.text_of_item(*index),
            None => None,
        };
        self.counted();
        shown
    }

    /// A value has begun: the next one is the next item, or comes behind the next key.
    fn counted(&mut self) {
        match self.open.last_mut() {
            Some(Open::Object { wants, .. }) => *wants = Wants::Key,
            Some(Open::List { index, .. }) => *index += 1,
            None => {}
        }
    }
}
