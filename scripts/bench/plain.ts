// The table and the full-text index that the peers read: the same memories in ordinary columns, as their users would store them.

import Database from 'better-sqlite3';

// The 5 in the name tells the app's guard of writes that the table is not of this program.
const TABLE = `
  CREATE TABLE plain_memories (
    account_id       TEXT NOT NULL,
    id               TEXT NOT NULL,
    name             TEXT NOT NULL,
    started_at       TEXT NOT NULL,
    ended_at         TEXT NOT NULL,
    is_processing    INTEGER NOT NULL,
    duration_seconds INTEGER NOT NULL,
    quick_summary    TEXT NOT NULL,
    key_takeaways    TEXT NOT NULL,
    transcript       TEXT NOT NULL,
    PRIMARY KEY (account_id, id)
  ) STRICT;
  CREATE INDEX plain_memories_by_time ON plain_memories (account_id, started_at, id);
  CREATE VIRTUAL TABLE plain_fts5 USING fts5 (
    name, quick_summary, key_takeaways, transcript, content = 'plain_memories'
  );
`;

// Times are stored in the format of responses, so that no peer has to format them.
const FILL = `
  INSERT INTO plain_memories
  SELECT account_id, id, name, body ->> '$.started_at', body ->> '$.ended_at', is_processing,
    duration_seconds, quick_summary, key_takeaways, body ->> '$.transcript'
  FROM (SELECT *, CAST(body AS TEXT) AS body FROM memories WHERE account_id = ?)
`;

const INDEX = `
  INSERT INTO plain_fts5 (plain_fts5) VALUES ('rebuild');
  INSERT INTO plain_fts5 (plain_fts5) VALUES ('optimize');
`;

/** Adds the table with the memories of an account to a file, and its index. */
export function addPlain(path: string, account: string): void {
  const db = new Database(path);
  db.exec(TABLE);
  db.prepare(FILL).run(account);
  db.exec(INDEX);
  db.close();
}
