//! The cases of the Autobahn test suite, without those of compression, against the library and the connections that the
//! streams have: a WebSocket that sends back what it gets. kosoku runs the suite's own case files.

use std::path::PathBuf;
use std::process::Command;

use crate::client::installed;
use crate::service::Service;

#[test]
fn websockets_pass_all_cases_of_autobahn_but_those_of_compression() {
    let service = Service::start();
    let name = format!("autobahn-{}", service.address.port());
    let reports = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut command = Command::new(installed("venv/bin/kosoku"));
    command.args(["-m", "fuzzingclient", "-p", "2", "-x", "12.*", "-x", "13.*", "-o"]).arg(&reports);
    let output = command.arg(format!("ws://{}/test/echo", service.address)).output().unwrap();
    let said =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("301 cases passed"), "{said}");
    std::fs::remove_dir_all(&reports).unwrap();
}
