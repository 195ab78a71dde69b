-- Scopes of keys: what a key may read of its account.

-- summaries: everything except transcripts.
ALTER TABLE api_keys ADD COLUMN reads TEXT NOT NULL DEFAULT 'all' CHECK (reads IN ('all', 'summaries'));

-- Only memories that started at this time or later. Null: from the first on.
ALTER TABLE api_keys ADD COLUMN started_after INTEGER;

-- Only memories that started before this time. Null: to the latest.
ALTER TABLE api_keys ADD COLUMN started_before INTEGER CHECK (started_before > started_after);
