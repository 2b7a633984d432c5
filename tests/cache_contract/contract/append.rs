//! Compare-and-set, what is seen after it, and what is kept beside the log (1 to 4 and 6 of the contract).

use tributary::domain::ids::TenantId;
use tributary::domain::position::{Epoch, Position, Sequence};
use tributary::engine::ports::result_cache::{Appended, Presence};

use crate::bench::{Bench, Bounds};
use crate::fixtures::id;
use crate::writer::{Writer, missed, partial, read, success};

pub async fn the_first_append_begins_a_log<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    assert!(matches!(cache.load(&writer.key).await.unwrap().presence, Presence::Unknown));
    writer.begins(&*cache).await;
    assert_eq!(read(&*cache, &writer.key, 0).await, writer.log);
}

pub async fn an_append_elsewhere_changes_nothing_and_is_told_what_it_missed<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut quick = Writer::new("s");
    quick.begins(&*cache).await;
    let mut slow = quick.clone();
    quick.writes(&*cache, &[partial()]).await.writes(&*cache, &[partial()]).await;
    let missed = missed(slow.tries(&*cache, &[success()]).await);
    assert_eq!(missed.entries, quick.log[1..]);
    assert!(missed.state.is_none(), "the entries lead there");
    assert_eq!(read(&*cache, &quick.key, 0).await, quick.log);
    let mut ahead = Writer::at("s", Position { sequence: Sequence(99), ..quick.position() });
    assert!(matches!(ahead.tries(&*cache, &[success_of_a_new_step()]).await, Ok(Appended::Conflict(_))));
    assert_eq!(read(&*cache, &quick.key, 0).await, quick.log);
}

fn success_of_a_new_step() -> tributary::domain::session::Command {
    crate::fixtures::post("q").expects("crm", "r").command()
}

pub async fn a_log_in_another_epoch_is_missed_as_a_state<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let (mut first, mut second) = (Writer::new("s"), Writer::new("s"));
    assert_ne!(first.position().epoch, second.position().epoch);
    first.begins(&*cache).await;
    let missed = missed(second.tries(&*cache, &[success_of_a_new_step()]).await);
    assert_eq!((missed.entries.len(), missed.state.as_deref()), (0, Some(&*first.state)));
}

pub async fn an_append_that_was_applied_finds_its_own_id_first_among_what_it_missed<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    writer.begins(&*cache).await;
    let now = cache.load(&writer.key).await.unwrap().now;
    let append = writer.append_of(&[partial(), partial()], now);
    assert!(matches!(cache.append(&append).await, Ok(Appended::Stored { .. })));
    let mut other = Writer { state: append.state.clone(), ..writer.clone() };
    other.writes(&*cache, &[partial()]).await;
    let missed = missed(cache.append(&append).await);
    assert_eq!(missed.entries[0].append_id, append.append_id);
    assert_eq!(missed.entries[..append.entries.len()], append.entries);
    assert_eq!(missed.entries.len(), append.entries.len() + 1, "and what came after it");
}

pub async fn what_was_stored_is_seen_by_every_call<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    writer.begins(&*cache).await.writes(&*cache, &[partial()]).await;
    let loaded = cache.load(&writer.key).await.unwrap();
    assert!(matches!(&loaded.presence, Presence::Live(state) if *state == writer.state));
    assert_eq!(loaded.oldest, Sequence(1));
    let window = cache.follow(&writer.key).await.unwrap();
    assert_eq!(window.tail().position, Some(writer.position()));
    assert_eq!(cache.snapshot(&writer.key).await.unwrap().unwrap().position, writer.position());
    assert_eq!(cache.sessions(&writer.key.tenant, None, 9).await.unwrap(), [writer.state.clone().into()]);
    assert_eq!(read(&*cache, &writer.key, 1).await, writer.log[1..]);
    assert_eq!(read(&*cache, &writer.key, 3).await, [], "the tail");
    assert!(cache.health().is_ok());
}

pub async fn a_place_is_confirmed_while_nobody_else_wrote<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    writer.begins(&*cache).await;
    let before = writer.position();
    assert!(cache.confirm(&writer.key, before).await.unwrap().is_none());
    writer.writes(&*cache, &[partial()]).await;
    let missed = cache.confirm(&writer.key, before).await.unwrap().expect("somebody wrote");
    assert_eq!((missed.entries, missed.state), (writer.log[1..].to_vec(), None));
    let forked = Position { epoch: Epoch::from_random(1), ..writer.position() };
    let missed = cache.confirm(&writer.key, forked).await.unwrap().expect("another log");
    assert_eq!(missed.state.as_deref(), Some(&*writer.state));
}

pub async fn an_empty_log_is_confirmed_until_somebody_begins_it<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let (mut writer, other) = (Writer::new("s"), Writer::new("s"));
    assert!(cache.confirm(&other.key, other.position()).await.unwrap().is_none(), "nothing was missed");
    writer.begins(&*cache).await;
    let missed = cache.confirm(&other.key, other.position()).await.unwrap().expect("somebody began");
    assert_eq!(missed.state.as_deref(), Some(&*writer.state));
}

pub async fn every_answer_tells_the_stores_time<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    let began = cache.load(&writer.key).await.unwrap().now;
    bench.pass(1_500).await;
    let Ok(Appended::Stored { now }) = writer.tries(&*cache, &[success_of_a_new_step()]).await else {
        panic!("nothing stands against it")
    };
    assert_eq!(now.since_ms(began), 1_500);
    let stale = Writer::new("s");
    bench.pass(500).await;
    let missed = cache.confirm(&stale.key, stale.position()).await.unwrap().unwrap();
    assert_eq!(missed.now.since_ms(began), 2_000);
}

pub async fn late_results_are_counted_beside_the_log<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    writer.begins_and_ends(&*cache).await;
    let output = writer.state.steps[0].subagents[0].output.clone();
    for _ in 0..3 {
        cache.note_late(&writer.key, output.clone()).await.unwrap();
    }
    let loaded = cache.load(&writer.key).await.unwrap();
    assert_eq!(loaded.late, [(output.clone(), 3)].into());
    assert_eq!(read(&*cache, &writer.key, 0).await, writer.log, "they take no sequence");
    let unknown = Writer::new("unknown").key;
    cache.note_late(&unknown, output).await.unwrap();
    assert!(matches!(cache.load(&unknown).await.unwrap().presence, Presence::Unknown));
}

pub async fn sessions_are_listed_by_name_and_tenant<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    for name in ["c", "a", "d", "b"] {
        Writer::new(name).begins(&*cache).await;
    }
    let mut foreign = Writer::new("e");
    foreign.key.tenant = id::<TenantId>("other");
    foreign.begins(&*cache).await;
    cache.follow(&Writer::new("only-read").key).await.unwrap();
    let names = async |tenant: TenantId, after: Option<&str>, limit| {
        let found = cache.sessions(&tenant, after.map(id).as_ref(), limit).await.unwrap();
        found.iter().map(|listed| listed.session.to_string()).collect::<Vec<_>>()
    };
    let own = TenantId::default_tenant;
    assert_eq!(names(own(), None, 9).await, ["a", "b", "c", "d"]);
    assert_eq!(names(own(), None, 2).await, ["a", "b"]);
    assert_eq!(names(own(), Some("b"), 9).await, ["c", "d"]);
    assert_eq!(names(id("other"), None, 9).await, ["e"]);
}
