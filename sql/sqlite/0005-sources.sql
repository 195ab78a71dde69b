-- Recurring sources: what they were set to, how far they have come, and which memories they brought.

-- One source of one account. `settings` and `state` are JSON objects, and never hold a credential.
CREATE TABLE sources (
  account_id   TEXT NOT NULL REFERENCES accounts (id),
  name         TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 4096),
  kind         TEXT NOT NULL CHECK (kind IN ('pull', 'watch')),
  settings     TEXT NOT NULL CHECK (json_valid(settings)),
  -- Where the next run continues. Written after the memories it stands for.
  state        TEXT NOT NULL CHECK (json_valid(state)),
  -- Random, and new at each step of a run: a run stops if another one, or a restore, has replaced it.
  run          TEXT NOT NULL,
  -- The usual time between the starts of two runs.
  interval_ms  INTEGER,
  started_at   INTEGER NOT NULL,
  -- When a run last showed that it is at work.
  active_at    INTEGER NOT NULL,
  -- When the last run ended. A run that is at work, or was killed, has no end and no result.
  ended_at     INTEGER,
  succeeded_at INTEGER,
  result       TEXT CHECK (result IN ('ok', 'failed', 'interrupted')),
  -- What the last run did.
  added        INTEGER NOT NULL DEFAULT 0,
  updated      INTEGER NOT NULL DEFAULT 0,
  unchanged    INTEGER NOT NULL DEFAULT 0,
  deleted      INTEGER NOT NULL DEFAULT 0,
  rejected     INTEGER NOT NULL DEFAULT 0,
  -- The last error, in one sentence. Null after a run without one.
  error        TEXT,
  PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;

-- The memories that a source added, by its own id for them. A source deletes no others.
CREATE TABLE source_memories (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  source     TEXT NOT NULL,
  memory_id  TEXT NOT NULL,
  item_id    TEXT NOT NULL,
  PRIMARY KEY (account_id, source, memory_id),
  FOREIGN KEY (account_id, source) REFERENCES sources (account_id, name) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX source_memories_by_item ON source_memories (account_id, source, item_id);

-- The files of a watched folder as they were when they were last read.
CREATE TABLE watched_files (
  account_id  TEXT NOT NULL REFERENCES accounts (id),
  source      TEXT NOT NULL,
  -- From the folder on, with slashes.
  path        TEXT NOT NULL,
  size        INTEGER NOT NULL CHECK (size >= 0),
  modified_at INTEGER NOT NULL,
  -- The number of the file on its disk, or another mark that changes with its contents; may be empty.
  marker      TEXT NOT NULL,
  result      TEXT NOT NULL CHECK (result IN ('imported', 'rejected', 'skipped', 'moved')),
  -- Why it was rejected or skipped.
  reason      TEXT,
  read_at     INTEGER NOT NULL,
  PRIMARY KEY (account_id, source, path),
  FOREIGN KEY (account_id, source) REFERENCES sources (account_id, name) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
