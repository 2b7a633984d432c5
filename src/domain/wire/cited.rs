//! The sources that a summary cites, as the event that tells it names them.
//!
//! Who only reads a stream can't ask for the result (scope `plan`), and a number without its source is no proof. Each
//! event stays small all the same: titles are cut, and what cites more sources than are named here has them in the result.

use std::collections::BTreeSet;

use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::aggregate::result::Source;
use crate::domain::render::cut::prefix;
use crate::domain::synthesis::citations::keep;

/// How many sources an event names.
pub const SOURCES_MAX: usize = 50;
/// Characters of a title.
const TITLE_MAX: usize = 120;
/// Bytes of an address; a longer one isn't cut, as it would lead elsewhere.
const URL_MAX: usize = 2_048;

/// A source that a summary cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CitedSource {
    /// Its number: `[1]` in the summary, and in the result.
    pub id: u32,
    /// Its title, at most 120 characters of it.
    pub title: String,
    /// Its address; `null` where it has none that may be a link, or where that is longer than 2,048 bytes.
    #[schema(required)]
    pub url: Option<String>,
}

/// The sources of a result that its summary cites, by number.
pub fn cited(summary: &str, sources: &[Source]) -> Vec<CitedSource> {
    let (_, report) = keep(summary, sources.len());
    let numbers: BTreeSet<u32> = report.citations.iter().map(|citation| citation.number).collect();
    let named = sources.iter().filter(|source| numbers.contains(&source.id));
    named.take(SOURCES_MAX).map(CitedSource::of).collect()
}

impl CitedSource {
    fn of(source: &Source) -> Self {
        let url = source.url.clone().filter(|url| url.len() <= URL_MAX);
        Self { id: source.id, title: shortened(&source.title), url }
    }
}

fn shortened(title: &str) -> String {
    let kept = prefix(title, TITLE_MAX, |_, _| 1);
    if kept.len() == title.len() {
        return kept.to_owned();
    }
    // Room for the sign that something is left out.
    format!("{}…", prefix(title, TITLE_MAX - 1, |_, _| 1))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn source(id: u32, title: &str, url: Option<&str>) -> Source {
        let source = json!({"id": id, "url": url, "title": title, "type": "web", "quality": null, "used": true, "cited_by": []});
        serde_json::from_value(source).unwrap()
    }

    fn numbers(summary: &str, sources: &[Source]) -> Vec<u32> {
        cited(summary, sources).iter().map(|source| source.id).collect()
    }

    #[test]
    fn what_the_summary_cites_is_named_and_no_more() {
        let sources: Vec<Source> = (1..=4).map(|id| source(id, "T", Some("https://t.test/"))).collect();
        for (summary, expected) in [
            ("“It is 5.” [3][1] — *crm*", vec![1, 3]),
            ("“It is 5.” [1] — *a* “It is 6.” [1] — *b*", vec![1]),
            ("There is no answer.", vec![]),
            ("`rows[2]` is read [4], see [9].", vec![4]),
            ("", vec![]),
        ] {
            assert_eq!(numbers(summary, &sources), expected, "{summary}");
        }
    }

    #[test]
    fn an_event_stays_small() {
        let long = format!("https://t.test/{}", "a".repeat(URL_MAX));
        let told = cited("It is so [1].", &[source(1, &"word ".repeat(60), Some(&long))]);
        assert_eq!((told[0].url.as_deref(), told[0].title.chars().count()), (None, TITLE_MAX));
        assert!(told[0].title.ends_with("word…"), "{}", told[0].title);
        let whole = "w".repeat(TITLE_MAX);
        assert_eq!(cited("It is so [1].", &[source(1, &whole, None)])[0].title, whole);
        let many: Vec<Source> = (1..=200).map(|id| source(id, "T", None)).collect();
        let summary: String = (1..=200).map(|id| format!("It is so [{id}]. ")).collect();
        assert_eq!(numbers(&summary, &many), (1..=SOURCES_MAX as u32).collect::<Vec<_>>());
    }
}
