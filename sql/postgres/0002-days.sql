-- Totals per day are read from the index of lists alone, so it has the durations as well.
SET LOCAL search_path = memory_gateway;

DROP INDEX memories_by_time;
CREATE INDEX memories_by_time ON memories (account_id, started_at, id) INCLUDE (duration_seconds);
