//! The scrape itself: well formed, well named, and no larger however much is going on.

use std::io::Write;
use std::process::{Command, Stdio};

use futures::future::join_all;

use crate::harness::TestApp;
use crate::scene::Scene;

/// Gives a text to a program; its verdict and what it said.
fn judged(program: &str, arguments: &[&str], text: &str) -> (bool, String) {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("promtool is installed (Debian: prometheus)");
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[tokio::test]
async fn promtool_has_nothing_to_say_about_the_metrics() {
    let scene = Scene::new().await;
    scene.work("a").await;
    let text = scene.scrape_text().await;
    assert_eq!(judged("promtool", &["check", "metrics"], &text), (true, String::new()), "{text}");
    let broken = format!("{text}# TYPE badName counter\nbadName 1\n");
    assert!(!judged("promtool", &["check", "metrics"], &broken).0, "promtool takes anything");
}

#[tokio::test]
async fn the_scrape_is_the_text_format_also_before_anything_happened() {
    let app = TestApp::new().start().await;
    let answer = app.get("/metrics").send().await;
    assert_eq!(answer.status, 200);
    let media_type = answer.header("content-type").unwrap();
    assert!(media_type.starts_with("text/plain") && media_type.contains("version=0.0.4"), "{media_type}");
    assert_eq!(judged("promtool", &["check", "metrics"], answer.text()), (true, String::new()));
}

/// Whoever posts a directive names sessions, steps and subagents. A series for each would fill Prometheus.
#[tokio::test]
async fn fifty_sessions_have_the_series_of_one() {
    let scene = Scene::new().await;
    scene.work("okapi").await;
    // A scrape is a request, too: the next one shows it.
    scene.scrape().await;
    let before = scene.scrape().await;
    let names: Vec<String> = (0..50).map(|number| format!("zebra{number}")).collect();
    join_all(names.iter().map(|name| scene.work(name))).await;
    let text = scene.scrape_text().await;
    assert!(!text.contains("zebra") && !text.contains("okapi"), "a name of a caller's: {text}");
    let after = scene.scrape().await;
    let more: Vec<_> = after.series.difference(&before.series).collect();
    assert!(more.is_empty(), "{more:#?}");
    assert!(after.series.len() < 1_000, "{} series", after.series.len());
}
