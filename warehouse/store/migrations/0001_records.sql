-- One table a record type: the id, the columns that filters use, and the whole record as canonical JSON.
-- `seq` grows with every write and tells what is newest. Bodies are text, so that nested types never lock.
CREATE SEQUENCE writes START 1;

CREATE TABLE conversations (id VARCHAR PRIMARY KEY, seq BIGINT, language VARCHAR, source VARCHAR, body VARCHAR NOT NULL);
CREATE TABLE behaviours (id VARCHAR PRIMARY KEY, seq BIGINT, conversation VARCHAR, language VARCHAR, body VARCHAR NOT NULL);
CREATE TABLE seeds (
    id VARCHAR PRIMARY KEY, seq BIGINT, language VARCHAR, category VARCHAR, subcategory VARCHAR, parent VARCHAR,
    body VARCHAR NOT NULL);
CREATE TABLE tool_lists (
    id VARCHAR PRIMARY KEY, seq BIGINT, slug VARCHAR, language VARCHAR, category VARCHAR, subcategory VARCHAR,
    body VARCHAR NOT NULL);
CREATE TABLE plans (
    id VARCHAR PRIMARY KEY, seq BIGINT, profile VARCHAR, language VARCHAR, "index" INTEGER, seed VARCHAR,
    body VARCHAR NOT NULL);
CREATE TABLE drafts (
    id VARCHAR PRIMARY KEY, seq BIGINT, plan VARCHAR, session VARCHAR, profile VARCHAR, language VARCHAR,
    offline BOOLEAN, body VARCHAR NOT NULL);
CREATE TABLE pushed_tasks (
    id VARCHAR PRIMARY KEY, seq BIGINT, draft VARCHAR, server VARCHAR, project VARCHAR, project_id BIGINT,
    task_id BIGINT, round INTEGER, body VARCHAR NOT NULL);
CREATE TABLE labels (
    id VARCHAR PRIMARY KEY, seq BIGINT, draft VARCHAR, session VARCHAR, annotator VARCHAR, round INTEGER,
    simulated BOOLEAN, decision VARCHAR, project_id BIGINT, annotation_id BIGINT, updated BIGINT,
    body VARCHAR NOT NULL);
CREATE TABLE adjudications (
    id VARCHAR PRIMARY KEY, seq BIGINT, session VARCHAR, draft VARCHAR, decision VARCHAR, body VARCHAR NOT NULL);
CREATE TABLE sessions (
    id VARCHAR PRIMARY KEY, seq BIGINT, language VARCHAR, category VARCHAR, subcategory VARCHAR, tool_list VARCHAR,
    draft VARCHAR, body VARCHAR NOT NULL);
CREATE TABLE trajectories (
    id VARCHAR PRIMARY KEY, seq BIGINT, release VARCHAR, release_digest VARCHAR, candidate VARCHAR, session VARCHAR,
    trial INTEGER, body VARCHAR NOT NULL);
CREATE TABLE quarantine (
    id VARCHAR PRIMARY KEY, seq BIGINT, stage VARCHAR, step VARCHAR, reason VARCHAR, source VARCHAR,
    body VARCHAR NOT NULL);
CREATE TABLE stage_reports (id VARCHAR PRIMARY KEY, seq BIGINT, stage VARCHAR, run VARCHAR, body VARCHAR NOT NULL);
CREATE TABLE state (key VARCHAR PRIMARY KEY, value VARCHAR NOT NULL);
