//! Where sessions stand (5 of the contract), and which expect something.

use tributary::domain::ids::SessionKey;
use tributary::domain::position::Sequence;
use tributary::domain::session::Command;
use tributary::domain::time::Timestamp;
use tributary::engine::ports::archive::{Archive, ArchivedSession};

use crate::fixtures::post;
use crate::log::{Log, batch, begin, success};

pub async fn the_position_is_the_highest_live_row(archive: &impl Archive) {
    let mut log = Log::running("s", 2);
    assert_eq!(archive.session(&log.key).await.unwrap(), None);
    archive.write(&batch([log.whole()])).await.unwrap();
    let expected = ArchivedSession {
        key: log.key.clone(),
        position: log.position(),
        first: Sequence(1),
        has_open_step: true,
        is_ended: false,
        updated_at: log.now,
    };
    assert_eq!(archive.session(&log.key).await.unwrap(), Some(expected.clone()));
    log.now = Timestamp(2_000_000);
    log.does(&[success()]);
    archive.write(&batch([log.part(4, log.entries.len())])).await.unwrap();
    let ended = ArchivedSession {
        position: log.position(),
        has_open_step: false,
        is_ended: true,
        updated_at: log.now,
        ..expected
    };
    assert_eq!(archive.session(&log.key).await.unwrap(), Some(ended));
}

async fn unfinished(archive: &impl Archive, since: i64) -> Vec<String> {
    let (mut names, mut after): (Vec<String>, Option<SessionKey>) = Default::default();
    loop {
        let page = archive.unfinished(Timestamp(since), after.as_ref(), 2).await.unwrap();
        names.extend(page.iter().map(|session| session.key.session.to_string()));
        match page.last() {
            Some(last) if page.len() == 2 => after = Some(last.key.clone()),
            _ => return names,
        }
    }
}

pub async fn unfinished_sessions_are_listed_page_by_page(archive: &impl Archive) {
    let mut logs = Vec::new();
    for name in ["e", "c", "B", "a", "d"] {
        logs.push(Log::running(name, 1));
    }
    let more = post("p").expects("crm", "r").with("more_steps", true).command();
    let mut waits = Log::new("waits");
    waits.does(&[more.clone(), success()]);
    let mut closed = Log::new("closed");
    closed.does(&[more, success(), Command::Close]);
    let mut ended = Log::running("ended", 1);
    ended.does(&[success()]);
    logs.extend([waits, closed, ended]);
    archive.write(&batch(logs.iter().map(Log::whole))).await.unwrap();
    assert_eq!(unfinished(archive, 0).await, ["B", "a", "c", "d", "e", "waits"], "by name, as bytes");
    assert_eq!(unfinished(archive, 1_000_001).await, ["B", "a", "c", "d", "e"], "steps run, however old");
}

pub async fn a_branch_without_its_beginnings_and_ends_counts_again(archive: &impl Archive) {
    let common = Log::running("s", 1);
    let (mut ends, mut goes_on) = (common.clone(), common);
    ends.does(&[success(), begin("q"), begin("x")]);
    goes_on.says(1);
    archive.write(&batch([ends.whole()])).await.unwrap();
    archive.write(&batch([goes_on.whole()])).await.unwrap();
    let session = archive.session(&goes_on.key).await.unwrap().unwrap();
    assert!(session.has_open_step && !session.is_ended);
    goes_on.does(&[success()]);
    archive.write(&batch([goes_on.whole()])).await.unwrap();
    assert!(archive.session(&goes_on.key).await.unwrap().unwrap().is_ended);
    archive.write(&batch([ends.whole()])).await.unwrap();
    assert!(archive.session(&ends.key).await.unwrap().unwrap().has_open_step);
}
