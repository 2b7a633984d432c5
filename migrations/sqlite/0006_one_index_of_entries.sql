-- The primary key of `entries` finds the live row of a sequence as well, and a second index on the same columns made each
-- session of a batch write one page more. That only one row of a sequence is live is seen to by the one process that
-- writes to the file.
DROP INDEX entries_live;
