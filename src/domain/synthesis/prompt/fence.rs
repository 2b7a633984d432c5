//! A fence around data: a tag that nobody can know before, so that nobody can close it.
//!
//! Delimiters with a random part are one of the defences that OWASP's LLM01 and Microsoft's "spotlighting" (Hines et al.
//! 2024, arXiv:2403.14720) name. They don't make a model immune; they make it plain to it where data ends.

/// The random part of a request's tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Nonce(String);

impl Nonce {
    pub(super) fn new(nonce: u64) -> Self {
        Self(format!("{nonce:016x}"))
    }

    /// Twice as long, for where it stands in the data: after a few times it is longer than any text.
    pub(super) fn doubled(&self) -> Self {
        Self(self.0.repeat(2))
    }

    /// A block of whole lines between tags.
    pub(super) fn fenced(&self, tag: &str, lines: &str) -> String {
        format!("<{tag}-{0}>\n{lines}</{tag}-{0}>", self.0)
    }

    /// How often it stands in a text.
    pub(super) fn occurs_in(&self, text: &str) -> usize {
        text.matches(&self.0).count()
    }

    /// A text without it: the same for the same data.
    pub(super) fn taken_out(&self, text: &str) -> String {
        text.replace(&self.0, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_stands_between_its_tags() {
        let nonce = Nonce::new(0x5f3a);
        assert_eq!(nonce.fenced("data", "{}\n"), "<data-0000000000005f3a>\n{}\n</data-0000000000005f3a>");
        assert_eq!(nonce.taken_out(&nonce.fenced("data", "")), "<data->\n</data->");
        assert_eq!(nonce.doubled().occurs_in(&nonce.fenced("data", "")), 0);
    }
}
