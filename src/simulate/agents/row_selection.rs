//! An SQL agent, whose rows are a pandas frame with `orient="split"`: `{question, sql, columns, index, data}`.

use serde_json::{Value, json};

use super::{Question, Share};

const CUSTOMERS: [&str; 6] = ["Acme", "Börse & Söhne", "Contoso", "Dunder Mifflin", "Evil Corp", "Fabrikam"];
const REGIONS: [&str; 3] = ["EMEA", "APAC", "AMER"];
/// Rows of an output.
const ROWS: usize = 12;

/// The first rows, or all of them.
pub(super) fn output(question: &Question, so_far: Share) -> Value {
    let mut rng = question.rng(1);
    let rows: Vec<Value> = (0..ROWS)
        .map(|row| {
            let customer = CUSTOMERS[rng.usize(..CUSTOMERS.len())];
            let region = REGIONS[rng.usize(..REGIONS.len())];
            let amount = f64::from(rng.u32(10_000..9_999_999)) / 100.0;
            let day = rng.u32(1..29);
            let paid = if rng.u8(..4) == 0 { Value::Null } else { json!(rng.bool()) };
            json!([1_000 + row, customer, region, amount, format!("2026-10-{day:02}"), paid])
        })
        .collect();
    let shown = so_far.of(ROWS);
    let index: Vec<usize> = (0..shown).collect();
    json!({
        "question": question.query,
        "sql": "SELECT id, customer, region, amount, ordered_on, paid FROM orders ORDER BY id LIMIT 12",
        "columns": ["id", "customer", "region", "amount", "ordered_on", "paid"],
        "index": index,
        "data": rows.get(..shown).unwrap_or_default(),
    })
}
