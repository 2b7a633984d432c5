//! The events of a session's log, each type with its content.

use serde_json::json;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AllOfBuilder, Discriminator, ObjectBuilder, OneOfBuilder, Ref, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::domain::record::EventType;
use crate::domain::wire::{Content, WireEvent};

/// An event as it is stored and replayed, byte for byte: [`WireEvent`] by its type.
pub struct Event;

/// The types that this version writes: what their events and contents are called.
const DESCRIBED: [(EventType, &str, &str); 11] = [
    (EventType::StepStarted, "StepStartedEvent", "StepStartedContent"),
    (EventType::SubagentStarted, "SubagentStartedEvent", "SubagentStartedContent"),
    (EventType::PlannerStream, "PlannerStreamEvent", "PlannerStreamContent"),
    (EventType::SubagentCompleted, "SubagentCompletedEvent", "SubagentCompletedContent"),
    (EventType::PlannerProgress, "PlannerProgressEvent", "Progress"),
    (EventType::PolicyOutcome, "PolicyOutcomeEvent", "PolicyOutcomeContent"),
    (EventType::StepCompleted, "StepCompletedEvent", "StepCompletedContent"),
    (EventType::Aggregation, "AggregationEvent", "AggregationContent"),
    (EventType::SynthesisDelta, "SynthesisDeltaEvent", "SynthesisDeltaContent"),
    (EventType::Synthesis, "SynthesisEvent", "SynthesisContent"),
    (EventType::PlanStepCompleted, "PlanStepCompletedEvent", "PlanStepCompletedContent"),
];

impl PartialSchema for Event {
    fn schema() -> RefOr<Schema> {
        let mapping = DESCRIBED.map(|(event_type, name, _)| (text(event_type), reference(name)));
        let mut one_of = OneOfBuilder::new()
            .description(Some(
                "An event, the same bytes each time. Other types may come with later versions.",
            ))
            .discriminator(Some(Discriminator::with_mapping("type", mapping)));
        for (_, name, _) in DESCRIBED {
            one_of = one_of.item(Ref::from_schema_name(name));
        }
        one_of.into()
    }
}

impl ToSchema for Event {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        WireEvent::schemas(schemas);
        schemas.push((WireEvent::name().into_owned(), WireEvent::schema()));
        Content::schemas(schemas);
        schemas.extend(contents());
        schemas.extend(
            DESCRIBED.map(|(event_type, name, content)| (name.to_owned(), event(event_type, content))),
        );
    }
}

/// The variants of [`Content`], each under its title. One without a title has a name already.
fn contents() -> impl Iterator<Item = (String, RefOr<Schema>)> {
    let items = match Content::schema() {
        RefOr::T(Schema::OneOf(one_of)) => one_of.items,
        RefOr::T(_) | RefOr::Ref(_) => Vec::new(),
    };
    items.into_iter().filter_map(|item| match item {
        RefOr::T(Schema::Object(mut object)) => {
            object.title.take().map(|title| (title, Schema::Object(object).into()))
        }
        RefOr::T(_) | RefOr::Ref(_) => None,
    })
}

fn event(event_type: EventType, content: &str) -> RefOr<Schema> {
    let own_type = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([text(event_type)]));
    let own =
        ObjectBuilder::new().property("type", own_type).property("content", Ref::from_schema_name(content));
    AllOfBuilder::new().item(Ref::from_schema_name(WireEvent::name())).item(own).into()
}

fn reference(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

fn text(event_type: EventType) -> String {
    json!(event_type).as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_content_belongs_to_a_type() {
        let mut titles: Vec<String> = contents().map(|(title, _)| title).chain(["Progress".into()]).collect();
        let mut described: Vec<&str> = DESCRIBED.iter().map(|(_, _, content)| *content).collect();
        titles.sort();
        described.sort();
        assert_eq!(titles, described);
    }
}
