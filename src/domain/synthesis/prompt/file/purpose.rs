//! What a prompt is for, and which placeholders it may and must have.

use crate::domain::directive::TaskType;
use crate::domain::synthesis::prompt::template::Placeholder;

/// What a prompt is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// A draft out of what subagents found.
    Retrieval,
    /// A draft out of what subagents judged.
    Reasoning,
    /// A draft out of the parts that subagents wrote.
    Composition,
    /// An answer out of a context sheet.
    Answer,
    /// Failing items, corrected.
    Repair,
    /// A verdict on a text.
    Judge,
}

use Placeholder::{
    DocumentContext, Format, Goal, Instructions, Items, Language, Length, Material, Query, Text,
};

impl Purpose {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Retrieval, Self::Reasoning, Self::Composition, Self::Answer, Self::Repair, Self::Judge];

    /// The word in front matter, and the name of the prompt that is used where none is named.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Retrieval => "retrieval",
            Self::Reasoning => "reasoning",
            Self::Composition => "composition",
            Self::Answer => "answer",
            Self::Repair => "repair",
            Self::Judge => "judge",
        }
    }

    /// The purpose of a step's draft; a step that doesn't say what it is retrieves.
    pub const fn of_task(task: Option<TaskType>) -> Self {
        match task {
            None | Some(TaskType::Retrieval) => Self::Retrieval,
            Some(TaskType::Reasoning) => Self::Reasoning,
            Some(TaskType::Composition) => Self::Composition,
        }
    }

    /// Whether it asks for a draft: such prompts may stand in for each other where a directive names one.
    pub const fn is_draft(self) -> bool {
        match self {
            Self::Retrieval | Self::Reasoning | Self::Composition => true,
            Self::Answer | Self::Repair | Self::Judge => false,
        }
    }

    /// What its user's part may have.
    pub(super) const fn placeholders(self) -> &'static [Placeholder] {
        match self {
            Self::Retrieval | Self::Reasoning | Self::Composition => {
                &[Query, Goal, Instructions, DocumentContext, Language, Length, Format, Material]
            }
            Self::Answer => &[Query, Language, Length, Format, Material],
            Self::Repair => {
                &[Query, Goal, Instructions, DocumentContext, Language, Length, Format, Material, Items]
            }
            Self::Judge => &[Query, Language, Text],
        }
    }

    /// What its user's part must have, once.
    pub(super) const fn required(self) -> &'static [Placeholder] {
        match self {
            Self::Retrieval | Self::Reasoning | Self::Composition | Self::Answer => &[Material],
            Self::Repair => &[Items, Material],
            Self::Judge => &[Text],
        }
    }
}
