//! The values of fields, each as a query gives it (a text) or as a script does (a number, a truth, a text).

use std::fmt;

use serde::de::{Deserialize, Deserializer, Visitor};

use super::Usage;

/// A value that a query gives as text and a script as itself.
enum Scalar {
    Number(u64),
    Truth(bool),
    Text(String),
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Scalar;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number that isn't negative, true, false or a text")
            }
            fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
                Ok(Scalar::Number(value))
            }
            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Scalar, E> {
                u64::try_from(value).map(Scalar::Number).map_err(|_| E::custom("a number is negative"))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
                Ok(Scalar::Truth(value))
            }
            fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
                Ok(Scalar::Text(value.to_owned()))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// A whole number that isn't negative.
pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    match Scalar::deserialize(deserializer)? {
        Scalar::Number(number) => Ok(Some(number)),
        Scalar::Text(text) => text.parse().map(Some).map_err(|_| wrong(&text, "a whole number")),
        Scalar::Truth(truth) => Err(wrong(&truth.to_string(), "a whole number")),
    }
}

/// A text; a number is taken as one.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match Scalar::deserialize(deserializer)? {
        Scalar::Number(number) => Ok(Some(number.to_string())),
        Scalar::Text(text) => Ok(Some(text)),
        Scalar::Truth(truth) => Err(wrong(&truth.to_string(), "a text")),
    }
}

/// `true` or `false`.
pub(super) fn truth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    match Scalar::deserialize(deserializer)? {
        Scalar::Truth(truth) => Ok(Some(truth)),
        Scalar::Text(text) => text.parse().map(Some).map_err(|_| wrong(&text, "true or false")),
        Scalar::Number(number) => Err(wrong(&number.to_string(), "true or false")),
    }
}

/// `true`, `false` or a number of tokens.
pub(super) fn usage<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Usage>, D::Error> {
    let said = match Scalar::deserialize(deserializer)? {
        Scalar::Truth(truth) => truth.to_string(),
        Scalar::Number(number) => number.to_string(),
        Scalar::Text(text) => text,
    };
    match said.as_str() {
        "true" => Ok(Some(Usage::Counted)),
        "false" => Ok(Some(Usage::Silent)),
        tokens => tokens
            .parse()
            .map(|tokens| Some(Usage::Tokens(tokens)))
            .map_err(|_| wrong(tokens, "true, false or a number of tokens")),
    }
}

/// A word of a list.
pub(super) fn word<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

fn wrong<E: serde::de::Error>(said: &str, wanted: &str) -> E {
    E::custom(format!("{said:?} is not {wanted}"))
}
