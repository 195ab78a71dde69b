-- Connectors: what owners have granted to OAuth clients, the tokens of these grants, and clients that have
-- registered themselves. A token is stored as its SHA-256 (lower-case hex); the token itself is nowhere.

CREATE TABLE grants (
  id             TEXT PRIMARY KEY,
  account_id     TEXT NOT NULL REFERENCES accounts (id),
  -- A registered client, or the address of a document that describes the client.
  client_id      TEXT NOT NULL,
  client_name    TEXT NOT NULL,
  -- Where the browser was sent with the code.
  redirect_host  TEXT NOT NULL,
  -- The address that its tokens are for.
  resource       TEXT NOT NULL,
  reads          TEXT NOT NULL CHECK (reads IN ('all', 'summaries')),
  started_after  INTEGER,
  started_before INTEGER CHECK (started_before > started_after),
  created_at     INTEGER NOT NULL,
  expires_at     INTEGER NOT NULL,
  -- At most a minute late. Null: never, or not recorded.
  last_used_at   INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX grants_by_account ON grants (account_id, created_at);
CREATE INDEX grants_by_client ON grants (client_id);

CREATE TABLE grant_tokens (
  token_sha256 TEXT PRIMARY KEY CHECK (length(token_sha256) = 64),
  grant_id     TEXT NOT NULL REFERENCES grants (id),
  account_id   TEXT NOT NULL REFERENCES accounts (id),
  kind         TEXT NOT NULL CHECK (kind IN ('code', 'access', 'refresh')),
  -- What else belongs to the token, as JSON: never the token.
  payload      TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  -- When a code or refresh token was used. It works once; a second use ends the grant.
  used_at      INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX grant_tokens_by_grant ON grant_tokens (grant_id, created_at);
CREATE INDEX grant_tokens_by_account ON grant_tokens (account_id);
CREATE INDEX grant_tokens_by_time ON grant_tokens (expires_at);

CREATE TABLE oauth_clients (
  id         TEXT PRIMARY KEY,
  -- Its name and redirect addresses, as JSON.
  metadata   TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- When it is deleted: a day after its registration, or when the last grant to it has expired.
  kept_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX oauth_clients_by_time ON oauth_clients (kept_until);
