-- Accounts, API keys, memories, search and the feed of changes: what sql/sqlite has after its third
-- migration, in a schema of its own. All times are milliseconds since 1970-01-01T00:00:00Z; names and
-- columns mean what they mean there. Text is compared by its bytes (collation "C"), as SQLite does.

CREATE SCHEMA memory_gateway;
SET LOCAL search_path = memory_gateway;

CREATE TABLE schema_versions (
  version    integer PRIMARY KEY,
  name       text NOT NULL,
  applied_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
);

CREATE TABLE accounts (
  id          text COLLATE "C" PRIMARY KEY,
  name        text NOT NULL,
  created_at  bigint NOT NULL,
  created_by  text NOT NULL CHECK (created_by IN ('command line', 'seed')),
  disabled_at bigint,
  -- Changes with every write to the account's memories. Random, not counted: after a restore a
  -- counter would come by the same numbers again, and an old etag would match new bytes.
  revision    text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', '')
);

-- Found by the SHA-256 of the key (lower-case hex); the key itself is nowhere.
CREATE TABLE api_keys (
  key_sha256 text COLLATE "C" PRIMARY KEY CHECK (length(key_sha256) = 64),
  id         text COLLATE "C" NOT NULL UNIQUE,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  last_four  text NOT NULL CHECK (length(last_four) = 4),
  label      text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint
);

CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at);

-- Every index begins with the account, so that the table can be spread over machines by it.
CREATE TABLE memories (
  account_id       text COLLATE "C" NOT NULL REFERENCES accounts (id),
  id               text COLLATE "C" NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
  started_at       bigint NOT NULL,
  ended_at         bigint NOT NULL CHECK (ended_at >= started_at),
  duration_seconds bigint NOT NULL CHECK (duration_seconds >= 0),
  is_processing    smallint NOT NULL CHECK (is_processing IN (0, 1)),
  name             text NOT NULL,
  quick_summary    text NOT NULL,
  key_takeaways    text NOT NULL,
  body_sha256      text COLLATE "C" NOT NULL CHECK (length(body_sha256) = 64),
  slim_sha256      text COLLATE "C" NOT NULL CHECK (length(slim_sha256) = 64),
  -- The body without the transcript.
  slim             bytea NOT NULL,
  body             bytea NOT NULL,
  -- What is searched: all words in their order, each between spaces, with "_" between the texts.
  words            text NOT NULL,
  -- Made of them by the trigger below, for the index.
  lexemes          tsvector,
  PRIMARY KEY (account_id, id)
);

-- A body that lz4 has compressed is read for half of what pglz takes, and is a quarter larger: see
-- docs/explanation/distribution.md. Servers may be built without it.
DO $$ BEGIN
  IF (SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression') THEN
    ALTER TABLE memories ALTER body SET COMPRESSION lz4, ALTER words SET COMPRESSION lz4;
  END IF;
END $$;

CREATE INDEX memories_by_time ON memories (account_id, started_at, id);
CREATE INDEX memories_by_state ON memories (account_id, is_processing, started_at, id);
-- Written at once, as what waits in a list to be written is read through by every look-up.
CREATE INDEX memories_by_words ON memories USING gin (lexemes) WITH (fastupdate = off);
CREATE INDEX memories_without_lexemes ON memories (account_id, started_at) WHERE lexemes IS NULL;

-- The weeks in which accounts have had memories: a look-up is within one week of one account.
CREATE TABLE search_weeks (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  -- Whole weeks since 1970-01-01T00:00:00Z.
  week       bigint NOT NULL,
  label      bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (account_id, week)
);

-- The words once each, behind the label of the account's week ("7_milk"). A tsvector has its bounds: of a
-- word the beginning counts, and where there are too many there is none. `words` decides in the end.
CREATE FUNCTION lexemes_of(label bigint, words text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = memory_gateway, pg_temp AS $$
  SELECT CASE
    WHEN count(*) = 0 THEN ''::tsvector
    WHEN sum(octet_length(lexeme)) < 1000000 THEN array_to_tsvector(array_agg(lexeme))
  END
  FROM (
    SELECT label || '_' || left(word, 400) AS lexeme
    FROM string_to_table(words, ' ') AS w (word) WHERE word NOT IN ('', '_')
    GROUP BY word -- before the label, which is the same for all: that took a third of the time
  ) AS once
$$;

CREATE FUNCTION memories_indexed() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
DECLARE
  of_week CONSTANT bigint := floor(new.started_at / 604800000.0);
  known bigint;
BEGIN
  SELECT label INTO known FROM search_weeks WHERE account_id = new.account_id AND week = of_week;
  IF NOT FOUND THEN
    INSERT INTO search_weeks (account_id, week) VALUES (new.account_id, of_week)
    ON CONFLICT DO NOTHING RETURNING label INTO known;
    IF NOT FOUND THEN
      SELECT label INTO known FROM search_weeks WHERE account_id = new.account_id AND week = of_week;
    END IF;
  END IF;
  new.lexemes := lexemes_of(known, new.words);
  RETURN new;
END $$;

CREATE TRIGGER memories_indexed BEFORE INSERT OR UPDATE ON memories
FOR EACH ROW EXECUTE FUNCTION memories_indexed();

-- The latest change of every memory there is or was; `seq` counts the changes of an account.
CREATE TABLE changes (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  seq        bigint NOT NULL,
  memory_id  text COLLATE "C" NOT NULL,
  change     text NOT NULL CHECK (change IN ('upsert', 'delete')),
  changed_at bigint NOT NULL,
  PRIMARY KEY (account_id, seq),
  UNIQUE (account_id, memory_id)
);

-- Who wrote from which change on: each statement that writes has a name of its own. After a restore the
-- count comes by the same numbers again, but under another name, so that a cursor of the lost time is known.
CREATE TABLE change_epochs (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  first_seq  bigint NOT NULL,
  epoch      text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, first_seq),
  UNIQUE (account_id, epoch)
);

-- What every write of memories leaves behind, whoever writes. The account's row is written first, which
-- locks it till the commit: so changes are counted in the order in which they can be seen.
CREATE FUNCTION note_changes(kind text, accounts_of text[], ids text[]) RETURNS void LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  UPDATE accounts SET revision = replace(gen_random_uuid()::text, '-', '')
  WHERE id = ANY (accounts_of);

  WITH written AS (
    SELECT account_id, id, n FROM unnest(accounts_of, ids) WITH ORDINALITY AS w (account_id, id, n)
  ),
  counted AS (
    SELECT account_id, id, row_number() OVER (PARTITION BY account_id ORDER BY n) AS nth FROM written
  ),
  latest AS (
    SELECT account_id, coalesce(l.seq, 0) AS seq, coalesce(l.changed_at, 0) AS changed_at
    FROM (SELECT DISTINCT account_id FROM written) AS a
    LEFT JOIN LATERAL (
      SELECT seq, changed_at FROM changes AS c
      WHERE c.account_id = a.account_id ORDER BY seq DESC LIMIT 1
    ) AS l ON true
  ),
  begun AS (
    INSERT INTO change_epochs (account_id, first_seq, epoch)
    SELECT account_id, seq + 1, substr(replace(gen_random_uuid()::text, '-', ''), 1, 16) FROM latest
  )
  INSERT INTO changes (account_id, seq, memory_id, change, changed_at)
  SELECT
    account_id, latest.seq + nth, id, kind,
    -- Never before the change that precedes it, whatever happens to the system's clock.
    greatest((extract(epoch FROM clock_timestamp()) * 1000)::bigint, latest.changed_at)
  FROM counted JOIN latest USING (account_id)
  ON CONFLICT (account_id, memory_id) DO UPDATE
  SET seq = excluded.seq, change = excluded.change, changed_at = excluded.changed_at;
END $$;

CREATE FUNCTION memories_inserted() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  PERFORM note_changes('upsert', array_agg(account_id), array_agg(id))
  FROM written HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE FUNCTION memories_updated() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  PERFORM note_changes('delete', array_agg(account_id), array_agg(id))
  FROM (SELECT account_id, id FROM before EXCEPT SELECT account_id, id FROM written) AS gone
  HAVING count(*) > 0;
  PERFORM note_changes('upsert', array_agg(account_id), array_agg(id))
  FROM written HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE FUNCTION memories_deleted() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  PERFORM note_changes('delete', array_agg(account_id), array_agg(id))
  FROM before HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE TRIGGER memories_inserted AFTER INSERT ON memories
REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION memories_inserted();
CREATE TRIGGER memories_updated AFTER UPDATE ON memories
REFERENCING OLD TABLE AS before NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION memories_updated();
CREATE TRIGGER memories_deleted AFTER DELETE ON memories
REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION memories_deleted();

-- Finds the memories of an account in which all of a query is found, between two places, both left out,
-- in order, week by week until there are enough. `query` is what the index is asked, with "_" where the
-- label of a week goes; `phrases` must stand in the words of what is not in the index, and of what is in
-- it those phrases that are `unsure`, as it knows no order of words and not their ends beyond 400 characters.
-- It sees past the wall below, as PostgreSQL looks nothing up by words behind one; so it looks itself
-- whether the account is the one of this statement.
CREATE FUNCTION search(
  account text, query text, phrases text[], unsure text[], state smallint,
  low_at bigint, low_id text, high_at bigint, high_id text, newest_first boolean, most bigint
) RETURNS TABLE (started_at bigint, id text) LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50
-- With nothing else to choose, words are looked up in their index, however wrong the planner guesses.
SET search_path = memory_gateway, pg_temp SET enable_seqscan = off AS $$
DECLARE
  week_ms CONSTANT bigint := 604800000;
  of_week record;
  needle tsquery;
  added bigint;
BEGIN
  IF account IS DISTINCT FROM current_setting('memory_gateway.account_id', true) THEN
    RAISE insufficient_privilege USING MESSAGE = 'this statement is of another account';
  END IF;
  FOR of_week IN
    SELECT w.week, w.label FROM search_weeks AS w
    WHERE w.account_id = account
    AND w.week BETWEEN floor(low_at / week_ms::numeric) AND floor(high_at / week_ms::numeric)
    ORDER BY CASE WHEN newest_first THEN -w.week ELSE w.week END
  LOOP
    needle := replace(query, '_', of_week.label || '_')::tsquery;
    RETURN QUERY
    -- By the words alone, which are behind the label of this account's week: beside any other condition the
    -- planner may take the index of that one, and look at the words of all memories of the week.
    WITH indexed AS MATERIALIZED (
      SELECT m.account_id, m.started_at, m.id, m.is_processing, m.words, unsure AS wanted
      FROM memories AS m WHERE m.lexemes @@ needle
    ),
    unindexed AS MATERIALIZED (
      SELECT m.account_id, m.started_at, m.id, m.is_processing, m.words, phrases AS wanted
      FROM memories AS m WHERE m.lexemes IS NULL AND m.account_id = account
      AND m.started_at >= of_week.week * week_ms AND m.started_at < (of_week.week + 1) * week_ms
    )
    SELECT m.started_at, m.id FROM (TABLE indexed UNION ALL TABLE unindexed) AS m
    WHERE m.account_id = account
    AND (m.started_at, m.id) > (low_at, low_id) AND (m.started_at, m.id) < (high_at, high_id)
    AND (state IS NULL OR m.is_processing = state)
    AND NOT EXISTS (SELECT FROM unnest(m.wanted) AS w (phrase) WHERE strpos(m.words, phrase) = 0)
    ORDER BY
      CASE WHEN newest_first THEN m.started_at END DESC, CASE WHEN newest_first THEN m.id END DESC,
      m.started_at, m.id
    LIMIT most;
    GET DIAGNOSTICS added = ROW_COUNT;
    most := most - added;
    EXIT WHEN most <= 0;
  END LOOP;
END $$;

-- Nobody runs them but their owner, and who is granted to.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA memory_gateway FROM PUBLIC;

-- The second wall: who does not own these tables sees the rows of the account that the statement names,
-- and none without one.
ALTER TABLE memories ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_weeks ENABLE ROW LEVEL SECURITY;
ALTER TABLE changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE change_epochs ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON memories FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
CREATE POLICY own_account ON search_weeks FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
CREATE POLICY own_account ON changes FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
CREATE POLICY own_account ON change_epochs FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
