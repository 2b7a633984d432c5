//! What hostile subagents wrote stays text in a browser.

use serde_json::{Value, json};

use crate::browser::{Trap, dump};
use crate::harness::{Planner, TestApp};
use crate::scene::{ask, plan};

/// Ways to run something, or to ask for something: `{}` is where that would be heard.
const PAYLOADS: &[&str] = &[
    "<script>new Image().src='{}/script'</script>",
    "<img src=x onerror=\"alert(1);new Image().src='{}/onerror'\">",
    "<img src=\"{}/img\">",
    "![picture]({}/markdown-image)",
    "<svg onload=alert(1)><image href=\"{}/svg\"/></svg>",
    "<iframe src=\"{}/frame\"></iframe>",
    "<link rel=stylesheet href=\"{}/style\">",
    "<style>@import url({}/import);</style>",
    "</style><script>alert(2)</script>",
    "</title><script>alert(3)</script>",
    "</script><script>alert(4)</script>",
    "\"><script>alert(5)</script>",
    "' autofocus onfocus='alert(6)",
    "--><script>alert(7)</script><!--",
    "<meta http-equiv=refresh content=\"0;url={}/refresh\">",
    "<base href=\"{}/base/\">",
    "<form action=\"{}/form\"><button autofocus>x</button></form>",
    "[click](javascript:alert(8))",
    "<a href=\"javascript:alert(9)\">click</a>",
    "<details open ontoggle=alert(10)>",
    "&lt;script&gt;alert(11)&lt;/script&gt;",
    "`<script>alert(12)</script>`",
    "```html\n<script>alert(13)</script>\n```",
    "| <script>alert(14)</script> | b |\n| --- | --- |\n| <img src=x onerror=alert(15)> | \u{202E}gpj.exe |",
];

fn payloads(trap: &Trap) -> Vec<String> {
    let leak = format!("http://{}/leak", trap.address);
    PAYLOADS.iter().map(|payload| payload.replace("{}", &leak)).collect()
}

/// A step in which everything that can be chosen is hostile.
async fn hostile_step(app: &TestApp, payloads: &[String]) -> Planner {
    let all = payloads.join("\n\n");
    let line = payloads.join(" ").replace('\n', " ");
    let expected =
        json!([{"key": "a", "task": line}, {"key": "b", "task": line}, {"key": "c", "task": line}]);
    let fields = json!({"expected_subagents": expected, "query": line, "goal": line});
    let planner = plan(app, &[], fields).await;
    let mut sources: Vec<Value> = payloads
        .iter()
        .map(|payload| json!({"url": payload, "title": payload, "snippet": payload, "type": payload}))
        .collect();
    let address = "https://a.org/\"><script>alert(16)</script>";
    sources.push(json!({"url": address, "title": line, "snippet": line}));
    sources.push(json!({"url": "javascript:alert(17)//https://a.org", "title": "Click"}));
    sources.push(json!({"url": "data:text/html,<script>alert(18)</script>", "title": "Click"}));
    let sentence = format!("The pump needs oil every 30 days [{}].", sources.len() - 2);
    let content = format!("{sentence}\n\n{all}\n\nPeople say {line} every 40 days [1].");
    for (key, days) in [("a", "30 days"), ("b", "50 days")] {
        let content = content.replace("30 days", days);
        let event = json!({"status": "success", "payload": {"content": content, "sources": sources}});
        planner.subagent("p", key).post(&event).await.expect(200);
    }
    let event = json!({"status": "error", "error": {"code": "x", "message": line}});
    planner.subagent("p", "c").post(&event).await.expect(200);
    planner
}

/// Only what shows a page: no policy, no protection in the markup's head.
fn without_policy(page: &str) -> String {
    let (before, rest) = page.split_once("<meta http-equiv=\"Content-Security-Policy\"").unwrap();
    let (_, after) = rest.split_once('>').unwrap();
    format!("{before}{after}")
}

#[tokio::test]
async fn hostile_texts_are_inert_in_chromium_even_without_the_policy() {
    let trap = Trap::set();
    // The trap hears what isn't inert.
    let payloads = payloads(&trap);
    let bare = format!(
        "<html><head></head><body>{}</body></html>",
        payloads[1..4].join(" ") + "<a href='javascript:x()'>x</a>"
    );
    let (heard, _) = trap.open(&bare).await;
    for expected in ["/leak/onerror", "/leak/img", "/told/alert", "/told/link/javascript:", "/told/loaded"] {
        assert!(heard.iter().any(|path| path == expected), "{expected}: {heard:?}");
    }
    let app = TestApp::new().start().await;
    let planner = hostile_step(&app, &payloads).await;
    let page = ask(&planner, "?format=html").await;
    let (heard, seen) = trap.open(&without_policy(page.text())).await;
    assert_eq!(heard, ["/told/loaded"], "nothing ran, nothing was asked for, no link runs");
    assert_eq!(seen.matches("<script").count(), 1, "only what tells: {seen}");
    assert!(seen.contains("The pump needs oil every 30 days"), "{seen}");
    assert!(!seen.contains('\u{202E}'), "nothing turns the text around");
}

#[tokio::test]
async fn page_is_shown_whole_under_its_policy_in_chromium() {
    let app = TestApp::new().start().await;
    let trap = Trap::set();
    let planner = hostile_step(&app, &payloads(&trap)).await;
    let seen =
        dump(&format!("http://{}{}?format=html", app.client().address, planner.path("/steps/p/result")))
            .await;
    assert!(seen.contains("The pump needs oil every 30 days") && seen.contains("</main>"), "{seen}");
    assert!(!seen.contains("<script"), "{seen}");
    assert_eq!(trap.heard(), [] as [String; 0], "nobody asked for anything");
}

#[tokio::test]
async fn table_of_ten_thousand_columns_is_shown_in_chromium() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a"], json!({})).await;
    let row = |cell: &str| format!("|{}", format!(" {cell} |").repeat(10_000));
    let table = format!("{}\n{}\n{}", row("head"), row("---"), row("<b>cell</b>"));
    let content = format!("The pump needs oil every 30 days.\n\n{table}");
    let event = json!({"status": "success", "payload": {"content": content, "sources": []}});
    planner.subagent("p", "a").post(&event).await.expect(200);
    let answer = ask(&planner, "?format=html").await;
    assert!(answer.body.len() < 8 << 20, "{} bytes", answer.body.len());
    let url = format!("http://{}{}?format=html", app.client().address, planner.path("/steps/p/result"));
    let seen = dump(&url).await;
    assert!(seen.contains("The pump needs oil every 30 days") && seen.contains("</main>"), "{}", seen.len());
}
