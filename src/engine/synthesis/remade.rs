//! The prompt of an answer, made again: what a model would be asked about a result now.

use serde::Serialize;
use tokio::time::Instant;
use utoipa::ToSchema;

use super::asking::input;
use super::write::{NO_MODEL, Synthesiser, USUAL_PROMPT, Write, purpose_of};
use crate::domain::aggregate::Question;
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::directive::Directive;
use crate::domain::session::Spent;
use crate::domain::synthesis::explanation::ExplainedText;
use crate::domain::synthesis::prompt::ask;

/// What the first model of the configuration would be asked now.
#[derive(Clone, PartialEq, Serialize, ToSchema)]
pub struct RemadePrompt {
    /// The prompt's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Whose model.
    pub provider: &'static str,
    /// Which one, as it is configured.
    pub model: String,
    /// What it is told to do.
    pub system: ExplainedText,
    /// What it is to do it with. The fence is another one each time.
    pub user: ExplainedText,
    /// Findings of the material that don't fit the model's window.
    pub left_out: usize,
}

impl Write {
    /// The answer of a step, on top of its extractive result.
    pub fn of_step(directive: &Directive, baseline: AggregatedResult, until: Instant) -> Self {
        Self {
            baseline,
            question: Question { query: directive.query.clone(), goal: directive.goal.clone() },
            task_type: directive.task_type,
            instructions: directive.instructions.clone(),
            document_context: directive.document_context.clone(),
            options: directive.synthesis.of_task(directive.task_type, directive.length),
            of_step: None,
            spent: Spent::default(),
            until,
            // A session's tenant shares no answers with others; who writes names it.
            tenant: String::new(),
            budget: None,
            traced: None,
        }
    }
}

impl Synthesiser {
    /// The prompt for this, by the configuration as it is. CPU-bound: it is counted and fitted like one that is sent.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn remade_prompt(&self, write: &Write) -> Result<RemadePrompt, String> {
        let models = self.parts.models.as_ref().ok_or(NO_MODEL)?;
        let slot = models.chain().first().ok_or(NO_MODEL)?;
        let named = write.options.prompt.as_deref().filter(|name| *name != USUAL_PROMPT);
        let prompt = self.parts.prompts.get(named, purpose_of(write.task_type));
        let prompt =
            prompt.ok_or_else(|| format!("no prompt `{}` is configured any more", named.unwrap_or("")))?;
        let asked = ask(prompt, &input(write, 0), &slot.tokenizer, slot.window(prompt));
        let asked = asked.map_err(|nothing| nothing.to_string())?;
        Ok(RemadePrompt {
            name: prompt.name.clone(),
            version: prompt.version.clone(),
            provider: slot.model.provider(),
            model: slot.model.model().to_owned(),
            system: asked.system.as_str().into(),
            user: asked.user.as_str().into(),
            left_out: asked.left_out,
        })
    }
}
