-- Recurring sources: what they were set to, how far they have come, and which memories they brought.
-- Tables and columns mean what they mean in sql/sqlite/0005-sources.sql.
SET LOCAL search_path = memory_gateway;

-- One source of one account. `settings` and `state` are JSON objects, and never hold a credential.
CREATE TABLE sources (
  account_id   text COLLATE "C" NOT NULL REFERENCES accounts (id),
  name         text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 4096),
  kind         text NOT NULL CHECK (kind IN ('pull', 'watch')),
  settings     text NOT NULL,
  state        text NOT NULL,
  run          text COLLATE "C" NOT NULL,
  interval_ms  bigint,
  started_at   bigint NOT NULL,
  active_at    bigint NOT NULL,
  ended_at     bigint,
  succeeded_at bigint,
  result       text CHECK (result IN ('ok', 'failed', 'interrupted')),
  added        bigint NOT NULL DEFAULT 0,
  updated      bigint NOT NULL DEFAULT 0,
  unchanged    bigint NOT NULL DEFAULT 0,
  deleted      bigint NOT NULL DEFAULT 0,
  rejected     bigint NOT NULL DEFAULT 0,
  error        text,
  PRIMARY KEY (account_id, name)
);

-- The memories that a source added, by its own id for them. A source deletes no others.
CREATE TABLE source_memories (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  source     text COLLATE "C" NOT NULL,
  memory_id  text COLLATE "C" NOT NULL,
  item_id    text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, source, memory_id),
  FOREIGN KEY (account_id, source) REFERENCES sources (account_id, name) ON DELETE CASCADE
);

CREATE INDEX source_memories_by_item ON source_memories (account_id, source, item_id);

-- The files of a watched folder as they were when they were last read.
CREATE TABLE watched_files (
  account_id  text COLLATE "C" NOT NULL REFERENCES accounts (id),
  source      text COLLATE "C" NOT NULL,
  path        text COLLATE "C" NOT NULL,
  size        bigint NOT NULL CHECK (size >= 0),
  modified_at bigint NOT NULL,
  marker      text COLLATE "C" NOT NULL,
  result      text NOT NULL CHECK (result IN ('imported', 'rejected', 'skipped', 'moved')),
  reason      text,
  read_at     bigint NOT NULL,
  PRIMARY KEY (account_id, source, path),
  FOREIGN KEY (account_id, source) REFERENCES sources (account_id, name) ON DELETE CASCADE
);

-- As on the other tables that name memories.
ALTER TABLE sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE source_memories ENABLE ROW LEVEL SECURITY;
ALTER TABLE watched_files ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON sources FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
CREATE POLICY own_account ON source_memories FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
CREATE POLICY own_account ON watched_files FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
