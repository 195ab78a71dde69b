-- The stars and notes that owners give their memories in the app. They are no part of a memory: /v1 has none of them.
CREATE TABLE bookmarks (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  memory_id  TEXT NOT NULL,
  is_starred INTEGER NOT NULL CHECK (is_starred IN (0, 1)),
  -- Empty: there is a star and no note.
  note       TEXT NOT NULL CHECK (is_starred = 1 OR note <> ''),
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, memory_id)
) STRICT, WITHOUT ROWID;

-- One stays while its memory is in the bin.
CREATE TRIGGER memory_bookmark_deleted AFTER DELETE ON memories BEGIN
  DELETE FROM bookmarks
  WHERE account_id = old.account_id AND memory_id = old.id AND NOT EXISTS (
    SELECT 1 FROM deleted_memories AS d WHERE d.account_id = old.account_id AND d.memory_id = old.id
  );
END;

CREATE TRIGGER deleted_memory_bookmark_deleted AFTER DELETE ON deleted_memories BEGIN
  DELETE FROM bookmarks
  WHERE account_id = old.account_id AND memory_id = old.memory_id AND NOT EXISTS (
    SELECT 1 FROM memories AS m WHERE m.account_id = old.account_id AND m.id = old.memory_id
  );
END;
