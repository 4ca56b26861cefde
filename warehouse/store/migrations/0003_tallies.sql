-- How drafting went, check by check: one row a plan, the newest run's.
CREATE TABLE draft_tallies (
    id VARCHAR PRIMARY KEY, seq BIGINT, plan VARCHAR, language VARCHAR, model VARCHAR, prompts VARCHAR,
    drafted BOOLEAN, body VARCHAR NOT NULL);
