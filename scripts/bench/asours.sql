-- What `sqlite3` imports into to do what our program does, in plain SQL that Debian's 3.40 knows: the
-- tables of sql/sqlite with their indexes and triggers, and the words as they stand, in one index for
-- all accounts and all time. What our program does beside is to check, to fold words and to tell
-- accounts and weeks apart.

PRAGMA journal_mode = WAL;
PRAGMA foreign_keys = ON;

CREATE TABLE accounts (id TEXT PRIMARY KEY, revision TEXT NOT NULL DEFAULT (lower(hex(randomblob(16))))) STRICT, WITHOUT ROWID;
INSERT INTO accounts(id) VALUES('bench');
CREATE TABLE memories (
  pk               INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id       TEXT NOT NULL REFERENCES accounts (id),
  id               TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
  started_at       INTEGER NOT NULL,
  ended_at         INTEGER NOT NULL CHECK (ended_at >= started_at),
  duration_seconds INTEGER NOT NULL CHECK (duration_seconds >= 0),
  is_processing    INTEGER NOT NULL CHECK (is_processing IN (0, 1)),
  name             TEXT NOT NULL,
  quick_summary    TEXT NOT NULL,
  key_takeaways    TEXT NOT NULL CHECK (json_valid(key_takeaways)),
  body_sha256      TEXT NOT NULL CHECK (length(body_sha256) = 64),
  slim_sha256      TEXT NOT NULL CHECK (length(slim_sha256) = 64),
  slim             BLOB NOT NULL,
  body             BLOB NOT NULL,
  UNIQUE (account_id, id)
);
CREATE INDEX memories_by_time ON memories (account_id, started_at, id);
CREATE INDEX memories_by_state ON memories (account_id, is_processing, started_at, id);
CREATE VIRTUAL TABLE search USING fts5 (words, content = '', columnsize = 0);
CREATE TABLE changes (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  seq        INTEGER NOT NULL,
  memory_id  TEXT NOT NULL,
  change     TEXT NOT NULL CHECK (change IN ('upsert', 'delete')),
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, seq),
  UNIQUE (account_id, memory_id)
) STRICT, WITHOUT ROWID;
CREATE VIEW memory_changes AS SELECT account_id, memory_id, change FROM changes;
CREATE TRIGGER memory_changed INSTEAD OF INSERT ON memory_changes BEGIN
  UPDATE accounts SET revision = lower(hex(randomblob(16))) WHERE id = new.account_id;
  INSERT INTO changes (account_id, seq, memory_id, change, changed_at)
  VALUES (
    new.account_id,
    1 + ifnull((SELECT max(seq) FROM changes WHERE account_id = new.account_id), 0),
    new.memory_id,
    new.change,
    max(
      CAST(round((julianday('now')-2440587.5)*86400000) AS INTEGER),
      ifnull((SELECT changed_at FROM changes WHERE account_id = new.account_id ORDER BY seq DESC LIMIT 1), 0)
    )
  )
  ON CONFLICT (account_id, memory_id) DO UPDATE
  SET seq = excluded.seq, change = excluded.change, changed_at = excluded.changed_at;
END;
CREATE TRIGGER memories_inserted AFTER INSERT ON memories BEGIN
  INSERT INTO memory_changes VALUES (new.account_id, new.id, 'upsert');
  INSERT INTO search (rowid, words) VALUES (new.pk, new.name || ' ' || new.quick_summary || ' ' || new.key_takeaways || ' ' || json_extract(CAST(new.body AS TEXT), '$.transcript'));
END;
CREATE TEMP VIEW incoming AS SELECT account_id, id, started_at, ended_at, duration_seconds, is_processing, name, quick_summary, key_takeaways, body_sha256, slim_sha256, slim, body FROM memories;
CREATE TEMP TRIGGER incoming_inserted INSTEAD OF INSERT ON incoming BEGIN
  INSERT INTO memories (account_id, id, started_at, ended_at, duration_seconds, is_processing, name, quick_summary, key_takeaways, body_sha256, slim_sha256, slim, body)
  VALUES (new.account_id, new.id, new.started_at, new.ended_at, new.duration_seconds, new.is_processing, new.name, new.quick_summary, new.key_takeaways, new.body_sha256, new.slim_sha256, new.slim, new.body);
END;
