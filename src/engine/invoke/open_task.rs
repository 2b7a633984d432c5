//! The task that an agent works on for an attempt, where it has said which.

use parking_lot::Mutex;

use crate::domain::protocols::{A2aVersion, AnswerReader, End};

/// The open task of one attempt: that of its last request.
#[derive(Default)]
pub(super) struct OpenTask(Mutex<Option<AgentTask>>);

/// A task, and the version that it was asked for in.
#[derive(Clone)]
pub(super) struct AgentTask {
    pub(super) id: Box<str>,
    pub(super) version: A2aVersion,
}

impl OpenTask {
    /// What a stream says so far. Nothing is known before the agent names its task, and there is none once that has ended.
    pub(super) fn note(&self, reader: &AnswerReader, version: A2aVersion) {
        match reader.open_task() {
            Some(id) => self.set(id, version),
            None if reader.is_over() => drop(self.take()),
            None => {}
        }
    }

    /// What an answer came to that was read to its end.
    pub(super) fn note_end(&self, end: &End, reader: &AnswerReader, version: A2aVersion) {
        match end {
            End::LeftOpen => self.note(reader, version),
            End::Success(_) | End::Failed(_) => drop(self.take()),
        }
    }

    /// The task, if it is open.
    pub(super) fn get(&self) -> Option<AgentTask> {
        self.0.lock().clone()
    }

    /// The same, which is none of this attempt's any more.
    pub(super) fn take(&self) -> Option<AgentTask> {
        self.0.lock().take()
    }

    fn set(&self, id: &str, version: A2aVersion) {
        let mut known = self.0.lock();
        if known.as_ref().is_none_or(|task| *task.id != *id || task.version != version) {
            *known = Some(AgentTask { id: id.into(), version });
        }
    }
}
