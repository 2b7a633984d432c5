-- Shadow mode: the monolith's answer to a step, and what came of comparing it with ours. docs/shadow.md says how to read them.
CREATE TABLE shadow_comparisons (
    -- Never given twice: whoever compares says by it which answer was compared.
    id              BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant          TEXT COLLATE "C" NOT NULL,
    session         TEXT COLLATE "C" NOT NULL,
    plan_step_id    TEXT COLLATE "C" NOT NULL,
    -- When the answer came; milliseconds since 1970-01-01, UTC.
    noted_at        BIGINT NOT NULL,
    -- The answer as it was sent (JSON), until it is compared.
    response        TEXT,
    -- From here on NULL until then. The comparison (JSON), and what of it is asked for.
    comparison      TEXT,
    compared_at     BIGINT,
    verdict         TEXT,
    agreement       DOUBLE PRECISION,
    ours_ms         BIGINT,
    legacy_ms       BIGINT,
    -- The Idempotency-Key, where there was one, and a digest of the request that it came with (32 hex digits).
    idempotency_key TEXT COLLATE "C",
    fingerprint     TEXT
);

CREATE UNIQUE INDEX shadow_comparisons_by_step ON shadow_comparisons (tenant, session, plan_step_id);
CREATE UNIQUE INDEX shadow_comparisons_once ON shadow_comparisons (tenant, session, idempotency_key);
CREATE INDEX shadow_comparisons_waiting ON shadow_comparisons (id) WHERE response IS NOT NULL;
CREATE INDEX shadow_comparisons_by_age ON shadow_comparisons (noted_at);

-- In what they differ: what is said, a row each.
CREATE TABLE shadow_discrepancies (
    id           BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant       TEXT COLLATE "C" NOT NULL,
    session      TEXT COLLATE "C" NOT NULL,
    plan_step_id TEXT COLLATE "C" NOT NULL,
    -- That of the comparison.
    verdict      TEXT NOT NULL,
    kind         TEXT NOT NULL,
    ours         TEXT,
    legacy       TEXT,
    detail       TEXT NOT NULL,
    at           BIGINT NOT NULL
);

CREATE INDEX shadow_discrepancies_by_step ON shadow_discrepancies (tenant, session, plan_step_id);
CREATE INDEX shadow_discrepancies_by_age ON shadow_discrepancies (at);
