-- A bookmark also has the action items that its owner has ticked.
-- The column means what it means in sql/sqlite/0021-done-items.sql.
SET LOCAL search_path = memory_gateway;

ALTER TABLE bookmarks
  ADD COLUMN done_items text NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(done_items::jsonb) = 'array'),
  DROP CONSTRAINT bookmarks_check,
  ADD CHECK (is_starred = 1 OR note <> '' OR done_items <> '[]');
ALTER TABLE bookmarks ALTER done_items DROP DEFAULT;
