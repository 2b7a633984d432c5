//! What a rewriting found.

/// How many entries each list of a [`Report`] keeps; what comes later is counted in [`Report::omitted`].
pub const LIST_LIMIT: usize = 100_000;

/// Entries that a list has room for from the start.
const LIST_FIRST: usize = 32;

/// A citation as it was written to the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The key of the source.
    pub source: u32,
    /// Its display number.
    pub number: u32,
    /// Where its `[` stands, in bytes from the start of the output.
    pub offset: usize,
    /// What the marker said about the place in the source (`L3-L9`, `p. 4`), which `[n]` has no room for.
    pub locator: Option<String>,
}

/// A marker, or a number within one, that no source stands behind; it was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dangling {
    /// The local number, where the marker had one.
    pub number: Option<u32>,
    /// The marker as it was written.
    pub marker: String,
    /// Where it would stand, in bytes from the start of the output.
    pub offset: usize,
}

/// A reference section that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrippedSection {
    /// Its heading without `#`, `*` and colon (at most what was looked at); empty for entries without a heading.
    pub heading: String,
    /// How many bytes of input were left out.
    pub bytes: usize,
    /// Where it ends, in bytes from the start of the input.
    pub end: usize,
    /// How many definitions there were up to its end, see [`Report::definitions`].
    pub definitions: usize,
}

/// What a reference section says about a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The local number; `None` for an entry of a list without numbers.
    pub number: Option<u32>,
    /// The title; empty where the entry is a bare address.
    pub title: String,
    /// The address as it was written, where there is one.
    pub url: Option<String>,
}

/// What a rewriting found, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The citations in the output.
    pub citations: Vec<Citation>,
    /// What was removed because no source stands behind it.
    pub dangling: Vec<Dangling>,
    /// The reference sections that were left out.
    pub stripped_sections: Vec<StrippedSection>,
    /// What those sections said.
    pub definitions: Vec<Definition>,
    /// How many entries the lists above had no room for, see [`LIST_LIMIT`].
    pub omitted: usize,
}

/// What the reference sections of a text are, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// The sections.
    pub sections: Vec<StrippedSection>,
    /// What they say.
    pub definitions: Vec<Definition>,
}

impl Report {
    pub(super) fn cite(&mut self, citation: Citation) {
        push(&mut self.citations, citation, &mut self.omitted);
    }

    pub(super) fn dangle(&mut self, dangling: Dangling) {
        push(&mut self.dangling, dangling, &mut self.omitted);
    }

    pub(super) fn strip(&mut self, section: StrippedSection) {
        push(&mut self.stripped_sections, section, &mut self.omitted);
    }

    pub(super) fn define(&mut self, definition: Definition) {
        push(&mut self.definitions, definition, &mut self.omitted);
    }
}

fn push<T>(list: &mut Vec<T>, item: T, omitted: &mut usize) {
    if list.len() < LIST_LIMIT {
        if list.capacity() == 0 {
            list.reserve(LIST_FIRST);
        }
        list.push(item);
    } else {
        *omitted += 1;
    }
}
