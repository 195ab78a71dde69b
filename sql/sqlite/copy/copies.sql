-- What copies have put into this database: see src/store/copy/copy.ts.
CREATE TABLE IF NOT EXISTS copies (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id),
  run        TEXT NOT NULL,
  left_as    TEXT
) STRICT, WITHOUT ROWID;
