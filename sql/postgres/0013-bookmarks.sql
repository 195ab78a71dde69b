-- The stars and notes that owners give their memories in the app.
-- Tables and columns mean what they mean in sql/sqlite/0015-bookmarks.sql.
SET LOCAL search_path = memory_gateway;

CREATE TABLE bookmarks (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  memory_id  text COLLATE "C" NOT NULL,
  is_starred smallint NOT NULL CHECK (is_starred IN (0, 1)),
  note       text NOT NULL CHECK (is_starred = 1 OR note <> ''),
  changed_at bigint NOT NULL,
  PRIMARY KEY (account_id, memory_id)
);

-- One stays while its memory is in the bin.
CREATE FUNCTION memory_bookmark_deleted() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  DELETE FROM bookmarks AS b USING before
  WHERE b.account_id = before.account_id AND b.memory_id = before.id AND NOT EXISTS (
    SELECT FROM deleted_memories AS d WHERE d.account_id = b.account_id AND d.memory_id = b.memory_id
  );
  RETURN NULL;
END $$;

CREATE FUNCTION deleted_memory_bookmark_deleted() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  DELETE FROM bookmarks AS b USING before
  WHERE b.account_id = before.account_id AND b.memory_id = before.memory_id AND NOT EXISTS (
    SELECT FROM memories AS m WHERE m.account_id = b.account_id AND m.id = b.memory_id
  );
  RETURN NULL;
END $$;

REVOKE ALL ON FUNCTION memory_bookmark_deleted(), deleted_memory_bookmark_deleted() FROM PUBLIC;

CREATE TRIGGER memory_bookmark_deleted AFTER DELETE ON memories
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION memory_bookmark_deleted();
CREATE TRIGGER deleted_memory_bookmark_deleted AFTER DELETE ON deleted_memories
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION deleted_memory_bookmark_deleted();

-- As on the other tables of an account.
ALTER TABLE bookmarks ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON bookmarks
USING (account_id = current_setting('memory_gateway.account_id', true));
