-- A file that has been renamed keeps its memory when it changes afterwards: its memory is found by the file's new name.

-- The id that the new name of its file gives. Null: the file was not renamed, or the memory is not from a file.
ALTER TABLE details ADD COLUMN renamed_to TEXT;
ALTER TABLE deleted_memories ADD COLUMN renamed_to TEXT;

CREATE INDEX details_by_new_name ON details (account_id, renamed_to) WHERE renamed_to IS NOT NULL;
CREATE INDEX deleted_memories_by_new_name ON deleted_memories (account_id, renamed_to) WHERE renamed_to IS NOT NULL;
