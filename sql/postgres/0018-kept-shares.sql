-- A share stays while its memory is in the bin. It does not open then, and opens again when the memory is restored.
SET LOCAL search_path = memory_gateway;

ALTER TABLE shares DROP CONSTRAINT shares_account_id_memory_id_fkey;

CREATE FUNCTION memory_share_deleted() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  DELETE FROM shares AS s USING before
  WHERE s.account_id = before.account_id AND s.memory_id = before.id AND NOT EXISTS (
    SELECT FROM deleted_memories AS d WHERE d.account_id = s.account_id AND d.memory_id = s.memory_id
  );
  RETURN NULL;
END $$;

CREATE FUNCTION deleted_memory_share_deleted() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  DELETE FROM shares AS s USING before
  WHERE s.account_id = before.account_id AND s.memory_id = before.memory_id AND NOT EXISTS (
    SELECT FROM memories AS m WHERE m.account_id = s.account_id AND m.id = s.memory_id
  );
  RETURN NULL;
END $$;

REVOKE ALL ON FUNCTION memory_share_deleted(), deleted_memory_share_deleted() FROM PUBLIC;

CREATE TRIGGER memory_share_deleted AFTER DELETE ON memories
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION memory_share_deleted();
CREATE TRIGGER deleted_memory_share_deleted AFTER DELETE ON deleted_memories
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION deleted_memory_share_deleted();
