//! Runs a peer: a Python script that reads JSON lines and answers each with one.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::figure::Context;

/// The script's answers, in the order of the lines. An error where there is no Python with what the script imports.
pub fn ask(context: &Context, row: &str, lines: &[Value]) -> Result<Vec<Value>, Box<dyn Error>> {
    let input = context.folder.join(format!("{row}.jsonl"));
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(&input, text)?;
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/quality/peers").join(format!("{row}.py"));
    let python = context.folder.join("venv/bin/python");
    let output =
        Command::new(python).arg(script).stdin(File::open(&input)?).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("the peers of {row} failed").into());
    }
    let answers = String::from_utf8(output.stdout)?;
    Ok(answers.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// The lines of a file of the data folder; none where it isn't there.
pub fn items(context: &Context, name: &str) -> Vec<Value> {
    let text = context.data.as_ref().and_then(|folder| fs::read_to_string(folder.join(name)).ok());
    text.unwrap_or_default().lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The texts in a field that is a list of them.
pub fn texts<'a>(item: &'a Value, field: &str) -> Vec<&'a str> {
    item[field].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
