//! The archiver follows logs wherever they go.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use futures::future::ready;
use tributary::domain::ids::SessionKey;
use tributary::domain::position::Sequence;
use tributary::domain::session::SessionState;
use tributary::domain::time::Timestamp;
use tributary::engine::archive::{RetentionSettings, keep_pruned};
use tributary::engine::ports::archive::{Archive, Segment};
use tributary::engine::ports::result_cache::{Presence, ResultCache, StoreFuture};
use tributary::engine::ports::wake_index::{Claim, WakeIndex, Work};

use crate::fixtures::session_key;
use crate::harness::eventually;
use crate::log::{Log, batch};
use crate::scene::{KEPT, Scene};
use crate::sqlite::Folder;
use crate::writer::{Writer, partial, sequences};

#[tokio::test]
async fn archiver_writes_what_is_left_before_it_stops() {
    let folder = Folder::new();
    let scene = Scene::new(folder.archive().await, 1 << 20, 1 << 30);
    let mut writers = Vec::new();
    for name in 0..50 {
        let mut writer = Writer::new(&format!("s-{name}"));
        writer.begins(&*scene.cache).await;
        for _ in 0..30 {
            writer.writes(&*scene.cache, &[partial()]).await;
        }
        writers.push(writer);
    }
    scene.stop.cancel();
    let Scene { archiving, sql, .. } = scene;
    archiving.await.unwrap();
    for writer in &writers {
        let archived = sql.read(&writer.key, Sequence(0), 1_000).await.unwrap();
        assert_eq!(archived, writer.log);
    }
}

async fn writes(scene: &Scene, writer: &mut Writer, partials: usize) {
    for _ in 0..partials {
        writer.writes(&*scene.cache, &[partial()]).await;
    }
}

#[tokio::test]
async fn store_that_lost_a_log_and_began_anew_is_followed() {
    let folder = Folder::new();
    let scene = Scene::new(folder.archive().await, 1 << 20, 1 << 30);
    let mut old = Writer::new("s");
    old.begins(&*scene.cache).await;
    writes(&scene, &mut old, 20).await;
    scene.has_everything_of(&old).await;
    // Behind the archive's back, as a store does that comes back empty.
    assert!(scene.memory.forget(&old.key).await.unwrap());
    let mut new = Writer::new("s");
    new.begins(&*scene.memory).await;
    new.writes(&*scene.memory, &[partial(), partial()]).await;
    scene.cache.backlog().note(&new.key, new.position());
    scene.has_everything_of(&new).await;
}

#[tokio::test]
async fn store_that_went_back_and_took_another_branch_is_followed() {
    let folder = Folder::new();
    let scene = Scene::new(folder.archive().await, 1 << 20, 1 << 30);
    let mut left = Writer::new("s");
    left.begins(&*scene.cache).await;
    writes(&scene, &mut left, 20).await;
    scene.has_everything_of(&left).await;
    // The store comes back with what it had eight entries ago.
    let common = left.log.len() - 8;
    let mut state =
        SessionState::new(left.key.session.clone(), left.log[0].previous_position(left.position().epoch));
    left.log[..common].iter().for_each(|entry| state.apply(entry));
    assert!(scene.memory.forget(&left.key).await.unwrap());
    assert!(scene.memory.remember(&left.key, state.position, false).await.unwrap());
    let mut right = Writer { state: Arc::new(state), log: left.log[..common].to_vec(), ..left.clone() };
    for more in [3, 12] {
        writes(&scene, &mut right, more).await;
        scene.has_everything_of(&right).await;
    }
    assert_eq!(
        scene.sql.session(&right.key).await.unwrap().unwrap().first,
        Sequence(1),
        "one chain from the start"
    );
}

#[tokio::test]
async fn log_that_only_the_archive_knows_goes_on_above_it() {
    let folder = Folder::new();
    let scene = Scene::new(folder.archive().await, 1 << 20, 1 << 30);
    let log = Log::running("s", 9);
    scene.sql.write(&batch([log.whole()])).await.unwrap();
    let loaded = scene.cache.load(&log.key).await.unwrap();
    let Presence::Archived(state) = loaded.presence else { panic!("{:?}", loaded.presence) };
    assert_eq!((state.position.sequence, loaded.oldest), (log.position().sequence, Sequence(1)));
    assert_eq!(state.position.chain, log.position().chain);
    assert_ne!(state.position.epoch, log.position().epoch, "another life");
    assert_eq!(state.steps.len(), 1);
    let again = scene.cache.load(&log.key).await.unwrap();
    let Presence::Archived(known) = again.presence else { panic!("{:?}", again.presence) };
    assert_eq!(known.position, state.position, "once decided, the epoch stays");
    let revived = scene.cache.revive(&log.key).await.unwrap();
    assert!(matches!(revived.presence, Presence::Live(live) if live == state));
    let mut writer = Writer { key: log.key.clone(), state, log: log.entries.clone() };
    writes(&scene, &mut writer, 3).await;
    scene.has_everything_of(&writer).await;
    let never = scene.cache.load(&session_key("never")).await.unwrap();
    assert!(matches!(never.presence, Presence::Unknown));
}

#[tokio::test]
async fn trimmed_log_is_whole_however_lately_its_archive_was_asked() {
    let folder = Folder::new();
    let scene = Scene::new(folder.archive().await, 1, 1 << 30);
    let mut writer = Writer::new("s");
    writer.begins(&*scene.cache).await;
    for _ in 0..5 {
        writes(&scene, &mut writer, 4).await;
        scene.has_everything_of(&writer).await;
        eventually("the log to be trimmed", || async {
            (scene.memory.load(&writer.key).await.unwrap().oldest == writer.position().sequence).then_some(())
        })
        .await;
        assert_eq!(scene.cache.load(&writer.key).await.unwrap().oldest, Sequence(1));
    }
}

#[tokio::test]
async fn log_with_a_hole_is_folded_from_where_it_is_whole() {
    let folder = Folder::new();
    let scene = Scene::new(folder.archive().await, 1 << 20, 1 << 30);
    let mut log = Log::running("s", 5);
    log.does(&[crate::log::begin("q")]).says(3);
    let whole_from = 5;
    scene.sql.write(&batch([log.part(1, 2)])).await.unwrap();
    scene.sql.write(&batch([log.part(whole_from, log.entries.len())])).await.unwrap();
    let loaded = scene.cache.load(&log.key).await.unwrap();
    let Presence::Archived(state) = loaded.presence else { panic!("{:?}", loaded.presence) };
    let steps: Vec<&str> = state.steps.iter().map(|step| step.id().as_str()).collect();
    assert_eq!(
        (steps, state.position.chain),
        (vec!["q"], log.position().chain),
        "what lost its beginning is passed over"
    );
    assert_eq!(loaded.oldest, Sequence(whole_from as u64));
}

#[tokio::test]
async fn retention_prunes_until_nothing_is_old() {
    let folder = Folder::new();
    let archive = folder.archive().await;
    let old: Vec<Log> = (0..20).map(|n| Log::running(&format!("old-{n}"), n)).collect();
    let mut young = Log::new("young");
    young.now = Timestamp(50_000_000);
    young.does(&[crate::log::begin("p")]);
    archive.write(&batch(old.iter().chain([&young]).map(Log::whole))).await.unwrap();
    let settings =
        RetentionSettings { age: Duration::from_secs(3_600), every: Duration::from_millis(5), rows: 7 };
    let pruning = keep_pruned(archive.clone(), settings, || Timestamp(50_000_000));
    let gone = eventually("what is old to go", || async {
        for log in &old {
            if archive.session(&log.key).await.unwrap().is_some() {
                return None;
            }
        }
        Some(())
    });
    tokio::select! {
        () = pruning => panic!("it never ends"),
        () = gone => {}
    }
    let kept = archive.read(&young.key, Sequence(0), 9).await.unwrap();
    assert_eq!(sequences(&kept), sequences(&young.entries));
}

/// An index in which one session is due once; it notes what becomes of the claim.
#[derive(Default)]
pub struct OneDue {
    due: Mutex<Vec<Claim>>,
    moved: Mutex<Vec<(Timestamp, Option<Timestamp>)>>,
}

impl WakeIndex for OneDue {
    fn wake_at<'a>(&'a self, _: &'a SessionKey, _: Work, _: Timestamp) -> StoreFuture<'a, ()> {
        ready(Ok(())).boxed()
    }

    fn wake_by<'a>(&'a self, _: &'a SessionKey, _: Work, at: Timestamp) -> StoreFuture<'a, Timestamp> {
        ready(Ok(at)).boxed()
    }

    fn announce<'a>(&'a self, _: &'a SessionKey, _: Work, at: Timestamp) -> StoreFuture<'a, Timestamp> {
        ready(Ok(at)).boxed()
    }

    fn move_wake<'a>(
        &'a self,
        _: &'a SessionKey,
        _: Work,
        from: Timestamp,
        to: Option<Timestamp>,
    ) -> StoreFuture<'a, bool> {
        self.moved.lock().unwrap().push((from, to));
        ready(Ok(true)).boxed()
    }

    fn due(&self, _: Work) -> StoreFuture<'_, Vec<Claim>> {
        ready(Ok(std::mem::take(&mut *self.due.lock().unwrap()))).boxed()
    }
}

#[tokio::test]
async fn what_another_replica_archived_before_it_died_is_let_go() {
    let folder = Folder::new();
    let mut writer = Writer::new("s");
    let until = Timestamp(77);
    let due = Mutex::new(vec![Claim { key: writer.key.clone(), until }]);
    let index = Arc::new(OneDue { due, moved: Mutex::default() });
    let scene = Scene::with_index(folder.archive().await, 1, 1 << 30, Some(index.clone()));
    // Past this replica's cache: another one wrote and archived it, and died before it said so.
    writer.begins(&*scene.memory).await;
    writer.writes(&*scene.memory, &[partial(), partial()]).await;
    let (key, epoch) = (writer.key.clone(), writer.position().epoch);
    scene.sql.write(&batch([Segment { key, epoch, entries: writer.log.clone() }])).await.unwrap();
    let oldest = async || scene.memory.load(&writer.key).await.unwrap().oldest;
    assert_eq!(oldest().await, Sequence(1), "nobody has told the cache");
    scene.cache.look_after_others().await.unwrap();
    assert_eq!(oldest().await, writer.position().sequence, "all but the last entry may go");
    let next = writer.state.last_at.plus_ms(KEPT.as_millis() as u64 / 100 * 45);
    assert_eq!(*index.moved.lock().unwrap(), [(until, Some(next))], "only that the archive may go back");
}

#[tokio::test]
async fn an_archive_that_went_back_gets_what_it_lacks_and_no_hole() {
    let folder = Folder::new();
    let scene = Scene::new(folder.archive().await, 1 << 20, 1 << 30);
    let mut writer = Writer::new("s");
    writer.begins(&*scene.cache).await;
    writes(&scene, &mut writer, 20).await;
    scene.has_everything_of(&writer).await;
    // As one that was put back from a backup: it has nothing of the session, and no mark that it was deleted.
    scene.sql.prune(Timestamp(i64::MAX), 1_000).await.unwrap();
    assert_eq!(scene.sql.session(&writer.key).await.unwrap(), None);
    writes(&scene, &mut writer, 3).await;
    scene.has_everything_of(&writer).await;
    let session = scene.sql.session(&writer.key).await.unwrap().unwrap();
    assert_eq!(session.first, Sequence(1), "without a hole");
}
