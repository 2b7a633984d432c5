//! Values that stand in many places: ids, codes, cursors.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::domain::ids::{ID_BYTES_MAX, ResultKey, SessionId, StepId, SubagentKey};
use crate::domain::position::Sequence;
use crate::domain::verdict::Code;

macro_rules! ids {
    ($($name:ident: $description:literal, $example:literal;)+) => {$(
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                id($description, $example)
            }
        }
        impl ToSchema for $name {}
    )+};
}

ids! {
    SessionId: "A conversation of a planner: the scope of one log. Neither `.` nor `..`.", "sess-123";
    StepId: "A step of a plan, unique in its session. Neither `.` nor `..`.", "plan-step-4";
    SubagentKey: "A kind of subagent; events call it `stage`. Neither `.` nor `..`.", "documentation";
    ResultKey: "One expected output of a step, unique in the step. Neither `.` nor `..`.", "quote_conversion_doc";
}

/// What isn't `.` or `..` has another character than dots, or three of them. Not every program that reads patterns looks ahead.
const ID: &str = r"^(\.*[A-Za-z0-9_:-][A-Za-z0-9._:-]*|\.{3,})$";

fn id(description: &str, example: &str) -> RefOr<Schema> {
    let text = text(description).min_length(Some(1)).max_length(Some(ID_BYTES_MAX));
    text.pattern(Some(ID)).examples([example]).into()
}

fn text(description: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description))
}

impl PartialSchema for Code {
    fn schema() -> RefOr<Schema> {
        let codes = Code::ALL.iter().map(|code| code.as_str());
        text("What is wrong, for a program: stable.").enum_values(Some(codes)).into()
    }
}
impl ToSchema for Code {}

impl PartialSchema for Sequence {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
        number.description(Some("The number of an entry in its session: dense, from 1.")).into()
    }
}
impl ToSchema for Sequence {}

/// A place in a log as readers keep it; inside, a [`Position`](crate::domain::position::Position).
pub struct Cursor;

impl PartialSchema for Cursor {
    fn schema() -> RefOr<Schema> {
        text("A place in a session's log: `<epoch>_<sequence>_<chain>`. Keep it as it is.")
            .pattern(Some("^[0-9a-f]{6,16}_(0|[1-9][0-9]{0,18})_[0-9a-f]{16}$"))
            .examples(["7f3a91_12_41d0aa0741d0aa07"])
            .into()
    }
}
impl ToSchema for Cursor {}

/// Where a reader starts; inside, a [`StartAt`](crate::engine::mux::StartAt).
pub struct Place;

const CURSOR: &str = "[0-9a-f]{6,16}_(0|[1-9][0-9]{0,18})_[0-9a-f]{16}";

impl PartialSchema for Place {
    fn schema() -> RefOr<Schema> {
        text(
            "A place to start at: a cursor, a sequence, `start`, `tail` or `snapshot`; an empty one is none.",
        )
        .pattern(Some(format!("^(start|tail|snapshot|0|[1-9][0-9]{{0,18}}|{CURSOR})?$")))
        .examples(["start"])
        .into()
    }
}
impl ToSchema for Place {}
