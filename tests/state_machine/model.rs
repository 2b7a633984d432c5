//! A second reading of `DESIGN.md` §4 and §6: who is where after each command, and what the sender is told.
//!
//! It knows nothing of entries, batches or order within a batch, and settles the tree by looking at everything again
//! until nothing changes, so it shares no shortcut with the real one.

use tributary::domain::event::SenderStatus;
use tributary::domain::policy::PolicyDecision;
use tributary::domain::record::{StepStatus, SubagentStatus};
use tributary::domain::verdict::{Code, Verdict};

use crate::commands::{Plan, Said, Spoken};

mod tree;

/// Levels of a tree in these tests.
pub const TREE_DEPTH: usize = 4;

/// What a command comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Step { created: bool },
    Event(Verdict),
    Done,
    Refused(Code),
}

/// A session.
#[derive(Debug, Default)]
pub struct Model {
    pub steps: Vec<Step>,
    pub closed: bool,
    pub more_steps: bool,
}

/// A step.
#[derive(Debug, Clone)]
pub struct Step {
    pub number: usize,
    variant: usize,
    parent: Option<usize>,
    children: Vec<usize>,
    deadline: i64,
    pub outputs: Vec<Out>,
    pub status: StepStatus,
}

/// An output.
#[derive(Debug, Clone)]
pub struct Out {
    stage: usize,
    max_attempts: u32,
    deadline: i64,
    pub status: SubagentStatus,
    pub revision: u64,
    pub attempt: u32,
    /// The sender's last revision and what it said in it.
    pub said: Option<(u64, (SenderStatus, u64, bool))>,
}

impl Out {
    fn end(&mut self, status: SubagentStatus) {
        if !self.status.is_terminal() {
            (self.status, self.revision) = (status, self.revision + 1);
        }
    }
}

impl Step {
    pub fn is_open(&self) -> bool {
        self.status == StepStatus::InProgress
    }
}

impl Model {
    /// Hears a command at `now`.
    pub fn hear(&mut self, said: &Said, plans: &[[Plan; 2]], now: i64) -> Outcome {
        let known = !self.steps.is_empty();
        match said {
            Said::Post { step, variant } => self.post(*step, *variant, &plans[*step][*variant], now),
            Said::Event(event) => self.event(event),
            Said::Progress { step } => self.running(*step).map_or_else(Outcome::Refused, |_| Outcome::Done),
            Said::Safety { step: None, .. } | Said::Cancel { step: None } | Said::Close if !known => {
                Outcome::Refused(Code::UnknownSession)
            }
            Said::Safety { step, decision, stage, terminate } => {
                self.safety(*step, *decision, *stage, *terminate)
            }
            Said::Cancel { step } => self.cancel(*step),
            Said::Close => {
                (self.closed, self.more_steps) = (true, false);
                Outcome::Done
            }
            Said::Deadlines => self.deadlines(now),
        }
    }

    fn find(&self, number: usize) -> Option<usize> {
        self.steps.iter().position(|step| step.number == number)
    }

    fn running(&self, number: usize) -> Result<usize, Code> {
        let at = self.find(number).ok_or(Code::UnknownStep)?;
        if self.steps[at].is_open() { Ok(at) } else { Err(Code::StepEnded) }
    }

    fn post(&mut self, number: usize, variant: usize, plan: &Plan, now: i64) -> Outcome {
        if let Some(at) = self.find(number) {
            let same = self.steps[at].variant == variant;
            return if same {
                Outcome::Step { created: false }
            } else {
                Outcome::Refused(Code::DirectiveConflict)
            };
        }
        let deadline = now + plan.deadline_ms as i64;
        let outputs = plan.outputs.iter().map(|output| Out {
            stage: output.stage,
            max_attempts: output.max_attempts,
            deadline: output.deadline_ms.map_or(deadline, |ms| deadline.min(now + ms as i64)),
            status: SubagentStatus::Pending,
            revision: 0,
            attempt: 1,
            said: None,
        });
        self.steps.push(Step {
            number,
            variant,
            parent: plan.parent,
            children: plan.children.clone(),
            deadline,
            outputs: outputs.collect(),
            status: StepStatus::InProgress,
        });
        if self.is_below_itself(number) {
            self.steps.pop();
            return Outcome::Refused(Code::InvalidEvent);
        }
        if self.levels(number, true) + self.levels(number, false) - 1 > TREE_DEPTH {
            self.steps.pop();
            return Outcome::Refused(Code::LimitReached);
        }
        (self.more_steps, self.closed) = (plan.more_steps, false);
        let outputs = &mut self.steps.last_mut().expect("just pushed").outputs;
        for output in outputs.iter_mut().filter(|output| Some(output.stage) == plan.disabled) {
            output.end(SubagentStatus::Degraded);
        }
        self.settle();
        Outcome::Step { created: true }
    }

    /// The verdicts, in the order of the table in §4.
    fn event(&mut self, event: &Spoken) -> Outcome {
        let Some(at) = self.find(event.step) else { return Outcome::Refused(Code::UnknownStep) };
        let outputs = &mut self.steps[at].outputs;
        let of_stage = outputs.iter().filter(|output| output.stage == event.stage).count();
        let found = match event.output {
            Some(n) => outputs.get_mut(n).filter(|output| output.stage == event.stage),
            None if of_stage > 1 => return Outcome::Refused(Code::InvalidEvent),
            None => outputs.iter_mut().find(|output| output.stage == event.stage),
        };
        let Some(output) = found else { return Outcome::Refused(Code::UnknownSubagent) };
        let content = (event.status, event.content, event.retryable);
        match (output.said, event.revision) {
            (Some((last, same)), Some(new)) if new == last && same == content => {
                return Outcome::Event(Verdict::Duplicate);
            }
            (Some((last, _)), Some(new)) if new == last => return Outcome::Event(Verdict::Conflict),
            (Some((last, _)), Some(new)) if new < last => return Outcome::Event(Verdict::Stale),
            (_, _) => {}
        }
        if output.status.is_terminal() {
            return Outcome::Event(Verdict::Late);
        }
        output.revision = event.revision.unwrap_or(output.revision + 1);
        output.said = Some((output.revision, content));
        output.status = event.status.into();
        if event.retryable && output.attempt < output.max_attempts {
            output.status = SubagentStatus::Retry;
            output.attempt += 1;
        }
        self.settle();
        Outcome::Event(Verdict::Accepted)
    }

    fn safety(
        &mut self,
        step: Option<usize>,
        decision: PolicyDecision,
        stage: Option<usize>,
        terminate: Option<bool>,
    ) -> Outcome {
        let refused = decision == PolicyDecision::Refuse;
        let about = match step.map(|number| self.running(number)).transpose() {
            Err(code) => return Outcome::Refused(code),
            Ok(Some(at)) => vec![at],
            Ok(None) => (0..self.steps.len()).filter(|at| self.steps[*at].is_open()).collect(),
        };
        let expects = |at: &usize| self.steps[*at].outputs.iter().any(|output| Some(output.stage) == stage);
        let all: Vec<usize> = if step.is_some() { about.clone() } else { (0..self.steps.len()).collect() };
        if stage.is_some() && !all.iter().any(expects) {
            return Outcome::Refused(Code::UnknownSubagent);
        }
        if terminate.unwrap_or(refused && stage.is_none()) {
            self.end_all(&about, StepStatus::Refused, SubagentStatus::Refused);
            if step.is_none() {
                (self.closed, self.more_steps) = (true, false);
            }
        } else if refused && stage.is_some() {
            for at in about {
                let outputs = self.steps[at].outputs.iter_mut();
                outputs
                    .filter(|output| Some(output.stage) == stage)
                    .for_each(|o| o.end(SubagentStatus::Refused));
            }
            self.settle();
        }
        Outcome::Done
    }

    fn cancel(&mut self, step: Option<usize>) -> Outcome {
        let about = match step.map(|number| (self.find(number), self.running(number))) {
            Some((Some(at), _)) if self.steps[at].status == StepStatus::Cancelled => Vec::new(),
            Some((_, Ok(at))) => vec![at],
            Some((_, Err(code))) => return Outcome::Refused(code),
            None => (0..self.steps.len()).filter(|at| self.steps[*at].is_open()).collect(),
        };
        self.end_all(&about, StepStatus::Cancelled, SubagentStatus::Cancelled);
        Outcome::Done
    }
}
