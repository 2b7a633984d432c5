//! Reads one object or list into a [`Node`], without recursion, up to its end or to what can't be understood.
//!
//! ```text
//!  object:  Key ──string, word──► Colon ──:──► Value ──string, word, closed { or [──► Key
//!  list:    any value
//! ```
//!
//! Commas are skipped, wherever they are. A closing bracket of the other kind closes what is inside the one that it
//! belongs to. A key in a list (`[1, 2, "confidence": "high"}`) closes the list. Everything else that doesn't fit ends the
//! reading; what is open then stays open, so nothing that follows is taken for a part of it.

use super::super::NESTING_MAX;
use super::node::Node;
use super::note::{Note, Notes};
use super::strings::{is_quote, string};

/// Values that are kept of one object at most.
const NODES_MAX: usize = 100_000;
/// Bytes of a number or word at most.
const WORD_BYTES_MAX: usize = 64;

/// What was read.
pub(super) struct Parsed {
    pub(super) node: Node,
    /// Where the text goes on; always behind the beginning.
    pub(super) end: usize,
    pub(super) notes: Notes,
}

/// What an object expects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wants {
    Key,
    Colon,
    Value,
}

/// What isn't closed yet.
enum Open {
    Object { fields: Vec<(String, Node)>, key: String, wants: Wants },
    List(Vec<Node>),
}

/// Reading can't go on.
struct Lost;

struct Parser<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Open>,
    /// Brackets that are too deep, and open.
    deep: usize,
    nodes: usize,
    done: Option<Node>,
    notes: Notes,
}

/// Reads what begins with the bracket at byte `at` of `text`.
pub(super) fn parse(text: &str, at: usize) -> Parsed {
    let mut parser =
        Parser { text, at, open: Vec::new(), deep: 0, nodes: 0, done: None, notes: Notes::new() };
    while parser.done.is_none() {
        parser.blanks();
        let Some(c) = text[parser.at..].chars().next() else { break };
        if parser.step(c).is_err() {
            parser.notes.insert(Note::Unreadable);
            break;
        }
    }
    parser.parsed()
}

impl Parser<'_> {
    /// What was read, with all that is open left open.
    fn parsed(mut self) -> Parsed {
        while self.done.is_none() {
            self.pop(false);
        }
        let node = self.done.unwrap_or(Node::Broken);
        Parsed { node, end: self.at, notes: self.notes }
    }

    /// Skips blanks and comments.
    fn blanks(&mut self) {
        loop {
            let rest =
                self.text[self.at..].trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.at = self.text.len() - rest.len();
            let length = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n')
            } else if rest.starts_with("/*") {
                rest.find("*/").map(|at| at + 2)
            } else {
                return;
            };
            self.at += length.unwrap_or(rest.len());
        }
    }

    fn step(&mut self, c: char) -> Result<(), Lost> {
        match c {
            '{' | '[' => self.bracket(c),
            '}' | ']' => self.close(c),
            _ if is_quote(c) && !self.text[self.at..].starts_with("```") => {
                let read = string(self.text, self.at);
                self.at = read.end;
                self.notes.extend(read.note);
                self.token(read.node)
            }
            '`' => Err(Lost), // the end of the fence
            ',' => {
                self.at += 1;
                if self.deep == 0
                    && let Some(Open::Object { wants, .. }) = self.open.last_mut()
                {
                    *wants = Wants::Key;
                }
                Ok(())
            }
            ':' => self.colon(),
            _ => {
                let word = self.word();
                self.token(word)
            }
        }
    }

    /// Opens an object or a list.
    fn bracket(&mut self, c: char) -> Result<(), Lost> {
        if self.deep == 0
            && let Some(Open::Object { wants: Wants::Key | Wants::Colon, .. }) = self.open.last()
        {
            return Err(Lost);
        }
        self.at += 1;
        if self.deep > 0 || self.open.len() == NESTING_MAX {
            self.deep += 1;
            self.notes.insert(Note::TooDeep);
            return Ok(());
        }
        self.open.push(match c {
            '{' => Open::Object { fields: Vec::new(), key: String::new(), wants: Wants::Key },
            _ => Open::List(Vec::new()),
        });
        Ok(())
    }

    /// Closes the innermost object or list that `c` belongs to, and what is open inside of it.
    fn close(&mut self, c: char) -> Result<(), Lost> {
        if self.deep > 0 {
            self.deep -= 1;
            self.at += 1;
            if self.deep == 0 {
                self.attach(Node::Broken);
            }
            return Ok(());
        }
        let fits = |open: &Open| matches!(open, Open::Object { .. }) == (c == '}');
        let Some(inside) = self.open.iter().rev().position(fits) else { return Err(Lost) };
        if inside > 0 {
            self.notes.insert(Note::Brackets);
        }
        for _ in 0..=inside {
            self.pop(true);
        }
        self.at += 1;
        Ok(())
    }

    /// Takes the innermost off, and puts it where it belongs.
    fn pop(&mut self, closed: bool) {
        let node = match self.open.pop() {
            Some(Open::Object { fields, .. }) => Node::Object(fields, closed),
            Some(Open::List(items)) => Node::List(items, closed),
            None => Node::Broken,
        };
        if self.open.is_empty() {
            self.done = Some(node);
        } else {
            self.attach(node);
        }
    }

    /// A key follows: the list that it stands in wasn't closed, or the colon behind it is due.
    fn colon(&mut self) -> Result<(), Lost> {
        self.at += 1;
        if self.deep > 0 {
            return Ok(());
        }
        if let Some(Open::List(items)) = self.open.last_mut()
            && let Some(Node::Text(text)) = items.pop_if(|item| matches!(item, Node::Text(_)))
            && self.open.len() > 1
        {
            self.notes.insert(Note::Brackets);
            self.pop(true);
            return match self.open.last_mut() {
                Some(Open::Object { key, wants, .. }) => {
                    (*key, *wants) = (text, Wants::Value);
                    Ok(())
                }
                Some(Open::List(_)) | None => Err(Lost),
            };
        }
        match self.open.last_mut() {
            Some(Open::Object { wants: wants @ Wants::Colon, .. }) => {
                *wants = Wants::Value;
                Ok(())
            }
            Some(Open::Object { .. } | Open::List(_)) | None => Err(Lost),
        }
    }

    /// A number, a literal, or a bare word: up to the next bracket, comma, colon or blank.
    fn word(&mut self) -> Node {
        let rest = &self.text[self.at..];
        let ends = |c: char| c.is_whitespace() || ",:{}[]".contains(c);
        let Some(length) = rest.find(ends) else {
            self.at = self.text.len();
            return Node::Broken; // perhaps only its beginning
        };
        let comment = |marks| rest[..length].find(marks).filter(|at| *at > 0);
        let length = comment("/*").or_else(|| comment("//")).unwrap_or(length);
        self.at += length;
        match length > WORD_BYTES_MAX {
            true => Node::Broken,
            false => Node::Word(rest[..length].to_owned()),
        }
    }

    /// A string or a word stands here.
    fn token(&mut self, node: Node) -> Result<(), Lost> {
        if self.deep > 0 {
            return Ok(());
        }
        match self.open.last_mut() {
            Some(Open::Object { key, wants: wants @ Wants::Key, .. }) => {
                *wants = Wants::Colon;
                *key = match node {
                    Node::Text(text) | Node::Word(text) => text,
                    Node::Object(..) | Node::List(..) | Node::Broken => String::new(),
                };
                Ok(())
            }
            Some(Open::Object { wants: Wants::Colon, .. }) => Err(Lost),
            Some(Open::Object { .. } | Open::List(_)) | None => {
                self.attach(node);
                Ok(())
            }
        }
    }

    /// Puts a value into the innermost object or list.
    fn attach(&mut self, node: Node) {
        self.nodes += 1;
        let room = self.nodes <= NODES_MAX;
        if !room {
            self.notes.insert(Note::TooMany);
        }
        match self.open.last_mut() {
            Some(Open::Object { fields, key, wants }) => {
                let key = std::mem::take(key);
                if room && *wants == Wants::Value {
                    fields.push((key, node));
                }
                *wants = Wants::Key;
            }
            Some(Open::List(items)) if room => items.push(node),
            Some(Open::List(_)) | None => {}
        }
    }
}
