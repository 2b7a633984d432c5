//! What is asked of the answers that are kept.

use super::{Compared, Kept};
use crate::domain::ids::TenantId;
use crate::domain::shadow::Discrepancy;
use crate::engine::ports::shadow_log::{LoggedDiscrepancy, NotedResponse, Summary, Wanted};

impl Kept {
    /// The comparisons that are wanted, with the answers that they are about.
    fn compared<'k>(
        &'k self,
        tenant: &'k TenantId,
        wanted: &'k Wanted,
    ) -> impl Iterator<Item = (&'k NotedResponse, &'k Compared)> {
        let pairs =
            self.answers.iter().filter_map(|answer| Some((&answer.waiting.response, answer.compared()?)));
        pairs.filter(|(response, compared)| {
            response.key.tenant == *tenant
                && wanted.session.as_ref().is_none_or(|session| *session == response.key.session)
                && wanted.verdict.is_none_or(|verdict| verdict == compared.comparison.verdict)
        })
    }

    pub(super) fn discrepancies(&self, tenant: &TenantId, wanted: &Wanted) -> Vec<LoggedDiscrepancy> {
        let mut newest: Vec<_> = self.compared(tenant, wanted).collect();
        newest.sort_by_key(|(_, compared)| std::cmp::Reverse(compared.highest));
        let all = newest.into_iter().flat_map(|(response, compared)| {
            let numbered = compared.comparison.discrepancies().zip((0..=compared.highest).rev());
            numbered.map(move |(discrepancy, id)| (response, compared, discrepancy, id))
        });
        let is_wanted = |discrepancy: &Discrepancy, id: u64| {
            wanted.kind.is_none_or(|kind| kind == discrepancy.kind)
                && wanted.after.is_none_or(|after| id < after)
        };
        all.filter(|(_, _, discrepancy, id)| is_wanted(discrepancy, *id))
            .take(wanted.limit)
            .map(|(response, compared, discrepancy, id)| LoggedDiscrepancy {
                id,
                key: response.key.clone(),
                step: response.step.clone(),
                discrepancy: discrepancy.clone(),
                at: compared.at,
            })
            .collect()
    }

    pub(super) fn summary(&self, tenant: &TenantId, wanted: &Wanted) -> Summary {
        let mut summary = Summary::default();
        let (mut ours_ms, mut legacy_ms, mut agreements) = (Vec::new(), Vec::new(), Vec::new());
        for (_, Compared { comparison, .. }) in self.compared(tenant, wanted) {
            *summary.verdicts.entry(comparison.verdict).or_default() += 1;
            for discrepancy in comparison.discrepancies() {
                *summary.by_kind.entry(discrepancy.kind).or_default() += 1;
            }
            agreements.push(comparison.agreement);
            ours_ms.extend(comparison.latency.ours_ms);
            legacy_ms.extend(comparison.latency.legacy_ms);
        }
        let count = agreements.len() as f64;
        summary.agreement_average = (count > 0.0).then(|| agreements.iter().sum::<f64>() / count);
        (summary.ours_p50_ms, summary.legacy_p50_ms) = (median(ours_ms), median(legacy_ms));
        summary
    }
}

/// By nearest rank: the smallest that half of all don't exceed.
fn median(mut values: Vec<u64>) -> Option<u64> {
    values.sort_unstable();
    values.get(values.len().checked_sub(1)? / 2).copied()
}
