//! The dashboard: Prometheus understands every query of it, and a service at work has what they ask for.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::harness::eventually;
use crate::prometheus::{Prometheus, text};
use crate::scene::Scene;
use crate::text_format::{NOT_ALWAYS_THERE, names_in};

const FILE: &str = "config/grafana/dashboards/tributary.json";

fn dashboard() -> Value {
    text(FILE).parse().unwrap()
}

fn panels(dashboard: &Value) -> Vec<&Value> {
    dashboard["panels"].as_array().unwrap().iter().filter(|panel| panel["type"] != "row").collect()
}

/// Every query: its panel's title and the query, as Grafana would send it for all replicas.
fn queries(dashboard: &Value) -> Vec<(String, String)> {
    let of_panel = |panel: &&Value| {
        let title = panel["title"].as_str().unwrap().to_owned();
        let targets = panel["targets"].as_array().unwrap().clone();
        targets.into_iter().map(move |target| (title.clone(), substituted(target["expr"].as_str().unwrap())))
    };
    panels(dashboard).iter().flat_map(of_panel).collect()
}

fn substituted(query: &str) -> String {
    let query = query.replace("$__rate_interval", "1m").replace("$instance", ".*");
    assert!(!query.contains('$'), "an unknown variable: {query}");
    query
}

/// What fires now, and what has not happened, has no series.
fn may_be_empty(query: &str) -> bool {
    query.starts_with("ALERTS{") || NOT_ALWAYS_THERE.iter().any(|name| query.contains(name))
}

#[tokio::test]
async fn every_panel_has_data_of_a_service_that_works() {
    let scene = Scene::new().await;
    scene.work("a").await;
    scene.archived().await;
    let prometheus = Prometheus::scraping(scene.app.client().address).await;
    scene.work("b").await;
    for (panel, query) in queries(&dashboard()) {
        let asked = || async {
            let series =
                prometheus.query(&query).await.unwrap_or_else(|error| panic!("{panel}: {query}: {error}"));
            (!series.is_empty() || may_be_empty(&query)).then_some(())
        };
        eventually(format!("data for `{panel}`: {query}"), asked).await;
    }
    let scrape = scene.scrape().await;
    let named: BTreeSet<String> =
        queries(&dashboard()).iter().flat_map(|(_, query)| names_in(query)).collect();
    assert!(named.len() > 30, "{named:?}");
    let unknown = named.iter().filter(|name| !scrape.has(name) && !NOT_ALWAYS_THERE.contains(&name.as_str()));
    assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn panels_stand_beside_each_other_and_say_what_they_show() {
    let dashboard = dashboard();
    let (mut ids, mut taken) = (BTreeSet::new(), BTreeSet::new());
    for panel in dashboard["panels"].as_array().unwrap() {
        let title = panel["title"].as_str().unwrap();
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "two have the id of `{title}`");
        let at = |side: &str| panel["gridPos"][side].as_u64().unwrap();
        assert!(at("x") + at("w") <= 24, "`{title}` is over the edge");
        let columns = at("x")..at("x") + at("w");
        for (x, y) in columns.flat_map(|x| (at("y")..at("y") + at("h")).map(move |y| (x, y))) {
            assert!(taken.insert((x, y)), "`{title}` lies on another");
        }
    }
    for panel in panels(&dashboard) {
        assert!(panel["description"].as_str().is_some_and(|text| text.ends_with('.')), "{}", panel["title"]);
        let source = &panel["datasource"];
        assert_eq!((&source["type"], &source["uid"]), (&"prometheus".into(), &"${datasource}".into()));
    }
}

/// What the provisioning names is there, and has the names that the dashboard uses.
#[test]
fn the_dashboard_finds_its_data_source() {
    let variables = dashboard()["templating"]["list"].as_array().unwrap().clone();
    let names: Vec<_> = variables.iter().map(|variable| variable["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["datasource", "instance"]);
    let source = text("config/grafana/provisioning/datasources/prometheus.yml");
    assert!(source.contains("type: prometheus") && source.contains("isDefault: true"), "{source}");
    let provider = text("config/grafana/provisioning/dashboards/tributary.yml");
    let compose = text("docker-compose.yml");
    assert!(compose.contains("./config/grafana:/etc/grafana:ro"), "{compose}");
    assert!(provider.contains("path: /etc/grafana/dashboards"), "{provider}");
    let home = "default_home_dashboard_path = /etc/grafana/dashboards/tributary.json";
    assert!(text("config/grafana/grafana.ini").contains(home));
    assert!(FILE.ends_with("config/grafana/dashboards/tributary.json"));
    let scraped = text("config/prometheus/prometheus.yml");
    assert!(
        scraped.contains("job_name: tributary") && scraped.contains("metrics_path: /metrics"),
        "{scraped}"
    );
}
