-- Vectors of the passages of memories, for search by meaning. Only memories that were embedded have any.
-- Tables and columns mean what they mean in sql/sqlite/0010-vectors.sql.
SET LOCAL search_path = memory_gateway;

CREATE TABLE vector_signs (
  account_id    text COLLATE "C" NOT NULL,
  memory_id     text COLLATE "C" NOT NULL,
  started_at    bigint NOT NULL,
  is_processing smallint NOT NULL CHECK (is_processing IN (0, 1)),
  body_sha256   text COLLATE "C" NOT NULL CHECK (length(body_sha256) = 64),
  model         text COLLATE "C" NOT NULL CHECK (length(model) BETWEEN 1 AND 200),
  cut           bigint NOT NULL CHECK (cut > 0),
  signs         bytea NOT NULL,
  PRIMARY KEY (account_id, memory_id),
  FOREIGN KEY (account_id, memory_id) REFERENCES memories (account_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE TABLE vector_values (
  account_id text COLLATE "C" NOT NULL,
  memory_id  text COLLATE "C" NOT NULL,
  numbers    bytea NOT NULL,
  PRIMARY KEY (account_id, memory_id),
  FOREIGN KEY (account_id, memory_id) REFERENCES vector_signs (account_id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- Numbers of vectors hardly compress.
ALTER TABLE vector_signs ALTER signs SET STORAGE EXTERNAL;
ALTER TABLE vector_values ALTER numbers SET STORAGE EXTERNAL;

CREATE FUNCTION vectors_outdated() RETURNS trigger LANGUAGE plpgsql
SET search_path = memory_gateway, pg_temp AS $$
BEGIN
  DELETE FROM vector_signs WHERE account_id = new.account_id AND memory_id = new.id;
  RETURN NULL;
END $$;

REVOKE ALL ON FUNCTION vectors_outdated FROM PUBLIC;

CREATE TRIGGER vectors_outdated AFTER UPDATE OF body_sha256 ON memories FOR EACH ROW
WHEN (old.body_sha256 <> new.body_sha256) EXECUTE FUNCTION vectors_outdated();

-- As on the other tables that name memories.
ALTER TABLE vector_signs ENABLE ROW LEVEL SECURITY;
ALTER TABLE vector_values ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON vector_signs FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));
CREATE POLICY own_account ON vector_values FOR SELECT
USING (account_id = current_setting('memory_gateway.account_id', true));

CREATE TRIGGER vector_signs_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON vector_signs
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
CREATE TRIGGER vector_values_not_by_app BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON vector_values
WHEN (current_setting('memory_gateway.app', true) = 'on') EXECUTE FUNCTION refuse_app();
