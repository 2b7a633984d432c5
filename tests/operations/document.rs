//! The page for operators: it names every metric that there is, and none that there isn't.

use std::collections::BTreeMap;

use crate::prometheus::text;
use crate::scene::Scene;
use crate::text_format::{NOT_ALWAYS_THERE, names_in};

/// The metrics of the page's table: each row begins with its name.
fn described(page: &str) -> BTreeMap<&str, &str> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    rows.filter(|(name, _)| !names_in(name).is_empty()).collect()
}

#[tokio::test]
async fn the_page_describes_the_metrics_that_there_are() {
    let scene = Scene::new().await;
    scene.work("a").await;
    let scrape = scene.scrape().await;
    let page = text("docs/operations.md");
    let described = described(&page);
    let ours = scrape.families.keys().filter(|name| !names_in(name).is_empty());
    let missing: Vec<_> = ours.filter(|name| !described.contains_key(name.as_str())).collect();
    assert!(missing.is_empty(), "not in the table: {missing:?}");
    let is_there = |name: &&String| scrape.has(name) || NOT_ALWAYS_THERE.contains(&name.as_str());
    let named = names_in(&page);
    let invented: Vec<_> = named.iter().filter(|name| !is_there(name)).collect();
    assert!(invented.is_empty(), "not in the scrape: {invented:?}");
    for (name, label, value) in scrape.labels() {
        let Some(row) = described.get(name) else { continue };
        assert!(row.contains(&format!("`{label}`")), "the row of {name} doesn't name `{label}`");
        // Routes, methods and statuses are those of the description of the API.
        let is_told = label.starts_with("http_") || row.contains(&format!("`{value}`"));
        assert!(is_told, "the row of {name} doesn't name the {label} `{value}`");
    }
}
