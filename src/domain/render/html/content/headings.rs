//! Headings of what is shown, below those of the page.

use super::Writer;

impl Writer<'_> {
    /// Opens a heading of a text, as deep as the text stands on the page.
    pub(super) fn heading(&mut self, level: usize) {
        match level + self.context.below {
            ..=3 => self.element("<h3>", "</h3>\n"),
            4 => self.element("<h4>", "</h4>\n"),
            5 => self.element("<h5>", "</h5>\n"),
            6.. => self.element("<h6>", "</h6>\n"),
        }
    }
}
