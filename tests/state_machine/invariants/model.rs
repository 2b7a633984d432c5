//! The real one and the model of `DESIGN.md` agree after every command.

use proptest::prelude::*;
use tributary::domain::record::Answer;
use tributary::domain::session::SessionState;
use tributary::domain::verdict::Refusal;

use super::stories;
use crate::commands::{Story, story};
use crate::model::{Model, Outcome};
use crate::telling::{Cut, step_name, tell_watched};

fn outcome_of(answer: &Result<Answer, Refusal>) -> Outcome {
    match answer {
        Ok(Answer::Step { created }) => Outcome::Step { created: *created },
        Ok(Answer::Event(decided)) => Outcome::Event(decided.verdict),
        Ok(Answer::Done(_)) => Outcome::Done,
        Err(refusal) => Outcome::Refused(refusal.code),
    }
}

/// What both can say of a session, as text that shows where they differ.
fn described_model(model: &Model) -> Vec<String> {
    let steps = model.steps.iter().map(|step| {
        let outputs: Vec<_> = step
            .outputs
            .iter()
            .map(|out| (out.status, out.revision, out.attempt, out.said.map(|(revision, _)| revision)))
            .collect();
        format!("{} {:?} open={} {outputs:?}", step_name(step.number), step.status, step.is_open())
    });
    steps.chain([format!("closed={} more_steps={}", model.closed, model.more_steps)]).collect()
}

fn described(state: &SessionState) -> Vec<String> {
    let steps = state.steps.iter().map(|step| {
        let outputs: Vec<_> = step
            .subagents
            .iter()
            .map(|out| (out.status, out.revision, out.attempt, out.sender.map(|mark| mark.revision)))
            .collect();
        format!("{} {:?} open={} {outputs:?}", step.id(), step.status, step.ended.is_none())
    });
    steps.chain([format!("closed={} more_steps={}", state.closed, state.more_steps)]).collect()
}

fn compare(story: &Story, cut: Cut) {
    let mut model = Model::default();
    tell_watched(story, cut, |moment| {
        let expected = model.hear(moment.said, &story.plans, moment.now.0);
        assert_eq!(outcome_of(moment.answer), expected, "the answer to {:?}", moment.said);
        assert_eq!(described(moment.after), described_model(&model), "after {:?}", moment.said);
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4 * stories().cases, ..stories() })]

    #[test]
    fn verdicts_statuses_and_attempts_are_those_of_the_design(story in story()) {
        compare(&story, Cut::Turns);
    }
}
