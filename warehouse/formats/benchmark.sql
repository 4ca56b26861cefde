-- Tables and views of benchmark.duckdb. Columns that end in JSON text are: arguments, observation, slots,
-- parameters, returns, other, argument_alternatives, trace, alternatives, labels, annotators, models, prompts, imported.
CREATE TABLE about (key VARCHAR, value VARCHAR);
CREATE TABLE sessions (
    id VARCHAR, split VARCHAR, language VARCHAR, category VARCHAR, subcategory VARCHAR, now VARCHAR,
    tool_list VARCHAR, tools INTEGER);
CREATE TABLE tasks (
    session VARCHAR, task INTEGER, "user" VARCHAR, type VARCHAR, topology VARCHAR, hidden_intent VARCHAR,
    device VARCHAR, piece VARCHAR, said_in INTEGER, distance INTEGER, alternatives VARCHAR);
CREATE TABLE actions (
    session VARCHAR, task INTEGER, action INTEGER, kind VARCHAR, name VARCHAR, arguments VARCHAR,
    observation VARCHAR, tool VARCHAR, slots VARCHAR, question VARCHAR, reply VARCHAR, text VARCHAR,
    argument_alternatives VARCHAR, trace VARCHAR);
CREATE TABLE dependencies (session VARCHAR, task INTEGER, action INTEGER, depends_on INTEGER);
CREATE TABLE tools (
    session VARCHAR, position INTEGER, name VARCHAR, description VARCHAR, parameters VARCHAR, returns VARCHAR,
    other VARCHAR);
CREATE TABLE tool_lists (id VARCHAR, title VARCHAR, source VARCHAR, version VARCHAR, licence VARCHAR);
CREATE TABLE annotators (annotator VARCHAR, labels INTEGER, sessions INTEGER, simulated BOOLEAN);
CREATE TABLE worlds (session VARCHAR, spec VARCHAR, seed BIGINT, made_by VARCHAR);
CREATE TABLE world_operations (
    session VARCHAR, tool VARCHAR, operation VARCHAR, table_name VARCHAR, certainty DOUBLE, reason VARCHAR);
CREATE TABLE world_rows (session VARCHAR, table_name VARCHAR, occasion VARCHAR, position INTEGER, row_json VARCHAR);
CREATE TABLE provenance (
    session VARCHAR, seed VARCHAR, plan VARCHAR, draft VARCHAR, labels VARCHAR, annotators VARCHAR,
    models VARCHAR, prompts VARCHAR, offline BOOLEAN, simulated_labels BOOLEAN, imported VARCHAR);

CREATE VIEW composition AS
    SELECT language, split, type, topology, count(*) AS tasks
    FROM tasks JOIN sessions ON sessions.id = tasks.session GROUP BY ALL ORDER BY ALL;
CREATE VIEW hidden_intents AS
    SELECT language, hidden_intent, device, count(*) AS tasks
    FROM tasks JOIN sessions ON sessions.id = tasks.session WHERE task > 0 GROUP BY ALL ORDER BY ALL;
CREATE VIEW type_sequences AS
    SELECT session, string_agg(type, ' > ' ORDER BY task) AS types,
        count(*) FILTER (type <> before AND before IS NOT NULL) AS transitions
    FROM (SELECT *, lag(type) OVER (PARTITION BY session ORDER BY task) AS before FROM tasks)
    GROUP BY session ORDER BY session;
CREATE VIEW tool_use AS
    SELECT name, count(*) AS calls, count(DISTINCT session) AS sessions
    FROM actions WHERE kind = 'call' GROUP BY name ORDER BY calls DESC, name;
CREATE VIEW task_shape AS
    SELECT session, task, count(*) FILTER (kind = 'call') AS calls, count(*) FILTER (kind = 'ask') AS asks,
        (SELECT count(*) FROM dependencies d WHERE d.session = a.session AND d.task = a.task) AS dependencies
    FROM actions a GROUP BY session, task ORDER BY session, task;
