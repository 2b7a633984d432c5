//! Acknowledged means stored and ordered: under any script of faults.

use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::HashMap;

use futures::future::join_all;
use tributary::engine::coordinator::CoordinatorSettings;

use crate::fixtures::idempotency;
use crate::scene::{Scene, accepted, content_of, partial, revised, settings};
use crate::scripted::Fault;

/// How a sender protects itself against doubles.
#[derive(Debug, Clone, Copy)]
enum Guard {
    None,
    Key,
}

/// A sender: the size of each of its submissions, sent one after the other.
type Sender = (Guard, Vec<usize>);

fn fault() -> impl Strategy<Value = Fault> {
    let rivals = || vec(900..910_u64, 0..3).prop_map(|contents| contents.into_iter().map(partial).collect());
    prop_oneof![
        3 => Just(Fault::Unavailable),
        3 => Just(Fault::TimedOutBefore),
        3 => rivals().prop_map(Fault::TimedOutAfter),
        3 => rivals().prop_map(Fault::Rival),
        2 => (5..9_u64).prop_map(|n| Fault::Rival(vec![revised(1_000 + n, 950)])),
        1 => Just(Fault::Full),
    ]
}

fn sender() -> impl Strategy<Value = Sender> {
    (prop_oneof![Just(Guard::None), Just(Guard::Key)], vec(1..12_usize, 1..5))
}

/// What one sender was told: the contents acknowledged, with their sequences.
async fn send(scene: &Scene, number: u64, (guard, sizes): &Sender) -> Vec<(u64, u64)> {
    let mut told = Vec::new();
    let mut next = number * 100_000;
    for (round, size) in sizes.iter().enumerate() {
        let contents: Vec<u64> = (next..next + *size as u64).collect();
        next += *size as u64;
        let key = match guard {
            Guard::None => None,
            Guard::Key => Some(idempotency(&format!("{number}/{round}"), round as u128)),
        };
        let commands = contents.iter().map(|content| partial(*content)).collect::<Vec<_>>();
        let mut reply = scene.submits(commands.clone(), key.clone()).await;
        if key.is_some() {
            // Who has a key sends everything again until all of it is there.
            while reply.as_ref().is_err() || reply.as_ref().is_ok_and(|reply| reply.stopped.is_some()) {
                reply = scene.submits(commands.clone(), key.clone()).await;
            }
        }
        let answers = reply.map(|reply| reply.answers).unwrap_or_default();
        assert!(key.is_none() || answers.len() == contents.len());
        let acknowledged = contents.iter().zip(&answers).filter_map(|(c, a)| Some((*c, accepted(a)?.0)));
        told.extend(acknowledged);
    }
    told
}

async fn run(senders: &[Sender], faults: Vec<Fault>) {
    let scene = Scene::with(CoordinatorSettings { batch_entries: 7, inbox: 2, ..settings() }).begun().await;
    scene.store.next(faults);
    let all = senders.iter().zip(1..).map(|(sender, number)| send(&scene, number, sender));
    let told = join_all(all).await;
    let log = scene.log().await;
    assert!(log.windows(2).all(|pair| pair[1].previous_chain == pair[0].chain && pair[1].at >= pair[0].at));
    let mut stored: HashMap<u64, Vec<u64>> = HashMap::new();
    for entry in &log {
        if let Some(content) = content_of(entry).filter(|content| *content >= 100_000) {
            stored.entry(content).or_default().push(entry.sequence.0);
        }
    }
    for (content, sequences) in &stored {
        assert_eq!(sequences.len(), 1, "{content} was doubled");
    }
    for (content, sequence) in told.iter().flatten() {
        assert_eq!(stored.get(content), Some(&vec![*sequence]), "{content} was acknowledged");
    }
    for (told, (guard, sizes)) in told.iter().zip(senders) {
        assert!(told.is_sorted_by_key(|(_, sequence)| *sequence), "the order of a sender is kept");
        let sent: usize = sizes.iter().sum();
        assert!(matches!(guard, Guard::None) || told.len() == sent, "with a key all of it arrives");
    }
    assert_eq!(scene.state().await.position.sequence.0 as usize, log.len());
}

/// `PROPTEST_CASES` asks for more than these.
fn stories() -> ProptestConfig {
    let asked = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked.cases } else { 96 };
    ProptestConfig { cases, failure_persistence: None, ..asked }
}

proptest! {
    #![proptest_config(stories())]

    #[test]
    fn every_acknowledged_event_is_stored_once_at_its_sequence_whatever_the_store_does(
        senders in vec(sender(), 1..5),
        faults in vec(fault(), 0..40),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(run(&senders, faults));
    }
}
