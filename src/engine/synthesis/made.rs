//! What drafts are made into: draft, verify, repair once, and the next model where nothing of it stands.

use std::sync::Arc;

use tokio::time::{Instant, timeout_at};

use super::asking::Asker;
use super::drafting::{Drafted, NoDraft, Whys};
use super::fallen::{DEADLINE, Fallen, UNFIT};
use super::models::Models;
use super::readers::Readers;
use super::write::{LATE, RESERVED, Synthesiser, Write, purpose_of};
use crate::domain::aggregate::result::{AggregatedResult, Method};
use crate::domain::contained::contained;
use crate::domain::synthesis::verify::{Evidence, verify};
use crate::domain::synthesis::written::{Written, apply, finish};
use crate::domain::telemetry_names::span;
use crate::domain::text::words::Lexicon;
use crate::engine::computing::off_thread;

/// A result out of a draft, and the models that weren't asked for one.
struct Made {
    result: AggregatedResult,
    written: Written,
    behind: Option<Models>,
}

impl Synthesiser {
    /// The result that was written; `Err` says why there is none. Where a model's draft is of no use the next one is asked.
    pub(super) async fn written(
        &self,
        write: &Write,
        asker: &mut Asker<'_>,
        readers: &Readers,
        limit: Instant,
    ) -> Result<(AggregatedResult, Written), String> {
        // A draft that stands is delivered, whatever a repair or a judge takes.
        let soft = limit - RESERVED.min(limit.saturating_duration_since(Instant::now()) / 4);
        let (mut whys, mut useless) = (Whys::default(), None);
        loop {
            // The last model has the time that there is; what the ones before it came to is told all the same.
            let until = if whys.is_empty() { limit } else { soft };
            let drafted = timeout_at(until, self.drafted(write, asker, readers, soft)).await;
            let none = match drafted.unwrap_or_else(|_| Err(late(asker))) {
                Ok(made) if made.written.is_extractive() => {
                    let why = made.written.reason.clone().unwrap_or_default();
                    useless = Some((made.result, made.written));
                    NoDraft { why, fallen: Fallen::of(UNFIT, &asker.models), behind: made.behind }
                }
                Ok(made) => return Ok(judged(write, asker, made, soft).await),
                Err(none) => none,
            };
            if !whys.next(asker, none) {
                break;
            }
            readers.take_back();
        }
        let reason = whys.told();
        let (result, written) = useless.ok_or_else(|| reason.clone())?;
        if written.reason.as_ref() == Some(&reason) {
            return Ok((result, written));
        }
        let written = Written { reason: Some(reason), ..written };
        Ok((apply(write.baseline.clone(), &written, &write.options), written))
    }

    /// What one draft comes to, repaired.
    async fn drafted(
        &self,
        write: &Write,
        asker: &mut Asker<'_>,
        readers: &Readers,
        soft: Instant,
    ) -> Result<Made, NoDraft> {
        let Drafted { draft, note, behind, meta } =
            asker.draft(write, purpose_of(write.task_type), readers).await?;
        let question = write.question.text();
        let baseline = Arc::new(write.baseline.clone());
        let check = {
            let (baseline, question) = (baseline.clone(), question.clone());
            move || {
                let mut lexicon = Lexicon::default();
                let evidence = Evidence::of(&mut lexicon, &baseline, &question);
                verify(&mut lexicon, &evidence, &draft)
            }
        };
        let checked = asker.timed(span::VERIFY, off_thread(move || contained(check))).await;
        let Some(mut verified) = checked else { return Err(unchecked(asker, behind)) };
        verified.notes.splice(0..0, note.map(str::to_owned));
        asker.explaining.checked(|| verified.log());
        let items = verified.repair_items();
        let repaired = match items.is_empty() {
            true => None,
            false => timeout_at(soft, asker.repair(write, &items)).await.unwrap_or_default(),
        };
        let options = write.options.clone();
        let made = move || {
            let mut lexicon = Lexicon::default();
            let evidence = Evidence::of(&mut lexicon, &baseline, &question);
            let mut written = finish(&mut lexicon, &evidence, verified, repaired.as_ref(), &baseline);
            written.model = Some(meta.model);
            written.prompt_version = Some(meta.prompt_version);
            let result = apply((*baseline).clone(), &written, &options);
            Made { result, written, behind }
        };
        let made = asker.timed(span::VERIFY, off_thread(move || contained(made))).await;
        made.ok_or_else(|| unchecked(asker, None))
    }
}

/// A draft that the service fails to check isn't delivered.
pub(super) fn unchecked(asker: &Asker<'_>, behind: Option<Models>) -> NoDraft {
    const WHY: &str = "the service failed to check the draft, which it logged";
    NoDraft { why: WHY.to_owned(), fallen: Fallen::of(UNFIT, &asker.models), behind }
}

fn late(asker: &Asker<'_>) -> NoDraft {
    NoDraft { why: LATE.to_owned(), fallen: Fallen::of(DEADLINE, &asker.models), behind: None }
}

/// What was made, with what a judge says of it in time.
async fn judged(
    write: &Write,
    asker: &mut Asker<'_>,
    Made { result, mut written, .. }: Made,
    soft: Instant,
) -> (AggregatedResult, Written) {
    if result.metadata.method == Method::Llm
        && let Ok(Some(coherence)) = timeout_at(soft, asker.judge(write, &result)).await
    {
        written.judged_coherence = Some(coherence);
        let (baseline, options) = (write.baseline.clone(), write.options.clone());
        let again = move || (apply(baseline, &written, &options), written);
        return off_thread(again).await;
    }
    (result, written)
}
