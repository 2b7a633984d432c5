//! What a recogniser may look at: a bounded piece of text, and what stopped it.
//!
//! The rewriter gives the same output for every way of cutting its input because every decision is a function of its
//! state and of a window of at most [`WINDOW`] bytes, and because a recogniser either decides on what it has seen
//! (more text can't change its mind: it reads from left to right) or asks for more, which it may only do while the
//! window isn't full.

/// How many bytes a recogniser may look at, at most. With the few bytes of a lead (space, bracket, comma) before a
/// marker this keeps what is held back below 64 bytes.
pub(super) const WINDOW: usize = 56;

/// Why a window ends where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The next chunk may bring more.
    More,
    /// The window is full: decide with what is there.
    Full,
    /// The text ends here.
    Eof,
}

/// Why a recogniser gave no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Undecided: wait for more text.
    More,
    /// Undecided, and the window is full.
    Full,
    /// Not what was looked for.
    No,
}

/// What a recogniser found, or why it found nothing.
pub(super) type Scan<T> = Result<T, Stop>;

/// A cursor over a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    /// The whole window.
    pub text: &'a str,
    /// Bytes read so far; always at a char boundary.
    pub at: usize,
    /// What is behind the window.
    pub end: End,
}

impl<'a> Cursor<'a> {
    /// The window that begins at byte `at` of `buffer`.
    pub fn new(buffer: &'a str, at: usize, eof: bool) -> Self {
        let rest = &buffer[at..];
        if rest.len() >= WINDOW {
            return Cursor { text: &rest[..rest.floor_char_boundary(WINDOW)], at: 0, end: End::Full };
        }
        Cursor { text: rest, at: 0, end: if eof { End::Eof } else { End::More } }
    }

    /// What hasn't been read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The reason to give where the window ends before a decision; the end of the text decides against.
    pub fn stop(&self) -> Stop {
        match self.end {
            End::More => Stop::More,
            End::Full => Stop::Full,
            End::Eof => Stop::No,
        }
    }

    /// The next char, not read; an error at the end of the window.
    pub fn peek(&self) -> Scan<char> {
        self.rest().chars().next().ok_or_else(|| self.stop())
    }

    /// The next char where the end of the text, or of a full window, is an answer too.
    pub fn peek_or_end(&self) -> Scan<Option<char>> {
        match self.rest().chars().next() {
            None if self.end == End::More => Err(Stop::More),
            next => Ok(next),
        }
    }

    /// Reads one char.
    pub fn bump(&mut self) -> Scan<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Ok(c)
    }

    /// Reads the next char if `test` likes it.
    pub fn eat_if(&mut self, test: impl Fn(char) -> bool) -> Scan<Option<char>> {
        let c = self.peek()?;
        if !test(c) {
            return Ok(None);
        }
        self.at += c.len_utf8();
        Ok(Some(c))
    }

    /// Reads chars as long as `test` likes them; an error where the window ends first.
    pub fn skip(&mut self, test: impl Fn(char) -> bool) -> Scan<()> {
        while self.eat_if(&test)?.is_some() {}
        Ok(())
    }

    /// Whether `word` (ASCII, any case) comes next.
    pub fn sees(&self, word: &str) -> Scan<bool> {
        let rest = self.rest().as_bytes();
        let seen = rest.len().min(word.len());
        if !rest[..seen].eq_ignore_ascii_case(&word.as_bytes()[..seen]) {
            return Ok(false);
        }
        if seen == word.len() { Ok(true) } else { Err(self.stop()) }
    }

    /// The rest of the line and whether its end is in sight; `Err(More)` while it may still come.
    pub fn line(&self) -> Scan<Line<'a>> {
        let rest = self.rest();
        match memchr::memchr(b'\n', rest.as_bytes()) {
            Some(end) => Ok(Line { text: &rest[..end], whole: true, next: self.at + end + 1 }),
            None if self.end == End::More => Err(Stop::More),
            None => Ok(Line { text: rest, whole: self.end == End::Eof, next: self.text.len() }),
        }
    }
}

/// What a window shows of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// Its text, without the line feed.
    pub text: &'a str,
    /// Whether the line ends within the window.
    pub whole: bool,
    /// Where the next line begins, in bytes from the start of the window.
    pub next: usize,
}

/// A space or a tab; a carriage return counts, as the end of a line may have one.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\u{3000}' | '\u{a0}')
}
