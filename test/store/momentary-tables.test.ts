// What a restore ends on both engines: each table that the app makes for a moment is on both lists.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ACCOUNT_TABLES } from '../../src/store/sql/tables/account-tables.ts';
import { MOMENTARY_TABLES } from '../../src/store/sqlite/files/drop-sessions.ts';
import { blockWith } from '../support/manual/code.ts';

/** Tables that a copy leaves out although they are no state of anybody's sign-in: triggers make two, and workers the third. */
const REMADE = new Set(['facet_totals', 'search_weeks', 'pulls']);

describe('A table that a copy to another database leaves out', () => {
  it('is emptied by a restore, unless it is made anew', () => {
    const left = Object.entries(ACCOUNT_TABLES)
      .filter(([name, { copied }]) => copied === 'no' && !REMADE.has(name))
      .map(([name]) => name);
    const emptied: readonly string[] = MOMENTARY_TABLES;
    assert.deepEqual(
      left.filter((name) => !emptied.includes(name)),
      [],
    );
  });
});

describe('The TRUNCATE of the manual after pg_restore', () => {
  it('empties the tables that a restore of a file empties', () => {
    const tables = blockWith('pg_restore').matchAll(/memory_gateway\.(\w+)/g);
    assert.deepEqual(
      Array.from(tables, ([, name]) => name),
      [...MOMENTARY_TABLES],
    );
  });
});
