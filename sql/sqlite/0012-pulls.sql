-- The sources that owners pull from in the app. The server runs each when it is due.
CREATE TABLE pulls (
  account_id  TEXT NOT NULL REFERENCES accounts (id),
  -- As its runs are named in `sources`.
  name        TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 4096),
  id          TEXT NOT NULL UNIQUE,
  product     TEXT NOT NULL,
  -- Null: the product's own address.
  url         TEXT,
  interval_ms INTEGER NOT NULL CHECK (interval_ms >= 60000),
  -- The product's key, sealed by the key file, which is outside of the database. Null: there is none.
  sealed_key  TEXT,
  created_at  INTEGER NOT NULL,
  -- When the next run starts.
  due_at      INTEGER NOT NULL,
  PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX pulls_by_time ON pulls (due_at);
