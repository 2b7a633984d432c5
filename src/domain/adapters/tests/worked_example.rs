//! The adapter that docs/adapters.md shows: compiled as if it were one of the table, and held to what those are held to.

use super::*;
use crate::domain::adapters::test_run;

fn schema(text: &str) -> jsonschema::Validator {
    jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap()
}

#[test]
fn worked_example_of_an_adapter_is_one() {
    let regular = schema(include_str!("test_run.json"));
    let shapes: Value = serde_json::from_str(include_str!("test_run.raw.json")).unwrap();
    let examples =
        shapes["anyOf"].as_array().unwrap().iter().flat_map(|shape| shape["examples"].as_array().unwrap());
    let mut sent: Vec<String> = examples.map(ToString::to_string).collect();
    sent.extend(["[1]", "7", "null", "{}", r#"{"passed":"many","content":null}"#].map(str::to_owned));
    for sent in sent {
        let once = test_run::normalise(&raw(&sent));
        assert!(regular.is_valid(&serde_json::from_str(once.get()).unwrap()), "{sent}: {once}");
        assert!(Arc::ptr_eq(&test_run::normalise(&once), &once), "normalising twice changes {once}");
    }
    for (sent, expected) in [
        (
            r#"{"numPassedTests":12,"numFailedTests":1,"x":{}}"#,
            r#"{"content":"12 tests passed, 1 failed.","sources":[],"passed":12,"failed":1,"x":{}}"#,
        ),
        (
            r#"{"passed":"many","failed":0}"#,
            r#"{"content":"","sources":[],"failed":0,"unread":{"passed":"many"}}"#,
        ),
        (r#""Done.""#, r#"{"content":"Done.","sources":[]}"#),
    ] {
        assert_eq!(test_run::normalise(&raw(sent)).get(), expected);
    }
}
