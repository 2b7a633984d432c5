//! With names that only these tests know: nothing here asks a name server.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::join_all;

use super::*;

fn table(addresses: &[&str]) -> Lookup {
    let addresses: Vec<IpAddr> = addresses.iter().map(|address| address.parse().unwrap()).collect();
    Arc::new(move |_| Ok(addresses.clone()))
}

async fn resolve(addresses: &[&str], allow_private: bool) -> Result<Vec<String>, BoxError> {
    let resolver = GuardedResolver::new(table(addresses), allow_private);
    let found = resolver.resolve("crm.test".parse().unwrap()).await?;
    Ok(found.map(|address| address.to_string()).collect())
}

#[tokio::test]
async fn private_addresses_of_a_name_are_left_out() {
    let found = resolve(&["10.0.0.1", "93.184.216.34", "::1", "2606:4700::1111"], false).await.unwrap();
    assert_eq!(found, ["93.184.216.34:0", "[2606:4700::1111]:0"]);
}

#[tokio::test]
async fn a_name_with_private_addresses_alone_is_refused_as_such() {
    let error = resolve(&["10.0.0.1", "::ffff:127.0.0.1"], false).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`crm.test` has only private addresses, and those may not be called (`invoke.allow_private`)"
    );
    assert!(error.is::<OnlyPrivate>());
    assert!(!resolve(&[], false).await.unwrap_err().is::<OnlyPrivate>());
}

#[tokio::test]
async fn private_addresses_are_given_where_they_are_allowed() {
    assert_eq!(resolve(&["10.0.0.1"], true).await.unwrap(), ["10.0.0.1:0"]);
}

/// Counts look-ups, and those under way.
fn counting() -> (Lookup, Arc<AtomicUsize>, Arc<AtomicUsize>) {
    let (all, most, now) =
        (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)), AtomicUsize::new(0));
    let (count_all, count_most) = (all.clone(), most.clone());
    let lookup: Lookup = Arc::new(move |_| {
        count_all.fetch_add(1, Ordering::SeqCst);
        count_most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::yield_now();
        now.fetch_sub(1, Ordering::SeqCst);
        Ok(vec![IpAddr::from([93, 184, 216, 34])])
    });
    (lookup, all, most)
}

#[tokio::test]
async fn a_burst_of_calls_to_one_name_asks_a_few_times_and_later_calls_ask_again() {
    tokio::time::pause();
    let (lookup, all, _) = counting();
    let resolver = GuardedResolver::new(lookup, false);
    let found = join_all((0..500).map(|_| resolver.addresses("crm.test"))).await;
    assert!(found.iter().all(Result::is_ok));
    let asked = all.load(Ordering::SeqCst);
    assert!((1..=LOOKUPS_MAX).contains(&asked), "{asked}");
    tokio::time::advance(REMEMBERED).await;
    resolver.addresses("crm.test").await.unwrap();
    assert_eq!(all.load(Ordering::SeqCst), asked + 1);
}

#[tokio::test]
async fn look_ups_at_once_and_names_remembered_are_bounded() {
    let (lookup, all, most) = counting();
    let resolver = GuardedResolver::new(lookup, false);
    let names: Vec<String> = (0..NAMES_MAX * 2).map(|name| format!("{name}.test")).collect();
    join_all(names.iter().map(|name| resolver.addresses(name))).await;
    assert_eq!(all.load(Ordering::SeqCst), names.len());
    assert!(most.load(Ordering::SeqCst) <= LOOKUPS_MAX);
    assert!(resolver.remembered.lock().len() <= NAMES_MAX);
}
