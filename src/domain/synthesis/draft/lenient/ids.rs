//! Source ids, as models write them: `1`, `"1"`, `"[1]"`, `"S1"`, `"Source 1"`, `"1, 2"`.

use super::super::ITEMS_MAX;
use super::super::fields::{Field, field};
use super::node::Node;
use super::note::{Note, Notes};

/// Bytes of the longest text that may be an id or a few.
const BYTES_MAX: usize = 64;
/// Words that may stand in front of a number.
const PREFIXES: [&str; 9] = ["", "s", "source", "sources", "src", "id", "ref", "source_id", "sourceid"];

/// The ids in `node`, each once, in their order.
pub(super) fn ids(node: &Node, notes: &mut Notes) -> Vec<u32> {
    let mut found = Vec::new();
    match node {
        Node::List(items, _) => items.iter().for_each(|item| add(item, &mut found, notes)),
        Node::Object(..) | Node::Text(_) | Node::Word(_) | Node::Broken => add(node, &mut found, notes),
    }
    found
}

/// Adds the ids of one item.
fn add(node: &Node, found: &mut Vec<u32>, notes: &mut Notes) {
    let read = match node {
        Node::Word(_) if node.is_null() => return,
        Node::Word(text) | Node::Text(text) => numbers(text),
        Node::Object(fields, true) => {
            let mut ids =
                fields.iter().filter(|(key, _)| key == "id" || field(key) == Some(Field::SourceIds));
            ids.next().and_then(|(_, node)| match node {
                Node::Word(text) | Node::Text(text) => numbers(text),
                Node::Object(..) | Node::List(..) | Node::Broken => None,
            })
        }
        Node::List(items, _) if items.len() == 1 => match &items[0] {
            Node::Word(text) | Node::Text(text) => numbers(text), // `[[1], [2]]`
            Node::Object(..) | Node::List(..) | Node::Broken => None,
        },
        Node::Object(_, false) | Node::List(..) | Node::Broken => None,
    };
    let Some(read) = read else {
        notes.insert(Note::UnknownIds);
        return;
    };
    for id in read {
        if found.len() == ITEMS_MAX {
            notes.insert(Note::TooMany);
        } else if !found.contains(&id) {
            found.push(id);
        }
    }
}

/// The numbers that a text consists of; none if it says anything else too.
fn numbers(text: &str) -> Option<Vec<u32>> {
    if text.len() > BYTES_MAX {
        return None;
    }
    let separates = |c: char| matches!(c, ',' | ';' | '[' | ']' | '(' | ')' | '【' | '】');
    let parts = text.split(separates).map(str::trim).filter(|part| !part.is_empty());
    let numbers: Vec<u32> = parts.map(number).collect::<Option<_>>()?;
    (!numbers.is_empty()).then_some(numbers)
}

/// `1`, `1.0`, `S1`, `Source 1`, `#1`, `^1`.
fn number(part: &str) -> Option<u32> {
    let digits = part.find(|c: char| c.is_ascii_digit())?;
    let prefix = part[..digits].trim_end_matches([' ', '-', '_', ':', '#', '^', '.']);
    let digits = part[digits..].strip_suffix(".0").unwrap_or(&part[digits..]);
    let known = PREFIXES.iter().any(|known| known.eq_ignore_ascii_case(prefix));
    let negative = prefix.is_empty() && part.starts_with(['-', '.']);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    (known && plain && !negative).then(|| digits.parse().ok()).flatten()
}
