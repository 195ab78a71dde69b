// What an item has and its format does not read is named, from the schema of the format.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import * as v from 'valibot';

import { unreadNames } from '../../src/formats/json/unread.ts';
import { fathom } from '../../src/formats/products/fathom.ts';
import { limitless } from '../../src/formats/products/limitless.ts';
import { segments } from '../../src/formats/recognisers/segments.ts';
import { ROOT } from '../support/world/program.ts';

const Item = v.pipe(
  v.object({
    id: v.string(),
    inside: v.nullish(v.object({ kept: v.optional(v.string()) })),
    list: v.optional(v.array(v.lazy(() => v.object({ text: v.string() }))), []),
    any: v.unknown(),
    either: v.optional(v.union([v.string(), v.object({ name: v.string() })])),
  }),
  v.transform(({ id }) => id),
);

describe('The properties that a format does not read', () => {
  it('are named by their paths, at any depth', () => {
    const item = {
      id: 'a',
      mood: 'calm',
      inside: { kept: 'x', weather: 'rain' },
      list: [{ text: 'x' }, { text: 'y', colour: 'red' }],
      any: { thing: 1 },
      either: { name: 'x', age: 7 },
    };
    assert.deepEqual(unreadNames(Item, item).toSorted(), [
      'either.age',
      'inside.weather',
      'list.colour',
      'mood',
    ]);
  });

  it('are not named if they have no value', () => {
    const empty = { id: 'a', a: null, b: '', c: [], d: {}, e: false };
    assert.deepEqual(unreadNames(Item, empty), []);
    assert.deepEqual(unreadNames(Item, 'text'), []);
  });

  it('are not named if only their spelling differs', () => {
    const item = { recordingId: 7, defaultSummary: { markdownFormatted: 'x' }, crmMatches: [1] };
    assert.deepEqual(unreadNames(fathom.item, item), ['crmMatches']);
  });

  it('are not named if the format chooses the names itself', () => {
    assert.deepEqual(unreadNames(segments.item, [{ body: 'Milk.', startTime: 0 }]), []);
  });

  it('are few, however many an item has', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field${i}`, i]));
    assert.equal(unreadNames(Item, many).length, 50);
    const deep = JSON.parse(`${'{"inside":'.repeat(5000)}1${'}'.repeat(5000)}`) as unknown;
    assert.deepEqual(unreadNames(Item, deep), ['inside.inside']);
  });

  it('of a lifelog are the time of its last change', () => {
    const file = join(ROOT, 'fixtures/formats/limitless/week.json');
    const { data } = JSON.parse(readFileSync(file, 'utf8')) as { data: { lifelogs: unknown[] } };
    assert.deepEqual(unreadNames(limitless.item, data.lifelogs[0]), ['updatedAt']);
  });
});
