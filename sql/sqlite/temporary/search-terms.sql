-- What the search index holds, for `verify`: temporary, and known to its connection alone.

-- Every word, with the number of its memory (`doc`) and its place in there (`offset`).
CREATE VIRTUAL TABLE temp.search_words USING fts5vocab (main, search, instance);

-- The index has its words in order, so that SQLite holds one sum at a time.
CREATE TEMP VIEW search_terms AS
SELECT term, sum(doc) AS docs, sum(offset) AS offsets
FROM search_words
GROUP BY term;
