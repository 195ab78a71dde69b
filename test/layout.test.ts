// JSON in any layout: values one after the other, arrays, pages; nothing in it is missed, and what is broken takes nothing with it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { ITEM_BYTES } from '../src/formats/bytes.ts';
import type { Outcome } from '../src/formats/read.ts';
import { readWhole } from './support/formats.ts';

let count = 0;
/** An item of our own, one of Granola and one of Fathom: their pages are of other shapes. */
const makes = {
  memory: (id: string) => ({ id, started_at: '2026-11-18T09:00:00Z', transcript: 'a } b' }),
  granola: (id: string) => ({
    object: 'note',
    id,
    transcript: [{ text: 'x', start_time: '2026-11-18T09:00:00Z' }],
  }),
  fathom: (id: string) => ({
    url: id,
    recording_start_time: '2026-11-18T09:00:00Z',
    transcript: [],
  }),
} as const;

/** A value, and what must be found in it: ids, or '' for what is none. */
interface Value {
  readonly json: unknown;
  readonly ids: readonly string[];
}

const items = fc
  .tuple(fc.constantFrom(...(Object.keys(makes) as (keyof typeof makes)[])), fc.nat(4))
  .map(([kind, n]) => {
    const ids = Array.from({ length: n }, () => `i${count++}`);
    return { kind, ids, list: ids.map((id) => makes[kind](id)) };
  });

const PAGE = { memory: 'memories', granola: 'notes', fathom: 'items' } as const;

const value: fc.Arbitrary<Value> = fc.oneof(
  items.map(({ ids, list }) => ({ json: list, ids })),
  items.map(({ kind, ids, list }) => ({
    json: { before: [{}], [PAGE[kind]]: list, cursor: null },
    ids,
  })),
  items
    .filter(({ list }) => list.length > 0)
    .map(({ ids, list }) => ({ json: list[0], ids: ids.slice(0, 1) })),
  items.map(({ kind, ids, list }) => ({
    json: [{ [PAGE[kind]]: list }, { [PAGE[kind]]: [] }],
    ids,
  })),
  fc.constant({ json: { error: 'rate limited', items: [{ no: 'item' }] }, ids: [''] }),
  fc.constant({ json: 17, ids: [''] }),
);

function idsOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.map((each) => ('memory' in each ? each.memory.id : ''));
}

describe('JSON', () => {
  it('is read whole, whatever follows what, on how many lines, and in what parts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(0, 1),
        fc.integer({ min: 1, max: 4000 }),
        async (values, indent, step) => {
          fc.pre(values[0]?.json !== 17); // which is no beginning of JSON that is meant

          const text = values.map(({ json }) => JSON.stringify(json, null, indent)).join('\n');
          const bytes = Buffer.from(text);
          const parts = Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) =>
            bytes.subarray(i * step, (i + 1) * step),
          );
          const found = idsOf(await readWhole({ name: 'a.json' }, parts));
          assert.deepEqual(
            found,
            values.flatMap(({ ids }) => ids),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives all that stands before what is broken, and says which item that is', async () => {
    const [one, two] = [makes.memory('one'), makes.memory('two')].map((each) =>
      JSON.stringify(each),
    );
    const cases: [text: string | Buffer, ids: string[], at: object][] = [
      [`[${one},${two},]`, ['one', 'two', ''], { item: 3 }],
      [`[${one},\n${two}`, ['one', 'two', ''], { item: 3 }],
      [`${one}garbage`, ['one', ''], { item: 2 }],
      [`{"memories":[${one},{"id":}]}`, ['one', ''], { item: 2 }],
      [Buffer.from(`[${one},{"id":"\xff"},${two}]`, 'latin1'), ['one', ''], { item: 2 }],
    ];
    for (const [text, ids, at] of cases) {
      for (const pad of ['', ' '.repeat(1 << 20)]) {
        const outcomes = await readWhole({ name: 'a.json' }, [pad, text]);
        assert.deepEqual(idsOf(outcomes), ids, String(text));
        assert.deepEqual(outcomes.at(-1)?.place, at, String(text));
      }
    }
    const many = Array.from({ length: 5000 }, (_, i) => JSON.stringify(makes.memory(`i${i}`)));
    const outcomes = await readWhole({ name: 'a.json' }, [`[${many.join(',')},{]`]);
    assert.equal(outcomes.length, 5001);
    assert.deepEqual(outcomes.at(-1)?.place, { item: 5001 });
  });

  it('keeps characters as they are, also where its bytes are parted', async () => {
    const transcript = '}\uFEFF}é}日本}\u{1F600}}\uFEFF';
    const one = { ...makes.memory('one'), transcript };
    const bytes = Buffer.from(
      `\uFEFF[${JSON.stringify(one)},\n${JSON.stringify(makes.memory('two'))},]`,
    );
    const outcomes = await readWhole(
      { name: 'a.json' },
      Array.from(bytes, (byte) => Buffer.of(byte)),
    );
    assert.ok(outcomes[0] && 'memory' in outcomes[0]);
    assert.equal(outcomes[0].memory.transcript, transcript);
    assert.equal(outcomes.length, 3);
  });

  it('takes a name such as __proto__ for a name', async () => {
    const odd =
      '{"__proto__":{"transcript":"never"},"id":"odd","started_at":"2026-11-18T09:00:00Z"}';
    const outcomes = await readWhole({ name: 'a.json' }, [`[${odd}`]);
    assert.deepEqual(idsOf(outcomes), ['', '']);
    assert.equal(({} as { transcript?: string }).transcript, undefined);
  });

  it('has items of 64 MiB at most', async () => {
    const part = 'x'.repeat(1 << 20);
    const parts = [`[${JSON.stringify(makes.memory('one'))},{"transcript":"`];
    for (let i = 0; i < (ITEM_BYTES >> 20) + 2; i++) parts.push(part);
    const outcomes = await readWhole({ name: 'a.json' }, [...parts, '"}]']);
    assert.deepEqual(idsOf(outcomes), ['one', '']);
    assert.match(
      JSON.stringify(outcomes[1]).slice(0, 200),
      /larger than 64 MiB; nothing is read from here/,
    );
  });
});
