-- What copies have put into this database: see src/store/copy/copy.ts.
CREATE TABLE IF NOT EXISTS memory_gateway.copies (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES memory_gateway.accounts (id),
  run        text NOT NULL,
  left_as    text
);
