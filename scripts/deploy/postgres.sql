-- The user that the gateway reads as: it may select, and of the tables only what an answer is made of. Run
-- it behind "memory-gateway migrate", as the user who did that, and again behind each new version:
--   psql --single-transaction --file postgres.sql memories
-- It has no password yet: give it one with \password memory_reader, or let it in by a certificate.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'memory_reader') THEN
    CREATE ROLE memory_reader LOGIN;
  END IF;
END $$;

-- Nothing is written even where somebody grants it more by mistake.
ALTER ROLE memory_reader SET default_transaction_read_only = on;

GRANT USAGE ON SCHEMA memory_gateway TO memory_reader;
GRANT SELECT ON memory_gateway.schema_versions, memory_gateway.changes, memory_gateway.change_epochs
TO memory_reader;
GRANT SELECT (id, revision, disabled_at) ON memory_gateway.accounts TO memory_reader;
-- Neither the names of keys nor when they were made: what tells whether a key counts, whose it is, and what it may
-- read.
GRANT SELECT (key_sha256, account_id, last_four, expires_at, revoked_at, reads, started_after,
  started_before, source, tags)
ON memory_gateway.api_keys TO memory_reader;
-- Not the words, which only search() looks at.
GRANT SELECT (account_id, id, name, started_at, is_processing, duration_seconds, body_sha256, slim_sha256, slim, body)
ON memory_gateway.memories TO memory_reader;
GRANT SELECT ON memory_gateway.originals, memory_gateway.details, memory_gateway.facets,
memory_gateway.facet_totals, memory_gateway.action_items TO memory_reader;
-- For search by meaning.
GRANT SELECT ON memory_gateway.vector_signs, memory_gateway.vector_values TO memory_reader;
GRANT EXECUTE ON FUNCTION memory_gateway.search TO memory_reader;

-- The user of a gateway with the web app: it reads what memory_reader reads, and writes sessions, keys and
-- ways to sign in, and nothing else. Give it a password, too.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'memory_app') THEN
    CREATE ROLE memory_app LOGIN;
  END IF;
END $$;

GRANT memory_reader TO memory_app;
-- What sign-in shows and looks up.
GRANT SELECT (id, name, created_at, disabled_at) ON memory_gateway.accounts TO memory_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON memory_gateway.sessions, memory_gateway.sign_in_links,
memory_gateway.challenges, memory_gateway.passkeys, memory_gateway.passwords,
memory_gateway.sign_in_failures, memory_gateway.account_events, memory_gateway.grants,
memory_gateway.grant_tokens, memory_gateway.oauth_clients, memory_gateway.pulls,
memory_gateway.shares, memory_gateway.bookmarks, memory_gateway.searches,
memory_gateway.key_reads TO memory_app;
-- What the bin shows of memories that their owner has deleted.
GRANT SELECT (account_id, memory_id, deleted_at, slim_sha256, slim, body_sha256, body)
ON memory_gateway.deleted_memories TO memory_app;
-- What the owner has put right.
GRANT SELECT ON memory_gateway.corrections TO memory_app;
-- What the last runs of an account's sources did.
GRANT SELECT ON memory_gateway.sources, memory_gateway.watched_files TO memory_app;
-- A key is never deleted, nor moved to another account.
GRANT SELECT, INSERT ON memory_gateway.api_keys TO memory_app;
GRANT UPDATE (expires_at, revoked_at, last_used_at) ON memory_gateway.api_keys TO memory_app;
