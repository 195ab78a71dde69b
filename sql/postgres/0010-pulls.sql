-- The sources that owners pull from in the app.
-- Tables and columns mean what they mean in sql/sqlite/0012-pulls.sql.
SET LOCAL search_path = memory_gateway;

CREATE TABLE pulls (
  account_id  text COLLATE "C" NOT NULL REFERENCES accounts (id),
  name        text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 4096),
  id          text COLLATE "C" NOT NULL UNIQUE,
  product     text NOT NULL,
  url         text,
  interval_ms bigint NOT NULL CHECK (interval_ms >= 60000),
  sealed_key  text,
  created_at  bigint NOT NULL,
  due_at      bigint NOT NULL,
  PRIMARY KEY (account_id, name)
);

CREATE INDEX pulls_by_time ON pulls (due_at);

-- As for passwords, the account "*" only finds out whether there is any.
ALTER TABLE pulls ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON pulls
USING (current_setting('memory_gateway.account_id', true) IN (account_id, '*'))
WITH CHECK (account_id = current_setting('memory_gateway.account_id', true));
