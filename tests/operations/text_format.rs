//! Prometheus' text format, as far as it is needed to compare one scrape with another.

use std::collections::{BTreeMap, BTreeSet};

/// What the series of a histogram have behind its name.
const PARTS: [&str; 3] = ["_bucket", "_sum", "_count"];

/// A scrape.
#[derive(Debug)]
pub struct Scrape {
    /// Its series, names with labels, as they stand there.
    pub series: BTreeSet<String>,
    /// The type of each family, by its name.
    pub families: BTreeMap<String, String>,
}

impl Scrape {
    pub fn parse(text: &str) -> Self {
        let (mut series, mut families) = (BTreeSet::new(), BTreeMap::new());
        for line in text.lines() {
            if let Some(family) = line.strip_prefix("# TYPE ") {
                let (name, kind) = family.split_once(' ').unwrap();
                families.insert(name.to_owned(), kind.to_owned());
            } else if !line.starts_with('#') && !line.is_empty() {
                let (name, _) = line.rsplit_once(' ').unwrap();
                assert!(series.insert(name.to_owned()), "twice: {line}");
            }
        }
        Self { series, families }
    }

    /// Every label of every series but for the bounds of buckets: the family's name, the label's, and its value.
    pub fn labels(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.series
            .iter()
            .flat_map(|series| {
                let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
                let family = PARTS.iter().find_map(|part| name.strip_suffix(part)).unwrap_or(name);
                let labels = labels.strip_suffix('}').unwrap().split("\",").filter(|label| !label.is_empty());
                let pairs = labels.map(|label| label.split_once("=\"").unwrap());
                pairs.map(move |(label, value)| (family, label, value.trim_end_matches('"')))
            })
            .filter(|(_, label, _)| *label != "le")
    }

    /// Whether a query can name it: a family, or one of the series of a histogram.
    pub fn has(&self, name: &str) -> bool {
        let is_histogram = |name: &str| self.families.get(name).is_some_and(|kind| kind == "histogram");
        self.families.contains_key(name)
            || PARTS.iter().any(|part| name.strip_suffix(part).is_some_and(is_histogram))
    }
}

/// The names of metrics in a text, such as a query: what begins as ours do.
pub fn names_in(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_metric =
        |word: &&str| ["tributary_", "http_server_", "process_"].iter().any(|start| word.starts_with(start));
    words.filter(is_metric).map(str::to_owned).collect()
}

/// What the service tells only once it has happened, and what no test here lets happen.
pub const NOT_ALWAYS_THERE: &[&str] = &[
    "tributary_append_failures_total",
    "tributary_append_conflicts_total",
    "tributary_breaker_transitions_total",
    "tributary_notices_total",
    "tributary_model_calls_total",
    "tributary_model_first_token_duration_seconds",
    "tributary_model_duration_seconds",
];

#[test]
fn a_scrape_is_its_series_and_families() {
    let scrape = Scrape::parse(
        "# HELP a_total A\n# TYPE a_total counter\na_total{x=\"y z\"} 1\n# TYPE b histogram\nb_bucket{le=\"1\"} 2\nb_count 2\n",
    );
    assert_eq!(
        scrape.series.iter().collect::<Vec<_>>(),
        ["a_total{x=\"y z\"}", "b_bucket{le=\"1\"}", "b_count"]
    );
    assert!(
        scrape.has("a_total") && scrape.has("b_bucket") && !scrape.has("a_total_count") && !scrape.has("c")
    );
    assert_eq!(scrape.labels().collect::<Vec<_>>(), [("a_total", "x", "y z")]);
    let names = names_in("sum by (le) (rate(tributary_a_bucket{b=\"tributary-c\"}[5m])) / up");
    assert_eq!(names.iter().collect::<Vec<_>>(), ["tributary_a_bucket"]);
}
