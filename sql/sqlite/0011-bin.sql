-- The bin: memories that their owner has deleted in the app, with all that brings them back unchanged. For everybody
-- else they are deleted: nothing but undo, erasure and the list of the bin reads this table.

CREATE TABLE deleted_memories (
  account_id      TEXT NOT NULL REFERENCES accounts (id),
  memory_id       TEXT NOT NULL,
  deleted_at      INTEGER NOT NULL,
  body_sha256     TEXT NOT NULL CHECK (length(body_sha256) = 64),
  slim_sha256     TEXT NOT NULL CHECK (length(slim_sha256) = 64),
  -- Its row in details. Null: it had none. The original itself stays in originals.
  read_sha256     TEXT CHECK (length(read_sha256) = 64),
  original_sha256 TEXT CHECK (length(original_sha256) = 64),
  reading         TEXT CHECK (json_valid(reading)),
  details_sha256  TEXT CHECK (length(details_sha256) = 64),
  details         BLOB,
  -- Its corrections, as a JSON array of rows.
  corrections     TEXT NOT NULL CHECK (json_valid(corrections)),
  slim            BLOB NOT NULL,
  body            BLOB NOT NULL,
  PRIMARY KEY (account_id, memory_id)
) STRICT;

CREATE INDEX deleted_memories_by_time ON deleted_memories (account_id, deleted_at, memory_id);
CREATE INDEX deleted_memories_by_original ON deleted_memories (account_id, original_sha256);

-- An original stays while a memory in the bin was made from it.
DROP TRIGGER details_deleted;
DROP TRIGGER details_updated;

CREATE TRIGGER details_deleted AFTER DELETE ON details BEGIN
  DELETE FROM facets WHERE account_id = old.account_id AND memory_id = old.memory_id;
  DELETE FROM action_items WHERE account_id = old.account_id AND memory_id = old.memory_id;
  DELETE FROM originals
  WHERE account_id = old.account_id AND sha256 = old.original_sha256 AND NOT EXISTS (
    SELECT 1 FROM details AS d
    WHERE d.account_id = old.account_id AND d.original_sha256 = old.original_sha256
  ) AND NOT EXISTS (
    SELECT 1 FROM deleted_memories AS d
    WHERE d.account_id = old.account_id AND d.original_sha256 = old.original_sha256
  );
END;

CREATE TRIGGER details_updated AFTER UPDATE ON details
WHEN old.original_sha256 IS NOT new.original_sha256 BEGIN
  DELETE FROM originals
  WHERE account_id = old.account_id AND sha256 = old.original_sha256 AND NOT EXISTS (
    SELECT 1 FROM details AS d
    WHERE d.account_id = old.account_id AND d.original_sha256 = old.original_sha256
  ) AND NOT EXISTS (
    SELECT 1 FROM deleted_memories AS d
    WHERE d.account_id = old.account_id AND d.original_sha256 = old.original_sha256
  );
END;

CREATE TRIGGER deleted_memories_deleted AFTER DELETE ON deleted_memories BEGIN
  DELETE FROM originals
  WHERE account_id = old.account_id AND sha256 = old.original_sha256 AND NOT EXISTS (
    SELECT 1 FROM details AS d
    WHERE d.account_id = old.account_id AND d.original_sha256 = old.original_sha256
  ) AND NOT EXISTS (
    SELECT 1 FROM deleted_memories AS d
    WHERE d.account_id = old.account_id AND d.original_sha256 = old.original_sha256
  );
END;
