-- What an import has come by so far: of two memories with one id, the first is kept.
CREATE TEMP TABLE imported (
  account_id  TEXT NOT NULL,
  memory_id   TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  PRIMARY KEY (account_id, memory_id)
) STRICT, WITHOUT ROWID;
