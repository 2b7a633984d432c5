//! Asking a subagent: once, unless it is an A2A agent that refuses the manner in which it was asked.

use super::attempt::{Attempt, Read};
use super::broken::Broken;
use super::heard::Heard;
use super::request::Request;
use super::told::CallTold;
use crate::domain::breaker::Outcome;
use crate::domain::directive::{InvokeCall, Protocol};
use crate::domain::protocols::{A2aChoice, A2aManner, A2aTried, read_refusal};
use crate::domain::session::Command;
use crate::engine::ports::subagent::{Answer, CallError};

impl Attempt {
    /// Asks the subagent; an A2A agent in another manner, too, where it refuses the one in which it was asked.
    pub(super) async fn ask_in_some_manner(
        &self,
        invoke: &InvokeCall,
        told: &mut CallTold,
    ) -> Result<(), Broken> {
        let (mut manner, mut tried) = (A2aManner::default(), A2aTried::default());
        loop {
            let (now, propagators) = (self.teller.coordinator.now(), self.shared.telemetry.propagators);
            let request = self.job.request(invoke, manner, now, propagators)?;
            let (asked, choice) = (request.manner, request.choice);
            let mut heard = Heard::new(self.job.subagent.adapter);
            let done = match self.ask(invoke.protocol, request, (told, &mut heard)).await {
                // Nobody else would tell what becomes of what one answer was asked for.
                Ok(Read::LeftOpen) if asked.is_whole && choice != A2aChoice::Nothing => {
                    Box::pin(self.follow_task(invoke, &mut heard)).await
                }
                done => done,
            };
            match done {
                Ok(Read::Told) => return Ok(()),
                Ok(Read::LeftOpen) => return self.leave_open().await,
                Err(Broken::Stopped) => return Err(Broken::Stopped),
                // Asked once more, in words that it knows.
                Err(Broken::Failed(failed)) => match tried.next(asked, choice, &failed.failure) {
                    Some(next) => manner = next,
                    None => return Err(Broken::Failed(failed)),
                },
            }
        }
    }

    async fn ask(
        &self,
        protocol: Protocol,
        request: Request,
        (told, heard): (&mut CallTold, &mut Heard),
    ) -> Result<Read, Broken> {
        let answer = self.shared.subagents.call(request.call).await;
        if let Ok(Answer { status, .. }) | Err(CallError::Status { status, .. }) = &answer {
            told.answered(*status);
        }
        if let Err(CallError::Status { detail, .. }) = &answer
            && let Some(refusal) = read_refusal(detail).filter(|_| protocol == Protocol::A2a)
        {
            return Err(refusal.into());
        }
        self.read_answer(protocol, answer?, request.manner.version, heard).await
    }

    /// The subagent will push what becomes of it.
    async fn leave_open(&self) -> Result<(), Broken> {
        self.report(Outcome::Success).await;
        Ok(self.teller.tell(vec![Command::CallLeftOpen { ticket: self.job.ticket.clone() }]).await?)
    }
}
