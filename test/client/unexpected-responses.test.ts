// Unexpected responses: with any response of a server, a call of the client returns a value of the contract or throws a Failure.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';
import * as v from 'valibot';

import { createClient, Failure } from '../../src/client/index.ts';
import { nextCursor } from '../../src/client/response.ts';
import { retryDelay } from '../../src/client/retry.ts';
import { Change, Memory } from '../../src/contract/schemas/memory.ts';
import { anything } from '../support/model/arbitrary-text.ts';
import { cases } from '../support/world/thorough.ts';
import { memory } from '../support/world/world.ts';

const KEY = 'mem_of-nobody';

/** Header values. */
const header = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  }),
  fc.constantFrom(
    '</v1/memories?cursor=abc>; rel="next"',
    '</v1/memories?cursor=>; rel=next',
    '<>; rel="next"',
    '<?since=a-b_c>;rel="first next"',
    'application/json',
    '"etag"',
    '-1',
    '0',
    '9'.repeat(400),
    'Sun, 06 Nov 1994 08:49:37 GMT',
  ),
);
const headers = fc
  .dictionary(fc.constantFrom('link', 'etag', 'retry-after', 'content-type', 'x-a'), header)
  .map((all) => Object.entries(all).map(([name, value]) => [name, value.trim()] as const));

const good = memory({ id: 'a' });
const change = { memory_id: 'a', change: 'upsert', changed_at: good.started_at };

/** JSON that almost follows the contract, other JSON, and text that is not JSON. */
const body = fc.oneof(
  fc.json(),
  fc.string(),
  {
    weight: 4,
    arbitrary: fc
      .constantFrom<unknown>([], [good], good, [change], [good, good], { detail: 'No.' })
      .map((json) => JSON.stringify(json)),
  },
  fc
    .tuple(fc.constantFrom(...Object.keys(good), 'detail'), fc.jsonValue(), fc.boolean())
    .map(([name, value, isList]) => {
      const changed = { ...good, [name]: value };
      return JSON.stringify(isList ? [changed] : changed);
    }),
);

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly breaksOff: boolean;
}

const answer: fc.Arbitrary<Answer> = fc.record({
  status: fc.oneof(
    fc.constant(200),
    fc.constant(200),
    fc.constantFrom(204, 304, 302, 400, 500, 599, 429),
  ),
  headers,
  body,
  breaksOff: fc.nat(9).map((dice) => dice === 0),
});

function toResponse({ status, headers: lines, body: text, breaksOff }: Answer): Response {
  const bytes = new TextEncoder().encode(text);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
      if (breaksOff) controller.error(new TypeError('terminated'));
      else controller.close();
    },
  });
  const init = { status, headers: lines.map(([name, value]): [string, string] => [name, value]) };
  return new Response([204, 304].includes(status) ? null : stream, init);
}

/** The result of a call: its output, or undefined if it failed with a Failure. */
async function outcomeOf<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    assert.ok(error instanceof Failure, String(error));
    assert.ok(error.detail !== '' && !error.detail.includes(KEY));
    return undefined;
  }
}

describe('A client of an unknown server', () => {
  it('returns memories and changes as in the contract, or throws a Failure', async () => {
    let given = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 3 }), async (answers) => {
        let asked = 0;
        const fetch = async () => toResponse(answers[asked++ % answers.length] as Answer);
        const api = createClient({ baseUrl: 'http://h', apiKey: KEY, retries: 0, fetch });
        const list = await outcomeOf(api.memories.page());
        const one = await outcomeOf(api.memories.get({ memory_id: 'a' }));
        const changes = await outcomeOf(api.changes.page({ since: 'a' }));
        if (list) assert.ok(v.is(v.array(Memory), list.items));
        if (one) assert.ok(v.is(Memory, one));
        if (changes) assert.ok(v.is(v.array(Change), changes.items));
        for (const next of [list?.next, changes?.next]) assert.match(next ?? 'none', /^[\w-]+$/);
        given += [list, one, changes].filter(Boolean).length;
      }),
      { numRuns: cases(600) },
    );
    assert.ok(given > cases(50), `${given} responses were valid`);
  });

  it('uses nothing of a cache that breaks the contract', async () => {
    const kept = fc.record({ etag: header, text: body, next: fc.option(fc.string()) });
    await fc.assert(
      fc.asyncProperty(fc.option(kept), answer, async (found, then) => {
        const api = createClient({
          baseUrl: 'http://h',
          apiKey: KEY,
          retries: 0,
          cache: { get: () => found as never, set: () => {} },
          fetch: async () => toResponse({ ...then, status: 304 }),
        });
        const list = await outcomeOf(api.memories.list());
        if (list) assert.ok(v.is(v.array(Memory), list));
      }),
      { numRuns: cases(300) },
    );
  });

  it('retries after Retry-After, and ignores malformed values', () => {
    fc.assert(
      fc.property(answer, fc.nat(20), (came, attempt) => {
        const response = toResponse(came);
        const ms = retryDelay({ response, text: '' }, attempt);
        assert.ok(ms >= 0 && !Number.isNaN(ms));
        const told = /^\d+$/.exec(response.headers.get('retry-after') ?? '')?.[0];
        if (![429, 500].includes(came.status)) assert.equal(ms, 0);
        else if (told) assert.ok(ms >= Number(told) * 1000);
      }),
    );
  });
});

describe('A Link header', () => {
  // RFC 8288 section 3: a <target> and parameters. The first "rel" counts, and names relations with
  // spaces between.
  const cursor = fc.stringMatching(/^[\w-]{1,20}$/);
  const target = fc.oneof(
    fc.tuple(fc.constantFrom('cursor', 'since', 'other'), cursor).map(([name, value]) => ({
      text: `/v1/memories?a=b,c;d&${name}=${value}`,
      cursor: name === 'other' ? null : value,
    })),
    fc.constant({ text: 'https://h/memories', cursor: null }),
  );
  const relation = fc.constantFrom('next', 'NEXT', 'prev', 'next prev', 'last  next', 'nextone');
  const link = fc.record({
    target,
    before: fc.constantFrom('', '; title="a, b"', ';type="x"'),
    relation,
    after: fc.constantFrom('', '; rel="prev"', ';x'),
    space: fc.constantFrom('', ' ', '\t'),
  });

  it('gives the cursor of its first link to the next page', () => {
    fc.assert(
      fc.property(fc.array(link), fc.constantFrom(',', ', ', ',  '), (links, between) => {
        const text = links
          .map((each) => {
            const { space, after } = each;
            const rel = `;${space}rel${space}=${space}"${each.relation}"`;
            return `<${each.target.text}>${each.before}${rel}${after}`;
          })
          .join(between);
        const isNext = ({ relation: name }: { relation: string }) =>
          name.toLowerCase().split(/ +/).includes('next');
        assert.equal(nextCursor(text), links.find(isNext)?.target.cursor, text);
      }),
      { numRuns: cases(1000) },
    );
  });

  it('with any text gives a cursor, null or nothing', () => {
    fc.assert(
      fc.property(anything, header, (any, like) => {
        for (const text of [any, like, like + any])
          assert.match(nextCursor(text) ?? 'none', /^[\w-]+$/);
      }),
    );
  });
});
