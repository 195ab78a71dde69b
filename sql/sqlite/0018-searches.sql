-- The searches that owners have saved in the app, by their names: what the address of the search has after its question mark.
CREATE TABLE searches (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name       TEXT NOT NULL CHECK (name <> ''),
  query      TEXT NOT NULL CHECK (query <> ''),
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;
