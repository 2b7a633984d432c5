//! Random stories: what planners, subagents and time may say to one session, in small numbers that often meet.

use std::fmt;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::subsequence;
use tributary::domain::event::SenderStatus;
use tributary::domain::policy::PolicyDecision;

/// Steps that a story may name.
pub const STEPS: usize = 6;
/// Subagents; the first two are expected by directives, the third never is.
pub const STAGES: [&str; 3] = ["documentation", "crm", "voice"];

/// A whole story: two directives for each step, and who says what when.
#[derive(Clone)]
pub struct Story {
    /// For each step, the directive and another under the same id.
    pub plans: Vec<[Plan; 2]>,
    /// What happens.
    pub turns: Vec<Turn>,
}

/// A line for each command and each directive that is posted.
impl fmt::Debug for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for turn in &self.turns {
            write!(f, "\nafter {} ms", turn.jump_ms)?;
            for (request, said) in
                turn.requests.iter().enumerate().flat_map(|(n, all)| all.iter().map(move |s| (n, s)))
            {
                write!(f, "\n  request {request}: {said:?}")?;
                if let Said::Post { step, variant } = said {
                    write!(f, " {:?}", self.plans[*step][*variant])?;
                }
            }
        }
        Ok(())
    }
}

/// What a directive says.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The outputs it expects: `r0`, `r1`, …
    pub outputs: Vec<PlannedOutput>,
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    pub deadline_ms: u64,
    pub more_steps: bool,
    /// A stage that configuration switched off.
    pub disabled: Option<usize>,
}

/// One expected output.
#[derive(Debug, Clone)]
pub struct PlannedOutput {
    pub stage: usize,
    pub deadline_ms: Option<u64>,
    pub max_attempts: u32,
}

/// Requests at one moment.
#[derive(Debug, Clone)]
pub struct Turn {
    /// How far the clock jumped since the last turn, either way.
    pub jump_ms: i64,
    /// Each of one or more commands.
    pub requests: Vec<Vec<Said>>,
}

/// A command, by numbers.
#[derive(Debug, Clone)]
pub enum Said {
    Post { step: usize, variant: usize },
    Event(Spoken),
    Progress { step: usize },
    Safety { step: Option<usize>, decision: PolicyDecision, stage: Option<usize>, terminate: Option<bool> },
    Cancel { step: Option<usize> },
    Close,
    Deadlines,
}

/// A subagent's event.
#[derive(Debug, Clone)]
pub struct Spoken {
    pub step: usize,
    pub stage: usize,
    pub output: Option<usize>,
    pub status: SenderStatus,
    pub revision: Option<u64>,
    pub content: u64,
    pub retryable: bool,
}

fn plan(step: usize) -> impl Strategy<Value = Plan> {
    let output = (0..2_usize, option::of(50..4_000_u64), 1..=3_u32)
        .prop_map(|(stage, deadline_ms, max_attempts)| PlannedOutput { stage, deadline_ms, max_attempts });
    let tree = (option::weighted(0.4, 0..STEPS), vec(0..STEPS, 0..=2));
    let rest = (200..5_000_u64, any::<bool>(), option::weighted(0.15, 0..2_usize));
    (vec(output, 0..=3), tree, rest).prop_map(move |(mut outputs, (parent, mut children), rest)| {
        // What the parser refuses isn't a story: oneself as parent or child, a child twice, a parent as child, nothing.
        let parent = parent.filter(|parent| *parent != step);
        children.retain(|child| *child != step && Some(*child) != parent);
        children.sort_unstable();
        children.dedup();
        if outputs.is_empty() && children.is_empty() {
            outputs.push(PlannedOutput { stage: 0, deadline_ms: None, max_attempts: 2 });
        }
        let (deadline_ms, more_steps, disabled) = rest;
        Plan { outputs, parent, children, deadline_ms, more_steps, disabled }
    })
}

fn spoken() -> impl Strategy<Value = Spoken> {
    let status = prop_oneof![
        1 => Just(SenderStatus::Pending),
        1 => Just(SenderStatus::InProgress),
        3 => Just(SenderStatus::Partial),
        3 => Just(SenderStatus::Success),
        2 => Just(SenderStatus::Error),
    ];
    let stage = prop_oneof![9 => 0..2_usize, 1 => Just(2)];
    let place = (0..STEPS, stage, option::weighted(0.8, 0..4_usize));
    let said = (status, option::weighted(0.7, 1..7_u64), 0..2_u64, any::<bool>());
    (place, said).prop_map(|((step, stage, output), (status, revision, content, retryable))| {
        let retryable = retryable && status == SenderStatus::Error;
        Spoken { step, stage, output, status, revision, content, retryable }
    })
}

fn said() -> impl Strategy<Value = Said> {
    let decision = prop_oneof![
        Just(PolicyDecision::Allow),
        Just(PolicyDecision::Refuse),
        Just(PolicyDecision::Escalate)
    ];
    let safety =
        (option::weighted(0.8, 0..STEPS), decision, option::of(0..3_usize), option::of(any::<bool>()));
    let variant = prop_oneof![8 => Just(0_usize), 1 => Just(1)];
    prop_oneof![
        8 => (0..STEPS, variant).prop_map(|(step, variant)| Said::Post { step, variant }),
        24 => spoken().prop_map(Said::Event),
        2 => (0..STEPS).prop_map(|step| Said::Progress { step }),
        2 => safety.prop_map(|(step, decision, stage, terminate)| Said::Safety { step, decision, stage, terminate }),
        2 => option::weighted(0.8, 0..STEPS).prop_map(|step| Said::Cancel { step }),
        1 => Just(Said::Close),
        4 => Just(Said::Deadlines),
    ]
}

/// Any story: some steps, then anything.
pub fn story() -> impl Strategy<Value = Story> {
    let plans: Vec<_> = (0..STEPS).map(|step| [plan(step), plan(step)]).collect();
    let opening = subsequence((0..STEPS).collect::<Vec<_>>(), 0..=4).prop_shuffle().prop_map(|steps| {
        let posts = steps.into_iter().map(|step| vec![Said::Post { step, variant: 0 }]);
        Turn { jump_ms: 0, requests: posts.collect() }
    });
    let jump = prop_oneof![4 => 0..40_i64, 2 => 40..2_500_i64, 1 => -2_000..0_i64];
    let turn = (jump, vec(vec(said(), 1..=4), 1..=4));
    let turns = vec(turn.prop_map(|(jump_ms, requests)| Turn { jump_ms, requests }), 1..=12);
    (plans, opening, turns).prop_map(|(plans, opening, mut turns)| {
        turns.insert(0, opening);
        Story { plans, turns }
    })
}
