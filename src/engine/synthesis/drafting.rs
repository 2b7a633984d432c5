//! A draft of the whole by one model after the other: asked for, shown as it grows, read.

use super::asking::{Asker, Asking, input};
use super::fallen::{Fallen, UNREADABLE};
use super::key::key_of;
use super::models::{Completed, ModelSlot, Models, NoRequest, NotCompleted, TextSaid};
use super::readers::Readers;
use super::write::{Meta, Write, ids};
use crate::domain::synthesis::draft::{Draft, DraftStream, Reading, read, schema_text};
use crate::domain::synthesis::prompt::{Purpose, ask};
use crate::domain::telemetry_names::span;
use crate::engine::ports::language_model::StopReason;

/// What is noted of a draft that ends in the middle, and of one of which a part wasn't taken.
const BROKE_OFF: &str =
    "The language model's draft broke off in the middle; what wasn't complete is left out.";
const BEYOND: &str =
    "A part of the language model's draft was too long, too deep or too much, and is left out.";

/// A draft and where it came from.
pub(super) struct Drafted {
    pub(super) draft: Draft,
    /// What is to be said of what it has lost.
    pub(super) note: Option<&'static str>,
    /// The models that weren't asked for one.
    pub(super) behind: Option<Models>,
    pub(super) meta: Meta,
}

/// Why there is no draft.
pub(super) struct NoDraft {
    /// In words.
    pub(super) why: String,
    /// The same for who runs the service.
    pub(super) fallen: Fallen,
    /// The models that weren't asked yet, where one answered and what it wrote is of no use.
    pub(super) behind: Option<Models>,
}

/// Why model after model came to nothing.
#[derive(Default)]
pub(super) struct Whys(Vec<Why>);

/// Why one did, with its name where there are others.
struct Why {
    model: Option<String>,
    why: String,
}

impl Whys {
    /// Adds why the first of `asker`'s models came to nothing, and goes on to those behind it; whether there are any.
    pub(super) fn next(&mut self, asker: &mut Asker<'_>, NoDraft { why, fallen, behind }: NoDraft) -> bool {
        asker.fallen = Some(fallen);
        let model = asker.models.chain().first().map(|slot| slot.model.model().to_owned());
        // Where there is one only, its name says nothing.
        let model = model.filter(|_| behind.is_some() || !self.0.is_empty());
        self.0.push(Why { model, why });
        let Some(behind) = behind else { return false };
        asker.models = behind;
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each reason once, behind the names of all that came to nothing for it.
    pub(super) fn told(&self) -> String {
        let mut told: Vec<(Vec<&str>, &str)> = Vec::new();
        for Why { model, why } in &self.0 {
            match told.iter_mut().find(|(_, known)| known == why) {
                Some((models, _)) => models.extend(model.as_deref()),
                None => told.push((model.as_deref().into_iter().collect(), why)),
            }
        }
        let one = |(models, why): (Vec<&str>, &str)| match models.is_empty() {
            true => why.to_owned(),
            false => format!("{}: {why}", models.join(", ")),
        };
        told.into_iter().map(one).collect::<Vec<_>>().join("; ")
    }
}

impl Asker<'_> {
    /// There is none without a prompt of that name.
    pub(super) fn no_prompt(&self, why: String) -> NoDraft {
        NoDraft { why, fallen: Fallen::of("no_prompt", &self.models), behind: None }
    }

    /// No model answered.
    pub(super) fn no_answer(&self, failed: NotCompleted) -> NoDraft {
        let fallen = Fallen::told_by(&failed).unwrap_or_else(|| Fallen::of(failed.code, &self.models));
        NoDraft { why: failed.message, fallen, behind: None }
    }

    /// A draft of the whole, as far as it can be read.
    pub(super) async fn draft(
        &mut self,
        write: &Write,
        purpose: Purpose,
        readers: &Readers,
    ) -> Result<Drafted, NoDraft> {
        let prompt =
            self.prompt(write.options.prompt.as_deref(), purpose).map_err(|why| self.no_prompt(why))?;
        let build = |slot: &ModelSlot| {
            let input = input(write, fastrand::u64(..));
            let asked = ask(prompt, &input, &slot.tokenizer, slot.window(prompt)).map_err(NoRequest::from)?;
            Ok(self.request(prompt, &asked, Some(schema_text(&asked.ids, write.options.format))))
        };
        let known = ids(&write.baseline);
        let mut stream = DraftStream::new(&known);
        let mut on_text = |said: TextSaid<'_>| match said {
            TextSaid::Restart => {
                stream = DraftStream::new(&known);
                readers.take_back();
            }
            TextSaid::Text(text) => readers.tell(stream.push(text)),
        };
        let asking = Asking { what: span::DRAFT, prompt, key: key_of(prompt, write) };
        let ended = self.complete(&asking, &build, &mut on_text).await;
        readers.tell(stream.finish());
        let prompt_version = prompt.version.clone();
        let completed = self.note(ended).map_err(|failed| self.no_answer(failed))?;
        let behind = self.models.behind(&completed);
        let reading = read(&completed.text).map_err(|none| NoDraft {
            why: unreadable(&none.to_string(), &completed),
            fallen: Fallen::of(UNREADABLE, &self.models),
            behind: behind.clone(),
        })?;
        // Half a draft isn't kept: the next time it may be whole.
        if !reading.draft.findings.is_empty() && !reading.broke_off {
            self.keep(&completed).await;
        }
        let note = loss(&reading);
        Ok(Drafted {
            draft: reading.draft,
            note,
            behind,
            meta: Meta { model: completed.model, prompt_version },
        })
    }
}

fn unreadable(why: &str, completed: &Completed) -> String {
    if completed.stop == StopReason::Length {
        return format!("the draft broke off before it could be read: {why}");
    }
    format!("the draft can't be read: {why}")
}

/// What is to be said of what a draft has lost.
fn loss(reading: &Reading) -> Option<&'static str> {
    match (reading.broke_off, reading.complete) {
        (true, _) => Some(BROKE_OFF),
        (false, false) => Some(BEYOND),
        (false, true) => None,
    }
}
