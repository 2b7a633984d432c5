//! A source has the kind of its site or file, and nothing that only looks like a known host does.

use super::*;
use crate::domain::aggregate::url_identity::identify;
use proptest::prelude::*;

fn kind_of(text: &str) -> SourceKind {
    identify(text).map_or(SourceKind::Other, |url| kind(&url))
}

#[test]
fn a_source_has_the_kind_of_its_site_or_file() {
    use SourceKind::*;
    for (text, expected) in [
        ("https://acme.slack.com/archives/C0123/p1700000000000000", Slack),
        ("https://slack.com/intl/en-gb/", Slack),
        ("https://files.slack.com/files-pri/T0-F0/report.pdf", Slack),
        ("https://slack.com.evil.org/archives/C1", Web),
        ("https://evil.org/slack.com", Web),
        ("https://notslack.com/", Web),
        ("https://slack.com@evil.org/", Web),
        ("https://acme.atlassian.net/wiki/spaces/ENG/pages/1", Confluence),
        ("https://acme.atlassian.net:443/wiki/x", Confluence),
        ("https://acme.atlassian.net.evil.org/wiki", Web),
        ("https://evilatlassian.net/wiki", Web),
        ("https://evil.org/?u=acme.atlassian.net", Web),
        ("https://docs.google.com/document/d/1AbC/edit", Document),
        ("https://drive.google.com/file/d/1/view", Document),
        ("https://docs.google.com.evil.org/document/d/1", Web),
        ("https://www.google.com/search?q=docs", Web),
        ("https://www.notion.so/acme/Plan-123", Document),
        ("https://acme.notion.site/Plan-123", Document),
        ("https://notnotion.so/x", Web),
        ("https://acme.sharepoint.com/:w:/s/x", Document),
        ("https://acme-my.sharepoint.com:443/personal/x", Document),
        ("https://paper.dropbox.com/doc/x", Document),
        ("https://www.dropbox.com/scl/fi/x/notes.paper", Document),
        ("https://www.dropbox.com/pricing", Web),
        ("https://example.org/a/report.PDF?download=1#page=3", Document),
        ("https://example.org/contract.docx", Document),
        ("https://example.org/.pdf", Web),
        ("https://example.org/pdf/", Web),
        ("https://example.org/?file=a.pdf", Web),
        ("https://pdf.example.org/", Web),
        ("https://arxiv.org/abs/2101.00001", Web),
        ("http://127.0.0.1:8080/x", Web),
        ("http://[::1]/x", Web),
        ("doi:10.1000/182", Web),
        ("javascript:alert('slack.com')", Other),
        ("file:///home/a/report.pdf", Other),
        ("report.pdf", Other),
        ("internal wiki, page 4", Other),
        ("", Other),
    ] {
        assert_eq!(kind_of(text), expected, "{text}");
    }
}

#[test]
fn a_kind_is_snake_case_on_the_wire() {
    let names: Vec<String> =
        [SourceKind::Slack, SourceKind::Confluence, SourceKind::Web, SourceKind::Document, SourceKind::Other]
            .iter()
            .map(|kind| serde_json::to_string(kind).unwrap())
            .collect();
    assert_eq!(names, ["\"slack\"", "\"confluence\"", "\"web\"", "\"document\"", "\"other\""]);
}

proptest! {
    #[test]
    fn any_host_behind_a_known_one_is_only_a_web_page(tail in "[a-z]{1,8}\\.(org|com|co\\.uk)") {
        for known in ["slack.com", "a.atlassian.net", "docs.google.com", "notion.so"] {
            prop_assert_eq!(kind_of(&format!("https://{known}.{tail}/x")), SourceKind::Web);
        }
    }

    #[test]
    fn any_url_field_has_a_kind(url in any::<String>()) {
        kind(&UrlIdentity { key: String::new(), url, domain: String::new() });
    }
}
