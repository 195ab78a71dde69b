// Totals per day: which local day a memory belongs to, what a day adds up to, and what a damaged index leads to.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Temporal } from 'temporal-polyfill';

import type { Failure } from '../../src/contract/failure.ts';
import type { Day } from '../../src/contract/schemas/day-totals.ts';
import type { Memory } from '../../src/contract/schemas/memory.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { entryPoints } from '../support/world/entry-points.ts';
import { createWorld, memory } from '../support/world/world.ts';

const at = (
  started_at: string,
  duration_seconds = 60,
  id = started_at.replaceAll(/[^\w.]/g, '-'),
) => memory({ id, started_at, ended_at: '9999-12-31T23:59:59.999Z', duration_seconds });

/** The days of memories by another library than the one that is tested, one memory after the other. */
function expectedDays(list: readonly Memory[], timezone: string): Day[] {
  const days = new Map<string, Day>();
  for (const { started_at, duration_seconds } of list) {
    const date = Temporal.Instant.from(started_at)
      .toZonedDateTimeISO(timezone)
      .toPlainDate()
      .toString();
    const day = days.get(date) ?? { date, memories: 0, duration_seconds: 0 };
    day.memories += 1;
    day.duration_seconds += duration_seconds;
    days.set(date, day);
  }
  return [...days.values()].toSorted((a, b) => Date.parse(a.date) - Date.parse(b.date));
}

describe('Days through every entry point', () => {
  for (const entryPoint of entryPoints)
    it(`belong to the time zone of the request, by ${entryPoint.name}`, async (t) => {
      const world = await createWorld(t, entryPoint);
      world.addAccount('bo', [at('2026-10-25T12:00:00.000Z')]);
      const key = world.addAccount('ana', [
        at('2026-10-24T21:59:59.999Z', 1),
        at('2026-10-24T22:00:00.000Z', 10), // the 25th in Berlin, which has 25 hours
        at('2026-10-25T00:30:00.000Z', 100),
        at('2026-10-25T01:30:00.000Z', 1000),
        at('2026-10-25T22:59:59.999Z', 10_000),
        at('2026-10-25T23:00:00.000Z', 0),
        at('1969-07-20T20:17:40.000Z', 7),
      ]);
      const api = entryPoint.open(world, key).days;
      const moon = { date: '1969-07-20', memories: 1, duration_seconds: 7 };
      const inBerlin = [
        { date: '2026-10-24', memories: 1, duration_seconds: 1 },
        { date: '2026-10-25', memories: 4, duration_seconds: 11_110 },
        { date: '2026-10-26', memories: 1, duration_seconds: 0 },
      ];
      assert.deepEqual(await api.list({ timezone: 'Europe/Berlin' }), [moon, ...inBerlin]);
      assert.deepEqual(await api.list(), [
        moon,
        { date: '2026-10-24', memories: 2, duration_seconds: 11 },
        { date: '2026-10-25', memories: 4, duration_seconds: 11_100 },
      ]);
      for (const [input, days] of [
        [{ started_after: '2026-10-25', timezone: 'europe/berlin' }, inBerlin.slice(1)],
        [{ started_before: '2026-10-25', timezone: 'Europe/Berlin' }, [moon, inBerlin[0]]],
        [{ started_after: '2026-10-25T23:00:00+00:00' }, [{ ...inBerlin[2], date: '2026-10-25' }]],
        [{ started_after: '2026-11-01' }, []],
        [{ started_after: '2026-11-01', started_before: '2026-10-01' }, []],
      ] as const)
        assert.deepEqual(await api.list(input), days, JSON.stringify(input));
      for (const [input, name] of [
        [{ timezone: '+01:00' }, 'timezone'],
        [{ started_after: '2026-02-30' }, 'started_after'],
        [{ started_before: 'today' }, 'started_before'],
      ] as const)
        await assert.rejects(api.list(input), (error: Failure) => {
          assert.equal(error.status, 422);
          assert.match(error.detail, new RegExp(`"${name}"`));
          return true;
        });
    });
});

describe('A day', () => {
  it('is that of the clocks on the wall in every kind of zone, at every hour', async (t) => {
    const world = await createWorld(t);
    const hours = (from: string, count: number, minutes = 30) =>
      Array.from({ length: count }, (_, i) =>
        at(new Date(Date.parse(from) + i * minutes * 60_000).toISOString(), i),
      );
    const list = [
      ...hours('2026-03-28T00:00:00Z', 120), // summer time begins in Europe
      ...hours('2026-04-04T00:00:00Z', 120), // and ends in Australia, by half an hour at Lord Howe
      ...hours('2010-11-06T00:00:00Z', 160, 15), // at one minute after midnight in St. John's
      ...hours('2011-12-28T00:00:00Z', 160), // Samoa skips a day
      ...hours('1993-08-19T00:00:00Z', 160), // and so does Kwajalein
      ...hours('2018-11-03T00:00:00Z', 80), // Brazil skips midnight
      ...hours('2014-06-25T00:00:00Z', 60, 24 * 60), // Casablanca changes twice in five weeks
      at('0001-01-01T00:00:00.000Z', 1),
      at('1883-11-18T18:00:00.000Z', 2),
      at('9999-12-31T23:59:59.999Z', 3),
    ];
    world.addAccount('ana');
    world.writer.memories.putAll('ana', list);
    const { days } = world.gateway.as('ana');
    for (const timezone of [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'America/St_Johns',
      'America/Sao_Paulo',
      'Africa/Casablanca',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Pacific/Kwajalein',
      'Etc/GMT+12',
    ])
      assert.deepEqual(await days.list({ timezone }), expectedDays(list, timezone), timezone);
  });
});

describe('Days over HTTP', () => {
  it('have an ETag that changes with the account, and a response without a body to HEAD', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', [at('2026-11-18T09:00:00.000Z')]);
    const path = '/v1/days?timezone=Europe/Berlin';
    const got = await send(world.port, { path, key });
    assert.equal(got.text, '[{"date":"2026-11-18","memories":1,"duration_seconds":60}]');
    const headers = { 'if-none-match': String(got.headers['etag']) };
    assert.equal((await send(world.port, { path, key, headers })).status, 304);
    assert.equal((await send(world.port, { path: '/v1/days', key, headers })).status, 200);
    const head = await send(world.port, { path, key, method: 'HEAD' });
    assert.deepEqual(
      [head.text, head.headers['content-length']],
      ['', got.headers['content-length']],
    );
    world.writer.memories.put('ana', at('2026-11-18T10:00:00.000Z'));
    const later = await send(world.port, { path, key, headers });
    assert.equal(later.text, '[{"date":"2026-11-18","memories":2,"duration_seconds":120}]');
  });

  it('name the parameter that an unknown one probably meant', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana');
    for (const [name, meant] of [
      ['tz', 'timezone'],
      ['since', 'started_after'],
      ['until', 'started_before'],
    ] as const) {
      const said = assertFailure(await send(world.port, { path: `/v1/days?${name}=1`, key }), 422);
      assert.equal(said, `Unknown parameter "${name}". Did you mean "${meant}"?`);
    }
    const empty = await send(world.port, { path: '/v1/days', key });
    assert.deepEqual([empty.status, empty.text], [200, '[]']);
  });
});
