-- The web app: sessions, ways to sign in, and the log of each account.
-- Tables and columns mean what they mean in sql/sqlite/0006-app.sql.
SET LOCAL search_path = memory_gateway;

ALTER TABLE api_keys ADD COLUMN last_used_at bigint;

CREATE TABLE sessions (
  token_sha256 text COLLATE "C" PRIMARY KEY CHECK (length(token_sha256) = 64),
  id           text COLLATE "C" NOT NULL UNIQUE,
  account_id   text COLLATE "C" NOT NULL REFERENCES accounts (id),
  way          text NOT NULL CHECK (way IN ('link', 'passkey', 'password', 'header')),
  agent        text NOT NULL,
  created_at   bigint NOT NULL,
  signed_in_at bigint NOT NULL,
  seen_at      bigint NOT NULL,
  ends_at      bigint NOT NULL,
  is_short     smallint NOT NULL CHECK (is_short IN (0, 1))
);

CREATE INDEX sessions_by_account ON sessions (account_id, seen_at);

CREATE TABLE sign_in_links (
  secret_sha256 text COLLATE "C" PRIMARY KEY CHECK (length(secret_sha256) = 64),
  account_id    text COLLATE "C" NOT NULL REFERENCES accounts (id),
  signed_in_at  bigint,
  expires_at    bigint NOT NULL
);

CREATE INDEX sign_in_links_by_account ON sign_in_links (account_id);

CREATE TABLE challenges (
  challenge  text COLLATE "C" PRIMARY KEY CHECK (length(challenge) = 43),
  account_id text COLLATE "C" REFERENCES accounts (id),
  expires_at bigint NOT NULL
);

CREATE INDEX challenges_by_account ON challenges (account_id);
CREATE INDEX challenges_by_time ON challenges (expires_at);

CREATE TABLE passkeys (
  id           text COLLATE "C" PRIMARY KEY,
  account_id   text COLLATE "C" NOT NULL REFERENCES accounts (id),
  label        text NOT NULL,
  public_key   text COLLATE "C" NOT NULL,
  algorithm    bigint NOT NULL,
  sign_count   bigint NOT NULL CHECK (sign_count >= 0),
  created_at   bigint NOT NULL,
  last_used_at bigint
);

CREATE INDEX passkeys_by_account ON passkeys (account_id, created_at);

CREATE TABLE passwords (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES accounts (id),
  hash       text COLLATE "C" NOT NULL,
  set_at     bigint NOT NULL
);

CREATE TABLE sign_in_failures (
  subject text COLLATE "C" PRIMARY KEY,
  count   bigint NOT NULL CHECK (count > 0),
  last_at bigint NOT NULL
);

CREATE INDEX sign_in_failures_by_time ON sign_in_failures (last_at);

CREATE TABLE account_events (
  seq        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  at         bigint NOT NULL,
  kind       text NOT NULL,
  subject    text NOT NULL,
  agent      text NOT NULL
);

CREATE INDEX account_events_by_account ON account_events (account_id, seq);

-- A transaction sees the rows of the account that it names, or the row whose secret or id it names. The
-- account "*", which no account can be, only finds out whether there is any password.
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE sign_in_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkeys ENABLE ROW LEVEL SECURITY;
ALTER TABLE passwords ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON sessions USING (
  account_id = current_setting('memory_gateway.account_id', true)
  OR token_sha256 = current_setting('memory_gateway.secret', true)
);
CREATE POLICY own_account ON sign_in_links USING (
  account_id = current_setting('memory_gateway.account_id', true)
  OR secret_sha256 = current_setting('memory_gateway.secret', true)
);
CREATE POLICY own_account ON passkeys USING (
  account_id = current_setting('memory_gateway.account_id', true)
  OR id = current_setting('memory_gateway.secret', true)
);
CREATE POLICY own_account ON passwords
USING (current_setting('memory_gateway.account_id', true) IN (account_id, '*'))
WITH CHECK (account_id = current_setting('memory_gateway.account_id', true));
CREATE POLICY own_account ON account_events
USING (account_id = current_setting('memory_gateway.account_id', true));

-- Every transaction of the app says that it is one, and then nothing else can be written, not even by the
-- owner of the tables.
CREATE FUNCTION refuse_app() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  RAISE insufficient_privilege USING MESSAGE = 'the app cannot write ' || tg_table_name;
END $$;

CREATE TRIGGER accounts_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON accounts
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER memories_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON memories
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER search_weeks_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON search_weeks
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER changes_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON changes
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER change_epochs_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON change_epochs
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER sources_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON sources
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER source_memories_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON source_memories
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER watched_files_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON watched_files
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER schema_versions_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON schema_versions
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();

REVOKE ALL ON FUNCTION refuse_app() FROM PUBLIC;
