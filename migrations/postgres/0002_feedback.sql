-- What users think of the results of steps. Not part of a session's log.
CREATE TABLE feedback (
    id              BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant          TEXT COLLATE "C" NOT NULL,
    session         TEXT COLLATE "C" NOT NULL,
    plan_step_id    TEXT NOT NULL,
    -- From 0, worst, to 1, best.
    score           DOUBLE PRECISION NOT NULL,
    comment         TEXT,
    -- Milliseconds since 1970-01-01, UTC.
    at              BIGINT NOT NULL,
    -- The Idempotency-Key, where there was one, and a digest of the request that it came with (32 hex digits).
    idempotency_key TEXT COLLATE "C",
    fingerprint     TEXT
);

-- Without a key (NULL) none is a repeat of another. Also finds a session's rows.
CREATE UNIQUE INDEX feedback_once ON feedback (tenant, session, idempotency_key);
CREATE INDEX feedback_by_time ON feedback (tenant, at);
-- For what is left of sessions that are gone.
CREATE INDEX feedback_by_age ON feedback (at);
