//! Trees that language models write: siblings at once, parents out of what their children came to.

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::Instant;

use super::purse::SharedBudget;
use super::unplanned::Unplanned;
use super::write::{Synthesiser, Write};
use crate::domain::aggregate::request::{TreeNode, TreeRequest};
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::aggregate::tree::{Node, TreeResult, TreeWork, combine, combine_tree};
use crate::domain::directive::SynthesisMode;
use crate::domain::ids::TenantId;
use crate::domain::session::Spent;
use crate::engine::computing::{off_thread, off_thread_of};
use crate::engine::telemetry::Stopwatch;

/// Nodes of a tree at once; the bound on calls comes on top.
const NODES_AT_ONCE: usize = 8;

impl Synthesiser {
    /// Combines a tree of tasks of a tenant, bottom-up. Each inner node that asks for it is written, within the time of the
    /// whole.
    pub async fn tree(&self, tenant: &TenantId, request: TreeRequest, trace: &Unplanned) -> TreeResult {
        let mut result = self.made_tree((tenant, trace), request).await;
        let nodes = result.nodes.iter_mut().map(|node| &mut node.result);
        for of in nodes.chain([&mut result.result]) {
            of.metadata.trace_id = trace.trace_id();
        }
        result
    }

    async fn made_tree(&self, of: (&TenantId, &Unplanned), request: TreeRequest) -> TreeResult {
        let models = self.parts.models.as_ref();
        if request.synthesis.mode != SynthesisMode::Llm || models.is_none() {
            let bytes = request.nodes.iter().map(TreeNode::bytes_handed_up).sum();
            let watch = Stopwatch::start();
            let combine = move || {
                let asked = request.synthesis.mode;
                let mut result = combine_tree(request);
                if asked == SynthesisMode::Llm {
                    say_why(&mut result);
                }
                result
            };
            let result = off_thread_of(bytes, combine).await;
            of.1.aggregated(&watch, &result.result);
            return result;
        }
        let until = self.until(&request.synthesis);
        let own = request.synthesis.budget.clone();
        // The whole tree is one request: its nodes pay from one budget.
        let budget = models.map(|models| self.purse(models, (None, Spent::default()), own.as_ref(), until));
        let mut work = TreeWork::new(request);
        let mut waiting: Vec<(usize, Node)> = Vec::new();
        let mut running = FuturesUnordered::new();
        loop {
            waiting.extend(work.ready());
            while running.len() < NODES_AT_ONCE
                && let Some((at, node)) = waiting.pop()
            {
                running.push(self.node((at, node), of, budget.clone(), until));
            }
            let Some((at, result)) = running.next().await else { break };
            work.put(at, result);
        }
        off_thread(move || work.finish()).await
    }

    async fn node(
        &self,
        (at, node): (usize, Node),
        (tenant, trace): (&TenantId, &Unplanned),
        budget: Option<SharedBudget>,
        until: Instant,
    ) -> (usize, AggregatedResult) {
        let (question, task_type, length) = (node.question.clone(), node.task_type, node.length);
        let options = node.options.synthesis.of_task(task_type, length);
        let watch = Stopwatch::start();
        let mut baseline = off_thread(move || combine(node)).await;
        trace.aggregated(&watch, &baseline);
        baseline.metadata.trace_id = trace.trace_id();
        let write = Write {
            baseline,
            question,
            task_type,
            instructions: None,
            document_context: None,
            options,
            of_step: None,
            spent: Spent::default(),
            until,
            tenant: tenant.to_string(),
            budget,
            traced: None,
        };
        let (drafts, _) = unbounded_channel();
        let outcome = self.write_alone(trace, write, drafts).await;
        (at, outcome.result)
    }
}

fn say_why(result: &mut TreeResult) {
    let nodes = result.nodes.iter_mut().map(|node| &mut node.result);
    for of in nodes.chain([&mut result.result]) {
        of.metadata.reason.get_or_insert_with(|| super::write::NO_MODEL.to_owned());
    }
}
