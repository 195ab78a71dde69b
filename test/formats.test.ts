// The files of every product in fixtures/formats/ become the memories that are written beside them.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { formatNames, itemFormats } from '../src/formats/formats.ts';
import { readItems } from '../src/formats/json.ts';
import type { Outcome } from '../src/formats/read.ts';
import { isItem } from '../src/formats/unwrap.ts';
import { readWhole } from './support/formats.ts';
import { ROOT } from './support/program.ts';

const FOLDER = join(ROOT, 'fixtures/formats');
const MODIFIED = Date.parse('2026-11-20T12:00:00.000Z');

/** What a file must become: memories, and of the rest where and why: how the reason begins. */
type Expected = readonly Record<string, unknown>[];

for (const format of readdirSync(FOLDER)) {
  describe(`The ${format} files`, () => {
    const files = readdirSync(join(FOLDER, format));
    for (const file of files.filter((name) => !name.endsWith('.expected.json'))) {
      it(`are read: ${file}`, async () => {
        const bytes = readFileSync(join(FOLDER, format, file));
        const expected = JSON.parse(
          readFileSync(join(FOLDER, format, file.replace(/\.\w+$/, '.expected.json')), 'utf8'),
        ) as Expected;
        const source = { name: file, started_at: MODIFIED };
        const outcomes = await readWhole(source, [bytes]);
        for (const [i, outcome] of outcomes.entries()) assertIs(outcome, expected[i] ?? {});
        assert.equal(outcomes.length, expected.length);
        for (const each of outcomes) if ('format' in each) assert.equal(each.format, format);
        assert.deepEqual(await readWhole(source, [bytes], format), outcomes, 'named, not detected');
        const byBytes = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
        assert.deepEqual(await readWhole(source, byBytes), outcomes, 'byte by byte');
      });
    }
  });
}

describe('The table of formats', () => {
  it('has files for each', () => {
    assert.deepEqual(readdirSync(FOLDER).toSorted(), formatNames.toSorted());
  });

  it('tells each from all others, in whatever order they are tried', async () => {
    for (const file of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
      if (!/(?<!\.expected)\.jsonl?$/.test(file)) continue;
      const bytes = ReadableStream.from([readFileSync(join(FOLDER, file))]);
      for await (const found of readItems(bytes, { name: file, formats: itemFormats })) {
        if (!('value' in found && isItem(found.value))) continue;
        const { value } = found;
        const fitting = itemFormats.filter(({ fits }) => fits(value)).map(({ name }) => name);
        assert.ok(fitting.length < 2, `${file}: ${fitting.join(' and ')} take the same item`);
      }
    }
  });
});

function assertIs({ place, ...outcome }: Outcome, expected: Record<string, unknown>): void {
  if ('memory' in outcome) return assert.deepEqual(outcome.memory, expected);
  const { reason: why, passed_over: what, ...where } = expected;
  assert.deepEqual(place, where);
  if ('passed_over' in outcome) return assert.equal(outcome.passed_over, what);
  return assert.ok(outcome.reason.startsWith(String(why)), `${outcome.reason}, not ${String(why)}`);
}
