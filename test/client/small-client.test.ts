// The package @memory-gateway/client: its size, and its own validation of responses, which accepts what valibot accepts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';

import * as fc from 'fast-check';
import * as v from 'valibot';

import { bundleClient } from '../../scripts/client/main.ts';
import { clientRoutes, type ClientRoute } from '../../src/contract/client-routes.ts';
import { cases } from '../support/world/thorough.ts';
import { memory } from '../support/world/world.ts';

/** The client, as far as a test calls it. */
interface Module {
  createClient(options: object): Record<string, Record<string, Call> & Call>;
}
type Call = (input: object) => Promise<unknown>;

const code = await bundleClient();
const small = (await import(
  `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
)) as Module;

const one = { ...memory({ id: 'a' }), user_id: 'ana' };
const day = { date: '2026-11-18', memories: 2, duration_seconds: 60 };
const lines = { memory_id: 'a', total: 3, first: 1, last: 3, text: 'x' };
const change = { memory_id: 'a', change: 'upsert', changed_at: one.started_at };
const passage = {
  memory_id: 'a',
  name: 'x',
  started_at: one.started_at,
  is_processing: false,
  source: 'transcript',
  lines: [1, 2],
  text: 'y',
  marks: [[0, 1]],
};
const found = {
  passages: [passage],
  memories_found: 1,
  memories_searched: 1,
  absent_words: ['z'],
  nearest_words: { z: ['x'] },
};

/** Each endpoint, its input and a response. */
const calls: [group: string, name: string, input: object, body: unknown][] = [
  ['memories', 'list', {}, [one, one]],
  ['memories', 'list', { fields: ['name'] }, [{ id: 'a', name: 'x' }]],
  ['memories', 'get', { memory_id: 'a' }, one],
  ['memories', 'lines', { memory_id: 'a' }, lines],
  ['search', 'passages', { q: 'x' }, found],
  ['days', 'list', {}, [day]],
  ['changes', 'list', {}, [change]],
];

/** Values that come close to valid ones. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    null,
    -1,
    0.5,
    2 ** 53,
    '..',
    '',
    'a b',
    '2026-11-18T09:00:00Z',
    '2026-02-30T09:00:00.000Z',
    '2026-11-18T09:00:00.000Z',
    '+012026-11-18',
    [],
    [1, 2, 3],
    {},
    { quick_summary: '', key_takeaways: [] },
    { __proto__: null, constructor: 1 },
  ),
);

/** Replaces, adds or removes one part of a value, at any depth. */
function damage(body: unknown, steps: readonly number[], by: unknown): unknown {
  const [step = 0, ...rest] = steps;
  if (typeof body !== 'object' || body === null || steps.length === 0) return by;
  const keys = [...Object.keys(body), 'extra'];
  const key = keys[step % keys.length] ?? 'extra';
  const copy = structuredClone(body) as Record<string, unknown>;
  if (step % 7 === 6 && !Array.isArray(copy)) delete copy[key];
  else if (!Array.isArray(copy)) copy[key] = damage(copy[key], rest, by);
  else if (key !== 'extra') copy.splice(Number(key), 1, damage(copy[Number(key)], rest, by));
  return copy;
}

/** What valibot makes of a response: the output, or where it does not match. */
function expected(route: ClientRoute, input: { fields?: string[] }, body: unknown) {
  const schema = input.fields === undefined ? route.output : route.withFields?.(input.fields);
  const checked = v.safeParse(schema ?? route.output, body, { abortEarly: true });
  if (checked.success) return { output: checked.output };
  return { at: v.getDotPath(checked.issues[0]) ?? 'root' };
}

describe('The package @memory-gateway/client', () => {
  it('has at most 6 kB gzipped, and imports nothing', (t) => {
    const { length } = gzipSync(code, { level: 9 });
    t.diagnostic(`gzipped: ${length} bytes`);
    assert.ok(length <= 6000 && length > 2000, `${length} bytes`);
    assert.doesNotMatch(code, /\b(import|require)\s*[({"']/);
    assert.ok(!code.includes('~standard'), 'valibot itself is not in it');
  });

  for (const [group, name, input, body] of calls)
    it(`validates damaged responses of ${group}.${name} as valibot does: ${JSON.stringify(input)}`, async () => {
      const routes: Readonly<Record<string, ClientRoute>> = clientRoutes[group as 'days'];
      const route = routes[name];
      assert.ok(route !== undefined);
      const seen = new Set<boolean>();
      const check = async (steps: number[], by: unknown, isWhole: boolean) => {
        const text = JSON.stringify(isWhole ? body : damage(body, steps, by));
        const headers = { link: '</v1/changes?since=abc>; rel="next"' };
        const fetch = () => Promise.resolve(new Response(text, { headers }));
        const api = small.createClient({ baseUrl: 'http://a', apiKey: 'k', retries: 0, fetch });
        const call = name === 'passages' ? api[group] : api[group]?.[name];
        assert.ok(call !== undefined);
        const got = await call(input).then(
          (output) => ({ output }),
          (error: Error) => ({
            at: / at (.+)\. (?:Update|Name)/.exec(error.message)?.[1] ?? error.message,
          }),
        );
        assert.deepEqual(got, expected(route, input, JSON.parse(text)), text);
        seen.add('output' in got);
      };
      const steps = fc.array(fc.nat(40), { minLength: 1, maxLength: 4 });
      const isWhole = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);
      await fc.assert(fc.asyncProperty(steps, value, isWhole, check), { numRuns: cases(500) });
      assert.equal(seen.size, 2, 'some are accepted, others are not');
    });
});
