//! Which traces are wanted: OpenTelemetry's built-in samplers, decided by the trace's id alone, so that every replica and
//! every other service with the same setting decides the same
//! (<https://opentelemetry.io/docs/specs/otel/trace/sdk/#built-in-samplers>).

use crate::domain::span::TraceId;

/// A sampler as `OTEL_TRACES_SAMPLER` names it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampler {
    /// What decides where there is no caller, or the caller isn't asked.
    pub root: Root,
    /// Whether the caller's decision goes before: `parentbased_…`.
    pub parent_based: bool,
}

/// The decision for a trace that begins here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Root {
    /// Every trace.
    AlwaysOn,
    /// None.
    AlwaysOff,
    /// This share of them, from 0 to 1.
    TraceIdRatio(f64),
}

impl Default for Sampler {
    /// `parentbased_always_on`, the specification's default.
    fn default() -> Self {
        Self { root: Root::AlwaysOn, parent_based: true }
    }
}

impl Sampler {
    /// Reads the values of `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`; none where the first names no sampler, or
    /// the second isn't a share from 0 to 1 for one that takes a share. Without a second value that share is 1.
    pub fn parse(name: &str, argument: Option<&str>) -> Result<Self, SamplerMistake> {
        let (root, parent_based) = match name.strip_prefix("parentbased_") {
            Some(root) => (root, true),
            None => (name, false),
        };
        let root = match root {
            "always_on" => Root::AlwaysOn,
            "always_off" => Root::AlwaysOff,
            "traceidratio" => Root::TraceIdRatio(share(argument)?),
            _ => return Err(SamplerMistake::Name),
        };
        Ok(Self { root, parent_based })
    }

    /// Whether the spans of this trace are wanted. `parent_sampled` is the caller's decision, where there was a caller.
    pub fn samples(&self, trace: TraceId, parent_sampled: Option<bool>) -> bool {
        match parent_sampled.filter(|_| self.parent_based) {
            Some(sampled) => sampled,
            None => self.root.samples(trace),
        }
    }
}

/// Which of the two variables is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SamplerMistake {
    /// `OTEL_TRACES_SAMPLER`.
    Name,
    /// `OTEL_TRACES_SAMPLER_ARG`.
    Argument,
}

impl Root {
    /// The ratio compares the last 64 bits of the id, without the lowest, with the share of 2^63, as the SDK's
    /// `TraceIdRatioBased` does; a trace in a smaller share is in every larger one.
    fn samples(self, trace: TraceId) -> bool {
        match self {
            Self::AlwaysOn => true,
            Self::AlwaysOff => false,
            Self::TraceIdRatio(share) if share >= 1.0 => true,
            Self::TraceIdRatio(share) => {
                let below = (share.max(0.0) * (1u64 << 63) as f64) as u64;
                (trace.0 as u64) >> 1 < below
            }
        }
    }
}

fn share(argument: Option<&str>) -> Result<f64, SamplerMistake> {
    let Some(text) = argument else { return Ok(1.0) };
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(SamplerMistake::Argument),
    }
}

#[cfg(test)]
mod tests {

    use opentelemetry_sdk::trace::{Sampler as Sdk, SamplingDecision, ShouldSample};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_name_is_a_sampler() {
        let on = |parent_based| Ok(Sampler { root: Root::AlwaysOn, parent_based });
        let ratio = |share, parent_based| Ok(Sampler { root: Root::TraceIdRatio(share), parent_based });
        let cases = [
            ("always_on", None, on(false)),
            ("always_on", Some("rubbish, not asked"), on(false)),
            ("always_off", None, Ok(Sampler { root: Root::AlwaysOff, parent_based: false })),
            ("traceidratio", Some("0.25"), ratio(0.25, false)),
            ("traceidratio", None, ratio(1.0, false)),
            ("parentbased_always_on", None, on(true)),
            ("parentbased_always_off", None, Ok(Sampler { root: Root::AlwaysOff, parent_based: true })),
            ("parentbased_traceidratio", Some("0"), ratio(0.0, true)),
            ("traceidratio", Some("1.5"), Err(SamplerMistake::Argument)),
            ("traceidratio", Some("NaN"), Err(SamplerMistake::Argument)),
            ("traceidratio", Some("-0.5"), Err(SamplerMistake::Argument)),
            ("parentbased_traceidratio", Some("half"), Err(SamplerMistake::Argument)),
            ("jaeger_remote", None, Err(SamplerMistake::Name)),
            ("parentbased_", None, Err(SamplerMistake::Name)),
            ("parentbased_parentbased_always_on", None, Err(SamplerMistake::Name)),
            ("ALWAYS_ON", None, Err(SamplerMistake::Name)),
        ];
        for (name, argument, expected) in cases {
            assert_eq!(Sampler::parse(name, argument), expected, "{name} {argument:?}");
        }
    }

    #[test]
    fn only_a_parent_based_sampler_does_what_the_caller_did() {
        let trace = TraceId(7);
        for (root, alone) in [(Root::AlwaysOn, true), (Root::AlwaysOff, false)] {
            for caller in [None, Some(true), Some(false)] {
                let parent_based = Sampler { root, parent_based: true };
                assert_eq!(parent_based.samples(trace, caller), caller.unwrap_or(alone));
                assert_eq!(Sampler { root, parent_based: false }.samples(trace, caller), alone);
            }
        }
    }

    proptest! {
        #[test]
        fn a_ratio_decides_as_the_sdk_does(id in 1u128.., share in 0.0..=1.0f64) {
            let ours = Sampler { root: Root::TraceIdRatio(share), parent_based: false };
            let theirs = Sdk::TraceIdRatioBased(share).should_sample(
                None, id.into(), "", &opentelemetry::trace::SpanKind::Internal, &[], &[],
            );
            let wanted = theirs.decision == SamplingDecision::RecordAndSample;
            prop_assert_eq!(ours.samples(TraceId(id), None), wanted);
        }
    }
}
