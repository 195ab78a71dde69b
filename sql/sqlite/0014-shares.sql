-- Links to memories, or to some lines of them, that owners have shared. A share ends with its memory.
CREATE TABLE shares (
  secret_sha256 TEXT PRIMARY KEY CHECK (length(secret_sha256) = 64),
  id            TEXT NOT NULL UNIQUE,
  account_id    TEXT NOT NULL REFERENCES accounts (id),
  memory_id     TEXT NOT NULL,
  -- What its page shows, as it was when the link was made.
  content       TEXT NOT NULL CHECK (json_valid(content)),
  created_at    INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL,
  visits        INTEGER NOT NULL CHECK (visits >= 0),
  FOREIGN KEY (account_id, memory_id) REFERENCES memories (account_id, id) ON UPDATE CASCADE ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX shares_by_memory ON shares (account_id, memory_id);
