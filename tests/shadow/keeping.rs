//! How long the monolith's answers are kept: over a restart where there is an archive, and never beyond their session.

use serde_json::json;

use crate::harness::{Folder, TestApp, eventually};
use crate::scene::{OTHER_QUOTE, QUOTE, answer, answering, archived, discrepancies, end, ended, plan};

async fn compared(app: &TestApp, count: u64) {
    eventually("the comparison", || async {
        (discrepancies(app.client(), "").await["summary"]["comparisons"] == count).then_some(())
    })
    .await;
}

async fn stop(mut app: TestApp) {
    app.signal("TERM");
    assert!(app.exited().await.success());
}

#[tokio::test]
async fn answer_that_waits_outlives_the_process_where_there_is_an_archive() {
    let folder = Folder::new();
    let app = archived(&folder).start().await;
    let (early, late) = (ended(app.client(), "early").await, plan(app.client(), "late").await);
    let body = json!({ "answer": OTHER_QUOTE });
    let first =
        answering(app.client(), &early, &body).header("idempotency-key", "k").send().await.expect(200);
    answer(app.client(), &late, OTHER_QUOTE).await.expect(202);
    stop(app).await;

    let app = archived(&folder).start().await;
    let late = app.planner("late");
    let again = answering(app.client(), &app.planner("early"), &body);
    let again = again.header("idempotency-key", "k").send().await.expect(200);
    assert_eq!(again, first, "as it was stored");
    assert_eq!(discrepancies(app.client(), "").await["summary"]["comparisons"], 1);
    end(&late).await;
    compared(&app, 2).await;
    let page = discrepancies(app.client(), "?session=late").await;
    assert_eq!(page["discrepancies"][0]["kind"], "different_numbers", "{page}");
}

#[tokio::test]
async fn answers_are_forgotten_with_their_session() {
    let folder = Folder::new();
    for setup in [TestApp::new(), archived(&folder)] {
        let app = setup.start().await;
        let planner = ended(app.client(), "s").await;
        answer(app.client(), &planner, OTHER_QUOTE).await.expect(200);
        let running = plan(app.client(), "t").await;
        answer(app.client(), &running, QUOTE).await.expect(202);
        compared(&app, 1).await;
        for planner in [&planner, &running] {
            assert_eq!(app.request("DELETE", planner.path("")).send().await.status, 204);
        }
        compared(&app, 0).await;
        // The names are free again, and nothing of the old answers comes back.
        let again = ended(app.client(), "t").await;
        answer(app.client(), &again, QUOTE).await.expect(200);
        compared(&app, 1).await;
        let page = discrepancies(app.client(), "").await;
        assert_eq!((&page["summary"]["same"], &page["discrepancies"]), (&json!(1), &json!([])));
    }
}
