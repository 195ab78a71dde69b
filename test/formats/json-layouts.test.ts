// JSON in any layout: consecutive values, arrays and pages are read completely, up to the first broken item.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { ITEM_BYTES } from '../../src/formats/bytes.ts';
import type { ReadOutcome } from '../../src/formats/read.ts';
import { readWhole } from '../support/formats/read-file.ts';
import { cases } from '../support/world/thorough.ts';

let count = 0;
/**
 * An item of this project's format, one of Granola and one of Fathom. Their pages have different
 * shapes.
 */
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

/** A value, and the expected result: ids, or '' for an invalid item. */
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

function idsOf(outcomes: readonly ReadOutcome[]): string[] {
  return outcomes.map((each) => ('memory' in each ? each.memory.id : ''));
}

describe('JSON', () => {
  it('is read completely in any order, on any number of lines, and in any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(0, 1),
        fc.integer({ min: 1, max: 4000 }),
        async (values, indent, step) => {
          fc.pre(values[0]?.json !== 17); // which is not meant as JSON

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
      { numRuns: cases(300) },
    );
  });

  it('gives all items before a broken one, and says which one is broken', async () => {
    const [one, two] = [makes.memory('one'), makes.memory('two')].map((each) =>
      JSON.stringify(each),
    );
    const broken: [text: string | Buffer, ids: string[], at: object][] = [
      [`[${one},${two},]`, ['one', 'two', ''], { item: 3 }],
      [`[${one},\n${two}`, ['one', 'two', ''], { item: 3 }],
      [`${one}garbage`, ['one', ''], { item: 2 }],
      [`{"memories":[${one},{"id":}]}`, ['one', ''], { item: 2 }],
      [Buffer.from(`[${one},{"id":"\xff"},${two}]`, 'latin1'), ['one', ''], { item: 2 }],
    ];
    for (const [text, ids, at] of broken) {
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

  it('keeps characters whole if their bytes are in two chunks', async () => {
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

  it('is read alike with braces, quotes and backslashes in strings, in any chunks', async () => {
    const odd = fc.array(fc.constantFrom('}', '{', '"', '\\', 'a', 'é', '\n'), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(odd, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 40 }),
        async (texts, step) => {
          const transcripts = texts.map((parts) => `x${parts.join('')}x`);
          const list = transcripts.map((transcript, i) => ({
            ...makes.memory(`i${i}`),
            transcript,
          }));
          const bytes = Buffer.from(JSON.stringify(list));
          const parts = Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) =>
            bytes.subarray(i * step, (i + 1) * step),
          );
          const outcomes = await readWhole({ name: 'a.json' }, parts);
          const found = outcomes.map((each) => ('memory' in each ? each.memory.transcript : ''));
          assert.deepEqual(found, transcripts);
        },
      ),
      { numRuns: cases(500) },
    );
  });

  it('takes little longer to read if a string has millions of braces', async () => {
    const costOf = async (letter: string) => {
      const one = { ...makes.memory('one'), transcript: letter.repeat(cases(2_000_000, 500_000)) };
      const bytes = Buffer.from(JSON.stringify([one, one]));
      const parts = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, i) =>
        bytes.subarray(i * 65_536, (i + 1) * 65_536),
      );
      const before = process.cpuUsage();
      assert.deepEqual(idsOf(await readWhole({ name: 'a.json' }, parts)), ['one', 'one']);
      return process.cpuUsage(before).user / 1000;
    };
    await costOf('x'); // compiles the code
    const [plain, braces] = [await costOf('x'), await costOf('}')];
    assert.ok(braces < 5 * plain + 200, `${plain} ms, with braces ${braces} ms`);
  });

  it('treats __proto__ as any other name', async () => {
    const odd =
      '{"__proto__":{"transcript":"never"},"id":"odd","started_at":"2026-11-18T09:00:00Z"}';
    const outcomes = await readWhole({ name: 'a.json' }, [`[${odd}`]);
    assert.deepEqual(idsOf(outcomes), ['', '']);
    assert.equal(({} as { transcript?: string }).transcript, undefined);
  });

  it('can have items of up to 64 MiB', async () => {
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
