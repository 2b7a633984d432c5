//! The model's tree of steps: who is below whom, what a step's status is, and what time ends.

use tributary::domain::record::{StepStatus, SubagentStatus};

use super::{Model, Outcome, TREE_DEPTH};

impl Model {
    fn is_child(&self, child: usize, parent: usize) -> bool {
        let of = |number| self.steps.iter().find(move |step| step.number == number);
        of(parent).is_some_and(|step| step.children.contains(&child))
            || of(child).is_some_and(|step| step.parent == Some(parent))
    }

    /// Every number that a step has or names.
    fn numbers(&self) -> Vec<usize> {
        let named = self.steps.iter().flat_map(|step| step.children.iter().copied().chain(step.parent));
        let mut numbers: Vec<usize> = self.steps.iter().map(|step| step.number).chain(named).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Whether a step is in a ring.
    pub(super) fn is_below_itself(&self, number: usize) -> bool {
        let (mut seen, mut left) = (Vec::new(), self.children(number));
        while let Some(below) = left.pop() {
            if !seen.contains(&below) {
                seen.push(below);
                left.extend(self.children(below));
            }
        }
        seen.contains(&number)
    }

    /// The longest way up or down from a step, itself counted, up to one more than the bound.
    pub(super) fn levels(&self, number: usize, up: bool) -> usize {
        self.longest_way(number, up, TREE_DEPTH + 1)
    }

    fn longest_way(&self, number: usize, up: bool, most: usize) -> usize {
        if most == 0 {
            return 0;
        }
        let next =
            |other: &usize| if up { self.is_child(number, *other) } else { self.is_child(*other, number) };
        let ways = self.numbers().into_iter().filter(next).map(|other| self.longest_way(other, up, most - 1));
        1 + ways.max().unwrap_or(0)
    }

    fn children(&self, parent: usize) -> Vec<usize> {
        self.numbers().into_iter().filter(|child| self.is_child(*child, parent)).collect()
    }

    fn status_of(&self, number: usize) -> Option<StepStatus> {
        self.steps.iter().find(|step| step.number == number).map(|step| step.status)
    }

    /// Ends whatever has nothing open and no child that is open or missing, until there is no more of it.
    pub(super) fn settle(&mut self) {
        let done = |model: &Self, at: usize| {
            let step = &model.steps[at];
            let over = |child: &usize| {
                model.status_of(*child).is_some_and(|status| status != StepStatus::InProgress)
            };
            step.is_open()
                && step.outputs.iter().all(|output| output.status.is_terminal())
                && model.children(step.number).iter().all(over)
        };
        while let Some(at) = (0..self.steps.len()).find(|at| done(self, *at)) {
            self.steps[at].status = self.counted(at);
        }
    }

    /// All succeeded, some did, or none; a child that isn't over, or isn't there, did not.
    fn counted(&self, at: usize) -> StepStatus {
        let step = &self.steps[at];
        let outputs = step.outputs.iter().map(|output| match output.status {
            SubagentStatus::Success => StepStatus::Completed,
            _ => StepStatus::Failed,
        });
        let children = self.children(step.number).into_iter().map(|child| match self.status_of(child) {
            Some(status @ (StepStatus::Completed | StepStatus::PartialFailure)) => status,
            _ => StepStatus::Failed,
        });
        let parts: Vec<StepStatus> = outputs.chain(children).collect();
        if parts.iter().all(|part| *part == StepStatus::Completed) {
            StepStatus::Completed
        } else if parts.iter().all(|part| *part == StepStatus::Failed) {
            StepStatus::Failed
        } else {
            StepStatus::PartialFailure
        }
    }

    /// Whether `below` is somewhere below `above`.
    fn is_below(&self, below: usize, above: usize) -> bool {
        self.children(above).into_iter().any(|child| child == below || self.is_below(below, child))
    }

    /// Ends steps, and what is open below them, by force; then whatever waited for them.
    pub(super) fn end_all(&mut self, about: &[usize], status: StepStatus, terminal: SubagentStatus) {
        let tops: Vec<usize> = about.iter().map(|at| self.steps[*at].number).collect();
        let ends: Vec<usize> = (0..self.steps.len())
            .filter(|at| self.steps[*at].is_open())
            .filter(|at| {
                let number = self.steps[*at].number;
                tops.iter().any(|top| *top == number || self.is_below(number, *top))
            })
            .collect();
        for at in ends {
            self.steps[at].outputs.iter_mut().for_each(|output| output.end(terminal));
            self.steps[at].status = status;
        }
        self.settle();
    }

    /// Outputs whose time, or their step's, is over; then steps whose time is over, the lowest first.
    pub(super) fn deadlines(&mut self, now: i64) -> Outcome {
        for step in self.steps.iter_mut().filter(|step| step.is_open()) {
            let step_over = step.deadline <= now;
            for output in step.outputs.iter_mut().filter(|output| step_over || output.deadline <= now) {
                output.end(SubagentStatus::Timeout);
            }
        }
        self.settle();
        let overdue = |model: &Self, at: usize| model.steps[at].is_open() && model.steps[at].deadline <= now;
        loop {
            let due: Vec<usize> = (0..self.steps.len()).filter(|at| overdue(self, *at)).collect();
            let lowest = due.iter().find(|at| {
                let above = self.steps[**at].number;
                !due.iter().any(|other| self.is_below(self.steps[*other].number, above))
            });
            let Some(at) = lowest.copied() else { return Outcome::Done };
            self.steps[at].status = self.counted(at);
            self.settle();
        }
    }
}
