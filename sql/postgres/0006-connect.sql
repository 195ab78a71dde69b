-- Connectors: what owners have granted to OAuth clients, the tokens of these grants, and registered clients.
-- Tables and columns mean what they mean in sql/sqlite/0008-connect.sql.
SET LOCAL search_path = memory_gateway;

CREATE TABLE grants (
  id             text COLLATE "C" PRIMARY KEY,
  account_id     text COLLATE "C" NOT NULL REFERENCES accounts (id),
  client_id      text COLLATE "C" NOT NULL,
  client_name    text NOT NULL,
  redirect_host  text NOT NULL,
  resource       text COLLATE "C" NOT NULL,
  reads          text NOT NULL CHECK (reads IN ('all', 'summaries')),
  started_after  bigint,
  started_before bigint CHECK (started_before > started_after),
  created_at     bigint NOT NULL,
  expires_at     bigint NOT NULL,
  last_used_at   bigint
);

CREATE INDEX grants_by_account ON grants (account_id, created_at);
CREATE INDEX grants_by_client ON grants (client_id);

CREATE TABLE grant_tokens (
  token_sha256 text COLLATE "C" PRIMARY KEY CHECK (length(token_sha256) = 64),
  grant_id     text COLLATE "C" NOT NULL REFERENCES grants (id),
  account_id   text COLLATE "C" NOT NULL REFERENCES accounts (id),
  kind         text NOT NULL CHECK (kind IN ('code', 'access', 'refresh')),
  payload      text NOT NULL,
  created_at   bigint NOT NULL,
  expires_at   bigint NOT NULL,
  used_at      bigint
);

CREATE INDEX grant_tokens_by_grant ON grant_tokens (grant_id, created_at);
CREATE INDEX grant_tokens_by_account ON grant_tokens (account_id);
CREATE INDEX grant_tokens_by_time ON grant_tokens (expires_at);

CREATE TABLE oauth_clients (
  id         text COLLATE "C" PRIMARY KEY,
  metadata   text NOT NULL,
  created_at bigint NOT NULL,
  kept_until bigint NOT NULL
);

CREATE INDEX oauth_clients_by_time ON oauth_clients (kept_until);

-- A transaction sees the rows of the account that it names, or those of the token or the grant that it names.
ALTER TABLE grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE grant_tokens ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON grant_tokens USING (
  account_id = current_setting('memory_gateway.account_id', true)
  OR token_sha256 = current_setting('memory_gateway.secret', true)
  OR grant_id = current_setting('memory_gateway.secret', true)
);
CREATE POLICY own_account ON grants USING (
  account_id = current_setting('memory_gateway.account_id', true)
  OR id = current_setting('memory_gateway.secret', true)
  OR id IN (
    SELECT grant_id FROM grant_tokens WHERE token_sha256 = current_setting('memory_gateway.secret', true)
  )
);
