//! Values as an event has them.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// As an event has it: whole numbers without a fraction, as every JSON library writes them that knows one kind of number.
pub(super) fn object(value: &impl Serialize) -> Arc<RawValue> {
    let mut value = serde_json::to_value(value).expect("figures and texts are JSON");
    make_whole(&mut value);
    serde_json::value::to_raw_value(&value).expect("a value is JSON").into()
}

fn make_whole(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
            if let (true, Some(whole)) = (number.is_f64(), whole) {
                *number = (whole as i64).into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_whole),
        Value::Object(members) => members.values_mut().for_each(make_whole),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}
