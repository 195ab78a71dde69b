// The promises of the API about results and failures, tested through every entry point.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';

import { Failure } from '../../src/contract/failure.ts';
import type { Input } from '../../src/contract/route.ts';
import type { routes } from '../../src/contract/routes.ts';
import type { Change } from '../../src/contract/schemas/memory.ts';
import { Memory, type MemoryField } from '../../src/contract/schemas/memory.ts';
import { send } from '../support/wire/wire.ts';
import { entryPoints } from '../support/world/entry-points.ts';
import { createWorld, memories, memory } from '../support/world/world.ts';

const nasty = memory({
  id: 'nasty~1.b_-',
  name: 'Quotes " \' and </script> 👨‍👩‍👧 🇪🇸',
  started_at: '2026-11-16T09:00:00.007Z',
  ended_at: '2026-11-16T09:00:01.000Z',
  duration_seconds: 1,
  summary: { quick_summary: 'مرحبا नमस्ते 今日は', key_takeaways: [] },
  transcript: 'a\u2028b\u0000c\ud800d\te\\f\r\n\u{10ffff}',
});

/**
 * Five talks around midnight in Berlin, one hour ahead of UTC. Talks in processing have no summary.
 */
const talks = [
  talk('early', '2026-11-20T22:59:59.999Z', { name: 'Milk and bread' }),
  talk('first', '2026-11-20T23:00:00.000Z', { name: 'The garden', is_processing: true }),
  talk('noon', '2026-11-21T11:00:00.000Z', { transcript: 'Mira: Milk and the garden.' }),
  talk('late', '2026-11-21T22:59:59.999Z', { transcript: 'Milk', is_processing: true }),
  talk('next', '2026-11-21T23:00:00.000Z', {
    summary: { quick_summary: 'A walk.', key_takeaways: ['Buy MILK.'] },
  }),
];

function talk(id: string, started_at: string, given: Partial<Memory>): Memory {
  const none = { quick_summary: '', key_takeaways: [] };
  return memory({ id, started_at, ...(given.is_processing && { summary: none }), ...given });
}

/** List filters, and the talks that match each, newest first. */
const filters: [Omit<Input<typeof routes.memories.list>, 'cursor' | 'fields'>, string[]][] = [
  [{ started_after: '2026-11-21' }, ['next', 'late', 'noon']],
  [{ started_after: '2026-11-21', timezone: 'Europe/Berlin' }, ['next', 'late', 'noon', 'first']],
  [{ started_before: '2026-11-22', timezone: 'europe/berlin' }, ['late', 'noon', 'first', 'early']],
  [{ started_before: '2026-11-20T22:59:59.999Z' }, []],
  [
    { started_after: '2026-11-20T23:00:00Z', started_before: '2026-11-22T00:00:00+01:00' },
    ['late', 'noon', 'first'],
  ],
  [{ started_after: '2026-11-22', started_before: '2026-11-21' }, []],
  [{ is_processing: true }, ['late', 'first']],
  [{ is_processing: false }, ['next', 'noon', 'early']],
  [{ q: 'milk' }, ['next', 'late', 'noon', 'early']],
  [{ q: 'garden milk' }, ['noon']],
  [{ q: '"milk and"' }, ['noon', 'early']],
  [{ q: 'gard*', is_processing: true }, ['first']],
  [{ q: 'milk', is_processing: false, started_after: '2026-11-21' }, ['next', 'noon']],
  [{ q: 'cheese, or & ?' }, []],
];

const ALL = Object.keys(Memory.entries) as MemoryField[];

/** The changes without their times. */
function told(changes: readonly Change[]): string[] {
  return changes.map(({ change, memory_id }) => `${change} ${memory_id}`);
}

for (const entryPoint of entryPoints) {
  describe(`Through ${entryPoint.name}`, () => {
    it('a memory is returned as it was written, with the account as user_id', async (t) => {
      const world = await createWorld(t, entryPoint);
      const key = world.addAccount('ana', [nasty]);
      const api = entryPoint.open(world, key);
      const expected = { ...nasty, user_id: 'ana' };
      assert.deepEqual(await api.memories.get({ memory_id: nasty.id }), expected);
      assert.deepEqual(await api.memories.list({}), [expected]);
    });

    it('the list has all memories, newest first, ties by descending id', async (t) => {
      const world = await createWorld(t, entryPoint);
      const at = (id: string, started_at: string) => memory({ id, started_at });
      const key = world.addAccount('ana', [
        at('b', '2026-01-02T00:00:00.000Z'),
        at('B', '2026-01-02T00:00:00.000Z'),
        at('a', '2026-01-02T00:00:00.000Z'),
        at('old', '1969-07-20T20:17:40.000Z'),
        at('later', '2026-01-02T00:00:00.001Z'),
        at('last', '9999-12-31T23:59:59.999Z'),
        at('first', '0001-01-01T00:00:00.000Z'),
      ]);
      const api = entryPoint.open(world, key);
      const ids = async (order?: 'asc' | 'desc') =>
        (await api.memories.list(order ? { order } : {})).map(({ id }) => id);
      const newestFirst = ['last', 'later', 'b', 'a', 'B', 'old', 'first'];
      assert.deepEqual(await ids(), newestFirst);
      assert.deepEqual(await ids('desc'), newestFirst);
      assert.deepEqual(await ids('asc'), newestFirst.toReversed());
    });

    it('an account without memories has an empty list', async (t) => {
      const world = await createWorld(t, entryPoint);
      world.addAccount('bo', memories(3));
      const api = entryPoint.open(world, world.addAccount('ana'));
      assert.deepEqual(await api.memories.list({}), []);
      assert.deepEqual(await api.memories.list({ limit: 5 }), []);
    });

    it('limit cuts the list, and can be larger than the list', async (t) => {
      const world = await createWorld(t, entryPoint);
      const api = entryPoint.open(world, world.addAccount('ana', memories(5)));
      for (const limit of [1, 4, 5, 6, 1000]) {
        const list = await api.memories.list({ limit });
        assert.deepEqual(
          list.map(({ id }) => id),
          ['m004', 'm003', 'm002', 'm001', 'm000'].slice(0, limit),
        );
      }
    });

    it('a page has the cursor of the next one, and each() walks all pages, in both orders', async (t) => {
      const world = await createWorld(t, entryPoint);
      const api = entryPoint.open(world, world.addAccount('ana', memories(105)));
      const oldestFirst = memories(105).map(({ id }) => id);
      const first = await api.memories.page({ limit: 60, order: 'asc' });
      assert.deepEqual(
        first.items.map(({ id }) => id),
        oldestFirst.slice(0, 60),
      );
      const last = await api.memories.page({ cursor: first.next });
      assert.deepEqual(
        last.items.map(({ id }) => id),
        oldestFirst.slice(60),
      );
      assert.equal(last.next, undefined);
      assert.equal((await api.memories.page()).next, undefined, 'all of them are one page');
      for (const input of [undefined, { limit: 50 }, { order: 'asc', limit: 105 }] as const) {
        const walked: string[] = [];
        for await (const { id } of api.memories.each(input)) walked.push(id);
        assert.deepEqual(
          walked,
          input && 'order' in input ? oldestFirst : oldestFirst.toReversed(),
        );
      }
      const rest: string[] = [];
      for await (const { id } of api.memories.each({ cursor: first.next })) rest.push(id);
      assert.deepEqual(rest, oldestFirst.slice(60), 'from a cursor on');
    });

    it('an unknown id and another account’s id are the same failure', async (t) => {
      const world = await createWorld(t, entryPoint);
      const key = world.addAccount('ana', [memory({ id: 'mine' })]);
      world.addAccount('bo', [memory({ id: 'theirs' })]);
      const api = entryPoint.open(world, key);
      const fail = async (memory_id: string) => {
        const error = await api.memories.get({ memory_id }).then(
          () => assert.fail('found'),
          (thrown: unknown) => thrown,
        );
        assert.ok(error instanceof Failure);
        return [error.status, error.detail];
      };
      assert.deepEqual(await fail('theirs'), await fail('nobodys'));
      assert.equal((await fail('theirs'))[0], 404);
      assert.equal((await fail('MINE'))[0], 404, 'ids are case-sensitive');
    });

    it('filters apply to the list and to every page of it, in both orders', async (t) => {
      const world = await createWorld(t, entryPoint);
      const api = entryPoint.open(world, world.addAccount('ana', talks));
      for (const [filter, ids] of filters) {
        const what = inspect(filter);
        const list = (await api.memories.list(filter)).map(({ id }) => id);
        assert.deepEqual(list, ids, what);
        const walked: string[] = [];
        for await (const each of api.memories.each({ ...filter, order: 'asc', limit: 1 }))
          walked.push(each.id);
        assert.deepEqual(walked, ids.toReversed(), what);
        const { items, next } = await api.memories.page({ ...filter, fields: ['id'], limit: 2 });
        const rest = next === undefined ? [] : await api.memories.list<'id'>({ cursor: next });
        const ofTwoPages = ids.slice(0, 4).map((id) => ({ id }));
        assert.deepEqual([...items, ...rest], ofTwoPages, what);
      }
    });

    it('fields cut each memory to these fields and its id, in the order of the contract', async (t) => {
      const world = await createWorld(t, entryPoint);
      const api = entryPoint.open(world, world.addAccount('ana', talks)).memories;
      const cut = [
        { id: 'first', name: 'The garden', is_processing: true },
        { id: 'early', name: 'Milk and bread', is_processing: false },
      ];
      const fields = ['is_processing', 'name'] as const;
      const before = { started_before: '2026-11-21' };
      const walked: Pick<Memory, 'id' | (typeof fields)[number]>[] = [];
      for await (const each of api.each({ ...before, fields, limit: 1 })) walked.push(each);
      const first = await api.page({ ...before, fields, limit: 1 });
      const second = await api.page<(typeof fields)[number]>({ cursor: first.next });
      const found = [
        await api.list({ ...before, fields }),
        walked,
        [...first.items, ...second.items],
        [
          await api.get({ memory_id: 'first', fields }),
          await api.get({ memory_id: 'early', fields }),
        ],
      ];
      for (const each of found) assert.equal(JSON.stringify(each), JSON.stringify(cut));
      const whole = await api.get({ memory_id: 'noon' });
      const { transcript: _, ...slim } = whole;
      const reversed = ALL.toReversed();
      const withoutTranscript = ALL.filter((name) => name !== 'transcript');
      for (const [wanted, expected] of [
        [ALL, whole],
        [reversed, whole],
        [withoutTranscript, slim],
        [['transcript'], { id: 'noon', transcript: 'Mira: Milk and the garden.' }],
        [['id'], { id: 'noon' }],
      ] as const) {
        const got = await api.get({ memory_id: 'noon', fields: wanted });
        const [listed] = await api.list({ q: 'garden milk', fields: wanted });
        assert.equal(JSON.stringify(got), JSON.stringify(expected));
        assert.equal(JSON.stringify(listed), JSON.stringify(expected));
      }
    });

    it('changes have each memory once, in its latest state, and again when it changes again', async (t) => {
      const world = await createWorld(t, entryPoint);
      const key = world.addAccount('ana', [memory({ id: 'a' }), memory({ id: 'b' })]);
      world.writer.memories.put('ana', memory({ id: 'c' }));
      world.addAccount('bo', [memory({ id: 'theirs' })]);
      const { changes } = entryPoint.open(world, key);
      const all = await changes.list();
      assert.deepEqual(told(all), ['upsert a', 'upsert b', 'upsert c']);
      assert.deepEqual(Object.keys(all[0] ?? {}), ['memory_id', 'change', 'changed_at']);
      for (const { changed_at } of all)
        assert.equal(new Date(changed_at).toISOString(), changed_at);
      const first = await changes.page({ limit: 2 });
      assert.deepEqual(told(first.items), ['upsert a', 'upsert b']);
      const second = await changes.page({ since: first.next });
      assert.deepEqual(told(second.items), ['upsert c']);
      assert.deepEqual(await changes.page({ since: second.next }), {
        items: [],
        next: second.next,
      });

      world.writer.memories.put('ana', memory({ id: 'a', name: 'Renamed' }));
      world.writer.memories.put('ana', memory({ id: 'c' })); // unchanged
      world.writer.memories.delete('ana', 'b');
      const third = await changes.page({ since: second.next });
      assert.deepEqual(told(third.items), ['upsert a', 'delete b']);
      assert.deepEqual(told(await changes.list()), ['upsert c', 'upsert a', 'delete b']);
      assert.deepEqual(told(await changes.list({ since: second.next, limit: 1 })), ['upsert a']);
      assert.deepEqual(await changes.list({ since: third.next }), []);
    });

    it('changes are latest first with order desc, in pages that end', async (t) => {
      const world = await createWorld(t, entryPoint);
      const key = world.addAccount('ana', memories(5));
      world.addAccount('bo', memories(2));
      world.writer.memories.delete('ana', 'm002');
      const { changes } = entryPoint.open(world, key);
      const latest = ['delete m002', 'upsert m004', 'upsert m003', 'upsert m001', 'upsert m000'];
      assert.deepEqual(told(await changes.list({ order: 'desc' })), latest);
      assert.deepEqual(told(await changes.list({ order: 'asc' })), latest.toReversed());
      for (const limit of [1, 2, 4, 5, 6]) {
        const walked: string[] = [];
        let page = await changes.page({ order: 'desc', limit });
        walked.push(...told(page.items));
        // Later changes are before the first page, and change none of the others.
        world.writer.memories.put('ana', memory({ id: 'late', name: `${limit}` }));
        while (page.next !== undefined) {
          assert.equal(page.items.length, limit);
          page = await changes.page({ cursor: page.next });
          walked.push(...told(page.items));
        }
        world.writer.memories.delete('ana', 'late');
        assert.deepEqual(
          walked.filter((each) => !each.endsWith('late')),
          latest,
        );
      }
      const nobody = entryPoint.open(world, world.addAccount('cy')).changes;
      assert.deepEqual(await nobody.page({ order: 'desc' }), { items: [], next: undefined });
      const { next: since } = await changes.page();
      const { next: cursor } = await changes.page({ order: 'desc', limit: 1 });
      for (const [call, name] of [
        [() => changes.list({ since, order: 'desc' }), 'since'],
        [() => changes.list({ since, cursor }), 'since'],
        [() => changes.list({ cursor, order: 'desc' }), 'cursor'],
        [() => changes.list({ since: cursor }), 'since'],
        [() => changes.list({ cursor: since }), 'cursor'],
        [() => changes.follow({ order: 'desc' } as object).next(), 'order'],
      ] as const)
        await assert.rejects(call, (error: Failure) => {
          assert.equal(error.status, 422);
          assert.match(error.detail, new RegExp(`"${name}"`));
          return true;
        });
      // A cursor of another account stands for one that a restore has undone.
      await assert.rejects(nobody.list({ cursor }), (error: Failure) => {
        assert.equal(error.status, 410);
        assert.match(error.detail, /start again without "cursor"\.$/);
        return true;
      });
    });

    it('following changes yields existing and future changes, until the signal', async (t) => {
      const world = await createWorld(t, entryPoint);
      const key = world.addAccount('ana', memories(3));
      const { changes } = entryPoint.open(world, key);
      const stop = new AbortController();
      const following = changes.follow({ limit: 2 }, { everyMs: 1, signal: stop.signal });
      const next = async () => told((await following.next()).value.items);
      assert.deepEqual(await next(), ['upsert m000', 'upsert m001']);
      assert.deepEqual(await next(), ['upsert m002']);
      const coming = next();
      world.writer.memories.delete('ana', 'm001');
      assert.deepEqual(await coming, ['delete m001']);
      world.writer.memories.put('ana', memory({ id: 'm001' }));
      assert.deepEqual(await next(), ['upsert m001']);
      const ended = next();
      stop.abort();
      await assert.rejects(ended, (error: Failure) => error.reason === 'abort');
      assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
      assert.deepEqual(await following.next(), { value: undefined, done: true });
    });

    // A cursor of another account stands for a cursor that a restore has undone: the feed contains
    // neither.
    it('an undone cursor is 410, and follow starts again with reset', async (t) => {
      const world = await createWorld(t, entryPoint);
      const other = entryPoint.open(world, world.addAccount('bo', memories(3)));
      const { next: since } = await other.changes.page();
      const { changes } = entryPoint.open(world, world.addAccount('ana', memories(2)));
      for (const call of [() => changes.list({ since }), () => changes.page({ since, limit: 1 })])
        await assert.rejects(call, (error: Failure) => {
          assert.equal(error.status, 410);
          assert.match(error.detail, /start again without "since"/);
          return true;
        });
      const pages: unknown[] = [];
      for await (const { items, reset } of changes.follow({ since, limit: 1 }, { everyMs: 1 })) {
        pages.push([told(items), reset]);
        if (pages.length === 2) break;
      }
      assert.deepEqual(pages, [
        [['upsert m000'], true],
        [['upsert m001'], undefined],
      ]);
    });

    it('after a reset, follow yields the first page even if the account is empty', async (t) => {
      const world = await createWorld(t, entryPoint);
      const other = entryPoint.open(world, world.addAccount('bo', memories(1)));
      const { next: since } = await other.changes.page();
      const { changes } = entryPoint.open(world, world.addAccount('ana'));
      const { value } = await changes.follow({ since }).next();
      assert.deepEqual(value.items, []);
      assert.equal(value.reset, true);
    });

    it('input outside the contract is 422 and names the parameter', async (t) => {
      const world = await createWorld(t, entryPoint);
      const api = entryPoint.open(world, world.addAccount('ana', memories(3)));
      const { next: cursor } = await api.memories.page({ limit: 1 });
      const { next: since } = await api.changes.page();
      const now = new Date('2026-11-21T09:30:00Z');
      for (const [call, name] of [
        [() => api.memories.list({ limit: 0 }), 'limit'],
        [() => api.memories.list({ limit: 1001 }), 'limit'],
        [() => api.memories.list({ limit: 1.5 }), 'limit'],
        [() => api.memories.list({ order: 'up' as 'asc' }), 'order'],
        [() => api.memories.list({ cursor: 'nonsense' }), 'cursor'],
        [() => api.memories.get({ memory_id: "' OR 1=1--" }), 'memory_id'],
        [() => api.memories.get({ memory_id: 'a'.repeat(129) }), 'memory_id'],
        [() => api.memories.list({ started_after: now as never }), 'started_after'],
        [() => api.memories.list({ started_after: '2026-02-30' }), 'started_after'],
        [() => api.memories.each({ started_before: '2026-11-21T09:30Z' }).next(), 'started_before'],
        [() => api.memories.list({ started_before: Number(now) as never }), 'started_before'],
        [() => api.memories.list({ timezone: '+01:00' }), 'timezone'],
        [() => api.memories.list({ timezone: 'Europe/Bonn' }), 'timezone'],
        [() => api.memories.list({ is_processing: 'yes' as never }), 'is_processing'],
        [() => api.memories.list({ is_processing: 1 as never }), 'is_processing'],
        [() => api.memories.list({ is_processing: [true, false] as never }), 'is_processing'],
        [() => api.memories.page({ q: '' }), 'q'],
        [() => api.memories.page({ q: ' \t' }), 'q'],
        [() => api.memories.page({ q: 'a'.repeat(1025) }), 'q'],
        [() => api.memories.list({ q: { text: 'milk' } as never }), 'q'],
        [() => api.memories.list({ fields: [] }), 'fields'],
        [() => api.memories.list({ fields: ['nope'] as never }), 'fields'],
        [() => api.memories.page({ fields: ['id', 'id'] }), 'fields'],
        [() => api.memories.each({ fields: ['name', ''] as never }).next(), 'fields'],
        [() => api.memories.list({ fields: true as never }), 'fields'],
        [() => api.memories.list({ fields: { id: true } as never }), 'fields'],
        [() => api.memories.get({ memory_id: 'm000', fields: ['titel' as 'name'] }), 'fields'],
        [() => api.memories.get({ memory_id: 'm000', fields: [['id']] as never }), 'fields'],
        [() => api.changes.list({ since: '' }), 'since'],
        [() => api.changes.page({ since: 'nonsense' }), 'since'],
        [() => api.changes.follow({ limit: 1001 }).next(), 'limit'],
        [() => api.changes.list({ cursor: since }), 'cursor'],
        [() => api.changes.list({ since: cursor }), 'since'],
        [() => api.memories.list({ cursor: since }), 'cursor'],
        [() => api.memories.list({ cursor, order: 'desc' } as object), 'cursor'],
        [() => api.memories.list({ cursor, started_after: '2026-11-21' } as object), 'cursor'],
        [() => api.memories.list({ cursor, started_before: '2026-11-21' } as object), 'cursor'],
        [() => api.memories.list({ cursor, timezone: 'UTC' } as object), 'cursor'],
        [() => api.memories.list({ cursor, is_processing: false } as object), 'cursor'],
        [() => api.memories.list({ cursor, q: 'milk' } as object), 'cursor'],
        [() => api.memories.list({ cursor, fields: ['id'] } as object), 'cursor'],
      ] as const) {
        await assert.rejects(call, (error: Failure) => {
          assert.equal(error.status, 422);
          assert.match(error.detail, new RegExp(`"${name}"`));
          return error instanceof Failure;
        });
      }
    });

    it('a failing store is a 500 without details, which are in the log', async (t) => {
      const world = await createWorld(t, {
        ...entryPoint,
        wrap: (store) => entryPoint.wrap({ ...store, memory: breakDown, check: breakDown }),
      });
      const api = entryPoint.open(world, world.addAccount('ana'));
      await assert.rejects(api.memories.get({ memory_id: 'a' }), (error: Failure) => {
        assert.equal(error.status, 500);
        assert.doesNotMatch(error.detail, /disk/);
        return error instanceof Failure;
      });
      assert.match(inspect(world.log[0]?.fields['err']), /Error: disk on fire\n +at .*breakDown/);
      assert.equal((await send(world.port, { path: '/readyz' })).status, 503);
    });

    it('a list longer than one batch is complete, and so are its pages', async (t) => {
      const world = await createWorld(t, entryPoint);
      const api = entryPoint.open(world, world.addAccount('ana', memories(50, 20_000)));
      const ids = memories(50)
        .map(({ id }) => id)
        .toReversed();
      assert.deepEqual(
        (await api.memories.list({})).map(({ id }) => id),
        ids,
      );
      assert.deepEqual(
        (await api.memories.list({ limit: 40 })).map(({ id }) => id),
        ids.slice(0, 40),
      );
    });
  });
}

function breakDown(): never {
  throw new Error('disk on fire');
}
