-- Details of memories: what their sources knew besides the nine fields, and the originals that they were made from.
-- Tables and columns mean what they mean in sql/sqlite/0009-details.sql.
SET LOCAL search_path = memory_gateway;

CREATE TABLE originals (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  sha256     text COLLATE "C" NOT NULL CHECK (length(sha256) = 64),
  media_type text NOT NULL,
  bytes      bigint NOT NULL CHECK (bytes >= 0),
  compressed bytea NOT NULL,
  PRIMARY KEY (account_id, sha256)
);

-- Their bytes are compressed already.
ALTER TABLE originals ALTER compressed SET STORAGE EXTERNAL;

CREATE TABLE details (
  account_id      text COLLATE "C" NOT NULL REFERENCES accounts (id),
  memory_id       text COLLATE "C" NOT NULL,
  read_sha256     text COLLATE "C" NOT NULL CHECK (length(read_sha256) = 64),
  original_sha256 text COLLATE "C" CHECK (length(original_sha256) = 64),
  reading         text,
  body_sha256     text COLLATE "C" NOT NULL CHECK (length(body_sha256) = 64),
  body            bytea NOT NULL,
  PRIMARY KEY (account_id, memory_id)
);

CREATE INDEX details_by_original ON details (account_id, original_sha256);

CREATE TABLE facets (
  account_id  text COLLATE "C" NOT NULL REFERENCES accounts (id),
  memory_id   text COLLATE "C" NOT NULL,
  kind        text COLLATE "C" NOT NULL CHECK (kind IN ('person', 'tag', 'source')),
  folded      text COLLATE "C" NOT NULL,
  name        text NOT NULL,
  labels      text COLLATE "C" NOT NULL,
  lines       bigint NOT NULL CHECK (lines >= 0),
  words       bigint NOT NULL CHECK (words >= 0),
  speaking_ms bigint CHECK (speaking_ms >= 0),
  started_at  bigint NOT NULL,
  PRIMARY KEY (account_id, memory_id, kind, folded)
);

CREATE INDEX facets_by_time ON facets (account_id, kind, folded, started_at, memory_id);

CREATE TABLE facet_totals (
  account_id  text COLLATE "C" NOT NULL REFERENCES accounts (id),
  kind        text COLLATE "C" NOT NULL,
  folded      text COLLATE "C" NOT NULL,
  labels      text COLLATE "C" NOT NULL,
  name        text NOT NULL,
  memories    bigint NOT NULL,
  lines       bigint NOT NULL,
  words       bigint NOT NULL,
  speaking_ms bigint NOT NULL,
  timed       bigint NOT NULL,
  first_at    bigint NOT NULL,
  last_at     bigint NOT NULL,
  PRIMARY KEY (account_id, kind, folded, labels)
);

CREATE FUNCTION facets_inserted() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  INSERT INTO facet_totals AS t
  SELECT
    account_id, kind, folded, labels, (array_agg(name ORDER BY started_at DESC, memory_id DESC))[1],
    count(*), sum(lines), sum(words), coalesce(sum(speaking_ms), 0), count(speaking_ms),
    min(started_at), max(started_at)
  FROM written GROUP BY account_id, kind, folded, labels
  ON CONFLICT (account_id, kind, folded, labels) DO UPDATE SET
    name = CASE WHEN excluded.last_at >= t.last_at THEN excluded.name ELSE t.name END,
    memories = t.memories + excluded.memories,
    lines = t.lines + excluded.lines,
    words = t.words + excluded.words,
    speaking_ms = t.speaking_ms + excluded.speaking_ms,
    timed = t.timed + excluded.timed,
    first_at = least(t.first_at, excluded.first_at),
    last_at = greatest(t.last_at, excluded.last_at);
  RETURN NULL;
END $$;

CREATE FUNCTION facets_deleted() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  WITH gone AS (
    SELECT
      account_id, kind, folded, labels, count(*) AS memories, sum(lines) AS lines, sum(words) AS words,
      coalesce(sum(speaking_ms), 0) AS speaking_ms, count(speaking_ms) AS timed
    FROM before GROUP BY account_id, kind, folded, labels
  )
  UPDATE facet_totals AS t SET
    memories = t.memories - gone.memories,
    lines = t.lines - gone.lines,
    words = t.words - gone.words,
    speaking_ms = t.speaking_ms - gone.speaking_ms,
    timed = t.timed - gone.timed,
    first_at = coalesce((
      SELECT f.started_at FROM facets AS f
      WHERE f.account_id = t.account_id AND f.kind = t.kind AND f.folded = t.folded AND f.labels = t.labels
      ORDER BY f.started_at LIMIT 1
    ), t.first_at),
    last_at = coalesce((
      SELECT f.started_at FROM facets AS f
      WHERE f.account_id = t.account_id AND f.kind = t.kind AND f.folded = t.folded AND f.labels = t.labels
      ORDER BY f.started_at DESC LIMIT 1
    ), t.last_at)
  FROM gone
  WHERE t.account_id = gone.account_id AND t.kind = gone.kind AND t.folded = gone.folded
  AND t.labels = gone.labels;
  DELETE FROM facet_totals
  WHERE memories = 0 AND account_id IN (SELECT account_id FROM before);
  RETURN NULL;
END $$;

CREATE TRIGGER facets_inserted AFTER INSERT ON facets
REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION facets_inserted();
CREATE TRIGGER facets_deleted AFTER DELETE ON facets
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION facets_deleted();

CREATE TABLE action_items (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  started_at bigint NOT NULL,
  memory_id  text COLLATE "C" NOT NULL,
  number     bigint NOT NULL CHECK (number >= 1),
  text       text NOT NULL,
  owner      text,
  folded     text COLLATE "C",
  due        text,
  done       smallint CHECK (done IN (0, 1)),
  line       bigint CHECK (line >= 1),
  PRIMARY KEY (account_id, started_at, memory_id, number)
);

CREATE INDEX action_items_by_memory ON action_items (account_id, memory_id);

CREATE TABLE corrections (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  id         text COLLATE "C" NOT NULL,
  memory_id  text COLLATE "C",
  field      text NOT NULL CHECK (field IN ('name', 'started_at', 'speaker')),
  old        text,
  new        text NOT NULL,
  made_at    bigint NOT NULL,
  PRIMARY KEY (account_id, id)
);

CREATE INDEX corrections_by_memory ON corrections (account_id, memory_id);

-- Whoever deletes memories deletes their details, and the originals that no other memory was made from.
CREATE FUNCTION memory_details_deleted() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  DELETE FROM details AS d USING before
  WHERE d.account_id = before.account_id AND d.memory_id = before.id;
  DELETE FROM corrections AS c USING before
  WHERE c.account_id = before.account_id AND c.memory_id = before.id;
  RETURN NULL;
END $$;

CREATE FUNCTION details_deleted() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  DELETE FROM facets AS f USING before
  WHERE f.account_id = before.account_id AND f.memory_id = before.memory_id;
  DELETE FROM action_items AS a USING before
  WHERE a.account_id = before.account_id AND a.memory_id = before.memory_id;
  DELETE FROM originals AS o USING before
  WHERE o.account_id = before.account_id AND o.sha256 = before.original_sha256 AND NOT EXISTS (
    SELECT FROM details AS d WHERE d.account_id = o.account_id AND d.original_sha256 = o.sha256
  );
  RETURN NULL;
END $$;

CREATE FUNCTION details_updated() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  DELETE FROM originals AS o USING before
  WHERE o.account_id = before.account_id AND o.sha256 = before.original_sha256 AND NOT EXISTS (
    SELECT FROM details AS d WHERE d.account_id = o.account_id AND d.original_sha256 = o.sha256
  );
  RETURN NULL;
END $$;

CREATE TRIGGER memory_details_deleted AFTER DELETE ON memories
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION memory_details_deleted();
CREATE TRIGGER details_deleted AFTER DELETE ON details
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION details_deleted();
CREATE TRIGGER details_updated AFTER UPDATE ON details
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION details_updated();

-- As on the other tables that name memories.
ALTER TABLE originals ENABLE ROW LEVEL SECURITY;
ALTER TABLE details ENABLE ROW LEVEL SECURITY;
ALTER TABLE facets ENABLE ROW LEVEL SECURITY;
ALTER TABLE facet_totals ENABLE ROW LEVEL SECURITY;
ALTER TABLE action_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE corrections ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON originals FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
CREATE POLICY own_account ON details FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
CREATE POLICY own_account ON facets FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
CREATE POLICY own_account ON facet_totals FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
CREATE POLICY own_account ON action_items FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
CREATE POLICY own_account ON corrections FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));

CREATE TRIGGER originals_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON originals
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER details_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON details
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER facets_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON facets
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER facet_totals_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON facet_totals
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER action_items_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON action_items
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER corrections_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON corrections
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();

REVOKE ALL ON FUNCTION
facets_inserted(), facets_deleted(), memory_details_deleted(), details_deleted(), details_updated()
FROM PUBLIC;
