//! What readers are answered: one resource in three forms.

use std::collections::BTreeMap;

use serde_json::json;
use utoipa::openapi::schema::{ObjectBuilder, Ref, Type};
use utoipa::openapi::{Content, ContentBuilder, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

use super::examples;
use crate::edge::http::events::PageView;

/// The forms, and their end.
pub struct ReadResponses;

const FORMS: &str = "What is there, as a page (the default); or all that is there and then what comes, as a stream of \
                     frames (schema `StreamFrame`), by `Accept`. A stream of what isn't there yet waits for it. One that \
                     there is no room for says so in an `error` frame where it is `text/event-stream`, else as 503.";

impl IntoResponses for ReadResponses {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let page = ContentBuilder::new().schema(Some(Ref::from_schema_name(PageView::name())));
        let sent_events =
            text("Server-sent events; `data` is one line of JSON").example(Some(json!(examples::STREAM)));
        let lines = text("A `StreamFrame` a line");
        let forms = ResponseBuilder::new()
            .description(FORMS)
            .content("application/json", page.build())
            .content("text/event-stream", sent_events.build())
            .content("application/x-ndjson", lines.build());
        let over =
            "Everything was read, and nothing follows: an `EventSource` stops (`text/event-stream` only)";
        let over = ResponseBuilder::new().description(over);
        let other = "An upgrade to a WebSocket of another version than 13";
        let other = ResponseBuilder::new().description(other).content("application/problem+json", problem());
        BTreeMap::from([
            ("200".to_owned(), forms.build().into()),
            ("204".to_owned(), over.build().into()),
            ("426".to_owned(), other.build().into()),
        ])
    }
}

fn problem() -> Content {
    ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build()
}

fn text(description: &str) -> ContentBuilder {
    let schema = ObjectBuilder::new().schema_type(Type::String).description(Some(description)).build();
    ContentBuilder::new().schema(Some(schema))
}
