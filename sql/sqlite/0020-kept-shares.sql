-- A share stays while its memory is in the bin. It does not open then, and opens again when the memory is restored.
DROP INDEX shares_by_memory;
ALTER TABLE shares RENAME TO old_shares;

CREATE TABLE shares (
  secret_sha256 TEXT PRIMARY KEY CHECK (length(secret_sha256) = 64),
  id            TEXT NOT NULL UNIQUE,
  account_id    TEXT NOT NULL REFERENCES accounts (id),
  memory_id     TEXT NOT NULL,
  -- What its page shows, as it was when the link was made.
  content       TEXT NOT NULL CHECK (json_valid(content)),
  created_at    INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL,
  visits        INTEGER NOT NULL CHECK (visits >= 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX shares_by_memory ON shares (account_id, memory_id);

INSERT INTO shares (secret_sha256, id, account_id, memory_id, content, created_at, expires_at, visits)
SELECT secret_sha256, id, account_id, memory_id, content, created_at, expires_at, visits FROM old_shares;

DROP TABLE old_shares;

CREATE TRIGGER memory_share_deleted AFTER DELETE ON memories BEGIN
  DELETE FROM shares
  WHERE account_id = old.account_id AND memory_id = old.id AND NOT EXISTS (
    SELECT 1 FROM deleted_memories AS d WHERE d.account_id = old.account_id AND d.memory_id = old.id
  );
END;

CREATE TRIGGER deleted_memory_share_deleted AFTER DELETE ON deleted_memories BEGIN
  DELETE FROM shares
  WHERE account_id = old.account_id AND memory_id = old.memory_id AND NOT EXISTS (
    SELECT 1 FROM memories AS m WHERE m.account_id = old.account_id AND m.id = old.memory_id
  );
END;
