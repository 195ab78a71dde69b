-- Accounts, API keys and memories. All times are milliseconds since 1970-01-01T00:00:00Z.

CREATE TABLE accounts (
  id          TEXT PRIMARY KEY,
  name        TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  created_by  TEXT NOT NULL CHECK (created_by IN ('command line', 'seed')),
  disabled_at INTEGER,
  -- Changes with every write to the account's memories. Random, not counted: after a restore a
  -- counter would come by the same numbers again, and an old etag would match new bytes.
  revision    TEXT NOT NULL DEFAULT (lower(hex(randomblob(16))))
) STRICT, WITHOUT ROWID;

-- Found by the SHA-256 of the key (lower-case hex); the key itself is nowhere.
CREATE TABLE api_keys (
  key_sha256 TEXT PRIMARY KEY CHECK (length(key_sha256) = 64),
  id         TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  last_four  TEXT NOT NULL CHECK (length(last_four) = 4),
  label      TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at);

-- `body` is the whole answer, serialised when the memory was written; the columns before it are
-- the same facts, for queries and people. It stands last, so that reading a column in front of it
-- never touches the pages a long transcript spills to.
CREATE TABLE memories (
  pk               INTEGER PRIMARY KEY,
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
  body             BLOB NOT NULL,
  UNIQUE (account_id, id)
) STRICT;

CREATE INDEX memories_by_time ON memories (account_id, started_at, id);

CREATE TRIGGER memories_inserted AFTER INSERT ON memories BEGIN
  UPDATE accounts SET revision = lower(hex(randomblob(16))) WHERE id = new.account_id;
END;

CREATE TRIGGER memories_updated AFTER UPDATE ON memories BEGIN
  UPDATE accounts SET revision = lower(hex(randomblob(16))) WHERE id IN (old.account_id, new.account_id);
END;

CREATE TRIGGER memories_deleted AFTER DELETE ON memories BEGIN
  UPDATE accounts SET revision = lower(hex(randomblob(16))) WHERE id = old.account_id;
END;
