//! The page for people.

use serde_json::json;

use super::service::Service;

#[test]
fn docs_load_from_their_own_host_only() {
    let service = Service::start(&[]);
    let page = service.ask("GET", "/docs", &[], b"");
    assert_eq!((page.status, page.media()), (200, Some("text/html")));
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'self';") && !policy.contains("http") && !policy.contains('*'),
        "{policy}"
    );
    let html = page.text();
    assert!(html.contains(r#"<base href="docs/">"#) && !html.contains("//"), "{html}");
    let mut loaded = Vec::new();
    for attribute in ["src=\"", "rel=\"stylesheet\" href=\"", "rel=\"icon\" href=\""] {
        loaded.extend(html.split(attribute).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()));
    }
    assert_eq!(loaded.len(), 4, "{loaded:?}");
    for file in loaded {
        let answer = service.ask("GET", &format!("/docs/{file}"), &[], b"");
        assert_eq!(answer.status, 200, "{file}");
        match file.as_str() {
            // Swagger UI's own texts name many addresses; the policy keeps it from loading any, and it needs none.
            "swagger-ui-bundle.js" | "favicon-32x32.png" => {}
            "docs.js" => {
                let script = answer.text();
                assert!(!script.contains("http") && script.contains("validatorUrl: null"), "{script}");
            }
            _ => {
                let text = answer.text();
                let mut addresses = text
                    .split("http")
                    .skip(1)
                    .filter(|rest| rest.starts_with("://") || rest.starts_with("s://"));
                assert!(addresses.all(|rest| rest.starts_with("://www.w3.org/")), "{file}");
            }
        }
    }
    let missing = service.ask("GET", "/docs/index.html", &[], b"");
    assert_eq!((missing.status, &missing.json()["code"]), (404, &json!("not_found")));
}
