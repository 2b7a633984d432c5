//! Where in an object or list a draft is, and how much it looks like one.

use super::super::Draft;
use super::super::fields::{Field, field};
use super::node::Node;
use super::note::{Note, Notes};
use super::values::{Fields, finding, items, whole};

/// How far inside something else a draft is looked for.
const WRAPPINGS_MAX: usize = 4;

/// A draft in an object or a list.
#[derive(Clone, Copy)]
pub(super) struct Shape<'n> {
    kind: Kind<'n>,
    /// What it is read from.
    node: &'n Node,
    nested: bool,
}

#[derive(Clone, Copy)]
enum Kind<'n> {
    /// An object with fields of a draft.
    Whole(&'n Fields),
    /// A list of findings.
    Findings,
    /// An object that is one finding.
    Finding,
}

/// How much something looks like a draft: its fields with findings before all, then whether it was closed.
pub(super) type Rank = (usize, bool);

impl<'n> Shape<'n> {
    /// The draft in `node`, if there is one.
    pub(super) fn of(node: &'n Node) -> Option<Self> {
        Self::within(node, WRAPPINGS_MAX)
    }

    fn within(node: &'n Node, depth: usize) -> Option<Self> {
        let kind = match node {
            Node::Object(fields, _) if worth(fields) > 0 => Some(Kind::Whole(fields)),
            Node::Object(fields, _) if says(fields) => Some(Kind::Finding),
            Node::List(items, _) if items.iter().any(is_finding) => Some(Kind::Findings),
            Node::Object(..) | Node::List(..) | Node::Text(_) | Node::Word(_) | Node::Broken => None,
        };
        if kind.is_some() || depth == 0 {
            return kind.map(|kind| Shape { kind, node, nested: depth < WRAPPINGS_MAX });
        }
        let best = |inner: &mut dyn Iterator<Item = &'n Node>| {
            inner.filter_map(|node| Self::within(node, depth - 1)).max_by_key(Self::rank)
        };
        match node {
            Node::Object(fields, _) => best(&mut fields.iter().map(|(_, node)| node)),
            Node::List(items, _) => best(&mut items.iter()),
            Node::Text(_) | Node::Word(_) | Node::Broken => None,
        }
    }

    pub(super) fn rank(&self) -> Rank {
        let worth = match self.kind {
            Kind::Whole(fields) => worth(fields),
            Kind::Findings => 4,
            Kind::Finding => 1,
        };
        (worth, self.is_closed())
    }

    /// Whether its closing bracket was found.
    pub(super) fn is_closed(&self) -> bool {
        self.node.is_whole()
    }

    /// Whether it is an object of its own that is one finding.
    pub(super) fn is_alone(&self) -> bool {
        !self.nested && matches!(self.kind, Kind::Finding)
    }

    /// What it says.
    pub(super) fn draft(&self, notes: &mut Notes) -> Draft {
        if self.nested {
            notes.insert(Note::Nested);
        }
        if !self.is_closed() {
            notes.insert(Note::Cut);
        }
        match self.kind {
            Kind::Whole(fields) => whole(fields, notes),
            Kind::Findings | Kind::Finding => {
                Draft { findings: items(self.node, notes, finding), ..Draft::default() }
            }
        }
    }
}

/// The draft of findings that stand alone.
pub(super) fn alone(nodes: &[Node], notes: &mut Notes) -> Draft {
    let findings = nodes.iter().filter_map(|node| finding(node, notes)).collect();
    Draft { findings, ..Draft::default() }
}

/// How much of a draft an object has; 0 if it has nothing of it. Findings count more than all the rest.
fn worth(fields: &Fields) -> usize {
    let drafts = [Field::Findings, Field::Contradictions, Field::Gaps, Field::Summary];
    let best = |wanted: Field| {
        let values = fields.iter().filter(|(key, _)| field(key) == Some(wanted));
        values.map(|(_, node)| worth_of(wanted, node)).max().unwrap_or(0)
    };
    drafts.into_iter().map(best).sum()
}

/// How much a value is worth as a field of a draft.
fn worth_of(name: Field, node: &Node) -> usize {
    match (name, node) {
        (Field::Findings, Node::List(items, _)) if items.iter().any(is_finding) => 8,
        (Field::Findings, Node::List(items, _)) if items.iter().any(|item| matches!(item, Node::Text(_))) => {
            7
        }
        (Field::Findings, Node::Object(inner, _))
            if says(inner) || inner.iter().any(|(_, node)| is_finding(node)) =>
        {
            8
        }
        (Field::Summary, Node::List(..) | Node::Object(..)) => 0,
        (_, Node::Object(inner, _)) => 2 * usize::from(inner.iter().any(|(key, _)| field(key).is_some())),
        (_, Node::List(..) | Node::Text(_) | Node::Broken) => 2,
        (_, Node::Word(_)) => usize::from(node.is_null()),
    }
}

/// Whether an object has content.
fn says(fields: &Fields) -> bool {
    fields.iter().any(|(key, node)| field(key) == Some(Field::Content) && matches!(node, Node::Text(_)))
}

fn is_finding(node: &Node) -> bool {
    matches!(node, Node::Object(fields, true) if says(fields))
}
