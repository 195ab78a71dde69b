-- A bookmark also has the action items that its owner has ticked. The table is made again, because its check changes.
DROP TRIGGER memory_bookmark_deleted;
DROP TRIGGER deleted_memory_bookmark_deleted;
ALTER TABLE bookmarks RENAME TO old_bookmarks;

CREATE TABLE bookmarks (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  memory_id  TEXT NOT NULL,
  is_starred INTEGER NOT NULL CHECK (is_starred IN (0, 1)),
  -- Empty: there is none.
  note       TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  -- A list of the texts of action items. A tick holds when a source imports an item with this text again.
  done_items TEXT NOT NULL CHECK (json_type(done_items) = 'array'),
  PRIMARY KEY (account_id, memory_id),
  CHECK (is_starred = 1 OR note <> '' OR done_items <> '[]')
) STRICT, WITHOUT ROWID;

INSERT INTO bookmarks (account_id, memory_id, is_starred, note, changed_at, done_items)
SELECT account_id, memory_id, is_starred, note, changed_at, '[]' FROM old_bookmarks;

DROP TABLE old_bookmarks;

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
