// The changes as the pages read them: what is new since the last look, how far a walk goes, and what a visit has seen.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { FIRST_PAGE, newOf, walkChanges } from '../../src/app/browser/state/changes/feed.ts';
import {
  beginOwn,
  endOwn,
  isNews,
  isOpen,
  nextVisit,
  readVisit,
  writeVisit,
} from '../../src/app/browser/state/changes/visit.ts';
import { createClient } from '../../src/client/index.ts';
import type { Change } from '../../src/contract/schemas/memory.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

/** A change of a memory, at a second of one minute. */
const change = (memory_id: string, second: number, kind: Change['change'] = 'upsert'): Change => ({
  memory_id,
  change: kind,
  changed_at: new Date(Date.UTC(2026, 10, 18, 9, 0, second)).toISOString(),
});

const ids = (changes: readonly Change[]) => changes.map(({ memory_id }) => memory_id);

describe('A look for changes', () => {
  it('finds what was not there before, also within one millisecond', () => {
    const older = [change('b', 5), change('a', 1)];
    assert.deepEqual(newOf([change('c', 5), ...older], older), [change('c', 5)]);
    assert.deepEqual(newOf([change('a', 7), change('b', 5)], older), [change('a', 7)]);
    assert.deepEqual(newOf([change('b', 5, 'delete'), change('a', 1)], older), [
      change('b', 5, 'delete'),
    ]);
    assert.deepEqual(newOf(older, older), []);
    assert.deepEqual(newOf(older, []), older);
  });

  it('finds a change with an earlier time, which a clock that was set back gives it', () => {
    const older = [change('b', 30), change('a', 20)];
    assert.deepEqual(ids(newOf([change('late', 10), ...older], older)), ['late']);
  });

  it('does not take for new what a whole page had no room for', () => {
    const all = Array.from({ length: FIRST_PAGE + 50 }, (_, at) =>
      change(`m${at}`, 59 - (at % 60)),
    );
    const sorted = all.toSorted((a, b) => (a.changed_at < b.changed_at ? 1 : -1));
    assert.deepEqual(newOf([change('new', 59), ...sorted], sorted).length, 1);
    const page = sorted.slice(0, FIRST_PAGE);
    const older = sorted.filter(({ changed_at }) => changed_at < (page.at(-1)?.changed_at ?? ''));
    assert.ok(older.length > 0);
    assert.deepEqual(newOf([...page, ...older], page), []);
  });

  it('reads page after page, as far as it has to', async (t) => {
    const world = await createWorld(t);
    const apiKey = world.addAccount('ana', memories(250));
    const { changes: feed } = createClient({ baseUrl: world.url, apiKey });
    const all = await walkChanges(feed.page, () => false);
    assert.equal(all.changes.length, 250);
    assert.equal(all.isCut, false);
    const one = await walkChanges(feed.page, ({ memory_id }) => memory_id === 'm249');
    assert.equal(one.changes.length, FIRST_PAGE);
    world.writer.memories.delete('ana', 'm000');
    world.writer.memories.put('ana', memory({ id: 'new' }));
    const later = await walkChanges(feed.page, (each) => newOf([each], all.changes).length === 0);
    assert.deepEqual(
      newOf(later.changes, all.changes).map(({ memory_id, change: kind }) => [memory_id, kind]),
      [
        ['new', 'upsert'],
        ['m000', 'delete'],
      ],
    );
  });

  it('ends after 5,100 changes, and says so', async () => {
    let count = 0;
    const page = ({ limit = 0 } = {}) => {
      const items = Array.from({ length: limit }, () => change(`m${(count += 1)}`, 0));
      return Promise.resolve({ items, next: 'more' });
    };
    const { changes, isCut } = await walkChanges(page, () => false);
    assert.equal(changes.length, 5100);
    assert.ok(isCut);
  });
});

describe('A visit to the screen of changes', () => {
  const HOUR = 3_600_000;

  it('starts where the visit before has ended, and a reload does not start another', () => {
    const first = nextVisit(undefined, 'T1', 0);
    assert.equal(first.before, undefined);
    const second = nextVisit(first, 'T2', HOUR);
    assert.equal(second.before, 'T1');
    const reloaded = nextVisit(second, 'T3', HOUR + 60_000);
    assert.deepEqual([reloaded.before, reloaded.seen], ['T1', ['T3']]);
    assert.equal(nextVisit(reloaded, 'T4', 3 * HOUR).before, 'T3');
  });

  const isNew = ({ seen }: { readonly seen: readonly string[] }) =>
    ['1', '2', '3', '4', '5', '6', '7'].filter((time) => isNews(seen, time));

  it('has seen what the reader has done meanwhile, and nothing else that is new', () => {
    const quiet = endOwn(beginOwn(nextVisit(undefined, '1', 0), '1'), '2');
    assert.deepEqual(quiet.seen, ['2'], 'all was seen before');
    // 3 is of somebody else.
    const begun = beginOwn(quiet, '3');
    assert.deepEqual([isOpen(begun), isNew(begun)], [true, ['3']]);
    const twice = endOwn(beginOwn(endOwn(begun, '4'), '4'), '5');
    assert.deepEqual([isOpen(twice), isNew(twice)], [false, ['3', '6', '7']]);
    assert.deepEqual(twice.seen, ['2', '3', '5'], 'what follows each other is kept as one');
    const other = endOwn(beginOwn(twice, '6'), '7');
    assert.deepEqual(isNew(other), ['3', '6']);
    assert.deepEqual(isNew(beginOwn(begun, '4')), ['3'], 'two at once');
    assert.deepEqual(isNew(endOwn(beginOwn(begun, '3'), '5')), ['3', '6', '7'], 'before a look');
    assert.deepEqual(isNew(endOwn(begun, '3')), ['3', '4', '5', '6', '7'], 'one that failed');
  });

  it('takes what was seen for seen, also while the reader changes something or if the list is an older one', () => {
    const own = endOwn(beginOwn(nextVisit(undefined, '1', 0), '2'), '4');
    assert.deepEqual(nextVisit(own, '1', 0).seen, ['1', '2', '4']);
    assert.deepEqual(nextVisit(own, '3', 0).seen, ['4']);
    assert.deepEqual(nextVisit(own, '5', 0).seen, ['5']);
    assert.deepEqual(nextVisit(nextVisit(own, '5', 0), '4', 0).seen, ['5']);
    const begun = beginOwn(own, '5');
    assert.deepEqual(isNew(nextVisit(begun, '5', 0)), []);
    assert.equal(nextVisit(begun, '5', HOUR).before, undefined, 'the same visit until its end');
    assert.equal(nextVisit(endOwn(begun, '5'), '5', HOUR).before, '1');
  });

  it('survives in the storage of the browser, and damage to it is no visit', () => {
    const [before, seen] = ['2026-11-18T09:00:00.000Z', '2026-11-19T09:00:00.000Z'];
    for (const visit of [
      { before, seen: [seen], at: 7 },
      { before: undefined, seen: [seen], at: 0 },
      { before, seen: [before, seen, '2026-11-20T09:00:00.000Z'], at: 7 },
    ])
      assert.deepEqual(readVisit(writeVisit(visit)), visit);
    assert.equal(readVisit(), undefined);
    for (const text of ['', 'x', '- - 7', `- ${seen}`, `- ${seen} x`, `- ${seen} 7 8`])
      assert.equal(readVisit(text), undefined, text);
  });
});
