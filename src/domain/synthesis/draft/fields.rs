//! The names of a draft's fields, as models write them.

/// Bytes of the longest name that is looked at.
const NAME_BYTES_MAX: usize = 32;

/// A field that a draft has somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Findings,
    Contradictions,
    Gaps,
    Summary,
    Topic,
    Content,
    Transition,
    SourceIds,
    Confidence,
    Description,
    Statements,
    Quote,
}

/// The field of a key; capitals and what joins words (`source_ids`, `sourceIds`, `Source IDs`) make no difference.
pub(super) fn field(key: &str) -> Option<Field> {
    if key.len() > NAME_BYTES_MAX {
        return None;
    }
    let joins = |c: &char| !matches!(c, '_' | '-' | ' ');
    let name: String = key.chars().filter(joins).map(|c| c.to_ascii_lowercase()).collect();
    Some(match name.as_str() {
        "findings" => Field::Findings,
        "contradictions" => Field::Contradictions,
        "gaps" => Field::Gaps,
        "summary" => Field::Summary,
        "topic" => Field::Topic,
        "content" => Field::Content,
        "transition" => Field::Transition,
        "sourceids" | "sourceid" => Field::SourceIds,
        "confidence" => Field::Confidence,
        "description" => Field::Description,
        "statements" => Field::Statements,
        "quote" => Field::Quote,
        _ => return None,
    })
}

impl Field {
    /// Whether it is one of the four of the whole draft.
    pub(super) fn is_of_draft(self) -> bool {
        match self {
            Field::Findings | Field::Contradictions | Field::Gaps | Field::Summary => true,
            Field::Topic
            | Field::Content
            | Field::Transition
            | Field::SourceIds
            | Field::Confidence
            | Field::Description
            | Field::Statements
            | Field::Quote => false,
        }
    }
}
