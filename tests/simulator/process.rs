//! The command as somebody runs it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::client::Open;

#[tokio::test]
async fn the_command_says_where_it_listens_follows_its_script_and_ends_at_a_signal() {
    let script = std::env::temp_dir().join(format!("simulator-{}.toml", std::process::id()));
    std::fs::File::create(&script).unwrap().write_all(b"\"/\" = [{ status = 418 }, {}]").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
    command.args(["simulate", "--listen", "127.0.0.1:0", "--script"]).arg(&script);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let addr = line.trim_end().strip_prefix("listening on http://").unwrap().parse().unwrap();
    for wanted in [418, 200] {
        let open = Open::begin(addr, "POST", "/generic/json", "", "{}").await;
        assert_eq!(open.finish().await.status, wanted);
    }
    let hanging = Open::begin(addr, "POST", "/generic/json?hang=head", "", "{}").await;
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(hanging);
    std::fs::remove_file(script).unwrap();
}

#[test]
fn a_mistake_in_the_arguments_is_told() {
    for (arguments, reason) in [
        (["simulate", "--listen", "here"], "no address"),
        (["simulate", "--script", "/nowhere.toml"], "can't read"),
    ] {
        let done = Command::new(env!("CARGO_BIN_EXE_tributary")).args(arguments).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(done.status.code() == Some(1) && said.contains(reason), "{said}");
    }
}
