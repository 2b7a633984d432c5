//! The beginnings of lines: what each one asks for, and the lines of reference sections, which are left out.

use super::{State, Step};
use crate::domain::synthesis::citations::Rewriter;
use crate::domain::synthesis::citations::lines::{self, Heading, Line, Section, Shape};
use crate::domain::synthesis::citations::spans::Span;
use crate::domain::synthesis::citations::window::{Cursor, Stop};

impl Rewriter<'_> {
    /// Decides what the line is that begins here.
    pub(super) fn at_line_start(&mut self, buffer: &str, at: usize, eof: bool, out: &mut String) -> Step {
        let window = Cursor::new(buffer, at, eof);
        match self.state {
            State::Fence(mark, run) => {
                return match lines::fence_end(window, mark, run) {
                    Err(Stop::More) => Err(at),
                    Err(Stop::Full | Stop::No) => self.go_on(at),
                    Ok(len) => {
                        self.state = State::Text;
                        self.line_start = buffer[at..at + len].ends_with('\n');
                        self.emit(&buffer[at..at + len], out);
                        Ok(at + len)
                    }
                };
            }
            State::Verbatim(span) => {
                let ended = match span {
                    Span::Comment | Span::Raw("pre" | "script" | "style") => Ok(false),
                    Span::Display(_) | Span::Raw(_) => lines::is_empty(window),
                    Span::Destination(_) | Span::Title(_) => Ok(true),
                    Span::Code(_) | Span::Math(_) | Span::Tag => lines::begins_block(window),
                };
                match ended {
                    Err(Stop::More) => return Err(at),
                    Ok(true) => self.state = State::Text,
                    Ok(false) | Err(Stop::Full | Stop::No) => return self.go_on(at),
                }
            }
            State::Indented => match lines::shape(window) {
                Err(_) => return Err(at),
                Ok(Shape::Deep | Shape::Blank) => return self.go_on(at),
                Ok(_) => self.state = State::Text,
            },
            State::Text | State::FenceLine(_) | State::Group(_) | State::SkipHeading | State::SkipEntry => {
                self.state = State::Text;
            }
        }
        let shape = lines::shape(window).map_err(|_| at)?;
        let line = lines::classify(window, self.section, self.level).map_err(|_| at)?;
        Ok(self.take_line(line, shape, buffer, at, out))
    }

    /// The line goes on with what the last one was in.
    fn go_on(&mut self, at: usize) -> Step {
        self.line_start = false;
        Ok(at)
    }

    /// Does what a line's beginning asks for.
    fn take_line(&mut self, line: Line, shape: Shape, buffer: &str, at: usize, out: &mut String) -> usize {
        let inside = self.section != Section::Outside;
        self.indices.in_line = false;
        match line {
            Line::Blank(len) | Line::Rule(len) if inside => {
                self.strip("", len);
                return at + len;
            }
            Line::Heading(heading) => return self.take_heading(heading, buffer, at),
            Line::Entry => return self.take_entry(at),
            Line::Labelled(number) if self.cited.has(number) => {
                self.in_line = true;
                return self.take_entry(at);
            }
            Line::DetailsEnd(len) if inside && self.details => {
                self.strip("", len);
                self.leave(Section::Closed);
                return at + len;
            }
            Line::Plain
            | Line::Blank(_)
            | Line::Rule(_)
            | Line::Fence(..)
            | Line::Labelled(_)
            | Line::DetailsEnd(_) => {}
        }
        if inside {
            self.leave(Section::Outside);
            self.close_section(self.read + at, out);
        }
        self.cited.naming = matches!(line, Line::Labelled(_));
        self.line_start = false;
        if self.begins_code(shape) && line == Line::Plain {
            self.state = State::Indented;
            return at;
        }
        if let Line::Fence(len, mark, run) = line {
            self.state = if mark == b'`' { State::FenceLine(run) } else { State::Fence(mark, run) };
            self.emit(&buffer[at..at + len], out);
            return at + len;
        }
        at
    }

    /// Whether a line of this shape begins code by indentation; from now on it is the line before.
    fn begins_code(&mut self, shape: Shape) -> bool {
        let after_blank = self.after_blank || self.tail.ends_with(b"\n\n");
        let is_code = shape == Shape::Deep && after_blank && !self.in_list;
        self.in_list = match shape {
            Shape::Item => true,
            // Without an empty line before it goes on with the item.
            Shape::Flush => self.in_list && !after_blank,
            Shape::Heading => false,
            Shape::Blank | Shape::Deep | Shape::Shallow => self.in_list,
        };
        self.after_blank = shape == Shape::Blank;
        is_code
    }

    /// A reference entry begins.
    fn take_entry(&mut self, at: usize) -> usize {
        if matches!(self.section, Section::Outside | Section::Closed) {
            self.section = Section::Run;
        }
        self.line_start = false;
        self.state = State::SkipEntry;
        at
    }

    /// No entry comes any more.
    fn leave(&mut self, section: Section) {
        self.section = section;
        self.level = lines::NO_LEVEL;
        self.details = false;
    }

    fn take_heading(&mut self, heading: Heading, buffer: &str, at: usize) -> usize {
        let title = &buffer[at + heading.title.0..at + heading.title.1];
        self.strip(title, heading.len);
        self.section = if heading.sure { Section::Listed } else { Section::Headed };
        self.level = self.level.min(heading.level);
        self.continued = false;
        self.details |= heading.details;
        if heading.cut {
            self.state = State::SkipHeading;
            self.line_start = false;
        }
        at + heading.len
    }

    /// The rest of a line of a reference section.
    pub(super) fn skip_line(&mut self, buffer: &str, at: usize) -> usize {
        let end = memchr::memchr(b'\n', &buffer.as_bytes()[at..]);
        let next = end.map_or(buffer.len(), |end| at + end + 1);
        if self.state == State::SkipEntry {
            self.strip_entry(&buffer[at..next]);
        } else {
            self.strip("", next - at);
        }
        if end.is_some() {
            self.end_entry();
            self.line_start = true;
            self.state = State::Text;
        }
        next
    }

    /// A line of a reference section has ended.
    pub(super) fn end_entry(&mut self) {
        if !self.entry.is_empty() {
            self.define();
        }
    }
}
