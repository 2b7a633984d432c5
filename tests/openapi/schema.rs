//! A validator for the part of JSON Schema 2020-12 that the document uses. A keyword that it doesn't know fails the test,
//! so nothing passes unchecked.

#![expect(clippy::wildcard_enum_match_arm, reason = "the kinds of JSON values are all there are")]

use std::collections::BTreeSet;

use regex_lite::Regex;
use serde_json::{Map, Value};

/// Keywords that say nothing of what is valid.
const SILENT: [&str; 5] = ["title", "description", "default", "examples", "discriminator"];
/// Those that do.
#[rustfmt::skip]
const SPEAKING: [&str; 20] = [
    "$ref", "type", "enum", "properties", "additionalProperties", "required", "propertyNames", "items", "minItems",
    "maxItems", "minLength", "maxLength", "minimum", "maximum", "pattern", "format", "allOf", "anyOf", "oneOf",
    "uniqueItems",
];

/// Whether a keyword is checked, or says nothing of what is valid.
pub fn is_known(keyword: &str) -> bool {
    SILENT.contains(&keyword) || SPEAKING.contains(&keyword)
}

/// Validates against the schemas of a document.
pub struct Validator<'d> {
    pub document: &'d Value,
}

impl Validator<'_> {
    /// What is wrong with `value`, members that nobody described included; empty where it is as described. `at` is its
    /// place, for people.
    pub fn faults(&self, schema: &Value, value: &Value, at: &str) -> Vec<String> {
        let mut faults = self.faults_of_all(schema, value, at);
        let mut described = BTreeSet::new();
        self.members(schema, &mut described);
        if let Value::Object(members) = value
            && !described.is_empty()
        {
            let others = members.keys().filter(|name| !described.contains(name.as_str()));
            faults.extend(others.map(|name| format!("{at}: {name} isn't described")));
        }
        faults
    }

    /// The names of the members that a schema describes, by itself or by those that it is made of.
    fn members<'s>(&'s self, schema: &'s Value, found: &mut BTreeSet<&'s str>) {
        found.extend(schema["properties"].as_object().into_iter().flat_map(Map::keys).map(String::as_str));
        if let Some(schema) = schema["$ref"].as_str().and_then(|reference| self.resolve(reference)) {
            self.members(schema, found);
        }
        for parts in ["allOf", "anyOf", "oneOf"] {
            schema[parts].as_array().into_iter().flatten().for_each(|part| self.members(part, found));
        }
    }

    fn faults_of_all(&self, schema: &Value, value: &Value, at: &str) -> Vec<String> {
        let Value::Object(keywords) = schema else { panic!("{at}: no schema: {schema}") };
        let mut faults = Vec::new();
        for (keyword, wanted) in keywords {
            faults.extend(self.faults_of(keyword, wanted, keywords, value, at));
        }
        faults
    }

    /// Every keyword of a schema and of those inside it.
    pub fn keywords<'s>(schema: &'s Value, found: &mut BTreeSet<&'s str>) {
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            found.insert(keyword);
            match (keyword.as_str(), value) {
                ("properties", Value::Object(members)) => {
                    members.values().for_each(|member| Self::keywords(member, found));
                }
                ("allOf" | "anyOf" | "oneOf", Value::Array(items)) => {
                    items.iter().for_each(|item| Self::keywords(item, found));
                }
                ("items" | "additionalProperties" | "propertyNames", inner) => Self::keywords(inner, found),
                _ => {}
            }
        }
    }

    /// What `$ref` means.
    pub fn resolve(&self, reference: &str) -> Option<&Value> {
        self.document.pointer(reference.strip_prefix('#')?)
    }

    fn faults_of(
        &self,
        keyword: &str,
        wanted: &Value,
        schema: &Map<String, Value>,
        value: &Value,
        at: &str,
    ) -> Vec<String> {
        let fault = |right: bool| {
            let text = || format!("{at}: {value} isn't of {keyword} {wanted}");
            if right { Vec::new() } else { vec![text()] }
        };
        match keyword {
            "$ref" => {
                let found = wanted.as_str().and_then(|reference| self.resolve(reference));
                self.faults_of_all(found.unwrap_or_else(|| panic!("{at}: {wanted} leads nowhere")), value, at)
            }
            "type" => fault(types(wanted).iter().any(|name| is_of(name, value))),
            "enum" => fault(wanted.as_array().unwrap().contains(value)),
            "properties" | "additionalProperties" | "required" | "propertyNames" => match value {
                Value::Object(members) => self.faults_of_members(keyword, wanted, schema, members, at),
                _ => Vec::new(),
            },
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items.flat_map(|(index, item)| self.faults(wanted, item, &format!("{at}/{index}"))).collect()
            }
            "minItems" => fault(value.as_array().is_none_or(|items| items.len() >= number(wanted) as usize)),
            "maxItems" => fault(value.as_array().is_none_or(|items| items.len() <= number(wanted) as usize)),
            "uniqueItems" => fault(value.as_array().is_none_or(|items| are_different(items))),
            "minLength" => fault(length(value).is_none_or(|length| length >= number(wanted) as usize)),
            "maxLength" => fault(length(value).is_none_or(|length| length <= number(wanted) as usize)),
            "minimum" => fault(value.as_f64().is_none_or(|value| value >= number(wanted))),
            "maximum" => fault(value.as_f64().is_none_or(|value| value <= number(wanted))),
            "pattern" => {
                let pattern = Regex::new(wanted.as_str().unwrap()).unwrap();
                fault(value.as_str().is_none_or(|text| pattern.is_match(text)))
            }
            "format" => fault(is_of_format(wanted.as_str().unwrap(), value)),
            "allOf" => self.each(wanted, value, at).into_iter().flatten().collect(),
            "anyOf" => fault(self.each(wanted, value, at).iter().any(Vec::is_empty)),
            "oneOf" => {
                let each = self.each(wanted, value, at);
                match each.iter().filter(|faults| faults.is_empty()).count() {
                    1 => Vec::new(),
                    0 => each.into_iter().min_by_key(Vec::len).unwrap_or_default(),
                    fits => vec![format!("{at}: {fits} of oneOf fit {value}")],
                }
            }
            silent if SILENT.contains(&silent) => Vec::new(),
            unknown => panic!("{at}: the keyword {unknown} isn't known"),
        }
    }

    fn each(&self, schemas: &Value, value: &Value, at: &str) -> Vec<Vec<String>> {
        schemas.as_array().unwrap().iter().map(|schema| self.faults_of_all(schema, value, at)).collect()
    }

    fn faults_of_members(
        &self,
        keyword: &str,
        wanted: &Value,
        schema: &Map<String, Value>,
        members: &Map<String, Value>,
        at: &str,
    ) -> Vec<String> {
        let described = |name: &str| schema.get("properties").and_then(|known| known.get(name));
        match keyword {
            "properties" => {
                let known =
                    members.iter().filter_map(|(name, member)| Some((name, member, described(name)?)));
                known
                    .flat_map(|(name, member, schema)| self.faults(schema, member, &format!("{at}/{name}")))
                    .collect()
            }
            "required" => {
                let names = wanted.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                names
                    .filter(|name| !members.contains_key(*name))
                    .map(|name| format!("{at}: no {name}"))
                    .collect()
            }
            "propertyNames" => {
                let names = members.keys().map(|name| Value::from(name.as_str()));
                names.flat_map(|name| self.faults(wanted, &name, at)).collect()
            }
            _ => {
                let others = members.iter().filter(|(name, _)| described(name).is_none());
                match wanted {
                    Value::Bool(true) => Vec::new(),
                    Value::Bool(false) => {
                        others.map(|(name, _)| format!("{at}: {name} isn't known")).collect()
                    }
                    schema => others
                        .flat_map(|(name, member)| self.faults(schema, member, &format!("{at}/{name}")))
                        .collect(),
                }
            }
        }
    }
}

fn types(wanted: &Value) -> Vec<&str> {
    match wanted {
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        name => vec![name.as_str().unwrap()],
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("there is no type {other}"),
    }
}

fn is_of_format(name: &str, value: &Value) -> bool {
    match (name, value) {
        ("int32" | "int64" | "double", _) => true,
        ("date-time", Value::String(text)) => {
            let utc = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$";
            Regex::new(utc).unwrap().is_match(text)
        }
        ("date-time", _) => true,
        (other, _) => panic!("the format {other} isn't known"),
    }
}

fn are_different(items: &[Value]) -> bool {
    (1..items.len()).all(|at| !items[..at].contains(&items[at]))
}

fn number(wanted: &Value) -> f64 {
    wanted.as_f64().unwrap()
}

fn length(value: &Value) -> Option<usize> {
    value.as_str().map(|text| text.chars().count())
}
