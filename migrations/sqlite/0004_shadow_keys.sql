-- A later answer takes the place of an earlier one, whose row stays for its Idempotency-Key: without a response and without a verdict.
DROP INDEX shadow_comparisons_by_step;
CREATE UNIQUE INDEX shadow_comparisons_by_step ON shadow_comparisons (tenant, session, plan_step_id)
    WHERE response IS NOT NULL OR verdict IS NOT NULL;
