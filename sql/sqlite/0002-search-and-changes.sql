-- Search, the feed of changes, slim lists, and lists by state.

-- Anew, for two columns that cannot be added in place. `pk` is never used twice, as the search index
-- names memories by it. `slim` is the body without the transcript; it stands before the body, so
-- that a slim list never touches the pages a long transcript spills to.
CREATE TABLE memories_2 (
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
  slim             BLOB NOT NULL GENERATED ALWAYS AS (
    CAST(json_remove(CAST(body AS TEXT), '$.transcript') AS BLOB)
  ) STORED,
  body             BLOB NOT NULL,
  UNIQUE (account_id, id)
) STRICT;

INSERT INTO memories_2 (pk, account_id, id, started_at, ended_at, duration_seconds, is_processing, name, quick_summary, key_takeaways, body_sha256, body)
SELECT pk, account_id, id, started_at, ended_at, duration_seconds, is_processing, name, quick_summary, key_takeaways, body_sha256, body
FROM memories;

DROP TABLE memories;
ALTER TABLE memories_2 RENAME TO memories;

CREATE INDEX memories_by_time ON memories (account_id, started_at, id);
CREATE INDEX memories_by_state ON memories (account_id, is_processing, started_at, id);

-- The words of memories, each behind the label of its account's week ("7_milk"): a look-up is within
-- one week of one account, whatever else the index holds. "7_" alone keeps texts apart.
CREATE TABLE search_weeks (
  label      INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  -- Whole weeks since 1970-01-01T00:00:00Z.
  week       INTEGER NOT NULL,
  UNIQUE (account_id, week)
) STRICT;

CREATE VIRTUAL TABLE search USING fts5 (
  words, content = '', columnsize = 0, tokenize = "ascii tokenchars '_'"
);
-- The words of a deleted memory leave the file with it.
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);

INSERT INTO search_weeks (account_id, week)
SELECT DISTINCT account_id, week_of(started_at) FROM memories;

INSERT INTO search (rowid, words)
SELECT pk, search_words(label, body)
FROM memories JOIN search_weeks USING (account_id)
WHERE week = week_of(started_at);

-- The latest change of every memory there is or was; `seq` counts the changes of an account.
CREATE TABLE changes (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  seq        INTEGER NOT NULL,
  memory_id  TEXT NOT NULL,
  change     TEXT NOT NULL CHECK (change IN ('upsert', 'delete')),
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, seq),
  UNIQUE (account_id, memory_id)
) STRICT, WITHOUT ROWID;

-- Who wrote from which change on: a new name wherever a program does not go on from its own last
-- change. After a restore the count comes by the same numbers again, but under another name, so that
-- a cursor of the lost time is known.
CREATE TABLE change_epochs (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  first_seq  INTEGER NOT NULL,
  epoch      TEXT NOT NULL,
  PRIMARY KEY (account_id, first_seq),
  UNIQUE (account_id, epoch)
) STRICT, WITHOUT ROWID;

-- What every write of a memory leaves behind, in one place: see the trigger.
CREATE VIEW memory_changes AS SELECT account_id, memory_id, change FROM changes;

CREATE TRIGGER memory_changed INSTEAD OF INSERT ON memory_changes BEGIN
  UPDATE accounts SET revision = lower(hex(randomblob(16))) WHERE id = new.account_id;
  INSERT INTO changes (account_id, seq, memory_id, change, changed_at)
  VALUES (
    new.account_id,
    1 + ifnull((SELECT max(seq) FROM changes WHERE account_id = new.account_id), 0),
    new.memory_id,
    new.change,
    -- Never before the change that precedes it, whatever happens to the system's clock.
    max(
      CAST(round(unixepoch('subsec') * 1000) AS INTEGER),
      ifnull((SELECT changed_at FROM changes WHERE account_id = new.account_id ORDER BY seq DESC LIMIT 1), 0)
    )
  )
  ON CONFLICT (account_id, memory_id) DO UPDATE
  SET seq = excluded.seq, change = excluded.change, changed_at = excluded.changed_at;
END;

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

INSERT INTO change_epochs (account_id, first_seq, epoch)
SELECT account_id, 1, lower(hex(randomblob(8))) FROM memories GROUP BY account_id;

INSERT INTO memory_changes SELECT account_id, id, 'upsert' FROM memories ORDER BY pk;
