// Query strings and cursors: parsed like the web's libraries parse them, or refused in one sentence.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';

import * as fc from 'fast-check';
import * as v from 'valibot';

import { checkInput } from '../../src/contract/check-input.ts';
import { Failure } from '../../src/contract/failure.ts';
import type { Route } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { Memory, type MemoryField } from '../../src/contract/schemas/memory.ts';
import {
  feedCursor,
  listCursor,
  readFeedCursor,
  readListCursor,
  readSearchCursor,
  searchCursor,
  type ListQuery,
} from '../../src/gateway/endpoints/cursor.ts';
import { readInput } from '../../src/gateway/request/input.ts';
import { storable } from '../../src/store/details/facets.ts';
import { anything } from '../support/model/arbitrary-text.ts';
import { cases } from '../support/world/thorough.ts';

/** Parses a query. Returns the sentence of a 422. Any other error is a bug. */
function read(query: string, route: Route, params = {}): unknown {
  try {
    return checkInput(route.input, readInput(route, params, query), 'url');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    assert.equal(error.status, 422, query);
    assert.match(error.detail, /^[A-Z][ -~…]*[.?]$/, query);
    assert.ok(error.detail.length < 400, error.detail);
    return error.detail;
  }
}

/** An endpoint that takes any text. */
const NAMES = ['a', 'b_c', '=', '&', '%', '"'];
const texts = {
  ...routes.memories.list,
  input: v.strictObject(Object.fromEntries(NAMES.map((name) => [name, v.optional(v.string())]))),
} as unknown as Route;

describe('A query', () => {
  const name = fc.constantFrom(...NAMES);
  // A lone surrogate, which UTF-8 cannot encode, is not text.
  const value = anything.filter((text) => text.isWellFormed() && !text.includes('\0'));

  it('written by URLSearchParams means the same here', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (values) => {
        assert.deepEqual(read(new URLSearchParams(values).toString(), texts), values);
      }),
      { numRuns: cases(2000) },
    );
  });

  it('that is valid UTF-8 with each name once is read as URLSearchParams reads it', () => {
    const pieces = [
      'a',
      'a=',
      '&b_c=',
      '&%25=',
      '=',
      '&',
      '&&',
      '+',
      '%20',
      '%2B',
      '%3D',
      '%C3%A9',
      '%e9',
      '%',
      '%zz',
      'é',
    ];
    const query = fc.array(fc.constantFrom(...pieces, '%00', '%F0%9F%A5%9B', ';', '?', '%26'));
    fc.assert(
      fc.property(query, (parts) => {
        const text = parts.join('');
        const found = read(text, texts);
        const pairs = [...new URLSearchParams(text.replace(/^\?/, '%3F'))];
        const names = pairs.map(([each]) => each);
        const isGood =
          !/%(?![\da-f]{2})/i.test(text) && // URLSearchParams leaves these as they are
          pairs.every((pair) => !/[\uFFFD\0]/.test(pair.join(''))) &&
          names.every((each) => NAMES.includes(each)) &&
          new Set(names).size === names.length;
        assert.deepEqual(
          isGood ? found : typeof found,
          isGood ? Object.fromEntries(pairs) : 'string',
        );
      }),
      { numRuns: cases(5000) },
    );
  });

  it('of an endpoint is what the contract accepts, or an error of one sentence', () => {
    const all = [routes.memories.list, routes.memories.get, routes.changes.list] as Route[];
    const names = all.flatMap(({ input }) => Object.keys(input.entries));
    const texted = fc.oneof(
      fc.constantFrom(
        '1',
        '01',
        '1e3',
        'true',
        'asc',
        'id,name',
        'UTC',
        '2026-01-02',
        '%ff',
        '1000',
      ),
      anything.map((text) => encodeURIComponent(text.toWellFormed())),
      fc.nat(2000).map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    );
    const named = fc.oneof(fc.constantFrom(...names, '__proto__', 'Limit', 'limits'), anything);
    const pair = fc.tuple(named, texted).map(([each, text]) => `${each}=${text}`);
    const query = fc.array(pair, { maxLength: 3 }).map((pairs) => pairs.join('&'));
    const id = fc.oneof(fc.constantFrom('a', '%2e', '..', 'a%2fb'), anything);
    fc.assert(
      fc.property(query, id, (text, memory_id) => {
        for (const route of all) {
          const params = route.path.includes('{memory_id}') ? { memory_id } : {};
          const found = read(text, route, params);
          if (typeof found !== 'string') assert.ok(v.is(route.input, found), text);
        }
      }),
      { numRuns: cases(3000) },
    );
  });
});

describe('The cursor of a list', () => {
  const fields = Object.keys(Memory.entries) as MemoryField[];
  const whole = fc.integer({ min: -8.64e15, max: 8.64e15 });
  const id = fc.stringMatching(/^[A-Za-z0-9_~-]{1,128}$/);
  // Control characters become a space or a dash in a cursor, and a lone surrogate becomes a
  // replacement character.
  const q = anything
    .map((text) => `a${text.toWellFormed().replaceAll(/\p{Cc}/gu, '')}`)
    .filter((text) => text.length < 400);
  const query: fc.Arbitrary<ListQuery> = fc.record(
    {
      order: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 1, max: 1000 }),
      started_after: whole,
      started_before: whole,
      is_processing: fc.boolean(),
      q,
      fields: fc.subarray(fields, { minLength: 1 }),
      after: fc.record({ started_at: whole, id }, { noNullPrototype: true }),
    },
    { requiredKeys: ['order'], noNullPrototype: true },
  );

  it('decodes to the values that it was made from', () => {
    fc.assert(
      fc.property(query, (asked) => {
        const found = JSON.parse(JSON.stringify(readListCursor(listCursor(asked)))) as unknown;
        assert.deepEqual(found, JSON.parse(JSON.stringify(asked)));
      }),
      { numRuns: cases(2000) },
    );
  });

  it('fits into a URL, whatever the search is', () => {
    fc.assert(
      fc.property(anything, id, (text, last) => {
        const searched = Array.from(`a${text}`.repeat(1024)).slice(0, 1024).join('');
        const after = { started_at: -8.64e15, id: last };
        const cursor = listCursor({ order: 'desc', limit: 1000, q: searched, fields, after });
        assert.ok(cursor.length <= 8000, `${cursor.length}`);
        assert.deepEqual(readListCursor(cursor)?.after, after);
      }),
      { numRuns: 100 },
    );
  });

  it('is refused if one character is changed, missing or added', () => {
    const char = fc.constantFrom(...'ABCxyz019-_=+/ é'.split(''));
    fc.assert(
      fc.property(query, fc.nat(), char, (asked, where, other) => {
        const cursor = listCursor(asked);
        const at = where % cursor.length;
        const [before, after] = [cursor.slice(0, at), cursor.slice(at + 1)];
        if (cursor[at] !== other) assert.equal(readListCursor(before + other + after), undefined);
        assert.equal(readListCursor(before + after), undefined);
        assert.equal(readListCursor(before + other + cursor.slice(at)), undefined);
        assert.equal(readFeedCursor(cursor), undefined, 'of another endpoint');
      }),
      { numRuns: cases(2000) },
    );
  });

  it('that anybody made up has no text that a store does not take, and no more people and tags than a query', () => {
    const after = { seq: 1, epoch: 'a', latest: { seq: 1, epoch: 'b' } };
    for (const text of ['a\0', '\ud800']) {
      const facets = [{ kind: 'tag' as const, folded: text }];
      assert.equal(readListCursor(listCursor({ order: 'desc', facets })), undefined);
      assert.equal(readSearchCursor(searchCursor({ q: 'milk', facets })), undefined);
      for (const changed of [
        { ...after, epoch: text },
        { ...after, latest: { seq: 1, epoch: text } },
      ])
        assert.equal(readFeedCursor(feedCursor({ order: 'asc' }, changed)), undefined);
    }
    assert.ok(readFeedCursor(feedCursor({ order: 'asc' }, after)));
    for (const [count, isRead] of [
      [20, true],
      [21, false],
    ] as const) {
      const facets = Array.from({ length: count }, (_, i) => ({
        kind: 'tag' as const,
        folded: String(i),
      }));
      assert.equal(readSearchCursor(searchCursor({ q: 'milk', facets })) !== undefined, isRead);
    }
  });

  it('that anybody made up is a valid query or refused', () => {
    const key = fc.constantFrom(
      'of',
      'order',
      'limit',
      'q',
      'fields',
      'after',
      'account_id',
      'seq',
    );
    const value = fc.oneof(
      fc.constantFrom<unknown>('memories', 'changes', 'asc', 1, 0, -1, 1e300, null, true, ['id']),
      fc.tuple(whole, id),
      fc.jsonValue(),
    );
    const made = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(key, value, { noNullPrototype: true }),
      query.map((asked) => ({ of: 'memories', ...asked, after: undefined })),
    );
    fc.assert(
      fc.property(made, fc.boolean(), (json, isWhole) => {
        const bytes = Buffer.from(JSON.stringify(json)).subarray(isWhole ? 0 : 1);
        const sum = Buffer.alloc(4);
        sum.writeUInt32BE(crc32(bytes));
        const cursor = Buffer.concat([sum, bytes]).toString('base64url');
        const list = readListCursor(cursor);
        if (list) assert.deepEqual(readListCursor(listCursor(list)), list);
        const feed = readFeedCursor(cursor);
        if (feed?.position) assert.deepEqual(readFeedCursor(feedCursor(feed, feed.position)), feed);
        assert.ok(!list || !feed);
      }),
      { numRuns: cases(3000) },
    );
  });

  it('is refused if it is any other text', () => {
    fc.assert(
      fc.property(fc.oneof(anything, fc.base64String()), (text) => {
        assert.equal(readListCursor(text), undefined);
        assert.equal(readFeedCursor(text), undefined);
      }),
    );
  });
});

describe('The cursor of a feed', () => {
  it('gives back what it was made of', () => {
    const marks = fc.record({
      seq: fc.maxSafeNat(),
      epoch: anything.map(storable),
    });
    const limits = fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined });
    const orders = fc.constantFrom('asc', 'desc');
    fc.assert(
      fc.property(marks, marks, limits, orders, (mark, latest, limit, order) => {
        const position = { ...mark, latest: { ...latest } };
        const cursor = feedCursor({ limit, order }, position);
        assert.deepEqual(readFeedCursor(cursor), { limit, order, position });
        assert.equal(readListCursor(cursor), undefined, 'a cursor of another endpoint');
      }),
    );
  });
});
