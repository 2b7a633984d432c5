//! The vocabulary that results are counted with is read where that keeps nobody from waiting. Each test has a process of its
//! own, in which nothing was counted before.

use std::time::Duration;

use tokio::time::timeout;
use tributary::domain::record::StepStatus;
use tributary::domain::text::tokens;

use crate::fixtures::{id, post};
use crate::scene::{Scene, success};

const LONG: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_result_that_others_follow_has_it_read_meanwhile() {
    let scene = Scene::new();
    let directive = post("p").expects("crm", "r").expects("voice", "v").with("deadline_ms", 600_000);
    scene.tells(directive.command()).await.unwrap();
    scene.tells(success()).await.unwrap();
    assert_eq!(scene.state().await.step(&id("p")).unwrap().status, StepStatus::InProgress);
    let read = async {
        while !tokens::is_read() {
            tokio::task::yield_now().await;
        }
    };
    timeout(LONG, read).await.expect("nothing else needs it");
}

#[tokio::test]
async fn the_first_result_of_a_process_lets_its_thread_serve_others() {
    let scene = Scene::running().await;
    let was_read = tokens::is_read();
    let mut submitted = scene.submits(vec![success()], None);
    let polled = futures::poll!(&mut submitted);
    assert!(polled.is_pending() || was_read, "who submits it has read it himself");
    if polled.is_pending() {
        assert_eq!(submitted.await.unwrap().answers.len(), 1);
    }
    assert!(tokens::is_read());
}
