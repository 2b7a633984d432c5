//! The items and texts of a draft, out of the fields of an object.

use super::super::fields::{Field, field};
use super::super::{Draft, DraftContradiction, DraftFinding, DraftStatement, ITEMS_MAX};
use super::ids::ids;
use super::node::Node;
use super::note::{Note, Notes};
use crate::domain::aggregate::result::Level;

/// The fields of an object, in their order.
pub(super) type Fields = [(String, Node)];

/// The draft that has these fields.
pub(super) fn whole(fields: &Fields, notes: &mut Notes) -> Draft {
    let mut draft = Draft::default();
    if let Some(node) = pick(fields, Field::Findings, notes) {
        draft.findings = items(node, notes, finding);
    }
    if let Some(node) = pick(fields, Field::Contradictions, notes) {
        draft.contradictions = items(node, notes, contradiction);
    }
    if let Some(node) = pick(fields, Field::Gaps, notes) {
        draft.gaps = items(node, notes, gap);
    }
    draft.summary = text(fields, Field::Summary, notes).unwrap_or_default();
    draft
}

/// The value of a field: the last complete one, or the last one.
fn pick<'n>(fields: &'n Fields, wanted: Field, notes: &mut Notes) -> Option<&'n Node> {
    let mut values = fields.iter().rev().filter(|(key, _)| field(key) == Some(wanted)).map(|(_, node)| node);
    let last = values.next()?;
    let mut values = values.peekable();
    if values.peek().is_some() {
        notes.insert(Note::Twice);
    }
    if last.is_whole() {
        return Some(last);
    }
    Some(values.find(|node| node.is_whole()).unwrap_or(last))
}

/// The text of a field, as it stands, if it isn't blank.
fn text(fields: &Fields, wanted: Field, notes: &mut Notes) -> Option<String> {
    match pick(fields, wanted, notes)? {
        Node::Text(text) => (!text.trim().is_empty()).then(|| text.clone()),
        Node::Word(word) if word.is_empty() => None,
        node @ (Node::Object(..) | Node::List(..) | Node::Word(_)) => {
            if !node.is_null() {
                notes.insert(Note::WrongType);
            }
            None
        }
        Node::Broken => None,
    }
}

/// The items of a list, or the single item that stands in its place.
pub(super) fn items<T>(node: &Node, notes: &mut Notes, read: fn(&Node, &mut Notes) -> Option<T>) -> Vec<T> {
    let nodes: Vec<&Node> = match node {
        Node::List(items, closed) => {
            if !closed {
                notes.insert(Note::Cut);
            }
            items.iter().collect()
        }
        _ if node.is_null() => return Vec::new(),
        Node::Object(fields, _) if !fields.iter().any(|(key, _)| field(key).is_some()) => {
            notes.insert(Note::Single); // `{"1": {…}, "2": {…}}`
            fields.iter().map(|(_, node)| node).collect()
        }
        Node::Object(..) | Node::Text(_) | Node::Word(_) | Node::Broken => {
            notes.insert(Note::Single);
            vec![node]
        }
    };
    let mut found: Vec<T> =
        nodes.into_iter().filter_map(|node| read(node, notes)).take(ITEMS_MAX + 1).collect();
    if found.len() > ITEMS_MAX {
        notes.insert(Note::TooMany);
        found.truncate(ITEMS_MAX);
    }
    found
}

/// The fields of an item that is an object, or its text if it is a string; notes what is neither.
fn item<'n>(node: &'n Node, notes: &mut Notes) -> Option<Result<&'n Fields, String>> {
    match node {
        Node::Object(fields, true) => return Some(Ok(fields)),
        Node::Text(text) if !text.trim().is_empty() => {
            notes.insert(Note::Bare);
            return Some(Err(text.clone()));
        }
        Node::Object(_, false) | Node::Broken => notes.insert(Note::Cut),
        Node::Text(_) => notes.insert(Note::NoContent),
        Node::List(..) | Node::Word(_) => notes.insert(Note::WrongType),
    };
    None
}

/// A finding, if it is closed and says something.
pub(super) fn finding(node: &Node, notes: &mut Notes) -> Option<DraftFinding> {
    let fields = match item(node, notes)? {
        Ok(fields) => fields,
        Err(content) => return Some(DraftFinding { content, ..DraftFinding::default() }),
    };
    let Some(content) = text(fields, Field::Content, notes) else {
        notes.insert(Note::NoContent);
        return None;
    };
    Some(DraftFinding {
        topic: text(fields, Field::Topic, notes).unwrap_or_default(),
        content,
        source_ids: pick(fields, Field::SourceIds, notes).map(|node| ids(node, notes)).unwrap_or_default(),
        confidence: pick(fields, Field::Confidence, notes).and_then(|node| level(node, notes)),
        transition: text(fields, Field::Transition, notes),
    })
}

fn contradiction(node: &Node, notes: &mut Notes) -> Option<DraftContradiction> {
    let fields = match item(node, notes)? {
        Ok(fields) => fields,
        Err(description) => return Some(DraftContradiction { description, statements: Vec::new() }),
    };
    let description = text(fields, Field::Description, notes).unwrap_or_default();
    let statements = pick(fields, Field::Statements, notes);
    let statements = statements.map(|node| items(node, notes, statement)).unwrap_or_default();
    if description.is_empty() && statements.is_empty() {
        notes.insert(Note::NoContent);
        return None;
    }
    Some(DraftContradiction { description, statements })
}

fn statement(node: &Node, notes: &mut Notes) -> Option<DraftStatement> {
    let fields = match item(node, notes)? {
        Ok(fields) => fields,
        Err(quote) => return Some(DraftStatement { quote, source_id: None }),
    };
    let ids = pick(fields, Field::SourceIds, notes).map(|node| ids(node, notes)).unwrap_or_default();
    let source_id = match ids[..] {
        [id] => Some(id),
        _ => None,
    };
    let Some(quote) = text(fields, Field::Quote, notes) else {
        notes.insert(Note::NoContent);
        return None;
    };
    Some(DraftStatement { quote, source_id })
}

/// A gap: a string, or an object that describes it.
fn gap(node: &Node, notes: &mut Notes) -> Option<String> {
    match node {
        Node::Text(text) => (!text.trim().is_empty()).then(|| text.clone()),
        Node::Object(fields, true) => text(fields, Field::Description, notes),
        Node::Object(_, false) | Node::List(..) | Node::Word(_) | Node::Broken => {
            item(node, notes);
            None
        }
    }
}

fn level(node: &Node, notes: &mut Notes) -> Option<Level> {
    let word = match node {
        Node::Text(word) | Node::Word(word) => word.trim(),
        Node::Object(..) | Node::List(..) | Node::Broken => "",
    };
    let found = [("low", Level::Low), ("medium", Level::Medium), ("high", Level::High)]
        .into_iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(word))
        .map(|(_, level)| level);
    if found.is_none() && !node.is_null() {
        notes.insert(Note::UnknownLevel);
    }
    found
}
