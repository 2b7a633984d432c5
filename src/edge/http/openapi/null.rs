//! The choice of `null` in a schema: once where there is one, in the form that its kind has for it.
//!
//! A plain value, an object and an array name it among their types; anything else is one of itself and `null`. Said twice it would be
//! no choice: of a `oneOf` exactly one may match.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type};

/// The schema with the choice of `null`.
pub(super) fn nullable(member: RefOr<Schema>) -> RefOr<Schema> {
    let null = || ObjectBuilder::new().schema_type(Type::Null);
    match member {
        RefOr::T(Schema::Object(mut object)) => {
            add(&mut object.schema_type);
            object.into()
        }
        RefOr::T(Schema::Array(mut array)) => {
            add(&mut array.schema_type);
            RefOr::T(Schema::Array(array))
        }
        RefOr::T(Schema::OneOf(mut one_of)) => {
            if !one_of.items.iter().any(is_null) {
                one_of.items.push(null().into());
            }
            RefOr::T(Schema::OneOf(one_of))
        }
        other @ (RefOr::Ref(_) | RefOr::T(_)) => OneOfBuilder::new().item(other).item(null()).into(),
    }
}

/// The schema without the choice of `null`.
pub(super) fn without_null(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => take(&mut object.schema_type),
        RefOr::T(Schema::Array(array)) => take(&mut array.schema_type),
        RefOr::T(Schema::OneOf(one_of)) => {
            one_of.items.retain(|item| !is_null(item));
            if one_of.items.len() == 1 {
                *schema = one_of.items.remove(0);
            }
        }
        RefOr::T(_) | RefOr::Ref(_) => {}
    }
}

/// Names `null` among the types, where those don't say all values anyway.
fn add(types: &mut SchemaType) {
    match types {
        SchemaType::Type(only) if *only != Type::Null => {
            *types = SchemaType::from_iter([only.clone(), Type::Null]);
        }
        SchemaType::Array(several) if !several.contains(&Type::Null) => several.push(Type::Null),
        SchemaType::Type(_) | SchemaType::Array(_) | SchemaType::AnyValue => {}
    }
}

fn take(types: &mut SchemaType) {
    if let SchemaType::Array(several) = types {
        several.retain(|one| *one != Type::Null);
        if let [only] = several.as_slice() {
            *types = SchemaType::Type(only.clone());
        }
    }
}

fn is_null(schema: &RefOr<Schema>) -> bool {
    matches!(schema, RefOr::T(Schema::Object(object)) if object.schema_type == SchemaType::Type(Type::Null))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use utoipa::openapi::schema::{ArrayBuilder, Ref};

    use super::*;

    fn text() -> ObjectBuilder {
        ObjectBuilder::new().schema_type(Type::String)
    }

    fn written(schema: &RefOr<Schema>) -> Value {
        serde_json::to_value(schema).unwrap()
    }

    #[test]
    fn every_kind_of_schema_has_one_choice_of_null_and_loses_it_again() {
        let reference = || RefOr::Ref(Ref::new("#/a"));
        let one_of = || OneOfBuilder::new().item(Ref::new("#/a")).item(Ref::new("#/b"));
        let kinds: [(RefOr<Schema>, Value); 5] = [
            (text().into(), json!({"type": ["string", "null"]})),
            (
                ArrayBuilder::new().items(text()).into(),
                json!({"type": ["array", "null"], "items": {"type": "string"}}),
            ),
            (
                text().schema_type(SchemaType::from_iter([Type::String, Type::Number])).into(),
                json!({"type": ["string", "number", "null"]}),
            ),
            (reference(), json!({"oneOf": [{"$ref": "#/a"}, {"type": "null"}]})),
            (one_of().into(), json!({"oneOf": [{"$ref": "#/a"}, {"$ref": "#/b"}, {"type": "null"}]})),
        ];
        for (plain, expected) in kinds {
            let once = nullable(plain.clone());
            assert_eq!(written(&once), expected);
            let mut twice = nullable(once);
            assert_eq!(written(&twice), expected, "said once");
            without_null(&mut twice);
            assert_eq!(written(&twice), written(&plain));
        }
    }
}
