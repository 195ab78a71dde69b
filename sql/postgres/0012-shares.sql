-- Links to memories that owners have shared.
-- Tables and columns mean what they mean in sql/sqlite/0014-shares.sql.
SET LOCAL search_path = memory_gateway;

CREATE TABLE shares (
  secret_sha256 text COLLATE "C" PRIMARY KEY CHECK (length(secret_sha256) = 64),
  id            text COLLATE "C" NOT NULL UNIQUE,
  account_id    text COLLATE "C" NOT NULL REFERENCES accounts (id),
  memory_id     text COLLATE "C" NOT NULL,
  content       text NOT NULL,
  created_at    bigint NOT NULL,
  expires_at    bigint NOT NULL,
  visits        bigint NOT NULL CHECK (visits >= 0),
  FOREIGN KEY (account_id, memory_id) REFERENCES memories (account_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE INDEX shares_by_memory ON shares (account_id, memory_id);

-- A transaction sees the shares of the account that it names, or the one whose secret it names.
ALTER TABLE shares ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON shares USING (
  account_id = current_setting('memory_gateway.account_id', true)
  OR secret_sha256 = current_setting('memory_gateway.secret', true)
);
