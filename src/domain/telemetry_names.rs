//! The names of spans, attributes and metrics: all of them, here. docs/telemetry.md says what each means.
//!
//! Where OpenTelemetry's semantic conventions have a name it is used
//! (<https://opentelemetry.io/docs/specs/semconv/>, of GenAI <https://opentelemetry.io/docs/specs/semconv/gen-ai/>), and
//! where viewers of language models' traces have one: OpenInference
//! (<https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md>) and Langfuse
//! (<https://langfuse.com/integrations/native/opentelemetry>). What is left begins with `tributary.`.

/// Names of spans.
pub mod span {
    /// A step, from its directive to its last event. Kind of OpenInference: chain.
    pub const STEP: &str = "plan_step";
    /// One output of a subagent, from its step's start to its terminal; its key follows. Kind: agent.
    pub const SUBAGENT: &str = "invoke_agent";
    /// One request to a subagent that is called.
    pub const CALL: &str = "aggregation.call";
    /// An attempt that failed and is followed by another, from its begin to its failure.
    pub const RETRY: &str = "aggregation.retry";
    /// Entries of one append, from the arrival of the first that waited to the moment when all were stored.
    pub const WAIT: &str = "aggregation.wait";
    /// The same entries, from then until the first reader's frame with the last of them.
    pub const EMIT: &str = "aggregation.emit";
    /// The combining of a step's outputs into one result. Kind: chain.
    pub const AGGREGATION: &str = "subagent.aggregation";
    /// The writing of a step's answer. Kind: chain.
    pub const SYNTHESIS: &str = "synthesize-results";
    /// The draft of a language model. Kind: LLM.
    pub const DRAFT: &str = "draft";
    /// The checks of a draft. Kind: evaluator.
    pub const VERIFY: &str = "verify";
    /// What failed the checks, written once more. Kind: LLM.
    pub const REPAIR: &str = "repair";
    /// What another language model says of the answer. Kind: LLM.
    pub const JUDGE: &str = "judge";
    /// A reader's connection, from its `open` to its end.
    pub const STREAM: &str = "stream";
}

/// Names of attributes of spans.
#[allow(missing_docs)]
pub mod attribute {
    pub const TENANT: &str = "tributary.tenant";
    pub const SESSION: &str = "tributary.session_id";
    pub const STEP: &str = "tributary.plan_step_id";
    pub const STEP_STATUS: &str = "tributary.step.status";
    pub const STAGE: &str = "tributary.stage";
    pub const RESULT_KEY: &str = "tributary.result_key";
    pub const STATUS: &str = "tributary.status";
    pub const MODE: &str = "tributary.mode";
    pub const ATTEMPT: &str = "tributary.attempt";
    pub const ATTEMPTS_MAX: &str = "tributary.max_attempts";
    pub const REVISION: &str = "tributary.revision";
    pub const RETRY_DELAY_MS: &str = "tributary.retry.delay_ms";
    pub const EXPECTED: &str = "tributary.expected";
    pub const DEADLINE: &str = "tributary.deadline";
    pub const CORRELATION_ID: &str = "tributary.correlation_id";
    pub const PROTOCOL: &str = "tributary.protocol";
    pub const SHADOW: &str = "tributary.shadow";
    pub const SEQUENCE_FROM: &str = "tributary.sequence.from";
    pub const SEQUENCE_TO: &str = "tributary.sequence.to";
    pub const ENTRIES: &str = "tributary.entries";
    pub const FRAMES: &str = "tributary.frames";
    pub const VERDICT: &str = "tributary.verdict";
    pub const RECOVERED: &str = "tributary.recovered";
    pub const FRAMING: &str = "tributary.framing";
    pub const INPUTS: &str = "tributary.inputs";
    pub const SUCCESSES: &str = "tributary.successes";
    pub const FAILURES: &str = "tributary.failures";
    pub const TRUNCATED: &str = "tributary.truncated";
    pub const SYNTHESIS_LENGTH: &str = "tributary.synthesis.length";
    pub const SOURCES: &str = "tributary.sources";
    pub const TOKENS: &str = "tributary.tokens";
    pub const METHOD: &str = "tributary.method";
    pub const QUALITY: &str = "tributary.quality.overall";
    pub const ISSUES: &str = "tributary.quality.issues";
    /// What a call of a language model cost, in millionths of the currency of the configured prices.
    pub const COST_MICROS: &str = "tributary.cost_micros";
    pub const CACHED: &str = "tributary.cached";
    /// xxh3-128 of the canonical JSON of what a subagent sent, where its content isn't recorded; of one that was called, of
    /// the payload as its event has it; of a language model, of its answer.
    pub const OUTPUT_DIGEST: &str = "tributary.output.digest";
    /// xxh3-128 of the directive, or of what a language model is asked, where that isn't recorded.
    pub const INPUT_DIGEST: &str = "tributary.input.digest";

    pub const ERROR_TYPE: &str = "error.type";
    pub const HTTP_METHOD: &str = "http.request.method";
    pub const HTTP_ROUTE: &str = "http.route";
    pub const HTTP_STATUS: &str = "http.response.status_code";
    pub const URL_PATH: &str = "url.path";
    pub const URL_SCHEME: &str = "url.scheme";
    pub const SERVER_ADDRESS: &str = "server.address";
    pub const SERVER_PORT: &str = "server.port";

    pub const SESSION_ID: &str = "session.id";
    pub const USER_ID: &str = "user.id";
    pub const SPAN_KIND: &str = "openinference.span.kind";
    pub const INPUT_VALUE: &str = "input.value";
    pub const OUTPUT_VALUE: &str = "output.value";
    pub const OUTPUT_MIME_TYPE: &str = "output.mime_type";
    pub const GEN_AI_OPERATION: &str = "gen_ai.operation.name";
    pub const GEN_AI_AGENT: &str = "gen_ai.agent.name";
    pub const GEN_AI_PROVIDER: &str = "gen_ai.provider.name";
    pub const GEN_AI_REQUEST_MODEL: &str = "gen_ai.request.model";
    pub const GEN_AI_MODEL: &str = "gen_ai.response.model";
    pub const GEN_AI_INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
    pub const GEN_AI_OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
    pub const LLM_MODEL: &str = "llm.model_name";
    pub const LLM_PROMPT_TOKENS: &str = "llm.token_count.prompt";
    pub const LLM_COMPLETION_TOKENS: &str = "llm.token_count.completion";
    pub const LLM_TOTAL_TOKENS: &str = "llm.token_count.total";
    pub const GEN_AI_CONVERSATION: &str = "gen_ai.conversation.id";
    pub const LANGFUSE_SESSION: &str = "langfuse.session.id";
    pub const LANGFUSE_USER: &str = "langfuse.user.id";
    pub const LANGFUSE_TYPE: &str = "langfuse.observation.type";
    pub const LANGFUSE_LEVEL: &str = "langfuse.observation.level";
    pub const LANGFUSE_STATUS: &str = "langfuse.observation.status_message";
    pub const LANGFUSE_INPUT: &str = "langfuse.observation.input";
    pub const LANGFUSE_OUTPUT: &str = "langfuse.observation.output";
}

/// Names of metrics. Prometheus shows them with underscores, the unit and `_total` behind them.
#[allow(missing_docs)]
pub mod metric {
    pub const PUBLISHES: &str = "tributary.publishes";
    pub const PUBLISH_DURATION: &str = "tributary.publish.duration";
    pub const APPEND_DURATION: &str = "tributary.append.duration";
    pub const APPENDS: &str = "tributary.appends";
    pub const APPENDED_ENTRIES: &str = "tributary.appended.entries";
    pub const APPEND_FAILURES: &str = "tributary.append.failures";
    pub const APPEND_CONFLICTS: &str = "tributary.append.conflicts";
    pub const DELIVERY_DURATION: &str = "tributary.delivery.duration";
    pub const READERS: &str = "tributary.readers";
    pub const READERS_LIMIT: &str = "tributary.readers.limit";
    pub const FRAMES: &str = "tributary.frames";
    pub const ENCODES: &str = "tributary.frames.encoded";
    pub const COALESCED: &str = "tributary.events.coalesced";
    pub const RESUMES: &str = "tributary.resumes";
    pub const REOPENS: &str = "tributary.reopens";
    pub const REPLAYED: &str = "tributary.replayed.entries";
    pub const READER_LAG: &str = "tributary.reader.lag";
    pub const GAPS: &str = "tributary.gaps.filled";
    pub const EPOCHS: &str = "tributary.epochs.rotated";
    pub const RESTORED: &str = "tributary.restored.entries";
    pub const STEP_DURATION: &str = "tributary.step.duration";
    pub const OUTCOMES: &str = "tributary.subagent.outcomes";
    pub const RETRIES: &str = "tributary.subagent.retries";
    pub const CALL_DURATION: &str = "tributary.call.duration";
    pub const CALL_WITHDRAWALS: &str = "tributary.call.withdrawals";
    pub const BREAKERS: &str = "tributary.breakers";
    pub const BREAKER_TRANSITIONS: &str = "tributary.breaker.transitions";
    pub const NOTICES: &str = "tributary.notices";
    pub const AGGREGATION_DURATION: &str = "tributary.aggregation.duration";
    pub const SYNTHESES: &str = "tributary.syntheses";
    pub const MODEL_CALLS: &str = "tributary.model.calls";
    pub const MODEL_TOKENS: &str = "tributary.model.tokens";
    pub const MODEL_COST: &str = "tributary.model.cost";
    pub const MODEL_FIRST_TOKEN: &str = "tributary.model.first_token.duration";
    pub const MODEL_DURATION: &str = "tributary.model.duration";
    pub const SYNTHESIS_ITEMS: &str = "tributary.synthesis.items";
    pub const SESSIONS_ACTIVE: &str = "tributary.sessions.active";
    pub const STORE_UP: &str = "tributary.store.up";
    pub const STORE_BYTES: &str = "tributary.store.size";
    pub const ARCHIVE_UP: &str = "tributary.archive.up";
    pub const ARCHIVE_WAITING: &str = "tributary.archive.waiting_sessions";
    pub const ARCHIVE_LAG: &str = "tributary.archive.lag";
    pub const ARCHIVED: &str = "tributary.archived.entries";
    pub const ARCHIVE_LEFT: &str = "tributary.archive.left_entries";
    pub const REDIS_CONNECTIONS: &str = "tributary.redis.connections";
    pub const DRAINING: &str = "tributary.draining";
    pub const SPANS_EXPORTED: &str = "tributary.spans.exported";
    pub const SPANS_FAILED: &str = "tributary.spans.failed";
    pub const SPANS_DROPPED: &str = "tributary.spans.dropped";
    pub const PROCESS_CPU: &str = "process.cpu";
    pub const PROCESS_MEMORY: &str = "process.resident_memory";
    pub const PROCESS_FILES: &str = "process.open_fds";
    pub const HTTP_DURATION: &str = "http.server.request.duration";
}
