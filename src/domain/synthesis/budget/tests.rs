//! Budgets are kept whatever servers count.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const NOW: Timestamp = Timestamp(1_000);
const PRICE: Price = Price { input_micros: 3_000_000, output_micros: 15_000_000 };

fn budget(request: Allowance) -> Budget {
    Budget::new(request, Allowance::default(), Timestamp(2_000))
}

#[test]
fn prices_are_rounded_up_and_never_overflow() {
    let of = |input, output| PRICE.of(Tokens { input, output });
    assert_eq!((of(0, 0), of(1, 0), of(1_000, 100)), (0, 3, 4_500));
    let cheap = Price { input_micros: 1, output_micros: 0 };
    assert_eq!(
        (cheap.of(Tokens { input: 1, output: 9 }), cheap.of(Tokens { input: 1_000_001, output: 0 })),
        (1, 2)
    );
    let dear = Price { input_micros: u64::MAX, output_micros: u64::MAX };
    assert_eq!(dear.of(Tokens { input: u64::MAX, output: u64::MAX }), u64::MAX);
}

#[test]
fn the_output_is_lowered_to_what_is_left_where_that_is_of_use() {
    // (tokens, money, asked for, got)
    let cases = [
        (u64::MAX, u64::MAX, 4_000, Some(4_000)),
        (1_356, u64::MAX, 4_000, Some(1_256)),
        (356, u64::MAX, 4_000, Some(256)),
        (355, u64::MAX, 4_000, None),
        (u64::MAX, 300 + 15 * 256, 4_000, Some(256)),
        (u64::MAX, 300 + 15 * 256 - 1, 4_000, None),
        (u64::MAX, 299, 4_000, None),
        // Somebody who asks for less finds less of use.
        (150, u64::MAX, 50, Some(50)),
        (149, u64::MAX, 50, None),
        (100, u64::MAX, 0, Some(0)),
    ];
    for (tokens, micros, asked, got) in cases {
        let mut budget = budget(Allowance { tokens, micros, ..Allowance::default() });
        let reserved = budget.reserve(NOW, 100, asked, PRICE).ok();
        assert_eq!(reserved.as_ref().map(Reservation::output_tokens_max), got, "{tokens} {micros} {asked}");
        assert_eq!(budget.held().calls, u64::from(got.is_some()));
    }
}

#[test]
fn what_is_used_up_and_whose_it_is_are_told() {
    let wide = Allowance { tokens: 10, calls: 5, micros: 5 };
    let narrow = Allowance { tokens: 20, calls: 0, micros: 9 };
    let both = Budget::new(wide, narrow, Timestamp(2_000));
    let exhausted = |now, allowance: Allowance| {
        let mut budget = Budget { request: allowance, ..both.clone() };
        budget.session = if allowance == wide { narrow } else { Allowance::default() };
        budget.reserve(now, 100, 500, PRICE).unwrap_err()
    };
    let late = exhausted(Timestamp(2_000), wide);
    assert_eq!((late.which, late.code(), late.limit), (Resource::Time, "deadline_exceeded", 2_000));
    let calls = exhausted(NOW, wide);
    assert_eq!((calls.which, calls.of, calls.limit), (Resource::Calls, Scope::Session, 0));
    assert_eq!(calls.to_string(), "of the 0 calls that the session may use too few are left");
    let tokens = exhausted(NOW, Allowance { tokens: 355, ..Allowance::default() });
    assert_eq!((tokens.which, tokens.of, tokens.limit), (Resource::Tokens, Scope::Request, 355));
    let money = exhausted(NOW, Allowance { micros: 7, ..Allowance::default() });
    assert_eq!((money.which, money.code()), (Resource::Money, "budget_money"));
}

#[test]
fn a_call_is_counted_by_how_it_ended() {
    type End = fn(&mut Budget, Reservation) -> Spent;
    let ends: [(&str, End, (u64, u64, u64)); 5] = [
        ("counted", |b, r| b.settle(r, Some(Tokens { input: 90, output: 10 })), (90, 10, 1)),
        ("uncounted", |b, r| b.settle(r, None), (100, 500, 1)),
        ("failed before", |b, r| b.fail(r, None), (0, 0, 0)),
        ("failed at once", |b, r| b.fail(r, Some(0)), (100, 0, 1)),
        ("failed within", |b, r| b.fail(r, Some(40)), (100, 40, 1)),
    ];
    for (name, end, (input, output, calls)) in ends {
        let mut budget = budget(Allowance::default());
        let reserved = budget.reserve(NOW, 100, 500, PRICE).unwrap();
        let spent = end(&mut budget, reserved);
        let tokens = Tokens { input, output };
        assert_eq!(spent, Spent { tokens, calls, micros: PRICE.of(tokens) }, "{name}");
        assert_eq!((budget.spent(), budget.held()), (spent, Spent::default()), "{name}");
    }
}

#[test]
fn a_call_under_way_has_come_to_what_it_would_cost_to_give_it_up() {
    let mut budget = budget(Allowance::default());
    let mut one = budget.reserve(NOW, 100, 500, PRICE).unwrap();
    let other = budget.reserve(NOW, 30, 500, PRICE).unwrap();
    budget.wrote(&mut one, 15);
    budget.wrote(&mut one, 40);
    let tokens = Tokens { input: 130, output: 40 };
    assert_eq!(budget.so_far(), Spent { tokens, calls: 2, micros: PRICE.of(tokens) });
    assert_eq!(budget.spent(), Spent::default());
    budget.fail(other, None);
    let given_up = budget.so_far();
    assert_eq!((budget.fail(one, Some(40)), budget.so_far()), (given_up, given_up));
}

/// What is done with a budget: a call that is begun, or one that ends.
#[derive(Debug, Clone)]
enum Step {
    Begin(u64, u32),
    Answered(usize, Option<(u64, u64)>),
    Failed(usize, Option<u64>),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let amount = prop_oneof![4 => 0..3_000u64, 1 => any::<u64>()];
    let usage = proptest::option::of((amount.clone(), 0..9_000u64));
    let step = prop_oneof![
        3 => (amount, 0..5_000u32).prop_map(|(input, output)| Step::Begin(input, output)),
        2 => (0..9usize, usage).prop_map(|(n, usage)| Step::Answered(n, usage)),
        1 => (0..9usize, proptest::option::of(0..6_000u64)).prop_map(|(n, written)| Step::Failed(n, written)),
    ];
    vec(step, 0..60)
}

proptest! {
    #[test]
    fn limits_are_passed_by_corrections_only(
        steps in steps(), tokens in 0..20_000u64, calls in 0..20u64, micros in 0..200_000u64,
        at_once in 1..5usize,
    ) {
        let allowance = Allowance { tokens, calls, micros };
        let mut budget = budget(allowance);
        let mut open: Vec<Reservation> = Vec::new();
        // By how much servers counted more than was reserved: all together, and the most of any one.
        let (mut over, mut most): (u64, u64) = (0, 0);
        for step in steps {
            match step {
                Step::Begin(input, output) if open.len() < at_once => {
                    if let Ok(reserved) = budget.reserve(NOW, input, output, PRICE) {
                        prop_assert!(reserved.output_tokens_max() <= output);
                        prop_assert!(budget.spent().plus(budget.held()).tokens.sum() <= tokens);
                        prop_assert!(budget.spent().plus(budget.held()).micros <= micros + 1);
                        open.push(reserved);
                    }
                }
                Step::Answered(n, usage) if n < open.len() => {
                    let reserved = open.swap_remove(n);
                    let held = reserved.held.tokens.sum();
                    let usage = usage.map(|(input, output)| Tokens { input, output });
                    let spent = budget.settle(reserved, usage);
                    let more = spent.tokens.sum().saturating_sub(held);
                    (over, most) = (over.saturating_add(more), most.max(more));
                }
                Step::Failed(n, written) if n < open.len() => {
                    let reserved = open.swap_remove(n);
                    let held = reserved.held.tokens.sum();
                    let spent = budget.fail(reserved, written);
                    let more = spent.tokens.sum().saturating_sub(held);
                    (over, most) = (over.saturating_add(more), most.max(more));
                }
                Step::Begin(..) | Step::Answered(..) | Step::Failed(..) => {}
            }
            let taken = budget.spent().plus(budget.held());
            prop_assert!(taken.calls <= calls);
            prop_assert!(taken.tokens.sum() <= tokens.saturating_add(over));
            if at_once == 1 {
                prop_assert!(taken.tokens.sum() <= tokens.saturating_add(most));
            }
        }
        for reserved in open {
            let _spent = budget.fail(reserved, None);
        }
        prop_assert_eq!((budget.held(), budget.so_far()), (Spent::default(), budget.spent()));
    }
}

fn sum(tokens: u64, calls: u64) -> Spent {
    Spent { tokens: Tokens { input: tokens, output: 0 }, calls, micros: 0 }
}

#[test]
fn answers_of_a_session_that_are_written_at_once_cant_spend_the_same_rest() {
    let limit = Allowance { tokens: 2_000, calls: 4, ..Allowance::default() };
    let mut account = Account::new(limit, sum(500, 1));
    let (mut one, mut other) = (budget(Allowance::default()), budget(Allowance::default()));
    let first = account.reserve(&mut one, NOW, 100, 900, PRICE).unwrap();
    assert_eq!(first.output_tokens_max(), 900);
    // 1,000 of the 1,500 that are left are held back for the first.
    let second = account.reserve(&mut other, NOW, 100, 900, PRICE).unwrap();
    assert_eq!(second.output_tokens_max(), 400);
    let none = account.reserve(&mut one, NOW, 100, 900, PRICE).unwrap_err();
    assert_eq!((none.which, none.of), (Resource::Tokens, Scope::Session));
    // What wasn't needed is there for all again: of 1,500 it took 150 and 500.
    account.settle(&mut one, first, Some(Tokens { input: 100, output: 50 }));
    account.fail(&mut other, second, Some(400));
    let third = account.reserve(&mut other, NOW, 100, 900, PRICE).unwrap();
    assert_eq!(third.output_tokens_max(), 750);
    account.fail(&mut other, third, None);
    let last = account.reserve(&mut one, NOW, 0, 300, PRICE).unwrap();
    let none = account.reserve(&mut other, NOW, 0, 300, PRICE).unwrap_err();
    assert_eq!((none.which, none.of, none.limit), (Resource::Calls, Scope::Session, 1));
    account.fail(&mut one, last, None);
}

#[test]
fn what_ended_is_counted_once_whether_the_log_has_heard_of_it_or_not() {
    let limit = Allowance { tokens: 10_000, ..Allowance::default() };
    // (what the log says when the next answer begins, what is left then)
    for (logged, left) in [(500, 8_500), (1_500, 8_500), (1_700, 8_300), (0, 8_500)] {
        let mut account = Account::new(limit, sum(500, 0));
        let mut first = budget(Allowance::default());
        let held = account.reserve(&mut first, NOW, 600, 400, PRICE).unwrap();
        let cost = account.settle(&mut first, held, None);
        account.end(cost);
        account.join(sum(logged, 0));
        let mut next = budget(Allowance::default());
        let held = account.reserve(&mut next, NOW, 0, 20_000, PRICE).unwrap();
        assert_eq!(held.output_tokens_max(), left, "{logged}");
        account.fail(&mut next, held, None);
    }
}
