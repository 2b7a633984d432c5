//! What a model says in front of its draft: prose, fences, thoughts.

use super::super::thoughts::{TAG_BYTES_MAX, Tag, tag};

/// Looks for the beginning of a draft.
#[derive(Debug)]
pub(super) struct Front {
    thinking: bool,
    /// What may become a tag.
    tag: String,
    /// The bracket that only blanks have followed so far.
    bracket: Option<char>,
}

/// What has begun. The char that made it certain belongs to it and is still to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    Nothing,
    /// An object, in front of its first key.
    Object,
    /// A list, in front of its first object.
    List,
}

impl Front {
    pub(super) fn new() -> Self {
        Front { thinking: false, tag: String::new(), bracket: None }
    }

    pub(super) fn take(&mut self, c: char) -> Seen {
        self.look_for_tag(c);
        if self.thinking {
            self.bracket = None;
            return Seen::Nothing;
        }
        match (self.bracket, c) {
            (Some('{'), '"') => return Seen::Object,
            (Some('['), '{') => return Seen::List,
            (_, '{' | '[') => self.bracket = Some(c),
            (Some(_), _) if c.is_whitespace() => {}
            _ => self.bracket = None,
        }
        Seen::Nothing
    }

    /// A thought begins or ends where a tag does.
    fn look_for_tag(&mut self, c: char) {
        if c == '<' {
            self.tag.clear();
        } else if self.tag.is_empty() {
            return;
        }
        self.tag.push(c);
        if c == '>' {
            match tag(&self.tag) {
                Some((Tag::Open, _)) => self.thinking = true,
                Some((Tag::Close, _)) => self.thinking = false,
                None => {}
            }
        }
        if c == '>' || self.tag.len() > TAG_BYTES_MAX {
            self.tag.clear();
        }
    }
}
