-- What API keys have read lately.
-- Tables and columns mean what they mean in sql/sqlite/0016-key-reads.sql.
SET LOCAL search_path = memory_gateway;

CREATE TABLE key_reads (
  key_id     text COLLATE "C" NOT NULL REFERENCES api_keys (id),
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  path       text COLLATE "C" NOT NULL,
  last_at    bigint NOT NULL,
  count      bigint NOT NULL CHECK (count > 0),
  PRIMARY KEY (key_id, path)
);

CREATE INDEX key_reads_by_time ON key_reads (last_at);

-- The account "*" writes the reads of all keys in one transaction, as their last use is written.
ALTER TABLE key_reads ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON key_reads
USING (current_setting('memory_gateway.account_id', true) IN (account_id, '*'));
