-- Sessions that were deleted: what a replica still had of them when they were isn't written any more.
CREATE TABLE deletions (
    tenant  TEXT NOT NULL,
    session TEXT NOT NULL,
    -- A life of its log. One that begins later has another.
    epoch   TEXT NOT NULL,
    -- Milliseconds since 1970-01-01, UTC.
    at      INTEGER NOT NULL,
    PRIMARY KEY (tenant, session, epoch)
) WITHOUT ROWID;

CREATE INDEX deletions_by_age ON deletions (at);
