-- What OAuth clients have read lately, beside what API keys have read.
-- Columns mean what they mean in sql/sqlite/0019-grant-reads.sql.
SET LOCAL search_path = memory_gateway;

-- The index of keys and paths is no primary key any more, but verify knows it by its name.
ALTER TABLE key_reads
DROP CONSTRAINT key_reads_pkey,
ALTER COLUMN key_id DROP NOT NULL,
ADD COLUMN grant_id text COLLATE "C" REFERENCES grants (id) ON DELETE CASCADE,
ADD CONSTRAINT key_reads_pkey UNIQUE (key_id, path),
ADD CHECK (num_nonnulls(key_id, grant_id) = 1);

CREATE UNIQUE INDEX key_reads_by_grant ON key_reads (grant_id, path);

-- The account "*" writes the reads of all keys. A transaction that names a grant writes those of this grant.
DROP POLICY own_account ON key_reads;
CREATE POLICY own_account ON key_reads USING (
  current_setting('memory_gateway.account_id', true) IN (account_id, '*')
  OR grant_id = current_setting('memory_gateway.secret', true)
);
