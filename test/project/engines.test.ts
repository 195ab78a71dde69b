// Which tests run on PostgreSQL too, and that they open the database of the run.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { testsOfBothEngines } from '../support/engines/both-engines.ts';
import { ROOT } from '../support/world/program.ts';

describe('A test that runs on both engines', () => {
  it('says what it skips on PostgreSQL if it opens an SQLite file itself', () => {
    const opensFile =
      /^import (?!type)[^;]+'(better-sqlite3|[./]+\/src\/store\/sqlite\/store\.ts)';/m;
    const files = testsOfBothEngines().filter((path) =>
      opensFile.test(readFileSync(join(ROOT, path), 'utf8')),
    );
    assert.ok(files.includes('test/api/isolation.test.ts'), 'it reads the query plans of SQLite');
    const silent = files.filter(
      (path) => !readFileSync(join(ROOT, path), 'utf8').includes('onlyFiles'),
    );
    assert.deepEqual(silent, []);
  });
});
