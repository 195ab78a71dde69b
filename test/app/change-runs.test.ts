// The screen of changes without a browser: what each change is, and which are one row.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  actsOf,
  eventsAfter,
  runsOf,
  textOf,
  type OwnEdit,
  type OwnEvent,
} from '../../src/app/browser/screens/changes/runs.ts';
import type { Change } from '../../src/contract/schemas/memory.ts';

const at = (time: string, memory_id: string, change: Change['change'] = 'upsert'): Change => ({
  memory_id,
  change,
  changed_at: `2026-11-18T${time}.000Z`,
});

const edit: OwnEdit = {
  memory_id: 'b',
  field: 'name',
  from: 'Recording 7',
  to: 'The fridge',
  made_at: '2026-11-18T12:00:00.000Z',
};

const event = (kind: OwnEvent['kind'], time: string, subject: string): OwnEvent => ({
  kind,
  subject,
  at: `2026-11-18T${time}.000Z`,
});

const told = (
  changes: readonly Change[],
  edits: readonly OwnEdit[] = [],
  events: readonly OwnEvent[] = [],
) =>
  runsOf(actsOf(changes, edits, events)).map((run) => [
    run.kind,
    ...run.acts.map(({ change }) => change.memory_id),
  ]);

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

  it('of an import stay as many as the log says, also if all of them have changed again', () => {
    const events = [
      event('memories-imported', '12:00:00', '4'),
      event('memories-deleted', '12:05:00', '1'),
    ];
    const countsOf = (changes: readonly Change[]) =>
      runsOf(actsOf(changes, [], events), events).map(({ kind, acts, count }) => [
        kind,
        count,
        acts.length,
      ]);
    assert.deepEqual(
      countsOf([at('12:05:00', 'd', 'delete'), at('12:00:01', 'c'), at('12:00:00', 'a')]),
      [
        ['Deleted', 1, 1],
        ['Imported', 4, 2],
      ],
    );
    const textsOf = (changes: readonly Change[]) => runsOf(actsOf(changes), events).map(textOf);
    assert.deepEqual(textsOf([at('12:00:01', 'c'), at('12:00:00', 'a')]), [
      '4 memories imported, 2 listed above',
    ]);
    assert.deepEqual(countsOf([]), [['Imported', 4, 0]]);
    // An import before the log counted.
    const old = [event('memories-imported', '12:00:00', '')];
    assert.deepEqual(runsOf([], old), []);
  });

  it('of a memory that was deleted and restored again and again are one, and those of the import one less', () => {
    const acts = ['deleted', 'restored', 'deleted', 'restored', 'deleted'] as const;
    const events = [event('memories-imported', '12:00:00', '3')];
    for (const [minute, what] of acts.entries()) {
      // Within a minute, so that runs would be joined.
      const time = `12:10:${minute}0`;
      events.unshift(event(`memories-${what}`, time, '1'));
      const last = at(time, 'b', what === 'deleted' ? 'delete' : 'upsert');
      const changes = [last, ...['c', 'a'].map((id) => at('12:00:00', id))];
      const runs = runsOf(actsOf(changes, [], events), events);
      assert.deepEqual(
        runs.map(textOf),
        [`1 memory ${what}`, '3 memories imported, 1 listed above'],
        `after ${minute + 1} acts`,
      );
    }
  });

  it('of several memories are as many as the list has, in each order of deletions and restores', () => {
    const textsOf = (changes: readonly Change[], events: readonly OwnEvent[]) =>
      runsOf(actsOf(changes, [], events), events).map(textOf);
    const deleted = event('memories-deleted', '12:00:00', '3');
    const restored = event('memories-restored', '12:10:00', '2');
    const gone = at('12:00:00', 'c', 'delete');
    assert.deepEqual(
      textsOf([at('12:10:00', 'b'), at('12:10:00', 'a'), gone], [restored, deleted]),
      ['2 memories restored', '1 memory deleted'],
    );
    // One of them is deleted again, then both, and all are restored one by one.
    const again = event('memories-deleted', '12:10:20', '1');
    const b = at('12:10:20', 'b', 'delete');
    assert.deepEqual(textsOf([b, at('12:10:00', 'a'), gone], [again, restored, deleted]), [
      '1 memory deleted',
      '1 memory restored',
      '1 memory deleted',
    ]);
    const both = [at('12:10:30', 'a', 'delete'), b];
    const last = event('memories-deleted', '12:10:30', '1');
    assert.deepEqual(textsOf([...both, gone], [last, again, restored, deleted]), [
      '2 memories deleted',
      '1 memory deleted',
    ]);
    const singly = ['12:11:20', '12:11:10', '12:11:00'];
    assert.deepEqual(
      textsOf(
        singly.map((time, i) => at(time, `m${i}`)),
        singly.map((time) => event('memories-restored', time, '1')),
      ),
      ['3 memories restored'],
    );
  });

  it('of imports within a minute are counted as the list has them, because they may be of the same memories', () => {
    const events = ['12:00:40', '12:00:20', '12:00:00'].map((time) =>
      event('memories-imported', time, '2'),
    );
    const textsOf = (changes: readonly Change[]) => runsOf(actsOf(changes), events).map(textOf);
    const [b, a] = [at('12:00:40', 'b'), at('12:00:40', 'a')];
    assert.deepEqual(textsOf([b, a]), ['2 memories imported']);
    assert.deepEqual(textsOf([a]), ['1 memory imported']);
    assert.deepEqual(textsOf([]), ['2 memories imported, 2 listed above']);
  });

  it('that were seen are told no more by the log, which is written a little after them', () => {
    const seen = event('memories-imported', '12:00:01', '4');
    const later = event('memories-imported', '12:05:00', '2');
    assert.deepEqual(eventsAfter([later, seen], '2026-11-18T12:00:00.000Z'), [later]);
    assert.deepEqual(eventsAfter([later, seen], ''), [later, seen]);
  });

  it('that do not exist have no runs', () => {
    assert.deepEqual(runsOf(actsOf([])), []);
  });

  it('have the edits that made them', () => {
    const everywhere: OwnEdit = { ...edit, memory_id: null, field: 'speaker' };
    const [first, second] = actsOf([at('12:00:02', 'b'), at('12:00:01', 'a')], [edit, everywhere]);
    assert.deepEqual(first?.edits, [edit, everywhere]);
    assert.deepEqual(second?.edits, [everywhere]);
  });

  it('are restored or taken back at the time at which the log says so, and no more than it says', () => {
    const restored = event('memories-restored', '12:00:02', '2');
    const all = [at('12:00:03', 'c'), at('12:00:02', 'b'), at('12:00:02', 'a')];
    assert.deepEqual(told(all, [], [restored]), [
      ['Imported', 'c'],
      ['Restored', 'b', 'a'],
    ]);
    const one = event('memories-restored', '12:00:02', '1');
    assert.deepEqual(
      told([at('12:00:03', 'c'), at('12:00:01', 'a')], [], [one]),
      [
        ['Imported', 'c'],
        ['Restored', 'a'],
      ],
      'the log is written after what it tells',
    );
    const undone = event('edits-undone', '12:00:03', '1');
    const [act] = actsOf([at('12:00:02', 'b')], [], [undone]);
    assert.deepEqual([act?.kind, act?.edits], ['Changed by you', []]);
  });

  it('are what was done last: restored after an edit, or edited after that', () => {
    const restored = event('memories-restored', '12:00:04', '1');
    assert.deepEqual(told([at('12:00:04', 'b')], [edit], [restored]), [['Restored', 'b']]);
    const later = { ...edit, made_at: '2026-11-18T12:00:06.000Z' };
    assert.deepEqual(told([at('12:00:06', 'b')], [later], [restored]), [['Changed by you', 'b']]);
  });
});
