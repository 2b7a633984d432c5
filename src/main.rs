//! Arguments, configuration, run, exit code.
fn main() {}
