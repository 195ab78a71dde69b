// Wrong parameters: each is refused in one sentence that names it and says what to send.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';

import { ids } from '../support/wire/lists.ts';
import { assertFailure } from '../support/wire/response-shape.ts';
import { send } from '../support/wire/wire.ts';
import { createWorld, memories } from '../support/world/world.ts';

const FIELDS =
  'id, name, started_at, ended_at, is_processing, user_id, duration_seconds, summary, transcript';

/** Every parameter of a path: a valid value, the description of its values, and invalid values. */
const PARAMETERS: Record<
  string,
  Record<string, readonly [good: string, takes: RegExp, bad: readonly string[]]>
> = {
  '/v1/memories': {
    limit: [
      '5',
      /a whole number from 1 to 1000/,
      [
        '0',
        '1001',
        '-1',
        '1.0',
        '1e2',
        '05',
        '0x5',
        '%D9%A5',
        'all',
        '5+',
        'Infinity',
        '%205',
        '9'.repeat(20),
        '1?limit=2',
      ],
    ],
    cursor: [
      '',
      /a cursor from the link header/,
      ['x', 'null', '0', '..', 'a%20b', '%3D', '/v1/memories?cursor=x'],
    ],
    order: ['asc', /"desc" or "asc"/, ['ASC', 'up', 'desc,asc', 'asc+', '-started_at']],
    started_after: [
      '2026-01-01',
      /an instant such as .*, or a date such as/,
      [
        '2026',
        '2026-11',
        '20261121',
        '2026-11-21T09:30Z',
        '2026-11-21T09:30:00',
        '2026-11-21T09:30:00+01:00',
        '2026-11-21T09:30:00%2B0100',
        '2026-11-21T09:30:00%2B01',
        '2026-11-21T09:30:00%2B24:00',
        '2026-11-21T24:00:00Z',
        '2026-11-21T09:60:00Z',
        '2026-11-21T09:30:60Z',
        '2026-11-21T09:30:00.Z',
        '2026-11-21T09:30:00,5Z',
        '2026-11-21+09:30:00Z',
        '2026-11-21Z',
        '2026-02-29',
        '2026-02-30T00:00:00Z',
        '2026-04-31',
        '2026-13-01',
        '2026-00-10',
        '2026-11-00',
        '2100-02-29',
        '2026-1-1',
        '02026-11-21',
        '%2B002026-11-21',
        '-000001-01-01',
        '10000-01-01',
        '2026-W47-6',
        '2026-325',
        '1795253400',
        '1795253400000',
        'now',
        'yesterday',
        'Sat,+21+Nov+2026+09:30:00+GMT',
        '2026-11-21T09:30:00Z%0A',
        '%202026-11-21',
        '%EF%BC%92026-11-21',
      ],
    ],
    started_before: [
      '2026-01-01T00:00:00Z',
      /an instant such as .*, or a date such as/,
      ['2026-02-29', 'tomorrow', '2026-11-21T09:30:00', '2026-11-21T09:30:00%2B1:00'],
    ],
    timezone: [
      'Europe/Berlin',
      /an IANA time zone that exists, such as Europe\/Berlin/,
      [
        'Mars/Olympus',
        'Berlin',
        '%2B01:00',
        '+01:00',
        'UTC%2B1',
        'GMT+1',
        'PST',
        'IST',
        'Europe/Berlin/',
        '/Berlin',
        'Europe%20Berlin',
        'local',
        '..',
        'Europe/Berl%C3%ADn',
      ],
    ],
    is_processing: [
      'true',
      /"true" or "false"/,
      ['TRUE', '1', '0', 'yes', 'null', 'true,false', 'false+'],
    ],
    q: [
      'a',
      /1 to 1024 characters: words, "a phrase" or a prefix\*/,
      ['+', '%20%20', '%E3%80%80', '%09', 'a'.repeat(1025)],
    ],
    fields: [
      'name',
      /comma-separated field names, each once/,
      [',', 'name,', ',name', 'name,,id', 'name,name', 'id,id', 'id,name,id'],
    ],
  },
  '/v1/memories/m001': {
    fields: ['name', /comma-separated field names, each once/, [',', 'name,', 'name,name']],
  },
  '/v1/changes': {
    since: ['', /a cursor from the link header/, ['x', '0', '2026-11-21', 'a%20b']],
    limit: ['5', /a whole number from 1 to 1000/, ['0', '1001', 'all']],
    order: ['desc', /"desc" or "asc"/, ['up', 'DESC']],
    cursor: ['', /a cursor from the link header/, ['x', '0', '2026-11-21', 'a%20b']],
  },
};

/** Bytes that are not text, or characters that no parameter may contain. */
const NO_TEXT = ['%', '%z', '%zz', '%ff', '%c0%ae', '%ed%a0%80', '%f4%90%80%80', '%e3%80', '%00'];

function isDecodable(text: string): boolean {
  try {
    return typeof decodeURIComponent(text) === 'string';
  } catch {
    return false;
  }
}

const each = Object.entries(PARAMETERS).flatMap(([path, all]) =>
  Object.entries(all).map(([name, [good, takes, bad]]) => ({ path, name, good, takes, bad })),
);

async function createRefusing(t: TestContext) {
  const world = await createWorld(t);
  const key = world.addAccount('ana', memories(3));
  const get = (path: string, headers = {}) => send(world.port, { path, key, headers });
  const refused = async (path: string, headers = {}) =>
    assertFailure(await get(path, headers), 422, path);
  return { world, key, get, refused };
}

describe('A value', () => {
  it('that its parameter does not accept is 422 with the values that it accepts', async (t) => {
    const { refused } = await createRefusing(t);
    for (const { path, name, takes, bad } of each)
      for (const value of bad) {
        const detail = await refused(`${path}?${name}=${value}`);
        assert.ok(detail.startsWith(`The parameter "${name}" takes `), `${value}: ${detail}`);
        assert.match(detail, takes, value);
      }
  });

  it('that is empty, cut off or not text is 422, in every parameter', async (t) => {
    const { refused } = await createRefusing(t);
    for (const { path, name, good, takes } of each) {
      const bad = [
        '',
        ...NO_TEXT.flatMap((bytes) => [bytes, `${good}${bytes}`, `${bytes}${good}`]),
      ];
      for (const query of [name, ...bad.map((value) => `${name}=${value}`)]) {
        const detail = await refused(`${path}?${query}`);
        assert.match(detail, new RegExp(`^The parameter "${name}" takes `), query);
        assert.match(detail, takes, query);
        if (query.includes('%00')) assert.match(detail, / Send it without the character NUL\.$/);
        else if (!isDecodable(query)) assert.match(detail, / Send it as percent-encoded UTF-8\.$/);
      }
    }
  });

  it('that is right is not reported together with the wrong ones', async (t) => {
    const { get } = await createRefusing(t);
    for (const { path, name, good } of each)
      if (good !== '') assert.equal((await get(`${path}?${name}=${good}`)).status, 200, name);
  });
});

describe('A parameter', () => {
  it('that is sent twice is 422, however it is spelt and whatever its values', async (t) => {
    const { refused } = await createRefusing(t);
    // The parts of a list join: see fields.test.ts.
    for (const { path, name, good } of each.filter((one) => one.name !== 'fields')) {
      const escaped = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
      const value = good || 'x';
      for (const query of [
        `${name}=${value}&${name}=${value}`,
        `${name}=${value}&${escaped}=${value}`,
        `${escaped}=${value}&${name}=`,
      ])
        assert.equal(
          await refused(`${path}?${query}`),
          `Send the parameter "${name}" once.`,
          query,
        );
    }
  });

  it('that is unknown is 422 with the parameter that was probably meant', async (t) => {
    const { refused } = await createRefusing(t);
    const cases: Record<string, Record<string, string>> = {
      '/v1/memories': {
        Limit: 'limit',
        LIMIT: 'limit',
        limits: 'limit',
        max_limit: 'limit',
        cursors: 'cursor',
        Cursor: 'cursor',
        ORDER: 'order',
        order_by: 'order',
        startedAfter: 'started_after',
        'started-after': 'started_after',
        STARTED_AFTER: 'started_after',
        start_after: 'started_after',
        started_bfore: 'started_before',
        startedBefore: 'started_before',
        timeZone: 'timezone',
        time_zone: 'timezone',
        TIMEZONE: 'timezone',
        tz: 'timezone',
        search: 'q',
        query: 'q',
        text: 'q',
        page: 'cursor',
        offset: 'cursor',
        next: 'cursor',
        sort: 'order',
        from: 'started_after',
        since: 'started_after',
        start: 'started_after',
        to: 'started_before',
        until: 'started_before',
        end: 'started_before',
        per_page: 'limit',
        count: 'limit',
        size: 'limit',
        isProcessing: 'is_processing',
        processing: 'is_processing',
        after: 'cursor',
        before: 'started_before',
        zone: 'timezone',
        Q: 'q',
        field: 'fields',
        Fields: 'fields',
        'fields[]': 'fields',
      },
      '/v1/memories/m001': { field: 'fields', Fields: 'fields' },
      '/v1/changes': {
        Since: 'since',
        SINCE: 'since',
        sinse: 'since',
        page: 'since',
        curser: 'cursor',
        sort: 'order',
        Limit: 'limit',
        limits: 'limit',
      },
    };
    for (const [path, names] of Object.entries(cases))
      for (const [name, nearest] of Object.entries(names)) {
        const detail = await refused(`${path}?${encodeURIComponent(name)}=1`);
        assert.equal(detail, `Unknown parameter "${name}". Did you mean "${nearest}"?`);
      }
  });

  it('that resembles no other is 422 with the names of all', async (t) => {
    const { refused } = await createRefusing(t);
    const takes: Record<string, string> = {
      '/v1/memories':
        'limit, cursor, order, started_after, started_before, timezone, is_processing, q, person, tag, source, fields',
      '/v1/memories/m001': 'fields',
      '/v1/changes': 'since, limit, order, cursor',
    };
    for (const [path, names] of Object.entries(takes))
      for (const name of ['', 'language', 'x', 'memory_id', '__proto__', 'constructor'])
        assert.equal(
          await refused(`${path}?${name}=1`),
          `Unknown parameter "${name}". This endpoint takes ${names}.`,
        );
  });

  it('of another endpoint is unknown', async (t) => {
    const { refused } = await createRefusing(t);
    for (const { name } of each)
      for (const [path, known] of Object.entries(PARAMETERS))
        if (!(name in known))
          assert.match(
            await refused(`${path}?${name}=1`),
            new RegExp(`^Unknown parameter "${name}"`),
          );
  });

  it('is checked after the key and the path', async (t) => {
    const { world, key } = await createRefusing(t);
    for (const { path, name } of each) {
      const query = `${name}=%zz&nothing=1`;
      assertFailure(await send(world.port, { path: `${path}?${query}` }), 401);
      assertFailure(await send(world.port, { path: `/v1/nothing?${query}`, key }), 404);
      assertFailure(await send(world.port, { path: `${path}?${query}`, key, method: 'POST' }), 405);
      assert.equal(
        (await send(world.port, { path: `${path}?${query}`, key, method: 'HEAD' })).status,
        422,
      );
    }
  });
});

describe('A name in fields', () => {
  it('that is unknown is 422 with the field that was probably meant, without repeating the name', async (t) => {
    const { refused } = await createRefusing(t);
    const cases: Record<string, string> = {
      Name: 'name',
      NAME: 'name',
      nmae: 'name',
      names: 'name',
      ID: 'id',
      _id: 'id',
      ids: 'id',
      startedAt: 'started_at',
      started: 'started_at',
      'ended-at': 'ended_at',
      endedat: 'ended_at',
      isProcessing: 'is_processing',
      user: 'user_id',
      userid: 'user_id',
      duration: 'duration_seconds',
      seconds: 'duration_seconds',
      transcripts: 'transcript',
      TRANSCRIPT: 'transcript',
      summery: 'summary',
      title: 'name',
      text: 'transcript',
    };
    for (const path of ['/v1/memories', '/v1/memories/m001'])
      for (const [name, nearest] of Object.entries(cases))
        for (const value of [name, `id,${name}`, `${name},summary`])
          assert.equal(
            await refused(`${path}?fields=${value}`),
            `Unknown name in the parameter "fields". Did you mean "${nearest}"?`,
            value,
          );
    for (const value of ['language', '__proto__', 'constructor', 'x'.repeat(5000)])
      assert.ok((await refused(`/v1/memories?fields=${value}`)).includes(FIELDS), value);
  });

  it('that is empty, malformed or repeated is 422 with the names of all fields', async (t) => {
    const { refused } = await createRefusing(t);
    const noNames = [
      '+',
      '+name',
      'id,%20name',
      '*',
      'summary.quick_summary',
      'name;id',
      'name%0A',
    ];
    for (const value of ['', ',', 'name,name', ...noNames])
      assert.ok((await refused(`/v1/memories?fields=${value}`)).includes(FIELDS), value);
  });
});

describe('A parameter that is sent as a header', () => {
  it('is 422 that says to send it in the query, however it is spelt', async (t) => {
    const { refused } = await createRefusing(t);
    for (const { path, name, good } of each)
      for (const header of [
        name,
        name.toUpperCase(),
        name[0]!.toUpperCase() + name.slice(1),
        name.replaceAll('_', '-'),
      ])
        for (const value of [good || 'x', 'junk', ''])
          assert.equal(
            await refused(path, { [header]: value }),
            `The parameter "${name}" was sent as a header. Send it in the query.`,
            header,
          );
    // This also holds if the query has the parameter too, or is itself invalid, because one of the
    // two would be ignored.
    assert.match(
      await refused('/v1/memories?timezone=UTC', { Timezone: 'Europe/Berlin' }),
      /was sent as a header/,
    );
    assert.match(
      await refused('/v1/memories?limit=0', { 'started-after': '2026-01-01' }),
      /was sent as a header/,
    );
  });

  it('is ignored if the endpoint has no such parameter', async (t) => {
    const { world, get } = await createRefusing(t);
    const plain = (await get('/v1/memories')).text;
    const others = [
      'x-timezone',
      'x-limit',
      'time-zone',
      'from',
      'range',
      'prefer',
      'since',
      'memory-id',
      'memory_id',
      'accept-language',
      'if-modified-since',
      'order-by',
      'query',
      'field',
      'cookie',
      'referer',
    ];
    for (const name of others) {
      const answer = await get('/v1/memories', { [name]: 'limit=1' });
      assert.equal(answer.status, 200, name);
      assert.equal(answer.text, plain, name);
    }
    const elsewhere: Record<string, readonly string[]> = {
      '/v1/memories/m001': ['limit', 'cursor', 'timezone', 'q', 'order', 'since', 'memory_id'],
      '/v1/changes': ['fields', 'timezone', 'q', 'started-after'],
    };
    for (const [path, names] of Object.entries(elsewhere))
      for (const name of names)
        assert.equal((await get(path, { [name]: 'x' })).status, 200, `${path} ${name}`);
    for (const path of ['/healthz', '/readyz', '/openapi.json'])
      assert.equal(
        (await send(world.port, { path, headers: { limit: '1', timezone: 'UTC' } })).status,
        200,
        path,
      );
  });

  it('is checked after the key, the path and the method', async (t) => {
    const { world, key } = await createRefusing(t);
    const headers = { timezone: 'Europe/Berlin' };
    assertFailure(await send(world.port, { headers }), 401);
    assertFailure(await send(world.port, { key, headers, path: '/v1/nothing' }), 404);
    assertFailure(await send(world.port, { key, headers, method: 'POST' }), 405);
    assert.equal((await send(world.port, { key, headers, method: 'HEAD' })).status, 422);
  });
});

describe('A validation error', () => {
  it('never repeats a value, and repeats the name of a parameter shortened and printable', async (t) => {
    const { refused } = await createRefusing(t);
    const marker = 'zqxjkvbpw';
    for (const { path, name } of each) {
      for (const value of [
        marker,
        `%22${marker}%22`,
        `${marker},id`,
        `2026-01-01T${marker}`,
        `${marker}%00`,
        `${marker}%ff`,
        `Europe/${marker}`,
      ]) {
        if (name === 'q' && !/%00|%ff/.test(value)) continue; // in a search they are words
        assert.doesNotMatch(await refused(`${path}?${name}=${value}`), /zqx/i, `${name}=${value}`);
      }
      assert.doesNotMatch(await refused(path, { [name]: marker }), /zqx/i, name);
      assert.doesNotMatch(await refused(`${path}?${name}=1&${name}=${marker}`), /zqx/i, name);
    }
    const long = await refused(`/v1/memories?${'x'.repeat(100)}${marker}=${marker}`);
    assert.match(long, /^Unknown parameter "x{40}"\. This endpoint takes /);
    const odd = await refused(`/v1/memories?%3Cscript%3E%0D%0A%E2%80%AE%F0%9F%8E%89=${marker}`);
    assert.match(odd, /^Unknown parameter "<script>\?+"\. /);
    assert.doesNotMatch(await refused(`/v1/memories?%ff${marker}=1`), /zqx/i);
  });

  it('does not affect the next request', async (t) => {
    const { get, refused } = await createRefusing(t);
    await refused('/v1/memories?limit=x');
    assert.equal(ids(await get('/v1/memories')).length, 3);
  });
});
