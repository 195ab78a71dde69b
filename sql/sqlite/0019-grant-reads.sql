-- What OAuth clients have read lately, beside what API keys have read: a row is of a key or of a grant, and ends with it.
DROP INDEX key_reads_by_time;
ALTER TABLE key_reads RENAME TO old_key_reads;

CREATE TABLE key_reads (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  key_id     TEXT REFERENCES api_keys (id) ON DELETE CASCADE,
  grant_id   TEXT REFERENCES grants (id) ON DELETE CASCADE,
  path       TEXT NOT NULL,
  last_at    INTEGER NOT NULL,
  count      INTEGER NOT NULL CHECK (count > 0),
  UNIQUE (key_id, path),
  UNIQUE (grant_id, path),
  CHECK ((key_id IS NULL) <> (grant_id IS NULL))
) STRICT;

CREATE INDEX key_reads_by_time ON key_reads (last_at);

INSERT INTO key_reads (account_id, key_id, path, last_at, count)
SELECT account_id, key_id, path, last_at, count FROM old_key_reads;

DROP TABLE old_key_reads;
