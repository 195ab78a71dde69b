-- The web app: sessions, ways to sign in, and the log of each account. A secret is stored as its SHA-256
-- (lower-case hex); the secret itself is nowhere.

-- When a key was last used, at most a minute late. Null: never, or not recorded.
ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;

CREATE TABLE sessions (
  token_sha256 TEXT PRIMARY KEY CHECK (length(token_sha256) = 64),
  id           TEXT NOT NULL UNIQUE,
  account_id   TEXT NOT NULL REFERENCES accounts (id),
  way          TEXT NOT NULL CHECK (way IN ('link', 'passkey', 'password', 'header')),
  -- The browser in a few words.
  agent        TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  -- Earlier than created_at if another browser's session has made the link for it.
  signed_in_at INTEGER NOT NULL,
  seen_at      INTEGER NOT NULL,
  -- When it ends if it is not used until then.
  ends_at      INTEGER NOT NULL,
  is_short     INTEGER NOT NULL CHECK (is_short IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_account ON sessions (account_id, seen_at);

CREATE TABLE sign_in_links (
  secret_sha256 TEXT PRIMARY KEY CHECK (length(secret_sha256) = 64),
  account_id    TEXT NOT NULL REFERENCES accounts (id),
  -- The sign-in of the session that made the link. Null: the command line made it.
  signed_in_at  INTEGER,
  expires_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_links_by_account ON sign_in_links (account_id);

-- What a passkey signs. With an account, the challenge is for a new passkey of it.
CREATE TABLE challenges (
  challenge  TEXT PRIMARY KEY CHECK (length(challenge) = 43),
  account_id TEXT REFERENCES accounts (id),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX challenges_by_account ON challenges (account_id);
CREATE INDEX challenges_by_time ON challenges (expires_at);

CREATE TABLE passkeys (
  -- The credential id, as base64url.
  id           TEXT PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES accounts (id),
  label        TEXT NOT NULL,
  -- SPKI, as base64url.
  public_key   TEXT NOT NULL,
  -- The number that COSE gives the algorithm.
  algorithm    INTEGER NOT NULL,
  sign_count   INTEGER NOT NULL CHECK (sign_count >= 0),
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX passkeys_by_account ON passkeys (account_id, created_at);

CREATE TABLE passwords (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id),
  -- The parameters, the salt and the hash.
  hash       TEXT NOT NULL,
  set_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Wrong passwords, by account or by the hash of an address.
CREATE TABLE sign_in_failures (
  subject TEXT PRIMARY KEY,
  count   INTEGER NOT NULL CHECK (count > 0),
  last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_failures_by_time ON sign_in_failures (last_at);

-- The latest sign-ins and changes of keys. Numbers ascend whatever the clock does.
CREATE TABLE account_events (
  seq        INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  at         INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  subject    TEXT NOT NULL,
  agent      TEXT NOT NULL
) STRICT;

CREATE INDEX account_events_by_account ON account_events (account_id, seq);
