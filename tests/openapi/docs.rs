//! The page for people.

use super::described::media;
use super::harness::{TestApp, assert_problem};

#[tokio::test]
async fn docs_load_from_their_own_host_only() {
    let app = TestApp::new().start().await;
    let page = app.get("/docs").send().await;
    assert_eq!((page.status, media(&page)), (200, Some("text/html")));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'self';"), "{policy}");
    assert!(!policy.contains("http") && !policy.contains('*'), "{policy}");
    let html = page.text();
    assert!(html.contains(r#"<base href="docs/">"#) && !html.contains("//"), "{html}");
    let files = loaded(html);
    assert_eq!(files.len(), 4, "{files:?}");
    for file in files {
        let answer = app.get(format!("/docs/{file}")).send().await;
        assert_eq!((answer.status, answer.body.is_empty()), (200, false), "{file}");
        match media(&answer).unwrap() {
            // Swagger UI's own texts name many addresses; the policy keeps it from them.
            "text/javascript" if file == "swagger-ui-bundle.js" => {}
            "text/javascript" => assert!(answer.text().contains("validatorUrl: null"), "{file}"),
            "text/css" => assert_eq!(addresses(answer.text()), 0, "{file}"),
            other => assert_eq!(other, "image/png", "{file}"),
        }
    }
    assert_problem(&app.get("/docs/index.html").send().await, 404, "not_found");
}

/// The files that a page loads.
fn loaded(html: &str) -> Vec<&str> {
    let tags = html.split('<').filter(|tag| tag.starts_with("script") || tag.starts_with("link"));
    let values = tags.flat_map(|tag| [" src=\"", " href=\""].map(|name| tag.split_once(name)));
    values.flatten().map(|(_, rest)| rest.split('"').next().unwrap()).collect()
}

/// How many addresses a style names, but for the names of XML's vocabularies.
fn addresses(css: &str) -> usize {
    css.split("://").skip(1).filter(|rest| !rest.starts_with("www.w3.org/")).count()
}
