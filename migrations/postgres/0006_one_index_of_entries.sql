-- SQLite lets its index `entries_live` go here. Several processes write to PostgreSQL, where it stays: only one row of a
-- sequence is live, whoever writes.
SELECT 1;
