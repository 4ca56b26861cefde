-- Scores of candidates. A task's score does not name its run, so the run's key stands beside it.
CREATE TABLE score_reports (
    id VARCHAR PRIMARY KEY, seq BIGINT, release VARCHAR, release_digest VARCHAR, candidate VARCHAR, rules VARCHAR,
    body VARCHAR NOT NULL);
CREATE TABLE task_scores (
    id VARCHAR PRIMARY KEY, seq BIGINT, report VARCHAR, session VARCHAR, trial INTEGER, task INTEGER, correct BOOLEAN,
    body VARCHAR NOT NULL);
