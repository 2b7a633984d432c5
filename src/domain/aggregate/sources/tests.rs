//! One source keeps all that is said of it; numbers follow use; hostile titles stay inert.

use proptest::prelude::*;

use super::super::result::SourceQuality;
use super::*;

fn source(url: &str, title: &str, snippet: &str) -> SourceInput {
    let part = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    SourceInput { url: part(url), title: part(title), snippet: part(snippet), ..SourceInput::default() }
}

fn finished(sources: &[(SourceInput, &str)]) -> NumberedSources {
    let mut registry = SourceRegistry::default();
    for (source, subagent) in sources {
        registry.add(source, subagent);
    }
    registry.into_sources(&[], &BTreeSet::new())
}

#[test]
fn one_source_keeps_all_that_is_said_of_it() {
    let mut first = source("https://a.org/x?utm_source=y", "Untitled", "The limit is 5 MB");
    first.quality = Some(SourceQuality::Low);
    let mut second = source("http://www.a.org/x", "Limits of the API", "… limit is 5 MB …");
    second.quality = Some(SourceQuality::High);
    let third = source("https://a.org/x", "https://a.org/x", "It was 4 MB.");
    let sources = finished(&[(first, "b"), (second, "a"), (third, "b")]).sources;
    assert_eq!(sources.len(), 1);
    let one = &sources[0];
    assert_eq!(one.title, "Limits of the API");
    assert_eq!(one.other_titles, ["Untitled", "https://a.org/x"]);
    assert_eq!(one.snippets, ["The limit is 5 MB", "It was 4 MB."]);
    assert_eq!((one.quality, one.kind), (Some(SourceQuality::High), SourceKind::Web));
    assert_eq!(one.cited_by, ["a", "b"]);
}

#[test]
fn a_title_is_as_its_author_meant_it() {
    let url = "https://www.acme.example/a";
    for (titles, expected) in [
        (["AT&amp;T &mdash; <b>History</b>\n of it", ""], &["AT&T — History of it"][..]),
        (["**AT&T**", "AT&amp;T"], &["AT&T"]),
        (["The market - Acme | Acme", "The market - Acme"], &["The market - Acme"]),
        // An address tells less than a word.
        (["acme.example › docs › prices", "Prices"], &["Prices", "acme.example › docs › prices"]),
        (["www.acme.example", "Prices"], &["Prices", "www.acme.example"]),
        (["acme.example", ""], &["acme.example"]),
        // A word that says nothing tells less than the address.
        (["Untitled", ""], &[url, "Untitled"]),
        (["link", "Prices"], &["Prices", "link"]),
        (["acme.example rises", "Prices"], &["acme.example rises", "Prices"]),
    ] {
        let one = finished(&titles.map(|title| (source(url, title, ""), "a"))).sources.remove(0);
        let told: Vec<_> = [one.title].into_iter().chain(one.other_titles).collect();
        assert_eq!(told, expected, "{titles:?}");
    }
    let same = ["AT&amp;T report", "AT&T *report*", "AT&T report"].map(|title| (source("", title, ""), "a"));
    assert_eq!(finished(&same).sources.len(), 1);
}

#[test]
fn rejected_by_one_is_rejected() {
    let with = |quality| SourceInput { quality: Some(quality), ..source("https://a.org", "", "") };
    let sources = finished(&[(with(SourceQuality::Rejected), "a"), (with(SourceQuality::High), "b")]).sources;
    assert_eq!(sources[0].quality, Some(SourceQuality::Rejected));
}

#[test]
fn accents_of_a_title_have_one_spelling() {
    let titles =
        ["Café Zürich", "Cafe\u{301} Zu\u{308}rich", "Cafe Zurich"].map(|title| source("", title, ""));
    let sources = finished(&titles.map(|title| (title, "a"))).sources;
    assert_eq!(sources.len(), 2, "{sources:?}");
}

#[test]
fn without_a_url_the_title_tells() {
    let handbook =
        SourceInput { kind: Some(SourceKind::Document), ..source("", "The Handbook, 3rd ed.", "") };
    let same = source("", "the handbook: 3rd ed", "");
    let claimed = SourceInput { kind: Some(SourceKind::Slack), ..source("javascript:alert(1)", "", "") };
    let spoof =
        SourceInput { kind: Some(SourceKind::Confluence), ..source("https://slack.com.evil.org/a", "S", "") };
    let result = finished(&[(handbook, "a"), (same, "b"), (claimed, "a"), (spoof, "a")]);
    let shown: Vec<_> = result.sources.iter().map(|s| (s.title.as_str(), s.kind, s.url.is_some())).collect();
    assert_eq!(
        shown,
        [
            ("javascript:alert(1)", SourceKind::Other, false),
            ("The Handbook, 3rd ed.", SourceKind::Document, false),
            ("S", SourceKind::Web, true),
        ]
    );
    assert_eq!(result.by_type[&SourceKind::Document], [2]);
    assert_eq!(result.distribution.values().sum::<usize>(), 3);
}

#[test]
fn addresses_that_are_no_links_tell_sources_apart() {
    let report = |address: &str| source(address, "Report", "");
    let sources = finished(&[
        (report("s3://finance/2023/report.pdf"), "a"),
        (report("s3://hr/2019/report.pdf"), "b"),
        (report("s3://hr/2019/report.pdf"), "c"),
        (report("javascript:alert(1)"), "d"),
        (report("See above"), "e"),
        (report(""), "f"),
    ])
    .sources;
    let shown: Vec<_> =
        sources.iter().map(|source| (source.other_titles.clone(), source.cited_by.len())).collect();
    let address = |address: &str| vec![address.to_owned()];
    let expected = [
        (vec![], 1),
        (address("s3://finance/2023/report.pdf"), 1),
        (address("s3://hr/2019/report.pdf"), 2),
        (vec![], 2),
    ];
    assert_eq!(shown, expected);
    assert!(sources.iter().all(|source| source.url.is_none() && source.title == "Report"));
}

#[test]
fn numbers_follow_use() {
    let mut registry = SourceRegistry::default();
    let keys: Vec<SourceKey> = ["a", "b", "c"]
        .iter()
        .map(|host| registry.add(&source(&format!("https://{host}.org"), "", ""), "x").unwrap())
        .collect();
    assert_eq!(registry.domain(keys[1]), Some("b.org"));
    let sources =
        registry.into_sources(&[keys[2], keys[2], SourceKey(9)], &BTreeSet::from([keys[2]])).sources;
    let shown: Vec<_> = sources.iter().map(|s| (s.id, s.title.as_str(), s.used)).collect();
    assert_eq!(
        shown,
        [(1, "https://c.org/", true), (2, "https://a.org/", false), (3, "https://b.org/", false)]
    );
}

#[test]
fn hostile_titles_are_inert_and_everything_is_bounded() {
    let long = source("https://a.org", &format!("a\u{202E}\u{0}b\n# c {}", "x".repeat(1 << 20)), "");
    let sources = finished(&[(long, "a")]).sources;
    assert_eq!(sources[0].title.chars().count(), TITLE_CHARS_MAX);
    assert!(sources[0].title.starts_with("ab # c xxx"));
    let mut registry = SourceRegistry::default();
    for n in 0..SOURCES_MAX + 5 {
        let added = registry.add(&source(&format!("https://a.org/{n}"), "", ""), "a");
        assert_eq!(added.is_some(), n < SOURCES_MAX);
        registry.add(&source("https://a.org/0", &format!("title {n}"), &format!("excerpt {n}.")), "a");
    }
    assert_eq!(registry.entries.len(), SOURCES_MAX);
    let sources = registry.into_sources(&[], &BTreeSet::new()).sources;
    assert_eq!((sources[0].other_titles.len() + 1, sources[0].snippets.len()), (TITLES_MAX, SNIPPETS_MAX));
    // Bounded from the worse end.
    assert_eq!(sources[0].title, "title 10000");
}

#[test]
fn local_numbers_mean_sources() {
    let by_place = [source("https://a.org", "A", ""), source("", "B", "")];
    let with_id = |id: &str, url: &str| SourceInput { id: Some(id.to_owned()), ..source(url, "", "") };
    let defined = |n: u32, title: &str, url: &str| {
        (n, title.to_owned(), Some(url.to_owned()).filter(|u| !u.is_empty()))
    };
    for (sources, definitions, places, extra) in [
        (&by_place[..], vec![], vec![(1, 0), (2, 1)], 0),
        // The text's own section: by URL, by title, and nothing for what wasn't declared; no places.
        (
            &by_place[..],
            vec![defined(7, "x", "http://www.a.org/"), defined(8, "b", ""), defined(9, "C", "https://c.org")],
            vec![(7, 0), (8, 1)],
            0,
        ),
        (&by_place[..], vec![defined(1, "b", ""), defined(2, "a", "")], vec![(1, 1), (2, 0)], 0),
        // A part of the sources at their places, or an invented one, takes nothing from the others …
        (&by_place[..], vec![defined(2, "b", ""), defined(3, "", "https://c.org")], vec![(1, 0), (2, 1)], 0),
        (&by_place[..], vec![defined(1, "Smith (2020)", "")], vec![(1, 0), (2, 1)], 0),
        // … but a numbering of its own doesn't go by places.
        (&by_place[..], vec![defined(1, "b", ""), defined(2, "", "https://c.org")], vec![(1, 1)], 0),
        // Where nothing is declared, the section says what there is.
        (&[][..], vec![defined(3, "C", "https://c.org")], vec![(3, 0)], 1),
        // Its own ids go first, and with them there are no places.
        (&[with_id("5", "https://a.org"), with_id("c1", "https://b.org")][..], vec![], vec![(5, 0)], 0),
        (
            &[with_id("1", "https://a.org"), with_id("2", "https://b.org")][..],
            vec![defined(1, "A", ""), defined(3, "D", "https://b.org")],
            vec![(1, 0), (2, 1), (3, 1)],
            0,
        ),
        // … but not against what the text says.
        (
            &[with_id("1", "https://a.org"), with_id("2", "https://b.org")][..],
            vec![defined(1, "", "https://b.org")],
            vec![(1, 1), (2, 1)],
            0,
        ),
        // A number for a page that wasn't declared means no source, neither by its place nor by an id, where the list has a declared one too,
        // or more than there are …
        (
            &[source("https://a.org", "", ""), source("https://b.org", "B", "")][..],
            vec![defined(1, "C", "https://c.org"), defined(2, "D", "https://b.org")],
            vec![(2, 1)],
            0,
        ),
        (
            &[with_id("1", "https://a.org")][..],
            vec![defined(1, "C", "https://c.org"), defined(2, "D", "https://d.org")],
            vec![],
            0,
        ),
        // … and is made up elsewhere;
        (&[with_id("1", "https://a.org")][..], vec![defined(1, "C", "https://c.org")], vec![(1, 0)], 0),
        (
            &[source("https://a.org", "", ""), source("https://b.org", "", "")][..],
            vec![defined(1, "C", "https://c.org")],
            vec![(1, 0), (2, 1)],
            0,
        ),
        // its title may be that of the source there, too, and a source without a link has no other address.
        (
            &by_place[..],
            vec![defined(1, "a", "https://c.org"), defined(2, "C", "https://d.org")],
            vec![(1, 0), (2, 1)],
            0,
        ),
        (&[][..], vec![defined(1, "", "")], vec![], 0),
    ] {
        let map = local_map(sources, &definitions, &BTreeSet::new());
        assert_eq!(map.places.into_iter().collect::<Vec<_>>(), places, "{definitions:?}");
        assert_eq!(map.extra.len(), extra);
    }
}

fn any_source() -> impl Strategy<Value = (SourceInput, &'static str)> {
    let quality = prop::sample::select(vec![
        None,
        Some(SourceQuality::Low),
        Some(SourceQuality::High),
        Some(SourceQuality::Rejected),
    ]);
    let kind = prop::sample::select(vec![None, Some(SourceKind::Slack), Some(SourceKind::Document)]);
    let url = prop::sample::select(vec![
        "",
        "https://a.org",
        "http://www.a.org/?utm_source=x",
        "https://b.org/A",
        "data:x",
    ]);
    (url, "[a-bA \u{202E}]{0,3}", "[xy ]{0,4}", quality, kind, prop::sample::select(vec!["p", "q", "r"]))
        .prop_map(|(url, title, snippet, quality, kind, subagent)| {
            (SourceInput { quality, kind, id: None, ..source(url, &title, &snippet) }, subagent)
        })
}

proptest! {
    #[test]
    fn the_order_of_adding_makes_no_difference(
        (sources, shuffled) in prop::collection::vec(any_source(), 0..60)
            .prop_flat_map(|sources| (Just(sources.clone()), Just(sources).prop_shuffle())),
    ) {
        prop_assert_eq!(finished(&sources), finished(&shuffled));
    }
}
