-- Details of memories: what their sources knew besides the nine fields, and the originals that they were made from.

-- What memories were made from, once for each account, compressed with zstd. Found by the SHA-256 of the bytes as they came.
CREATE TABLE originals (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  sha256     TEXT NOT NULL CHECK (length(sha256) = 64),
  media_type TEXT NOT NULL,
  -- Its size without compression.
  bytes      INTEGER NOT NULL CHECK (bytes >= 0),
  compressed BLOB NOT NULL,
  PRIMARY KEY (account_id, sha256)
) STRICT;

-- The document of a memory. `body` is the response, and its hash stands before it, as in memories.
CREATE TABLE details (
  account_id      TEXT NOT NULL REFERENCES accounts (id),
  memory_id       TEXT NOT NULL,
  -- The hash of what was read, without the time of the import: an import of the same changes nothing.
  read_sha256     TEXT NOT NULL CHECK (length(read_sha256) = 64),
  original_sha256 TEXT CHECK (length(original_sha256) = 64),
  -- How the original was read, as JSON: the name and date of its file, and options. Null: without an original.
  reading         TEXT CHECK (json_valid(reading)),
  body_sha256     TEXT NOT NULL CHECK (length(body_sha256) = 64),
  body            BLOB NOT NULL,
  PRIMARY KEY (account_id, memory_id)
) STRICT;

CREATE INDEX details_by_original ON details (account_id, original_sha256);

-- What memories are filtered and counted by: their people, tags and sources.
CREATE TABLE facets (
  account_id  TEXT NOT NULL REFERENCES accounts (id),
  memory_id   TEXT NOT NULL,
  kind        TEXT NOT NULL CHECK (kind IN ('person', 'tag', 'source')),
  -- The name as it is compared: case and accents are folded.
  folded      TEXT NOT NULL,
  name        TEXT NOT NULL,
  -- Of a tag: folder, tag, star, or several of them with commas between. Otherwise empty.
  labels      TEXT NOT NULL,
  lines       INTEGER NOT NULL CHECK (lines >= 0),
  words       INTEGER NOT NULL CHECK (words >= 0),
  speaking_ms INTEGER CHECK (speaking_ms >= 0),
  started_at  INTEGER NOT NULL,
  PRIMARY KEY (account_id, memory_id, kind, folded)
) STRICT, WITHOUT ROWID;

CREATE INDEX facets_by_time ON facets (account_id, kind, folded, started_at, memory_id);

-- The sums of facets over all memories of an account, kept by triggers: to count 100,000 memories takes too long.
CREATE TABLE facet_totals (
  account_id  TEXT NOT NULL REFERENCES accounts (id),
  kind        TEXT NOT NULL,
  folded      TEXT NOT NULL,
  labels      TEXT NOT NULL,
  -- The name in the latest memory.
  name        TEXT NOT NULL,
  memories    INTEGER NOT NULL,
  lines       INTEGER NOT NULL,
  words       INTEGER NOT NULL,
  speaking_ms INTEGER NOT NULL,
  -- In how many memories the speaking time is known.
  timed       INTEGER NOT NULL,
  first_at    INTEGER NOT NULL,
  last_at     INTEGER NOT NULL,
  PRIMARY KEY (account_id, kind, folded, labels)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER facets_inserted AFTER INSERT ON facets BEGIN
  INSERT INTO facet_totals VALUES (
    new.account_id, new.kind, new.folded, new.labels, new.name, 1, new.lines, new.words,
    ifnull(new.speaking_ms, 0), new.speaking_ms IS NOT NULL, new.started_at, new.started_at
  )
  ON CONFLICT (account_id, kind, folded, labels) DO UPDATE SET
    name = CASE WHEN excluded.last_at >= last_at THEN excluded.name ELSE name END,
    memories = memories + 1,
    lines = lines + excluded.lines,
    words = words + excluded.words,
    speaking_ms = speaking_ms + excluded.speaking_ms,
    timed = timed + excluded.timed,
    first_at = min(first_at, excluded.first_at),
    last_at = max(last_at, excluded.last_at);
END;

CREATE TRIGGER facets_deleted AFTER DELETE ON facets BEGIN
  DELETE FROM facet_totals
  WHERE account_id = old.account_id AND kind = old.kind AND folded = old.folded AND labels = old.labels
  AND memories = 1;
  UPDATE facet_totals SET
    memories = memories - 1,
    lines = lines - old.lines,
    words = words - old.words,
    speaking_ms = speaking_ms - ifnull(old.speaking_ms, 0),
    timed = timed - (old.speaking_ms IS NOT NULL),
    first_at = CASE WHEN first_at < old.started_at THEN first_at ELSE (
      SELECT started_at FROM facets AS f
      WHERE f.account_id = old.account_id AND f.kind = old.kind AND f.folded = old.folded
      AND f.labels = old.labels ORDER BY started_at LIMIT 1
    ) END,
    last_at = CASE WHEN last_at > old.started_at THEN last_at ELSE (
      SELECT started_at FROM facets AS f
      WHERE f.account_id = old.account_id AND f.kind = old.kind AND f.folded = old.folded
      AND f.labels = old.labels ORDER BY started_at DESC LIMIT 1
    ) END
  WHERE account_id = old.account_id AND kind = old.kind AND folded = old.folded AND labels = old.labels;
END;

-- What the sources found to do, in the order of lists.
CREATE TABLE action_items (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  started_at INTEGER NOT NULL,
  memory_id  TEXT NOT NULL,
  -- Its number in its memory, from 1 on.
  number     INTEGER NOT NULL CHECK (number >= 1),
  text       TEXT NOT NULL,
  owner      TEXT,
  -- The owner as it is compared.
  folded     TEXT,
  due        TEXT,
  done       INTEGER CHECK (done IN (0, 1)),
  line       INTEGER CHECK (line >= 1),
  PRIMARY KEY (account_id, started_at, memory_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX action_items_by_memory ON action_items (account_id, memory_id);

-- What people have put right. The memory is made again from its original and these.
CREATE TABLE corrections (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  id         TEXT NOT NULL,
  -- Null: all memories of the account.
  memory_id  TEXT,
  field      TEXT NOT NULL CHECK (field IN ('name', 'started_at', 'speaker')),
  -- The value before: of a speaker, the name that it replaces.
  old        TEXT,
  new        TEXT NOT NULL,
  made_at    INTEGER NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX corrections_by_memory ON corrections (account_id, memory_id);

-- Whoever deletes a memory deletes its details, and the original if no other memory was made from it.
CREATE TRIGGER memory_details_deleted AFTER DELETE ON memories BEGIN
  DELETE FROM details WHERE account_id = old.account_id AND memory_id = old.id;
  DELETE FROM corrections WHERE account_id = old.account_id AND memory_id = old.id;
END;

CREATE TRIGGER details_deleted AFTER DELETE ON details BEGIN
  DELETE FROM facets WHERE account_id = old.account_id AND memory_id = old.memory_id;
  DELETE FROM action_items WHERE account_id = old.account_id AND memory_id = old.memory_id;
  DELETE FROM originals
  WHERE account_id = old.account_id AND sha256 = old.original_sha256 AND NOT EXISTS (
    SELECT 1 FROM details AS d
    WHERE d.account_id = old.account_id AND d.original_sha256 = old.original_sha256
  );
END;

CREATE TRIGGER details_updated AFTER UPDATE ON details
WHEN old.original_sha256 IS NOT new.original_sha256 BEGIN
  DELETE FROM originals
  WHERE account_id = old.account_id AND sha256 = old.original_sha256 AND NOT EXISTS (
    SELECT 1 FROM details AS d
    WHERE d.account_id = old.account_id AND d.original_sha256 = old.original_sha256
  );
END;
