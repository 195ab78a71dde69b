// The files of every product in fixtures/formats/ become the memories that are written beside them.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { formatNames, itemFormats } from '../src/formats/formats.ts';
import type { Outcome } from '../src/formats/read.ts';
import { isItem, itemsIn } from '../src/formats/unwrap.ts';
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

  for (const own of itemFormats) {
    it(`has none but ${own.name} that takes an item of its files`, () => {
      const items = itemsOf(own.name);
      assert.ok(items.some((item) => own.fits(item)));
      for (const item of items) {
        const others = itemFormats.filter((format) => format !== own && format.fits(item));
        assert.deepEqual(others, [], JSON.stringify(item).slice(0, 200));
      }
    });
  }
});

/** All items in the files of a format, broken ones left out. */
function itemsOf(format: string) {
  const files = readdirSync(join(FOLDER, format)).filter((name) => !name.includes('.expected.'));
  return files
    .flatMap((file) => {
      const text = readFileSync(join(FOLDER, format, file), 'utf8').replace(/^\uFEFF/, '');
      return file.endsWith('.jsonl') ? text.split('\n').map(parse) : [parse(text)];
    })
    .flatMap((value) => itemsIn(value, itemFormats))
    .filter(isItem);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function assertIs({ place, ...outcome }: Outcome, expected: Record<string, unknown>): void {
  if ('memory' in outcome) return assert.deepEqual(outcome.memory, expected);
  const { reason: why, passed_over: what, ...where } = expected;
  assert.deepEqual(place, where);
  if ('passed_over' in outcome) return assert.equal(outcome.passed_over, what);
  return assert.ok(outcome.reason.startsWith(String(why)), `${outcome.reason}, not ${String(why)}`);
}
