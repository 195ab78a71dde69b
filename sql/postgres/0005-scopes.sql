-- Scopes of keys: what a key may read of its account.
-- Columns mean what they mean in sql/sqlite/0007-scopes.sql.
SET LOCAL search_path = memory_gateway;

ALTER TABLE api_keys
ADD COLUMN reads text NOT NULL DEFAULT 'all' CHECK (reads IN ('all', 'summaries')),
ADD COLUMN started_after bigint,
ADD COLUMN started_before bigint CHECK (started_before > started_after);
