//! The archive: its contract on SQLite and PostgreSQL, the archiver between cache and archive, and what readers see.
//!
//! Nothing here runs on a clock that stands still: databases answer in their own time.

#![allow(clippy::wildcard_enum_match_arm, reason = "tests look for one variant; another fails them")]
#![allow(clippy::unwrap_used, reason = "a test may")]

mod alone;
mod analytics;
mod archiver;
mod contract;
mod feedback;
mod feedback_memory;
#[path = "../fixtures/mod.rs"]
mod fixtures;
mod frozen;
mod given_back;
#[path = "../harness/mod.rs"]
mod harness;
mod log;
mod outage;
mod postgres;
mod read_only;
mod reading;
#[path = "../harness/redis_server.rs"]
mod redis_server;
mod restart;
mod rights;
mod scene;
mod sqlite;
mod stopping;
mod trimmed;
#[allow(dead_code, reason = "the contract of caches needs all of it")]
#[path = "../cache_contract/writer.rs"]
mod writer;

/// Calls a macro with the name of each function of the contract.
macro_rules! the_contract {
    ($each:ident) => {
        $each! {
            writing::what_was_written_is_read_byte_for_byte,
            writing::a_repeat_changes_nothing,
            writing::a_part_that_is_written_already_is_passed_over,
            writing::many_sessions_are_one_transaction,
            writing::sessions_of_tenants_are_apart,
            writing::a_hole_is_known,
            writing::an_entry_may_be_large,
            writing::what_is_read_at_once_has_a_bound_in_bytes,
            forks::a_branch_takes_the_place_of_what_it_leaves,
            forks::a_log_may_turn_back_to_a_branch_that_it_left,
            forks::a_branch_that_is_left_at_once_is_kept_and_the_log_may_go_on_from_it,
            forks::another_life_from_the_beginning_replaces_everything,
            forks::a_repeat_of_an_old_part_does_not_cut_what_follows,
            forks::a_branch_below_what_was_given_is_a_hole,
            forks::a_left_branch_that_begins_late_is_no_history_of_what_stands_before_it,
            forks::any_history_of_branches_leaves_one_live_chain,
            standing::the_position_is_the_highest_live_row,
            standing::unfinished_sessions_are_listed_page_by_page,
            standing::a_branch_without_its_beginnings_and_ends_counts_again,
            ending::old_sessions_are_pruned_in_small_steps,
            ending::forgetting_leaves_nothing,
            ending::what_was_deleted_is_not_written_again,
            figures::figures_are_counted_by_subagent,
            figures::figures_follow_the_live_chain,
            feedback::feedback_is_counted_and_its_comments_are_read_back,
            feedback::feedback_under_a_key_is_stored_once,
            feedback::repeats_of_feedback_at_the_same_time_are_stored_once,
            feedback::feedback_is_forgotten_and_pruned_with_its_session,
            shadow::an_answer_waits_until_it_is_compared,
            shadow::a_later_answer_takes_the_place_of_an_earlier_one,
            shadow::an_answer_under_a_key_is_stored_once,
            shadow::a_late_retry_changes_nothing,
            shadow::so_many_keys_are_known,
            shadow::discrepancies_are_read_page_by_page_newest_first,
            shadow::comparisons_are_summed_up,
            shadow::what_was_forgotten_is_gone,
            shadow::many_discrepancies_are_stored_together,
            shadow_ending::answers_of_the_monolith_are_forgotten_and_pruned_with_their_session,
        }
    };
}
use the_contract;
