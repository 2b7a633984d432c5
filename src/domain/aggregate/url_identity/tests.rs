//! Which URLs name one source, by labelled pairs, and that a rule laid bare is read the same again.

use super::policy::{self, Value};
use super::*;
use proptest::prelude::*;

#[path = "../../../../benches/quality/url_pairs.rs"]
mod url_pairs;

fn same(left: &str, right: &str) -> bool {
    matches!((identify(left), identify(right)), (Some(left), Some(right)) if left.key == right.key)
}

#[test]
fn labelled_pairs_are_judged_as_labelled() {
    let pairs = url_pairs::pairs();
    let wrong: Vec<String> = pairs
        .iter()
        .filter(|pair| same(pair.left, pair.right) != pair.same)
        .map(|pair| {
            let keys = [pair.left, pair.right].map(|text| identify(text).map(|identity| identity.key));
            format!("{} (same: {}): {keys:?}", pair.rule, pair.same)
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), pairs.len(), wrong.join("\n"));
}

#[test]
fn there_are_enough_pairs_of_both_labels() {
    let pairs = url_pairs::pairs();
    let alike = pairs.iter().filter(|pair| pair.same).count();
    assert!(pairs.len() >= 240 && alike >= 120 && pairs.len() - alike >= 120, "{alike} of {}", pairs.len());
    let mut seen = std::collections::BTreeSet::new();
    for pair in &pairs {
        assert!(seen.insert((pair.left, pair.right)), "twice: {} {}", pair.left, pair.right);
    }
}

#[test]
fn fragments_that_choose_a_page_keep_pages_apart() {
    for (left, right) in [
        ("https://matrix.to/#@a:b.org", "https://matrix.to/#@c:b.org"),
        ("https://mega.nz/#!abc", "https://mega.nz/#!abd"),
        ("https://mega.nz/#F.abc", "https://mega.nz/#F.abd"),
        ("https://mail.google.com/mail/u/0/#inbox/1", "https://mail.google.com/mail/u/0/#inbox/2"),
        (
            "https://docs.google.com/spreadsheets/d/x/edit#gid=0",
            "https://docs.google.com/spreadsheets/d/x/edit#gid=1",
        ),
    ] {
        assert!(!same(left, right), "{left} {right}");
    }
    assert!(same(
        "https://docs.google.com/document/d/x/edit#heading=h.1",
        "https://docs.google.com/document/d/x/edit"
    ));
    assert!(same("https://www.acpjournals.org/doi/10.7326/M16-2367", "https://doi.org/10.7326/M16-2367"));
    assert!(
        same("10.1000/ABC", "https://doi.org/10.1000/abc")
            && same("example.org/a", "http://www.example.org/a/")
    );
    for text in
        ["README.md", "and/or", "src/main.rs", "a.b/c d", "1/2", "main.rs/x y", "10.5/20", "24.12.2024/x"]
    {
        assert_eq!(identify(text), None, "{text}");
    }
}

#[test]
fn accents_have_one_spelling() {
    let (one, two) =
        ("https://a.example/caf%C3%A9?q=Z%C3%BCrich", "https://a.example/cafe%CC%81?q=Zu%CC%88rich");
    assert!(
        same(one, two) && same("https://a.example/café?q=Zürich", "https://a.example/cafe\u{301}?q=Zürich")
    );
    assert_eq!(identify(two).unwrap().url, two, "what is shown is what was sent");
    for (left, right) in [
        ("https://a.example/caf%C3%A9", "https://a.example/cafe"),
        ("https://a.example/a%2F%C3%A9", "https://a.example/a/%C3%A9"),
        ("https://a.example/%E9", "https://a.example/%C3%A9"),
    ] {
        assert!(!same(left, right), "{left} {right}");
    }
}

#[test]
fn what_is_shown_is_clean_and_still_works() {
    for (text, url, domain) in [
        (
            "HTTP://User:pw@WWW.Example.co.uk:80/a/./b/?utm_source=x&b=2&a=1#top",
            "http://www.example.co.uk/a/b/?b=2&a=1",
            "example.co.uk",
        ),
        ("https://good.com@evil.org", "https://evil.org/", "evil.org"),
        ("https://m.example.org/a/amp/", "https://m.example.org/a/amp/", "example.org"),
        ("https://www.google.com/amp/s/example.org/a?gclid=1", "https://example.org/a", "example.org"),
        ("https://app.example.org/?utm_source=x#!/a", "https://app.example.org/#!/a", "example.org"),
        ("doi:10.1000/182", "https://doi.org/10.1000/182", "doi.org"),
        ("doi: 10.1000/a#b?c", "https://doi.org/10.1000/a%23b%3Fc", "doi.org"),
        ("10.1000/182", "https://doi.org/10.1000/182", "doi.org"),
        ("example.org/a?ref_src=x", "https://example.org/a", "example.org"),
        ("https://matrix.to/#@a:b.org", "https://matrix.to/#@a:b.org", "matrix.to"),
        ("arXiv:2101.00001v2", "https://arxiv.org/abs/2101.00001v2", "arxiv.org"),
        ("www.example.org", "https://www.example.org/", "example.org"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4", "xn--bcher-kva.example"),
        ("https://www.食狮.公司.cn/", "https://www.xn--85x722f.xn--55qx5d.cn/", "xn--85x722f.xn--55qx5d.cn"),
        ("https://a.b.github.io/x", "https://a.b.github.io/x", "b.github.io"),
        ("https://github.io/x", "https://github.io/x", "github.io"),
        ("http://192.168.0.1:8080/x", "http://192.168.0.1:8080/x", "192.168.0.1"),
        ("http://[2001:DB8::1]/x", "http://[2001:db8::1]/x", "[2001:db8::1]"),
        ("http://localhost:3000/", "http://localhost:3000/", "localhost"),
        ("http://wiki/page", "http://wiki/page", "wiki"),
        ("https://example.org/a.?utm_source=x", "https://example.org/a%2E", "example.org"),
    ] {
        let found = identify(text);
        let expected = (Some(url), Some(domain));
        assert_eq!((found.as_ref().map(|i| &*i.url), found.as_ref().map(|i| &*i.domain)), expected, "{text}");
    }
}

/// What the random texts below reach only seldom.
#[test]
fn what_a_rule_lays_bare_is_read_the_same_again() -> Result<(), TestCaseError> {
    for text in [
        "https://example.org/#!:~:text=x",
        "https://example.org/#!!:~:text=x",
        "https://example.org/#/a.:~:text=x",
        "https://example.org/a)?utm_source=x",
        "https://example.org/a;?utm_source=x",
        "https://example.org/?q=a?&utm_source=x",
        "https://example.org/x/..;jsessionid=1/y",
        "https://example.org/(S(lit3py55t21z5v55vlm25s55));jsessionid=1/y",
        "https://example.org/%%34%31",
        "https://example.org../a",
        "https://www.google.com/amp/s/example.org/a).",
    ] {
        prop_assert!(identify(text).is_some(), "{}", text);
        check(text)?;
    }
    Ok(())
}

#[test]
fn what_may_not_become_a_link_has_no_identity() {
    for text in [
        "",
        " ",
        "a",
        "example.org",
        "report.pdf",
        "//example.org/a",
        "/a/b",
        "#top",
        "?q=1",
        "see above",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "java\nscript:alert(1)",
        " javascript:alert(1)",
        "\u{1}javascript:alert(1)",
        "javascript://example.org/%0aalert(1)",
        "data:text/html,<b>",
        "vbscript:msgbox(1)",
        "file:///etc/passwd",
        "blob:https://example.org/1",
        "ftp://example.org/",
        "mailto:a@example.org",
        "about:blank",
        "ws://example.org/",
        "view-source:https://example.org/",
        "https:",
        "https://",
        "https:///",
        "https://.",
        "https://...",
        "https:example.org",
        "https:/example.org",
        "https:///example.org",
        "https:\\\\example.org",
        "https://good.com\\@evil.org",
        "https://a\\b",
        "ht tps://example.org",
        "https ://example.org",
        "https:// example.org",
        "https://exam ple.org/a",
        "https://exa\tmple.org",
        "https://example.org/\u{0}",
        "https://example.org/a\u{7f}b",
        "https://example.org/a\u{85}b",
        "https://example.org:99999/",
        "https://example.org:x/",
        "https://[::1/",
        "https://exam<ple.org/",
        "https://good.com／evil.org\u{3000}x",
        "https://%00/",
        "www.",
        "www.a",
        "www.good.com@evil.org",
        "www.good.com:1@evil.org",
        "doi:",
        "doi:10",
        "doi:10.1/a",
        "doi:11.1000/1",
        "doi:10.1000/",
        "doi:10.1000/a b",
        "arXiv:",
        "arXiv:cs",
        "arXiv:2101",
        "https://?a",
        "https://#a",
        "https://@/a",
    ] {
        assert_eq!(identify(text), None, "{text:?}");
    }
}

#[test]
fn caches_are_unwrapped_so_deep_and_no_deeper() {
    let wrapped = |times: usize| {
        format!("https://www.google.com/{}example.org/a", "amp/s/www.google.com/".repeat(times))
    };
    let inside = |times: usize| {
        wrapped(times).replacen("www.google.com/example.org", "www.google.com/amp/s/example.org", 1)
    };
    let depth = policy::CACHE_DEPTH_MAX;
    assert_eq!(identify(&inside(depth - 1)).map(|i| i.url).as_deref(), Some("https://example.org/a"));
    assert_eq!(identify(&inside(depth)), None);
    assert_eq!(
        identify(&format!("https://www.google.com/amp/s/{}", "www.google.com/amp/s/".repeat(700))),
        None
    );
    assert_eq!(
        identify("https://www.google.com/amp/s/user@evil.org/x").map(|i| i.domain).as_deref(),
        Some("evil.org")
    );
}

#[test]
fn what_is_too_long_has_no_identity() {
    let text = |bytes: usize| format!("https://example.org/{}", "a".repeat(bytes - 20));
    assert!(identify(&text(policy::URL_BYTES_MAX)).is_some());
    assert!(identify(&text(policy::URL_BYTES_MAX + 1)).is_none());
    let escaped = |letters: usize| identify(&format!("https://example.org/{}", "é".repeat(letters)));
    assert!(escaped(policy::URL_BYTES_MAX / 6 - 4).is_some());
    assert!(escaped(policy::URL_BYTES_MAX / 6 + 1).is_none(), "6 bytes each as shown");
    for c in ["a", "%", ")", "）", "é", "🦀", "\u{301}", "\u{0}", " ", ";", "&", "(", "/", "."] {
        let many = c.repeat(1_000_000 / c.len());
        assert_eq!(identify(&format!("https://example.org/{many}b")), None);
        identify(&format!("https://example.org/b{many}"));
        identify(&many);
        let most: String = many.chars().take((policy::URL_BYTES_MAX - 30) / c.len()).collect();
        for text in [
            format!("https://example.org/{most}"),
            format!("https://example.org/?{most}"),
            format!("{most}https://a.org/"),
            format!("https://example.org/#/{most}x"),
            format!("https://{most}"),
            format!("https://doi.org/10.1000/{most}x"),
        ] {
            assert!(check(&text).is_ok(), "{c:?}");
        }
    }
}

#[test]
fn tables_are_in_order_and_in_lower_case() {
    assert!(policy::NAMES.is_sorted(), "binary search needs order");
    let lower = |name: &str| name == name.to_ascii_lowercase();
    assert!(policy::NAMES.iter().chain(policy::PREFIXES).all(|name| lower(name)));
    assert!(policy::NAMES_WITH_VALUES.iter().all(|(name, _)| lower(name)));
    assert!(
        policy::NAMES_BY_HOST.iter().all(|(host, names)| lower(host) && names.iter().all(|name| lower(name)))
    );
    assert!(
        !policy::NAMES.contains(&"ref")
            && policy::NAMES_BY_HOST.iter().all(|(_, names)| !names.contains(&"ref"))
    );
    assert!(policy::NAMES_WITH_VALUES.contains(&("amp", Value::Flag)));
    for (at, view) in policy::DOI_VIEWS.iter().enumerate() {
        assert!(policy::DOI_VIEWS[..at].iter().all(|longer| !view.ends_with(longer)), "{view} is hidden");
    }
}

/// Text that reaches every rule: pieces of real URLs, joined at random.
fn url_like() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "https://",
        "http://",
        "www.",
        "m.",
        "amp.",
        "en.m.",
        "example.org",
        "wikipedia.org",
        "github.com",
        "doi.org",
        "arxiv.org",
        "youtu.be",
        "youtube.com",
        "www.google.com",
        "a-b.cdn.ampproject.org",
        "link.springer.com",
        "journals.plos.org/plosone/article",
        "biorxiv.org",
        "/amp",
        "/amp/s/",
        "/c/s/",
        "/a",
        "/",
        "//",
        ".",
        "..",
        "/..",
        "/.",
        "%2e",
        "%2E",
        "%2F",
        "%",
        "%%",
        "%4",
        "41",
        "?",
        "&",
        "&amp;",
        "amp;",
        "=",
        "+",
        " ",
        "utm_source=x",
        "amp=1",
        "id=7",
        "sid=0123456789abcdef",
        "id=10.1371/j.1",
        "v=abc",
        "#",
        "#/",
        "#!",
        "!",
        ":~:",
        ";",
        ";jsessionid=1",
        "/(S(lit3py55t21z5v55vlm25s55))",
        "10.1007/x",
        "10.48550/arXiv.2101.00001",
        "/doi/full/",
        "/abs/2101.00001v2",
        "v2",
        "/full",
        ".pdf",
        ".amp",
        ".html",
        ")",
        "(",
        "]",
        "}",
        ">",
        "”",
        "。",
        "，",
        "é",
        "中",
        ":",
        ":443",
        ":80",
        ":8080",
        "@",
        "user@",
        "'",
        "\"",
        "*",
        "`",
        "|",
        "\\",
        "~",
        "\u{200b}",
        "x",
        "A",
        "doi:",
        "arXiv:",
        "[::1]",
    ]);
    (
        prop::sample::select(vec![
            "https://",
            "http://",
            "https://example.org/",
            "https://www.google.com/amp/s/",
            "",
            "doi:",
            "arXiv:",
        ]),
        prop::collection::vec(piece, 0..10),
    )
        .prop_map(|(start, pieces)| format!("{start}{}", pieces.concat()))
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let Some(identity) = identify(text) else { return Ok(()) };
    prop_assert!(
        identity.url.starts_with("https://") || identity.url.starts_with("http://"),
        "{}",
        identity.url
    );
    prop_assert!(identity.url.is_ascii() && !identity.url.bytes().any(|b| b.is_ascii_control() || b == b' '));
    prop_assert!(!identity.domain.is_empty());
    prop_assert_eq!(identify(&identity.url), Some(identity.clone()), "of {}", text);
    Ok(())
}

proptest! {
    #![proptest_config(crate::properties::cases(2048))]

    #[test]
    fn the_identity_of_what_is_shown_is_the_same(text in url_like()) {
        check(&text)?;
    }

    #[test]
    fn any_path_query_and_fragment_are_survived(rest in ".{0,60}") {
        check(&format!("https://example.org/{rest}"))?;
        check(&rest)?;
    }

    #[test]
    fn any_bytes_in_escapes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let escaped: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
        check(&format!("https://example.org/{escaped}?{escaped}={escaped}#/{escaped}"))?;
        check(&format!("https://doi.org/10.1000/{escaped}"))?;
        check(&format!("doi:10.1000/{escaped}"))?;
    }

    #[test]
    fn parameters_are_the_same_in_any_order_of_names(names in prop::collection::btree_set("[a-z]{1,4}q", 1..8), seed in any::<u64>()) {
        let mut pieces: Vec<String> = names.iter().map(|name| format!("{name}={name}")).collect();
        let sorted = format!("https://example.org/a?{}", pieces.join("&"));
        let turn = usize::try_from(seed % pieces.len() as u64).unwrap();
        pieces.rotate_left(turn);
        pieces.reverse();
        let turned = format!("http://www.example.org/a/?{}", pieces.join("&"));
        prop_assert!(same(&sorted, &turned));
    }

    #[test]
    fn other_values_and_paths_never_merge(left in "[a-zA-Z0-9]{1,8}", right in "[a-zA-Z0-9]{1,8}") {
        prop_assume!(left != right);
        for form in ["https://example.org/a?id=*", "https://example.org/x*", "https://example.org/#/*", "https://example.org/*?ref=1",
                     "https://doi.org/10.1000/*0", "https://youtu.be/*"] {
            let doi_only_differs_in_case = form.contains("doi.org") && left.eq_ignore_ascii_case(&right);
            prop_assert!(doi_only_differs_in_case || !same(&form.replace('*', &left), &form.replace('*', &right)), "{}", form);
        }
    }
}
