-- A file that has been renamed keeps its memory when it changes afterwards.
-- The columns mean what they mean in sql/sqlite/0022-renamed-files.sql.
SET LOCAL search_path = memory_gateway;

ALTER TABLE details ADD COLUMN renamed_to text COLLATE "C";
ALTER TABLE deleted_memories ADD COLUMN renamed_to text COLLATE "C";

CREATE INDEX details_by_new_name ON details (account_id, renamed_to) WHERE renamed_to IS NOT NULL;
CREATE INDEX deleted_memories_by_new_name ON deleted_memories (account_id, renamed_to) WHERE renamed_to IS NOT NULL;
