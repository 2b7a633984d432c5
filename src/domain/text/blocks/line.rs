//! One line of Markdown: what it could be the start of.

/// A line without its indentation and the white space at its end.
pub(super) struct Line<'t> {
    /// Where it begins, in bytes of the text.
    pub(super) start: usize,
    /// Where the next one begins.
    pub(super) next: usize,
    /// Columns of white space before the text.
    pub(super) indent: usize,
    pub(super) text: &'t [u8],
}

/// What ends a block of HTML (CommonMark §4.6).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// A line that holds this.
    Mark(&'static [u8]),
    /// A blank line, after a tag of a block.
    Blank,
    /// A blank line, after another complete tag, which can't interrupt a paragraph.
    BlankOfTag,
}

impl Until {
    /// Whether a line holds the end.
    pub(super) fn is_met(self, line: &[u8]) -> bool {
        match self {
            Self::Mark(mark) => line.windows(mark.len()).any(|part| part.eq_ignore_ascii_case(mark)),
            Self::Blank | Self::BlankOfTag => false,
        }
    }
}

/// The start of an item of a list.
pub(super) struct Item {
    pub(super) ordered: bool,
    /// Whether it may come right after a line of prose: not where it is empty or its number isn't 1.
    pub(super) interrupts: bool,
}

const BLOCK_TAGS: &[&str] = &[
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];

/// Bytes and blanks of a label.
const LABEL_MAX: (usize, usize) = (80, 7);

impl<'t> Line<'t> {
    /// Whether it may be a label of the list below it rather than the end of the item above it: `Not included:`, `not_included:`.
    pub(super) fn is_label(&self) -> bool {
        let bare = self.text.trim_ascii_end();
        let bare = bare.strip_suffix(b"**").unwrap_or(bare);
        let blanks = bare.iter().filter(|byte| **byte == b' ').take(LABEL_MAX.1 + 1).count();
        let begins =
            |first: u8| first.is_ascii_uppercase() || first == b'*' || !first.is_ascii() || blanks == 0;
        self.indent < 2
            && bare.len() <= LABEL_MAX.0
            && blanks <= LABEL_MAX.1
            && (bare.ends_with(b":") || bare.ends_with("：".as_bytes()))
            && bare.first().copied().is_some_and(begins)
    }

    /// The line that begins at `start`; an empty one at the end of the text.
    pub(super) fn at(bytes: &'t [u8], start: usize) -> Self {
        let rest = &bytes[start.min(bytes.len())..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let mut indent = 0;
        let mut from = 0;
        for byte in &rest[..length] {
            match byte {
                b' ' => indent += 1,
                b'\t' => indent += 4 - indent % 4,
                _ => break,
            }
            from += 1;
        }
        Self {
            start,
            next: (start + length + 1).min(bytes.len()),
            indent,
            text: rest[from..length].trim_ascii_end(),
        }
    }

    fn run(&self, byte: u8) -> usize {
        self.text.iter().take_while(|other| **other == byte).count()
    }

    /// An opening fence: its mark and how many of it.
    pub(super) fn fence(&self) -> Option<(u8, usize)> {
        let mark = *self.text.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
        let length = self.run(mark);
        let info = &self.text[length..];
        (length >= 3 && (mark == b'~' || memchr::memchr(b'`', info).is_none())).then_some((mark, length))
    }

    /// Whether the line closes a fence of `length` marks.
    pub(super) fn closes(&self, mark: u8, length: usize) -> bool {
        self.text.first() == Some(&mark) && self.run(mark) >= length && self.run(mark) == self.text.len()
    }

    /// A heading with `#` marks: its level.
    pub(super) fn heading(&self) -> Option<u8> {
        let level = self.text.iter().take(7).take_while(|byte| **byte == b'#').count();
        let ends = matches!(self.text.get(level), None | Some(b' ' | b'\t'));
        u8::try_from(level).ok().filter(|level| (1..=6).contains(level) && ends)
    }

    /// The line below a heading: its level.
    pub(super) fn underline(&self) -> Option<u8> {
        match self.text.first()? {
            b'=' if self.indent < 4 && self.run(b'=') == self.text.len() => Some(1),
            b'-' if self.indent < 4 && self.run(b'-') == self.text.len() => Some(2),
            _ => None,
        }
    }

    pub(super) fn is_rule(&self) -> bool {
        let Some(mark) = self.text.first().filter(|byte| matches!(byte, b'-' | b'*' | b'_')) else {
            return false;
        };
        let others = self.text.iter().all(|byte| byte == mark || matches!(byte, b' ' | b'\t'));
        others && self.text.iter().filter(|byte| *byte == mark).count() >= 3
    }

    pub(super) fn item(&self) -> Option<Item> {
        let digits = self.text.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        let (ordered, marker) = match self.text.get(digits)? {
            b'-' | b'+' | b'*' if digits == 0 => (false, 1),
            b'.' | b')' if (1..=9).contains(&digits) => (true, digits + 1),
            _ => return None,
        };
        let empty = self.text.len() == marker;
        let spaced = empty || matches!(self.text.get(marker), Some(b' ' | b'\t'));
        spaced.then(|| Item { ordered, interrupts: !empty && (!ordered || &self.text[..digits] == b"1") })
    }

    /// The start of a block of HTML, and what ends it.
    pub(super) fn html(&self) -> Option<Until> {
        let rest = self.text.strip_prefix(b"<")?;
        match rest {
            [b'!', b'-', b'-', ..] => return Some(Until::Mark(b"-->")),
            [b'?', ..] => return Some(Until::Mark(b"?>")),
            [b'!', b'[', ..] if rest.starts_with(b"![CDATA[") => return Some(Until::Mark(b"]]>")),
            [b'!', letter, ..] if letter.is_ascii_alphabetic() => return Some(Until::Mark(b">")),
            _ => {}
        }
        let closing = rest.first() == Some(&b'/');
        let rest = if closing { &rest[1..] } else { rest };
        let length =
            rest.iter().take(12).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
        let name = &rest[..length];
        let ends = matches!(rest.get(length), None | Some(b' ' | b'\t' | b'>' | b'/'));
        if length == 0 || !ends {
            return None;
        }
        let raw: [(&[u8], &'static [u8]); 4] = [
            (b"script", b"</script>"),
            (b"pre", b"</pre>"),
            (b"style", b"</style>"),
            (b"textarea", b"</textarea>"),
        ];
        if let Some((_, end)) = raw.iter().find(|(raw, _)| !closing && name.eq_ignore_ascii_case(raw)) {
            return Some(Until::Mark(end));
        }
        if BLOCK_TAGS.iter().any(|tag| name.eq_ignore_ascii_case(tag.as_bytes())) {
            return Some(Until::Blank);
        }
        // One complete tag and nothing else.
        (memchr::memchr(b'>', rest) == Some(rest.len() - 1)).then_some(Until::BlankOfTag)
    }

    /// Whether the line is the header of a table, whose delimiter row would be `next`.
    pub(super) fn is_header(&self, next: &Self) -> bool {
        memchr::memchr(b'|', self.text).is_some() && next.is_delimiter() && self.cells() == next.cells()
    }

    fn is_delimiter(&self) -> bool {
        self.text.iter().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
            && memchr::memchr(b'-', self.text).is_some()
    }

    /// How many cells a row has: a `|` after a backslash separates none.
    fn cells(&self) -> usize {
        let row = self.text.strip_prefix(b"|").unwrap_or(self.text);
        let separators = memchr::memchr_iter(b'|', row).filter(|at| *at == 0 || row[at - 1] != b'\\').count();
        let ends = row.ends_with(b"|") && !row.ends_with(b"\\|");
        separators + usize::from(!ends)
    }
}
