// The screen of changes without a browser: which changes are one row.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { runsOf, type OwnEdit } from '../../src/app/browser/screens/changes/runs.ts';
import type { Change } from '../../src/contract/schemas/memory.ts';

const at = (time: string, memory_id: string, change: Change['change'] = 'upsert'): Change => ({
  memory_id,
  change,
  changed_at: `2026-11-18T${time}.000Z`,
});

const edit: OwnEdit = { memory_id: 'b', made_at: '2026-11-18T12:00:00.000Z' };

const told = (changes: readonly Change[], edits: readonly OwnEdit[] = []) =>
  runsOf(changes, edits).map((run) => [run.kind, ...run.changes.map(({ memory_id }) => memory_id)]);

describe('Changes', () => {
  it('that follow each other within a minute are one run, however long it is', () => {
    const changes = [
      at('12:03:00', 'd'),
      at('12:02:01', 'c'),
      at('12:01:02', 'b'),
      at('12:00:02', 'a'),
    ];
    assert.deepEqual(told(changes), [
      ['Imported', 'd', 'c', 'b'],
      ['Imported', 'a'],
    ]);
  });

  it('of another kind are another run: deletions, and what the owner has edited', () => {
    const changes = [
      at('12:00:04', 'd', 'delete'),
      at('12:00:03', 'c'),
      at('12:00:02', 'b'),
      at('12:00:01', 'a'),
    ];
    assert.deepEqual(told(changes, [edit]), [
      ['Deleted', 'd'],
      ['Imported', 'c'],
      ['Changed by you', 'b'],
      ['Imported', 'a'],
    ]);
  });

  it('that do not exist have no runs', () => {
    assert.deepEqual(runsOf([], []), []);
  });
});
