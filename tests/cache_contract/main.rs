//! The contract of `ResultCache` (`src/engine/ports/result_cache.rs`), one suite for every implementation.
//!
//! Each test of the suite is a function over a [`Bench`](bench::Bench), which sets a store up and lets time pass for it. What only
//! one implementation promises (a budget of memory, the end of unused places) is beside its bench.

#![allow(clippy::wildcard_enum_match_arm, reason = "tests look for one variant; another fails them")]
#![allow(clippy::unwrap_used, reason = "a test may")]

mod bench;
#[path = "../harness/certificates.rs"]
mod certificates;
mod contract;
#[path = "../fixtures/mod.rs"]
mod fixtures;
#[allow(dead_code, reason = "only the simulation looks back")]
#[path = "../simulation/ledger.rs"]
mod ledger;
mod memory;
mod model;
#[allow(dead_code, reason = "nothing goes wrong here")]
#[path = "../simulation/redis/mod.rs"]
mod model_redis;
mod reading;
mod redis;
#[path = "../harness/redis_cluster.rs"]
mod redis_cluster;
#[path = "../harness/redis_server.rs"]
mod redis_server;
#[path = "../harness/standstill.rs"]
mod standstill;
mod writer;

/// Makes a test of each function of the contract for a bench. The store's time stands still unless the bench lets it pass.
macro_rules! keeps_the_contract {
    (@test [$($runtime:tt)+] $bench:ident: $module:ident :: $name:ident) => {
        #[tokio::test($($runtime)+)]
        async fn $name() {
            crate::contract::$module::$name::<super::$bench>().await;
        }
    };
    (@each $runtime:tt $bench:ident: $($module:ident :: $name:ident),+ $(,)?) => {
        $(crate::keeps_the_contract! { @test $runtime $bench: $module :: $name })+
    };
    ($bench:ident, $($runtime:tt)+) => {
        crate::keeps_the_contract! { @each [$($runtime)+] $bench:
            append::the_first_append_begins_a_log,
            append::an_append_elsewhere_changes_nothing_and_is_told_what_it_missed,
            append::a_log_in_another_epoch_is_missed_as_a_state,
            append::an_append_that_was_applied_finds_its_own_id_first_among_what_it_missed,
            append::what_was_stored_is_seen_by_every_call,
            append::a_place_is_confirmed_while_nobody_else_wrote,
            append::an_empty_log_is_confirmed_until_somebody_begins_it,
            append::every_answer_tells_the_stores_time,
            append::late_results_are_counted_beside_the_log,
            append::sessions_are_listed_by_name_and_tenant,
            windows::every_window_gets_each_append_once_and_in_order,
            windows::who_waits_is_woken_by_each_change,
            windows::a_window_that_is_held_gets_what_comes_after_the_session_was_forgotten,
            windows::forgetting_leaves_nothing,
            trimming::the_oldest_entries_go_first_by_count,
            trimming::the_oldest_entries_go_first_by_bytes,
            trimming::the_last_entry_always_stays,
            trimming::who_missed_trimmed_entries_is_given_the_state,
            trimming::a_snapshot_is_the_last_of_everything,
            trimming::a_snapshot_survives_trimming,
            expiry::data_outlives_its_last_append_by_its_time,
            expiry::each_append_gives_the_data_its_whole_time_again,
            expiry::data_outlives_a_running_deadline_by_five_minutes,
            expiry::expired_is_told_apart_from_unknown,
            expiry::after_expiry_sequence_and_epoch_go_on,
            expiry::what_expired_longer_ago_is_unknown,
            archived::what_waits_for_the_archive_is_not_trimmed,
            archived::a_position_of_another_chain_lets_nothing_go,
            archived::a_log_that_waits_for_too_much_is_refused_more,
            archived::what_only_ends_something_has_a_reserve_beyond_what_may_wait,
            archived::what_waits_for_the_archive_does_not_expire,
            archived::without_an_archive_nothing_waits,
            archived::a_log_that_only_an_archive_knows_goes_on_from_there,
            archived::what_is_known_is_not_remembered_anew,
            archived::a_session_is_brought_back_as_it_was,
            archived::a_session_is_not_brought_back_over_another,
        }
    };
}
use keeps_the_contract;
