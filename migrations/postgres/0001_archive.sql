-- The archive: a row per entry of a session's log, and a row per session. docs/archive.md says how to read them.

-- Where each session's live chain ends. `chain`s are 64 bits, written as signed numbers.
CREATE TABLE sessions (
    tenant         TEXT COLLATE "C" NOT NULL,
    session        TEXT COLLATE "C" NOT NULL,
    epoch          TEXT    NOT NULL,
    sequence       BIGINT NOT NULL,
    chain          BIGINT NOT NULL,
    -- From here on no live entry is missing.
    first_sequence BIGINT NOT NULL,
    open_steps     BIGINT NOT NULL,
    more_steps     BIGINT NOT NULL,
    -- Milliseconds since 1970-01-01, UTC.
    updated_at     BIGINT NOT NULL,
    PRIMARY KEY (tenant, session)
);

CREATE INDEX sessions_by_age ON sessions (updated_at);
CREATE INDEX sessions_unfinished ON sessions (tenant, session) WHERE open_steps > 0 OR more_steps > 0;

CREATE TABLE entries (
    tenant         TEXT COLLATE "C" NOT NULL,
    session        TEXT COLLATE "C" NOT NULL,
    sequence       BIGINT NOT NULL,
    chain          BIGINT NOT NULL,
    previous_chain BIGINT NOT NULL,
    -- Whether it belongs to the log as it stands; rows of a branch that was left are kept for an audit.
    live           BOOLEAN NOT NULL,
    epoch          TEXT    NOT NULL,
    append_id      BIGINT NOT NULL,
    at             BIGINT NOT NULL,
    -- What it does to the session: 0 nothing, 1 a step starts, 2 a step starts and more will follow, 3 a step ends,
    -- 4 the session closes.
    effect         BIGINT NOT NULL,
    -- What the fold reads, and what readers see (one line of JSON each).
    record         TEXT    NOT NULL,
    wire           TEXT,
    -- The breadcrumb, where it is an event of a subagent.
    plan_step_id   TEXT,
    subagent       TEXT,
    result_key     TEXT,
    status         TEXT,
    retry_count    BIGINT,
    latency_ms     BIGINT,
    PRIMARY KEY (tenant, session, sequence, chain)
);

CREATE UNIQUE INDEX entries_live ON entries (tenant, session, sequence) WHERE live;
CREATE INDEX entries_outcomes ON entries (tenant, at)
    WHERE live AND status IN ('success', 'error', 'timeout', 'degraded', 'refused', 'cancelled', 'retry');

CREATE VIEW breadcrumbs AS
SELECT tenant, session, plan_step_id, subagent, result_key, sequence, status, retry_count, latency_ms, at
FROM entries
WHERE live AND subagent IS NOT NULL;

-- Results that came when their output was over: they have no sequence.
CREATE TABLE late_results (
    id           BIGINT NOT NULL PRIMARY KEY,
    tenant       TEXT COLLATE "C" NOT NULL,
    session      TEXT COLLATE "C" NOT NULL,
    plan_step_id TEXT    NOT NULL,
    subagent     TEXT    NOT NULL,
    result_key   TEXT    NOT NULL,
    at           BIGINT NOT NULL
);

CREATE INDEX late_results_by_time ON late_results (tenant, at);
CREATE INDEX late_results_by_session ON late_results (tenant, session);
