// Scopes of keys on the command line: created, shown, kept by a rotation, and refused in one sentence.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { keys } from '../../src/index.ts';
import { prepareMemory } from '../../src/store/import/memory-row.ts';
import { ids } from '../support/wire/lists.ts';
import { send } from '../support/wire/wire.ts';
import { fullDetails } from '../support/world/details.ts';
import { run } from '../support/world/program.ts';
import { createWorld, memory } from '../support/world/world.ts';

/** An account with one memory of each day from the 16th to the 20th. */
async function createWeek(t: TestContext) {
  const world = await createWorld(t);
  world.addAccount(
    'ana',
    [16, 17, 18, 19, 20].map((day) =>
      memory({ id: `d${day}`, started_at: `2026-11-${day}T23:30:00.000Z` }),
    ),
  );
  const keysOf = async (what: string, args: readonly string[], input = '') => {
    const on = ['keys', what, ...args, '--database', world.database];
    // The variables of `copy`, which has a --from and a --to as well.
    return run(on, { input, env: { MEMORY_GATEWAY_FROM: 'a.db', MEMORY_GATEWAY_TO: 'b.db' } });
  };
  const create = async (...args: string[]) => {
    const { code, stdout, stderr } = await keysOf('create', ['--account', 'ana', ...args]);
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  const check = async (key: string) => (await keysOf('check', [], key)).stdout.trim();
  const read = async (key: string) => {
    const found = await send(world.port, { key, path: '/v1/memories?fields=name' });
    const lines = await send(world.port, { key, path: '/v1/memories/d18/lines' });
    return { ids: ids(found), lines: lines.status };
  };
  return { world, keysOf, create, check, read };
}

const ALL = ['d20', 'd19', 'd18', 'd17', 'd16'];

describe('keys create', () => {
  it('makes a key that reads everything, unless it has a scope', async (t) => {
    const { create, check, read, keysOf } = await createWeek(t);
    for (const args of [[], ['--scope', 'all', '--timezone', 'Europe/Berlin']]) {
      const key = await create(...args);
      assert.deepEqual(await read(key), { ids: ALL, lines: 200 });
      assert.match(await check(key), /: active\.$/);
    }
    for (const { reads, started_after, started_before } of JSON.parse(
      (await keysOf('list', ['--json'])).stdout,
    ))
      assert.deepEqual([reads, started_after, started_before], ['all', null, null]);
  });

  it('makes a key for summaries, for a window of time, or for both', async (t) => {
    const { create, check, read, keysOf } = await createWeek(t);
    const window = ['--from', '2026-11-17', '--to', '2026-11-19'];
    const made: [key: string, scope: string][] = [];
    for (const [args, found, lines, scope] of [
      [['--scope', 'summaries'], ALL, 403, 'summaries'],
      [['--to', '2026-11-18'], ['d17', 'd16'], 404, 'all to 2026-11-18'],
      [
        ['--scope', 'summaries', ...window],
        ['d18', 'd17'],
        403,
        'summaries from 2026-11-17 to 2026-11-19',
      ],
      // In Berlin, the 17th ends at 23:00 UTC.
      [
        ['--from', '2026-11-18', '--timezone', 'Europe/Berlin'],
        ['d20', 'd19', 'd18', 'd17'],
        200,
        'all from 2026-11-17 23:00Z',
      ],
      [
        ['--from', '2026-11-19T00:30:00.123+01:00'],
        ['d20', 'd19'],
        404,
        'all from 2026-11-18 23:30Z',
      ],
    ] as const) {
      const key = await create(...args);
      assert.deepEqual(await read(key), { ids: found, lines }, scope);
      made.push([key, scope]);
    }
    const list = (await keysOf('list', [])).stdout;
    for (const [key, scope] of made)
      assert.match(list, new RegExp(`${key.slice(-4)} +active +${scope}  `));
    const [both, exact] = [made[2]?.[0] ?? '', made[4]?.[0] ?? ''];
    assert.match(
      await check(both),
      /: active\. Its scope is summaries from 2026-11-17 to 2026-11-19\.$/,
    );
    const scopeOf = ({ reads, started_after, started_before }: Record<string, unknown>) => [
      reads,
      started_after,
      started_before,
    ];
    const expected = ['all', '2026-11-18T23:30:00.123Z', null];
    const { record } = JSON.parse((await keysOf('check', ['--json'], exact)).stdout);
    assert.deepEqual(scopeOf(record), expected);
    const records = JSON.parse((await keysOf('list', ['--json'])).stdout);
    assert.deepEqual(scopeOf(records.find(({ id }: { id: string }) => id === record.id)), expected);
  });

  it('makes a key for a source, and for memories with all of some tags', async (t) => {
    const { world, create, check, read, keysOf } = await createWeek(t);
    const put = (day: number, product: string, tags: readonly string[]) => {
      const found = memory({ id: `d${day}`, started_at: `2026-11-${day}T23:30:00.000Z` });
      const details = fullDetails({
        source: { product, format: product, id: null, url: null },
        tags: tags.map((name) => ({ name, kind: 'tag' })),
      });
      world.writer.memories.putReady([prepareMemory('ana', found, details)]);
    };
    put(17, 'limitless', ['Work']);
    put(18, 'limitless', ['Work', 'Client, A']);
    put(19, 'omi', ['Work', 'Client, A']);
    for (const [args, found, lines, scope] of [
      [['--source', 'limitless'], ['d18', 'd17'], 200, 'all of limitless'],
      [['--tag', 'work'], ['d19', 'd18', 'd17'], 200, 'all with "work"'],
      [
        ['--tag', 'work', '--tag', 'client, a', '--source', 'OMI', '--scope', 'summaries'],
        ['d19'],
        403,
        'summaries of OMI with "work" and "client, a"',
      ],
      [['--tag', 'work', '--to', '2026-11-18'], ['d17'], 404, 'all to 2026-11-18 with "work"'],
    ] as const) {
      const key = await create(...args);
      assert.deepEqual(await read(key), { ids: found, lines }, scope);
      const said = await check(key);
      assert.ok(said.endsWith(`: active. Its scope is ${scope}.`), said);
      const [, id = ''] = /^This is key (\S+) /.exec(said) ?? [];
      assert.ok((await keysOf('list', [])).stdout.includes(` ${scope} `));
      const rotated = (await keysOf('rotate', [id])).stdout.trim();
      assert.deepEqual(await read(rotated), { ids: found, lines }, scope);
    }
    const records = JSON.parse((await keysOf('list', ['--json'])).stdout);
    assert.deepEqual(
      records.slice(-1).map(({ source, tags }: Record<string, unknown>) => [source, tags]),
      [[null, ['work']]],
    );
    assert.deepEqual([records[0].source, records[0].tags], [null, []]);
  });

  it('says in one sentence what is wrong with a scope', async (t) => {
    const { keysOf, world } = await createWeek(t);
    const before = world.writer.keys.list().length;
    for (const [args, says] of [
      [['--scope', 'transcripts'], '--scope takes "all" or "summaries", not "transcripts".'],
      [['--scope', ''], 'Give --scope SCOPE.'],
      [['--from', '2026-11-18', '--to', '2026-11-18'], '--to takes a time after --from.'],
      [['--source', ' '], '--source takes a whole name of 1 to 200 characters.'],
      [['--source', 'omi', '--source', 'limitless'], 'Give --source once.'],
      [['--tag', ''], '--tag takes a list of up to 10 names of 1 to 200 characters.'],
      [
        ['--to', '2026-02-30'],
        '--to takes an instant such as 2026-11-21T09:30:00Z or 2026-11-21T09:30:00+01:00, or a date such as 2026-11-21, of a day that exists.',
      ],
      [
        ['--timezone', 'Mars/Olympus'],
        '--timezone takes the name of an IANA time zone that exists, such as Europe/Berlin.',
      ],
    ] as const) {
      const { code, stdout, stderr } = await keysOf('create', ['--account', 'ana', ...args]);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.ok(stderr.trim().endsWith(says), stderr);
    }
    assert.equal(world.writer.keys.list().length, before);
  });
});

describe('keys rotate', () => {
  it('gives the new key the scope of the old one', async (t) => {
    const { create, check, read, keysOf } = await createWeek(t);
    const old = await create('--scope', 'summaries', '--from', '2026-11-18');
    const [, id = ''] = /^This is key (\S+) /.exec(await check(old)) ?? [];
    const key = (await keysOf('rotate', [id])).stdout.trim();
    assert.deepEqual(await read(key), { ids: ['d20', 'd19', 'd18'], lines: 403 });
    assert.match(await check(key), /Its scope is summaries from 2026-11-18\./);
  });
});

describe('The function keys.create', () => {
  it('takes a scope, and refuses one that does not exist', async (t) => {
    const { world, read } = await createWeek(t);
    const create = async (scope: object | undefined) =>
      keys.create(world.database, { account_id: 'ana', label: 'a', scope });
    assert.deepEqual(await read((await create(undefined)).key), { ids: ALL, lines: 200 });
    assert.deepEqual(await read((await create({})).key), { ids: ALL, lines: 200 });
    const scoped = await create({
      reads: 'summaries',
      started_after: new Date('2026-11-17'),
      started_before: new Date('2026-11-19'),
    });
    assert.deepEqual(await read(scoped.key), { ids: ['d18', 'd17'], lines: 403 });
    const tagged = await create({ source: 'omi', tags: ['work'] });
    assert.deepEqual(await read(tagged.key), { ids: [], lines: 404 });
    const now = new Date();
    for (const [scope, says] of [
      [{ reads: 'titles' }, /"scope\.reads" must be /],
      [{ from: now }, /"scope" has no "from"|"scope\.from"/],
      [{ started_after: 'monday' }, /"scope\.started_after" must be /],
      [{ started_after: new Date('monday') }, /"scope\.started_after" must be /],
      [{ started_after: now, started_before: now }, /started_before must be after started_after/],
      [{ source: '' }, /"scope\.source" must be a whole name/],
      [{ tags: 'work' }, /"scope\.tags" must be /],
      [{ tags: ['work', ''] }, /"scope\.tags/],
    ] as const)
      await assert.rejects(create(scope), { name: 'Refusal', message: says });
  });
});
