-- The bin: memories that their owner has deleted in the app, with all that brings them back unchanged.
-- Tables and columns mean what they mean in sql/sqlite/0011-bin.sql.
SET LOCAL search_path = memory_gateway;

CREATE TABLE deleted_memories (
  account_id      text COLLATE "C" NOT NULL REFERENCES accounts (id),
  memory_id       text COLLATE "C" NOT NULL,
  deleted_at      bigint NOT NULL,
  body_sha256     text COLLATE "C" NOT NULL CHECK (length(body_sha256) = 64),
  slim_sha256     text COLLATE "C" NOT NULL CHECK (length(slim_sha256) = 64),
  read_sha256     text COLLATE "C" CHECK (length(read_sha256) = 64),
  original_sha256 text COLLATE "C" CHECK (length(original_sha256) = 64),
  reading         text,
  details_sha256  text COLLATE "C" CHECK (length(details_sha256) = 64),
  details         bytea,
  corrections     text NOT NULL,
  slim            bytea NOT NULL,
  body            bytea NOT NULL,
  PRIMARY KEY (account_id, memory_id)
);

CREATE INDEX deleted_memories_by_time ON deleted_memories (account_id, deleted_at, memory_id);
CREATE INDEX deleted_memories_by_original ON deleted_memories (account_id, original_sha256);

-- An original stays while a memory in the bin was made from it.
CREATE OR REPLACE FUNCTION details_deleted() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  DELETE FROM facets AS f USING before
  WHERE f.account_id = before.account_id AND f.memory_id = before.memory_id;
  DELETE FROM action_items AS a USING before
  WHERE a.account_id = before.account_id AND a.memory_id = before.memory_id;
  DELETE FROM originals AS o USING before
  WHERE o.account_id = before.account_id AND o.sha256 = before.original_sha256 AND NOT EXISTS (
    SELECT FROM details AS d WHERE d.account_id = o.account_id AND d.original_sha256 = o.sha256
  ) AND NOT EXISTS (
    SELECT FROM deleted_memories AS d WHERE d.account_id = o.account_id AND d.original_sha256 = o.sha256
  );
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION details_updated() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  DELETE FROM originals AS o USING before
  WHERE o.account_id = before.account_id AND o.sha256 = before.original_sha256 AND NOT EXISTS (
    SELECT FROM details AS d WHERE d.account_id = o.account_id AND d.original_sha256 = o.sha256
  ) AND NOT EXISTS (
    SELECT FROM deleted_memories AS d WHERE d.account_id = o.account_id AND d.original_sha256 = o.sha256
  );
  RETURN NULL;
END $$;

CREATE TRIGGER deleted_memories_deleted AFTER DELETE ON deleted_memories
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION details_updated();

-- As on the other tables that name memories.
ALTER TABLE deleted_memories ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON deleted_memories FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
CREATE TRIGGER deleted_memories_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON deleted_memories
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
