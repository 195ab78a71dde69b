-- What an import has come by so far: of two memories with one id, the first is kept.
CREATE TEMPORARY TABLE imported (
  account_id  text COLLATE "C" NOT NULL,
  memory_id   text COLLATE "C" NOT NULL,
  body_sha256 text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, memory_id)
);
