-- Vectors of the passages of memories, for search by meaning. Only memories that were embedded have any.

-- For each memory one bit of each number of its vectors: what a search reads of the whole account.
CREATE TABLE vector_signs (
  account_id    TEXT NOT NULL,
  memory_id     TEXT NOT NULL,
  started_at    INTEGER NOT NULL,
  is_processing INTEGER NOT NULL CHECK (is_processing IN (0, 1)),
  -- Of the memory that the vectors were made of.
  body_sha256   TEXT NOT NULL CHECK (length(body_sha256) = 64),
  model         TEXT NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  -- The number of the way in which memories are cut into passages.
  cut           INTEGER NOT NULL CHECK (cut > 0),
  signs         BLOB NOT NULL,
  PRIMARY KEY (account_id, memory_id),
  FOREIGN KEY (account_id, memory_id) REFERENCES memories (account_id, id) ON UPDATE CASCADE ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The vectors themselves, which are read only of the best memories: for each a float of 4 bytes, with which
-- its numbers are multiplied, and one byte for each number.
CREATE TABLE vector_values (
  account_id TEXT NOT NULL,
  memory_id  TEXT NOT NULL,
  numbers    BLOB NOT NULL,
  PRIMARY KEY (account_id, memory_id),
  FOREIGN KEY (account_id, memory_id) REFERENCES vector_signs (account_id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE
) STRICT;

-- Vectors tell of the text that they were made of, so they go with it.
CREATE TRIGGER vectors_outdated AFTER UPDATE OF body_sha256 ON memories
WHEN old.body_sha256 <> new.body_sha256 BEGIN
  DELETE FROM vector_signs WHERE account_id = new.account_id AND memory_id = new.id;
END;
