-- Refuses the app every write to one table, which "guarded_table" stands for.
CREATE TEMP TRIGGER guarded_table_inserts BEFORE INSERT ON main.guarded_table BEGIN
  SELECT raise(ABORT, 'the app cannot write guarded_table');
END;

CREATE TEMP TRIGGER guarded_table_updates BEFORE UPDATE ON main.guarded_table BEGIN
  SELECT raise(ABORT, 'the app cannot write guarded_table');
END;

CREATE TEMP TRIGGER guarded_table_deletes BEFORE DELETE ON main.guarded_table BEGIN
  SELECT raise(ABORT, 'the app cannot write guarded_table');
END;
