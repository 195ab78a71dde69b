-- What API keys have read lately: a row for each path of a key. No query text, and nothing of what was read.
CREATE TABLE key_reads (
  key_id     TEXT NOT NULL REFERENCES api_keys (id),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  path       TEXT NOT NULL,
  last_at    INTEGER NOT NULL,
  count      INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (key_id, path)
) STRICT, WITHOUT ROWID;

CREATE INDEX key_reads_by_time ON key_reads (last_at);
