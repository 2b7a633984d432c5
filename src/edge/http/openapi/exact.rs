//! Where `null` can be and where it can't, and how large numbers can be.
//!
//! An `Option` may mean that a member is `null`, or that it is left out; derived schemas always say both. In what the
//! service writes, a member that isn't required is left out, so it is never `null`; in what it reads, each such member
//! can be `null`, whatever its type; and no body is the JSON `null`.

use std::collections::BTreeSet;

use serde_json::Value;
use utoipa::Number;
use utoipa::openapi::schema::{KnownFormat, Schema, SchemaFormat};
use utoipa::openapi::{OpenApi, RefOr};

use super::null::{nullable, without_null};

/// Takes `null` out of bodies, and out of members that only answers have; puts it into those of requests, whose
/// numbers are bounded.
pub fn make(document: &mut OpenApi) {
    for item in document.paths.paths.values_mut() {
        let body = item.post.as_mut().and_then(|operation| operation.request_body.as_mut());
        if let Some(RefOr::T(body)) = body {
            for content in body.content.values_mut() {
                if let RefOr::T(content) = content {
                    content.schema.iter_mut().for_each(without_null);
                }
            }
        }
    }
    let asked = asked(document);
    let Some(components) = &mut document.components else { return };
    for (name, schema) in &mut components.schemas {
        if asked.contains(name) { asked_members(schema) } else { exact_members(schema) }
    }
}

/// Whole numbers from 0 on are read without a sign; `int32` and `int64` have fewer of them. What may be absent may be
/// `null`.
fn asked_members(schema: &mut RefOr<Schema>) {
    let RefOr::T(Schema::Object(object)) = schema else { return };
    for (name, member) in &mut object.properties {
        if let RefOr::T(Schema::Object(number)) = member
            && number.minimum.is_some()
            && number.maximum.is_none()
        {
            let largest = match number.format {
                Some(SchemaFormat::KnownFormat(KnownFormat::Int32)) => u32::MAX as usize,
                Some(SchemaFormat::KnownFormat(KnownFormat::Int64)) => usize::MAX,
                _ => continue,
            };
            number.format = None;
            number.maximum = Some(Number::UInt(largest));
        }
        if !object.required.contains(name) {
            *member = nullable(std::mem::take(member));
        }
    }
}

/// The names of the schemas that requests lead to.
fn asked(document: &OpenApi) -> BTreeSet<String> {
    let document = serde_json::to_value(document).expect("a description is plain data with text keys");
    let paths = document["paths"].as_object().into_iter().flat_map(|paths| paths.values());
    let mut asked = BTreeSet::new();
    for item in paths {
        collect(&item["post"]["requestBody"], &document, &mut asked);
    }
    asked
}

fn collect(value: &Value, document: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            let name = members.get("$ref").and_then(Value::as_str).and_then(|text| text.rsplit('/').next());
            if let Some(name) = name
                && names.insert(name.to_owned())
            {
                collect(&document["components"]["schemas"][name], document, names);
            }
            members.values().for_each(|member| collect(member, document, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, document, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn exact_members(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            let optional = object.properties.iter_mut().filter(|(name, _)| !object.required.contains(*name));
            optional.for_each(|(_, member)| without_null(member));
        }
        RefOr::T(Schema::AllOf(all)) => all.items.iter_mut().for_each(exact_members),
        RefOr::T(_) | RefOr::Ref(_) => {}
    }
}
