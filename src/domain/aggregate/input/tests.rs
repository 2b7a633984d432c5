//! Sources, qualities and statuses as they come in: every way of writing them is read, none makes it panic.

use proptest::prelude::*;

use super::*;

/// id, url, title; blank where there is none.
fn parts(source: &SourceInput) -> [&str; 3] {
    [&source.id, &source.url, &source.title].map(|part| part.as_deref().unwrap_or(""))
}

#[test]
fn sources_are_read_from_texts() {
    for (text, expected) in [
        ("https://a.org/x", ["", "https://a.org/x", ""]),
        (" <https://a.org/x> ", ["", "https://a.org/x", ""]),
        ("HTTPS://A.org", ["", "HTTPS://A.org", ""]),
        ("www.a.org/x", ["", "https://www.a.org/x", ""]),
        ("[A title](https://a.org/x)", ["", "https://a.org/x", "A title"]),
        ("[A [nested] title](https://a.org/x_(y) \"t\").", ["", "https://a.org/x_(y)", "A [nested] title"]),
        ("- [A](https://a.org)", ["", "https://a.org", "A"]),
        ("A title - https://a.org/x", ["", "https://a.org/x", "A title"]),
        ("A title – part 2: https://a.org/x", ["", "https://a.org/x", "A title – part 2"]),
        ("A title (https://a.org/x)", ["", "https://a.org/x", "A title"]),
        ("A (https://a.org/x_(y))", ["", "https://a.org/x_(y)", "A"]),
        ("维基百科：https://zh.wikipedia.org/wiki/水", ["", "https://zh.wikipedia.org/wiki/水", "维基百科"]),
        ("https://a.org/x | A title", ["", "https://a.org/x", "A title"]),
        ("https://a.org/x y", ["", "https://a.org/x y", ""]),
        ("https://a.org/my annual report?p=1", ["", "https://a.org/my annual report?p=1", ""]),
        ("https://a.org/x Title", ["", "https://a.org/x", "Title"]),
        ("https://a.org/x accessed 2024", ["", "https://a.org/x", "accessed 2024"]),
        ("https://a.org/x what it says of all", ["", "https://a.org/x", "what it says of all"]),
        ("https://a.org y", ["", "https://a.org", "y"]),
        ("[3] A title: https://a.org", ["3", "https://a.org", "A title"]),
        ("[^3]: https://a.org", ["3", "https://a.org", ""]),
        ("[1](https://a.org)", ["", "https://a.org", "1"]),
        ("Handbook, 3rd edition", ["", "", "Handbook, 3rd edition"]),
        ("javascript:alert(1)", ["", "", "javascript:alert(1)"]),
        ("a ://b", ["", "", "a ://b"]),
        ("blob:https://a.org/x", ["", "", "blob:https://a.org/x"]),
        ("https://exa mple.org/", ["", "", "https://exa mple.org/"]),
        ("10.1000/abc", ["", "10.1000/abc", ""]),
        ("example.org/a/b", ["", "example.org/a/b", ""]),
        ("README.md", ["", "", "README.md"]),
        ("and/or", ["", "", "and/or"]),
    ] {
        assert_eq!(parts(&SourceInput::from_text(text).unwrap()), expected, "{text}");
    }
    assert_eq!(SourceInput::from_text(" \u{200B}"), None);
}

#[test]
fn sources_are_read_from_objects() {
    for (json, expected) in [
        (r#"{"id":3,"url":"https://a.org","title":"T","x":1}"#, Some(["3", "https://a.org", "T"])),
        (r#"{"id":"c1","link":"https://a.org","name":"T"}"#, Some(["c1", "https://a.org", "T"])),
        (r#"{"title":"T: https://a.org","url":""}"#, Some(["", "https://a.org", "T"])),
        (r#"{"title":7,"url":["x"],"snippet":"s"}"#, Some(["", "", ""])),
        (r#"{"quality":"HIGH"}"#, None),
        (r#"{}"#, None),
        ("7", None),
        (r#""Title""#, Some(["", "", "Title"])),
    ] {
        assert_eq!(SourceInput::from_json(json).as_ref().map(parts), expected, "{json}");
    }
}

#[test]
fn quality_is_a_word_or_a_share() {
    for (json, quality) in [
        ("\"high\"", Some(SourceQuality::High)),
        ("\" Rejected \"", Some(SourceQuality::Rejected)),
        ("\"LOW\"", Some(SourceQuality::Low)),
        ("\"medium\"", Some(SourceQuality::Medium)),
        ("0.75", Some(SourceQuality::High)),
        ("0.74", Some(SourceQuality::Medium)),
        ("0.5", Some(SourceQuality::Medium)),
        ("0.49", Some(SourceQuality::Low)),
        ("\"0.9\"", Some(SourceQuality::High)),
        ("0", Some(SourceQuality::Low)),
        ("1.01", None),
        ("-0.1", None),
        ("\"NaN\"", None),
        ("\"fine\"", None),
        ("true", None),
        ("[]", None),
    ] {
        assert_eq!(quality_of(json), quality, "{json}");
    }
}

#[test]
fn statuses_have_names() {
    for status in FailureStatus::ALL {
        assert_eq!(FailureStatus::named(status.as_str()), status);
    }
    assert_eq!(FailureStatus::named("exploded"), FailureStatus::Error);
}

proptest! {
    #[test]
    fn any_text_is_a_source_or_none(text in "\\PC{0,60}|[\\[\\]()<> :/htps.-]{0,40}") {
        SourceInput::from_text(&text);
        SourceInput::from_json(&text);
    }
}
