-- The searches that owners have saved in the app.
-- Tables and columns mean what they mean in sql/sqlite/0018-searches.sql.
SET LOCAL search_path = memory_gateway;

CREATE TABLE searches (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  name       text COLLATE "C" NOT NULL CHECK (name <> ''),
  query      text NOT NULL CHECK (query <> ''),
  changed_at bigint NOT NULL,
  PRIMARY KEY (account_id, name)
);

-- As on the other tables of an account.
ALTER TABLE searches ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON searches
USING (account_id = current_setting('memory_gateway.account_id', true));
