-- Scopes of keys and grants by source and by tags.

-- Only memories from this product. Null: from any.
ALTER TABLE api_keys ADD COLUMN source TEXT CHECK (source <> '');
ALTER TABLE grants ADD COLUMN source TEXT CHECK (source <> '');

-- Only memories with all of these tags: a JSON array of names. Null: with any.
ALTER TABLE api_keys ADD COLUMN tags TEXT CHECK (json_type(tags) = 'array');
ALTER TABLE grants ADD COLUMN tags TEXT CHECK (json_type(tags) = 'array');
