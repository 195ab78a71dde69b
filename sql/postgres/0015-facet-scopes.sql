-- Scopes of keys and grants by source and by tags.
-- Columns mean what they mean in sql/sqlite/0017-facet-scopes.sql.
SET LOCAL search_path = memory_gateway;

ALTER TABLE api_keys
ADD COLUMN source text CHECK (source <> ''),
ADD COLUMN tags text CHECK (jsonb_typeof(tags::jsonb) = 'array');

ALTER TABLE grants
ADD COLUMN source text CHECK (source <> ''),
ADD COLUMN tags text CHECK (jsonb_typeof(tags::jsonb) = 'array');
