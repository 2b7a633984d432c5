//! Values that are taken in several forms, as senders have them.

#![expect(dead_code, reason = "the fields are read by the derive only")]

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    AdditionalProperties, AnyOfBuilder, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type,
};
use utoipa::{PartialSchema, ToSchema};

use super::null::nullable;
use crate::domain::directive::{AggregationOptions, SynthesisOptions};

/// A number as a text, as programs write those that JSON hasn't (`"NaN"`).
const NUMBER: &str = r"^\s*[+-]?([iI][nN][fF]([iI][nN][iI][tT][yY])?|[nN][aA][nN]|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)\s*$";

/// A source: its address or its title, or what is known of it.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum GivenSource {
    /// An address or a title.
    Text(String),
    /// More.
    Object(GivenReference),
}

/// What is known of a source. Other members are passed over.
#[derive(ToSchema)]
pub struct GivenReference {
    id: Option<Scalar>,
    url: Option<String>,
    title: Option<String>,
    r#type: Option<String>,
    /// A passage of it.
    snippet: Option<String>,
    /// How good it is: a word or a number.
    quality: Option<Scalar>,
}

macro_rules! described {
    ($($(#[doc = $doc:literal])+ $name:ident = $schema:expr;)+) => {$(
        $(#[doc = $doc])+
        pub struct $name;
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                $schema
            }
        }
        impl ToSchema for $name {}
    )+};
}

described! {
    /// A text, a number or a boolean.
    Scalar = scalar().into();
    /// A share of 0 to 1 as someone reports it.
    Share = OneOfBuilder::new()
        .item(ObjectBuilder::new().schema_type(Type::Number))
        .item(ObjectBuilder::new().schema_type(Type::String).pattern(Some(NUMBER)))
        .description(Some("0 to 1, as someone reports it. A number in a text counts as absent."))
        .into();
    /// What went wrong.
    GivenError = error();
    /// An id in a sheet: `1` and `"1"` are the same.
    GivenId = OneOfBuilder::new()
        .item(ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).maximum(Some(u64::MAX as usize)))
        .item(ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(256)))
        .into();
    /// How results are combined.
    CombiningOptions = or_null("How results are combined.", [AggregationOptions::schema()]);
    /// How results are combined, and how the answer is written.
    WritingOptions = or_null(
        "How results are combined, and how the answer is written.",
        [AggregationOptions::schema(), SynthesisOptions::schema()],
    );
}

fn scalar() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Number, Type::Boolean]))
}

/// A text or a number, or an object that says one under a name that errors have.
fn error() -> RefOr<Schema> {
    let plain = ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Number]));
    let named =
        |name: &str| ObjectBuilder::new().schema_type(Type::Object).property(name, scalar()).required(name);
    let text = "A text or a number; or an object with a `message`, `detail`, `error` or `code`.";
    let any = AnyOfBuilder::new().description(Some(text)).item(plain);
    ["message", "detail", "error", "code"].into_iter().fold(any, |any, name| any.item(named(name))).into()
}

/// The members of `parts`, each of which may also be `null`: absent.
fn or_null<const N: usize>(description: &str, parts: [RefOr<Schema>; N]) -> RefOr<Schema> {
    let closed = Some(AdditionalProperties::FreeForm(false));
    let mut all = ObjectBuilder::new().description(Some(description)).additional_properties(closed);
    for part in parts {
        if let RefOr::T(Schema::Object(object)) = part {
            for (name, member) in object.properties {
                all = all.property(name, nullable(member));
            }
        }
    }
    all.into()
}
