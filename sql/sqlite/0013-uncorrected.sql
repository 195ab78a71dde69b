-- Memories as they were imported, of those that corrections have changed: what a reset gives back.
CREATE TABLE uncorrected (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  memory_id  TEXT NOT NULL,
  -- The hash and the size of its JSON: the memory, and what was read besides.
  sha256     TEXT NOT NULL CHECK (length(sha256) = 64),
  bytes      INTEGER NOT NULL CHECK (bytes >= 0),
  compressed BLOB NOT NULL,
  PRIMARY KEY (account_id, memory_id)
) STRICT;

-- It stays while its memory is in the bin.
CREATE TRIGGER memory_uncorrected_deleted AFTER DELETE ON memories BEGIN
  DELETE FROM uncorrected
  WHERE account_id = old.account_id AND memory_id = old.id AND NOT EXISTS (
    SELECT 1 FROM deleted_memories AS d WHERE d.account_id = old.account_id AND d.memory_id = old.id
  );
END;

CREATE TRIGGER deleted_memory_uncorrected_deleted AFTER DELETE ON deleted_memories BEGIN
  DELETE FROM uncorrected
  WHERE account_id = old.account_id AND memory_id = old.memory_id AND NOT EXISTS (
    SELECT 1 FROM memories AS m WHERE m.account_id = old.account_id AND m.id = old.memory_id
  );
END;
