-- The parts of our schema that a database has, for `verify`: what each is, its name, whether it does its
-- work, and of a function its text.

SELECT 'table' AS type, relname::text AS name, true AS works, NULL::text AS text
FROM pg_catalog.pg_class WHERE relnamespace = 'memory_gateway'::regnamespace AND relkind IN ('r', 'p')

UNION ALL
SELECT
  CASE relkind WHEN 'S' THEN 'sequence' WHEN 'f' THEN 'foreign table' WHEN 'c' THEN 'type' ELSE 'view' END,
  relname::text, true, NULL
FROM pg_catalog.pg_class
WHERE relnamespace = 'memory_gateway'::regnamespace AND relkind IN ('S', 'f', 'c', 'v', 'm')

UNION ALL
SELECT CASE typtype WHEN 'd' THEN 'domain' ELSE 'type' END, typname::text, true, NULL
FROM pg_catalog.pg_type
WHERE typnamespace = 'memory_gateway'::regnamespace AND typtype IN ('d', 'e', 'r')

UNION ALL
SELECT 'rule', c.relname || '.' || r.rulename, true, NULL
FROM pg_catalog.pg_rewrite AS r JOIN pg_catalog.pg_class AS c ON c.oid = r.ev_class
WHERE c.relnamespace = 'memory_gateway'::regnamespace AND c.relkind IN ('r', 'p')

UNION ALL
SELECT 'column', c.relname || '.' || a.attname, true, NULL
FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
WHERE c.relnamespace = 'memory_gateway'::regnamespace AND c.relkind IN ('r', 'p')
AND a.attnum > 0 AND NOT a.attisdropped

UNION ALL
SELECT 'index', c.relname::text, i.indisvalid AND i.indisready, NULL
FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid
WHERE c.relnamespace = 'memory_gateway'::regnamespace

UNION ALL
SELECT 'trigger', t.tgname::text, t.tgenabled IN ('O', 'A'), NULL
FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
WHERE c.relnamespace = 'memory_gateway'::regnamespace AND NOT t.tgisinternal

UNION ALL
SELECT 'policy', c.relname || '.' || p.polname, c.relrowsecurity, NULL
FROM pg_catalog.pg_policy AS p JOIN pg_catalog.pg_class AS c ON c.oid = p.polrelid
WHERE c.relnamespace = 'memory_gateway'::regnamespace

UNION ALL
SELECT 'function', proname::text, true, prosrc
FROM pg_catalog.pg_proc WHERE pronamespace = 'memory_gateway'::regnamespace;
