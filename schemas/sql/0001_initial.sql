-- Schema 1 of the store. Migrations are files NNNN_name.sql, numbered without a gap; the program runs each
-- one in a transaction of its own and sets user_version to its number in it, so they hold no BEGIN or COMMIT.
-- A file that was released is never changed: a later change is the next number.
--
-- Append-only: a run is inserted OPEN, gets its rows and ends by one UPDATE; from then on the triggers refuse
-- every change. The one exception is pruning, see prune_permit.

PRAGMA application_id = 1633903476;  -- "acct"

CREATE TABLE run (
  run_key            INTEGER PRIMARY KEY,
  run_id             TEXT NOT NULL UNIQUE CHECK (run_id <> ''),
  suite              TEXT NOT NULL,
  suite_digest       TEXT NOT NULL,
  system             TEXT NOT NULL,
  cluster            TEXT NOT NULL,
  trigger_kind       TEXT NOT NULL CHECK (trigger_kind IN ('run', 'nightly', 'gate', 'import', 'replay')),
  state              TEXT NOT NULL CHECK (state IN ('OPEN', 'DONE', 'ABORTED', 'LOST')),
  verdict            TEXT CHECK (verdict IN ('pass', 'waived', 'inconclusive', 'fail', 'error')),
  exit_code          INTEGER,
  started_utc        TEXT NOT NULL CHECK (started_utc GLOB
    '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  ended_utc          TEXT CHECK (ended_utc GLOB
    '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z'),
  configuration      TEXT NOT NULL,
  node_count         INTEGER CHECK (node_count > 0),
  gpu_count          INTEGER CHECK (gpu_count >= 0),
  image_digest       TEXT NOT NULL,
  is_replay          INTEGER NOT NULL CHECK (is_replay IN (0, 1)),
  is_miniature       INTEGER NOT NULL CHECK (is_miniature IN (0, 1)),
  is_mlperf          INTEGER NOT NULL CHECK (is_mlperf IN (0, 1)),
  is_valid           INTEGER NOT NULL CHECK (is_valid IN (0, 1)),
  evidence_folder    TEXT NOT NULL,
  headline_en        TEXT NOT NULL,
  headline_zh        TEXT NOT NULL,
  opener_pid         INTEGER NOT NULL,
  opener_boot_id     TEXT NOT NULL,
  opener_start_ticks INTEGER NOT NULL,
  record_sha256      TEXT NOT NULL,  -- over this row and run_section; '' while OPEN
  CHECK ((state = 'OPEN') = (ended_utc IS NULL)),
  CHECK ((state = 'OPEN') = (record_sha256 = '')),
  CHECK (state <> 'OPEN' OR verdict IS NULL),
  CHECK (state <> 'DONE' OR verdict IS NOT NULL)
) STRICT;

CREATE INDEX run_by_start ON run (started_utc);
CREATE INDEX run_by_suite ON run (suite, started_utc);
CREATE INDEX run_still_open ON run (run_key) WHERE state = 'OPEN';

-- The exact bytes of verdict.json, apart from run so that lists need not step over them.
CREATE TABLE verdict_document (
  run_key      INTEGER PRIMARY KEY REFERENCES run (run_key),
  verdict_json TEXT NOT NULL
) STRICT;

CREATE TABLE attempt (
  run_key           INTEGER NOT NULL REFERENCES run (run_key),
  ordinal           INTEGER NOT NULL,
  launcher          TEXT NOT NULL,
  state             TEXT NOT NULL,
  exit_code         INTEGER,
  signal_number     INTEGER,
  started_utc       TEXT NOT NULL,
  ended_utc         TEXT NOT NULL,
  duration_s        REAL NOT NULL CHECK (duration_s BETWEEN 0 AND 1.7976931348623157e308),
  dropped_log_bytes INTEGER NOT NULL,
  problem_en        TEXT NOT NULL,
  problem_zh        TEXT NOT NULL,
  last_error_lines  TEXT NOT NULL,
  PRIMARY KEY (run_key, ordinal)
) STRICT, WITHOUT ROWID;

-- The key is the layout: the figures of one metric of one run lie together, which is what a trend reads.
CREATE TABLE measurement (
  run_key            INTEGER NOT NULL REFERENCES run (run_key),
  metric             TEXT NOT NULL,
  ordinal            INTEGER NOT NULL,
  value              REAL NOT NULL CHECK (value BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308),
  unit               TEXT NOT NULL,
  evidence           TEXT NOT NULL,
  artifact           TEXT,
  line               INTEGER,
  node               TEXT,
  gpu_index          INTEGER,
  rank               INTEGER,
  message_size_bytes INTEGER,
  method_en          TEXT NOT NULL,
  method_zh          TEXT NOT NULL,
  PRIMARY KEY (run_key, metric, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE evaluation (
  run_key   INTEGER NOT NULL REFERENCES run (run_key),
  ordinal   INTEGER NOT NULL,
  artifact  TEXT NOT NULL,
  line      INTEGER NOT NULL,
  time_ms   INTEGER,
  value     REAL CHECK (value BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308),
  epoch_num REAL CHECK (epoch_num BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308),
  PRIMARY KEY (run_key, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE finding (
  run_key      INTEGER NOT NULL REFERENCES run (run_key),
  ordinal      INTEGER NOT NULL,
  stage        TEXT NOT NULL,
  check_name   TEXT NOT NULL,
  subject      TEXT NOT NULL,
  verdict      TEXT NOT NULL CHECK (verdict IN ('pass', 'waived', 'inconclusive', 'fail', 'error')),
  is_warning   INTEGER NOT NULL CHECK (is_warning IN (0, 1)),
  reason       TEXT NOT NULL,
  measured     REAL CHECK (measured BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308),
  limit_value  REAL CHECK (limit_value BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308),
  comparison   TEXT,
  unit         TEXT NOT NULL,
  evidence     TEXT,
  text_en      TEXT NOT NULL,
  text_zh      TEXT NOT NULL,
  limit_source TEXT NOT NULL,
  artifact     TEXT,
  line         INTEGER,
  PRIMARY KEY (run_key, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE artifact (
  run_key INTEGER NOT NULL REFERENCES run (run_key),
  ordinal INTEGER NOT NULL,
  path    TEXT NOT NULL,
  sha256  TEXT NOT NULL,
  bytes   INTEGER NOT NULL CHECK (bytes >= 0),
  PRIMARY KEY (run_key, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE environment (
  run_key INTEGER NOT NULL REFERENCES run (run_key),
  ordinal INTEGER NOT NULL,
  key     TEXT NOT NULL,
  value   TEXT NOT NULL,
  node    TEXT,
  PRIMARY KEY (run_key, ordinal)
) STRICT, WITHOUT ROWID;

-- One digest per kind of row, so that the record hash outlives the rows that are pruned.
CREATE TABLE run_section (
  run_key    INTEGER NOT NULL REFERENCES run (run_key),
  section    TEXT NOT NULL,
  row_count  INTEGER NOT NULL,
  sha256     TEXT NOT NULL,
  pruned_utc TEXT,
  PRIMARY KEY (run_key, section)
) STRICT, WITHOUT ROWID;

-- A row here lets the rows of detail of one ended run be deleted. It never outlives its transaction: it points
-- to a row of a table that cannot have any, so that a COMMIT is refused as long as it stands.
CREATE TABLE no_row (
  id INTEGER PRIMARY KEY CHECK (id IS NULL)
) STRICT;
CREATE TABLE prune_permit (
  run_key  INTEGER PRIMARY KEY REFERENCES run (run_key),
  unclosed INTEGER NOT NULL DEFAULT 1 REFERENCES no_row (id) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TRIGGER prune_permit_insert BEFORE INSERT ON prune_permit
WHEN NOT EXISTS (SELECT 1 FROM run WHERE run_key = NEW.run_key AND state <> 'OPEN')
BEGIN SELECT RAISE(ABORT, 'only ended runs are pruned'); END;

CREATE TRIGGER run_insert BEFORE INSERT ON run
WHEN NEW.state <> 'OPEN' OR EXISTS (SELECT 1 FROM run WHERE run_id = NEW.run_id OR run_key = NEW.run_key)
BEGIN SELECT RAISE(ABORT, 'append-only: a run begins OPEN and new'); END;
CREATE TRIGGER run_update BEFORE UPDATE ON run
WHEN OLD.state <> 'OPEN'
BEGIN SELECT RAISE(ABORT, 'append-only: the run has ended'); END;
CREATE TRIGGER run_identity BEFORE UPDATE ON run
WHEN NEW.run_key IS NOT OLD.run_key OR NEW.run_id IS NOT OLD.run_id OR NEW.suite IS NOT OLD.suite
  OR NEW.suite_digest IS NOT OLD.suite_digest OR NEW.cluster IS NOT OLD.cluster
  OR NEW.trigger_kind IS NOT OLD.trigger_kind OR NEW.started_utc IS NOT OLD.started_utc
  OR NEW.is_replay IS NOT OLD.is_replay OR NEW.opener_pid IS NOT OLD.opener_pid
  OR NEW.opener_boot_id IS NOT OLD.opener_boot_id OR NEW.opener_start_ticks IS NOT OLD.opener_start_ticks
BEGIN SELECT RAISE(ABORT, 'append-only: what a run began with never changes'); END;
CREATE TRIGGER run_delete BEFORE DELETE ON run
BEGIN SELECT RAISE(ABORT, 'append-only: a run is never deleted'); END;

CREATE TRIGGER verdict_document_insert BEFORE INSERT ON verdict_document
WHEN (SELECT state FROM run WHERE run_key = NEW.run_key) IS NOT 'OPEN'
BEGIN SELECT RAISE(ABORT, 'append-only: the run has ended'); END;
CREATE TRIGGER verdict_document_update BEFORE UPDATE ON verdict_document
BEGIN SELECT RAISE(ABORT, 'append-only: rows of a run never change'); END;
CREATE TRIGGER verdict_document_delete BEFORE DELETE ON verdict_document
BEGIN SELECT RAISE(ABORT, 'append-only: rows of a run are never deleted'); END;
CREATE TRIGGER attempt_insert BEFORE INSERT ON attempt
WHEN (SELECT state FROM run WHERE run_key = NEW.run_key) IS NOT 'OPEN'
BEGIN SELECT RAISE(ABORT, 'append-only: the run has ended'); END;
CREATE TRIGGER attempt_update BEFORE UPDATE ON attempt
BEGIN SELECT RAISE(ABORT, 'append-only: rows of a run never change'); END;
CREATE TRIGGER attempt_delete BEFORE DELETE ON attempt
BEGIN SELECT RAISE(ABORT, 'append-only: rows of a run are never deleted'); END;
CREATE TRIGGER measurement_insert BEFORE INSERT ON measurement
WHEN (SELECT state FROM run WHERE run_key = NEW.run_key) IS NOT 'OPEN'
BEGIN SELECT RAISE(ABORT, 'append-only: the run has ended'); END;
CREATE TRIGGER measurement_update BEFORE UPDATE ON measurement
BEGIN SELECT RAISE(ABORT, 'append-only: rows of a run never change'); END;
CREATE TRIGGER evaluation_insert BEFORE INSERT ON evaluation
WHEN (SELECT state FROM run WHERE run_key = NEW.run_key) IS NOT 'OPEN'
BEGIN SELECT RAISE(ABORT, 'append-only: the run has ended'); END;
CREATE TRIGGER evaluation_update BEFORE UPDATE ON evaluation
BEGIN SELECT RAISE(ABORT, 'append-only: rows of a run never change'); END;
CREATE TRIGGER finding_insert BEFORE INSERT ON finding
WHEN (SELECT state FROM run WHERE run_key = NEW.run_key) IS NOT 'OPEN'
BEGIN SELECT RAISE(ABORT, 'append-only: the run has ended'); END;
CREATE TRIGGER finding_update BEFORE UPDATE ON finding
BEGIN SELECT RAISE(ABORT, 'append-only: rows of a run never change'); END;
CREATE TRIGGER finding_delete BEFORE DELETE ON finding
BEGIN SELECT RAISE(ABORT, 'append-only: rows of a run are never deleted'); END;
CREATE TRIGGER artifact_insert BEFORE INSERT ON artifact
WHEN (SELECT state FROM run WHERE run_key = NEW.run_key) IS NOT 'OPEN'
BEGIN SELECT RAISE(ABORT, 'append-only: the run has ended'); END;
CREATE TRIGGER artifact_update BEFORE UPDATE ON artifact
BEGIN SELECT RAISE(ABORT, 'append-only: rows of a run never change'); END;
CREATE TRIGGER artifact_delete BEFORE DELETE ON artifact
BEGIN SELECT RAISE(ABORT, 'append-only: rows of a run are never deleted'); END;
CREATE TRIGGER environment_insert BEFORE INSERT ON environment
WHEN (SELECT state FROM run WHERE run_key = NEW.run_key) IS NOT 'OPEN'
BEGIN SELECT RAISE(ABORT, 'append-only: the run has ended'); END;
CREATE TRIGGER environment_update BEFORE UPDATE ON environment
BEGIN SELECT RAISE(ABORT, 'append-only: rows of a run never change'); END;
CREATE TRIGGER environment_delete BEFORE DELETE ON environment
BEGIN SELECT RAISE(ABORT, 'append-only: rows of a run are never deleted'); END;
CREATE TRIGGER run_section_insert BEFORE INSERT ON run_section
WHEN (SELECT state FROM run WHERE run_key = NEW.run_key) IS NOT 'OPEN'
BEGIN SELECT RAISE(ABORT, 'append-only: the run has ended'); END;
CREATE TRIGGER run_section_delete BEFORE DELETE ON run_section
BEGIN SELECT RAISE(ABORT, 'append-only: rows of a run are never deleted'); END;
CREATE TRIGGER measurement_delete BEFORE DELETE ON measurement
WHEN (OLD.node IS NULL AND OLD.gpu_index IS NULL AND OLD.rank IS NULL)
  OR NOT EXISTS (SELECT 1 FROM prune_permit WHERE run_key = OLD.run_key)
BEGIN SELECT RAISE(ABORT, 'append-only: only detail is pruned, and only with a permit'); END;
CREATE TRIGGER evaluation_delete BEFORE DELETE ON evaluation
WHEN NOT EXISTS (SELECT 1 FROM prune_permit WHERE run_key = OLD.run_key)
BEGIN SELECT RAISE(ABORT, 'append-only: only detail is pruned, and only with a permit'); END;
CREATE TRIGGER run_section_update BEFORE UPDATE ON run_section
WHEN NEW.run_key IS NOT OLD.run_key OR NEW.section IS NOT OLD.section OR NEW.row_count IS NOT OLD.row_count
  OR NEW.sha256 IS NOT OLD.sha256 OR OLD.pruned_utc IS NOT NULL
  OR OLD.section NOT IN ('part_measurement', 'evaluation')
  OR NOT EXISTS (SELECT 1 FROM prune_permit WHERE run_key = OLD.run_key)
BEGIN SELECT RAISE(ABORT, 'append-only: a digest is only marked as pruned, with a permit'); END;
