-- Memories as they were imported, of those that corrections have changed.
-- Tables and columns mean what they mean in sql/sqlite/0013-uncorrected.sql.
SET LOCAL search_path = memory_gateway;

CREATE TABLE uncorrected (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  memory_id  text COLLATE "C" NOT NULL,
  sha256     text COLLATE "C" NOT NULL CHECK (length(sha256) = 64),
  bytes      bigint NOT NULL CHECK (bytes >= 0),
  compressed bytea NOT NULL,
  PRIMARY KEY (account_id, memory_id)
);

-- Their bytes are compressed already.
ALTER TABLE uncorrected ALTER compressed SET STORAGE EXTERNAL;

-- It stays while its memory is in the bin.
CREATE FUNCTION memory_uncorrected_deleted() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  DELETE FROM uncorrected AS u USING before
  WHERE u.account_id = before.account_id AND u.memory_id = before.id AND NOT EXISTS (
    SELECT FROM deleted_memories AS d WHERE d.account_id = u.account_id AND d.memory_id = u.memory_id
  );
  RETURN NULL;
END $$;

CREATE FUNCTION deleted_memory_uncorrected_deleted() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  DELETE FROM uncorrected AS u USING before
  WHERE u.account_id = before.account_id AND u.memory_id = before.memory_id AND NOT EXISTS (
    SELECT FROM memories AS m WHERE m.account_id = u.account_id AND m.id = u.memory_id
  );
  RETURN NULL;
END $$;

REVOKE ALL ON FUNCTION memory_uncorrected_deleted(), deleted_memory_uncorrected_deleted() FROM PUBLIC;

CREATE TRIGGER memory_uncorrected_deleted AFTER DELETE ON memories
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION memory_uncorrected_deleted();
CREATE TRIGGER deleted_memory_uncorrected_deleted AFTER DELETE ON deleted_memories
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION deleted_memory_uncorrected_deleted();

-- As on the other tables that name memories.
ALTER TABLE uncorrected ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON uncorrected FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));

CREATE TRIGGER uncorrected_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON uncorrected
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
