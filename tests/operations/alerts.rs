//! The alerts: promtool's verdict, a real Prometheus that judges them, and a section for each in the page for operators.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::harness::{Folder, eventually};
use crate::prometheus::{Prometheus, configure, root, text};
use crate::scene::Scene;
use crate::text_format::{NOT_ALWAYS_THERE, names_in};

fn promtool(arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new("promtool");
    let output = command.args(arguments).current_dir(root()).output();
    let output = output.expect("promtool is installed (Debian: prometheus)");
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[test]
fn promtool_takes_the_configuration_and_the_rules() {
    // It looks for the key's file, which is where compose puts it.
    let folder = Folder::new();
    configure(([127, 0, 0, 1], 8080).into(), &folder.0);
    for arguments in [
        ["check", "config", folder.0.join("prometheus.yml").to_str().unwrap()],
        ["check", "rules", "config/prometheus/alerts.yml"],
    ] {
        let (taken, said) = promtool(&arguments);
        assert!(taken && !said.contains("lint"), "{said}");
    }
}

/// `alerts.test.yml` lets each fire, and a healthy service set off none.
#[test]
fn each_alert_fires_on_its_case_and_on_no_other() {
    let (passed, said) = promtool(&["test", "rules", "config/prometheus/alerts.test.yml"]);
    assert!(passed, "{said}");
    let cases = text("config/prometheus/alerts.test.yml");
    for alert in alerts() {
        let fires = format!("alertname=\"{alert}\", alertstate=\"firing\"");
        assert!(cases.contains(&fires), "no case lets {alert} fire");
    }
}

/// The names of the alerts, as the file has them.
fn alerts() -> Vec<String> {
    let rules = text("config/prometheus/alerts.yml");
    let names: Vec<String> =
        rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ").map(str::to_owned)).collect();
    assert!(names.len() > 10, "{names:?}");
    names
}

#[tokio::test]
async fn a_service_that_works_sets_off_no_alert_and_has_what_they_look_at() {
    let scene = Scene::new().await;
    scene.work("a").await;
    let prometheus = Prometheus::scraping(scene.app.client().address).await;
    // Before the first scrape there is no target, which is an alert, too.
    let silent = |rule: &Value| rule["health"] == "ok" && rule["state"] == "inactive";
    let rules = eventually("every rule to be judged and none to fire", || async {
        let rules = prometheus.rules().await;
        rules.iter().all(silent).then_some(rules)
    })
    .await;
    assert_eq!(rules.len(), alerts().len());
    let scrape = scene.scrape().await;
    for rule in &rules {
        let name = rule["name"].as_str().unwrap();
        for metric in names_in(rule["query"].as_str().unwrap()) {
            let known = scrape.has(&metric) || NOT_ALWAYS_THERE.contains(&metric.as_str());
            assert!(known, "{name}: there is no {metric}");
        }
        says_what_to_do(name, rule);
    }
}

fn says_what_to_do(name: &str, rule: &Value) {
    let severity = rule["labels"]["severity"].as_str().unwrap_or_default();
    assert!(["critical", "warning"].contains(&severity), "{name}: {severity}");
    for field in ["summary", "description"] {
        assert!(
            rule["annotations"][field].as_str().is_some_and(|text| text.len() > 10),
            "{name}: no {field}"
        );
    }
    let wanted = format!("docs/operations.md#{}", name.to_lowercase());
    assert_eq!(rule["annotations"]["runbook"], wanted.as_str(), "{name}");
}

#[test]
fn each_alert_has_its_section_and_each_section_its_alert() {
    let page = text("docs/operations.md");
    let sections: BTreeSet<&str> =
        page.lines().filter_map(|line| line.strip_prefix("### Tributary")).collect();
    let alerts = alerts();
    let alerts: BTreeSet<&str> =
        alerts.iter().map(|alert| alert.strip_prefix("Tributary").unwrap()).collect();
    assert_eq!(sections, alerts);
}
