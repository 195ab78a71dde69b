-- The distinct words of the search index, each behind its label, for ranked search. Known to its connection alone.
CREATE VIRTUAL TABLE temp.search_vocabulary USING fts5vocab (main, search, row);
