//! Every adapter keeps its schemas.

use std::sync::LazyLock;

use jsonschema::Validator;

use super::*;

/// An adapter, with what its schemas say.
pub(super) struct Contract {
    pub adapter: Adapter,
    pub normalised: Validator,
    raw: Validator,
    /// Every shape that is understood: its title, its schema, its examples.
    pub shapes: Vec<(String, Validator, Vec<Value>)>,
    /// Payloads.
    pub examples: Vec<Value>,
}

pub(super) static CONTRACTS: LazyLock<Vec<Contract>> =
    LazyLock::new(|| Adapter::ALL.iter().map(|adapter| Contract::of(*adapter)).collect());

fn schema(name: &str) -> Value {
    let (_, text) = crate::domain::adapters::schemas().find(|(found, _)| *found == name).unwrap();
    serde_json::from_str(text).unwrap()
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::meta::validate(schema).unwrap();
    jsonschema::validator_for(schema).unwrap()
}

impl Contract {
    fn of(adapter: Adapter) -> Self {
        let (normalised, raw) = (schema(adapter.name()), schema(&format!("{}.raw", adapter.name())));
        let shape = |shape: &Value| {
            let title = shape["title"].as_str().unwrap().to_owned();
            (title, validator(shape), shape["examples"].as_array().unwrap().clone())
        };
        Self {
            adapter,
            normalised: validator(&normalised),
            raw: validator(&raw),
            shapes: raw["anyOf"].as_array().unwrap().iter().map(shape).collect(),
            examples: normalised["examples"].as_array().unwrap().clone(),
        }
    }

    pub(super) fn errors(&self, normalised: &Value) -> Vec<String> {
        let errors = self.normalised.iter_errors(normalised);
        errors.map(|error| format!("{error} at {}", error.instance_path())).collect()
    }
}

#[test]
fn every_example_of_a_raw_shape_is_of_that_shape_and_becomes_valid() {
    for contract in CONTRACTS.iter() {
        let name = contract.adapter.name();
        assert!(contract.shapes.len() > 1, "{name}");
        for (title, shape, examples) in &contract.shapes {
            assert!(!examples.is_empty(), "{name}: {title} has no example");
            for example in examples {
                assert!(
                    shape.is_valid(example) && contract.raw.is_valid(example),
                    "{name}: {title}: {example}"
                );
                let once = contract.adapter.normalise(&raw(&example.to_string()));
                assert_eq!(contract.errors(&read(&once)), [""; 0], "{name}: {title}: {once}");
                assert!(Arc::ptr_eq(&contract.adapter.normalise(&once), &once), "{name}: {title}: {once}");
            }
        }
    }
}

#[test]
fn every_example_of_a_payload_is_valid_and_passes_as_it_is() {
    for contract in CONTRACTS.iter() {
        assert!(!contract.examples.is_empty());
        for example in &contract.examples {
            assert_eq!(contract.errors(example), [""; 0], "{example}");
            let sent = raw(&example.to_string());
            assert!(Arc::ptr_eq(&contract.adapter.normalise(&sent), &sent), "{example}");
        }
    }
}

#[test]
fn an_output_without_the_required_fields_is_not_valid() {
    for contract in CONTRACTS.iter() {
        assert!(!contract.normalised.is_valid(&Value::Object(Map::new())), "{}", contract.adapter.name());
    }
}
