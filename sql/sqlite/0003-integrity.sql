-- A hash of the bytes that lists without transcripts send, so that these are checked when they are read, too.

-- Anew, as a column that was generated cannot become one that is written. Both hashes stand before
-- what they are of: what stands behind a long transcript costs a walk over all of its pages.
CREATE TABLE memories_3 (
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
  -- The body without the transcript.
  slim             BLOB NOT NULL,
  body             BLOB NOT NULL,
  UNIQUE (account_id, id)
) STRICT;

INSERT INTO memories_3 (pk, account_id, id, started_at, ended_at, duration_seconds, is_processing, name, quick_summary, key_takeaways, body_sha256, slim_sha256, slim, body)
SELECT pk, account_id, id, started_at, ended_at, duration_seconds, is_processing, name, quick_summary, key_takeaways, body_sha256, sha256(slim), slim, body
FROM memories;

-- A `pk` is never used twice, also where the memory that had the highest is deleted.
DELETE FROM sqlite_sequence WHERE name = 'memories_3';
INSERT INTO sqlite_sequence (name, seq)
SELECT 'memories_3', seq FROM sqlite_sequence WHERE name = 'memories';

DROP TABLE memories;
ALTER TABLE memories_3 RENAME TO memories;

CREATE INDEX memories_by_time ON memories (account_id, started_at, id);
CREATE INDEX memories_by_state ON memories (account_id, is_processing, started_at, id);

-- As before: the memories are the same, so no account has another revision, nor its feed a change.
CREATE TRIGGER memories_inserted AFTER INSERT ON memories BEGIN
  INSERT INTO memory_changes VALUES (new.account_id, new.id, 'upsert');
END;

CREATE TRIGGER memories_updated AFTER UPDATE ON memories BEGIN
  INSERT INTO memory_changes
  SELECT old.account_id, old.id, 'delete' WHERE (old.account_id, old.id) IS NOT (new.account_id, new.id);
  INSERT INTO memory_changes VALUES (new.account_id, new.id, 'upsert');
END;

CREATE TRIGGER memories_deleted AFTER DELETE ON memories BEGIN
  INSERT INTO memory_changes VALUES (old.account_id, old.id, 'delete');
END;
