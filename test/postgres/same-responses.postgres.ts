// The same memories in SQLite and in PostgreSQL are found by the same words, in the same order, for any words.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import * as fc from 'fast-check';

import { readFixtures } from '../../src/cli/commands/database/seed.ts';
import type { Memory } from '../../src/contract/schemas/memory.ts';
import { readSought } from '../../src/store/postgres/search/search.ts';
import { openPostgres } from '../../src/store/postgres/store.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import { createDatabase, openWriter } from '../../src/store/sqlite/writer.ts';
import type { ListRange, Store } from '../../src/store/store.ts';
import { readerAddress } from '../support/engines/database-addresses.ts';
import { onlyPostgres } from '../support/engines/engine.ts';
import { call, openDistantWriter } from '../support/engines/sync-postgres.ts';
import { anything } from '../support/model/arbitrary-text.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { memory } from '../support/world/world.ts';

const WEEK_MS = 7 * 24 * 3_600_000;
const SEED = 20_261_122;

/**
 * Text that is special to one of the engines: operators, quotes, ends of strings, lone surrogates,
 * all scripts.
 */
const PIECES = [
  'milk',
  'Milch',
  'lait',
  'mil',
  'ÉTÉ',
  'été',
  'ß',
  'ss',
  'Straße',
  'İ',
  'ı',
  'ſ',
  'æ',
  'ǅ',
  '牛奶',
  '牛',
  'ミルク',
  'か',
  'が',
  'ｶﾞ',
  'дом',
  'ёлка',
  'γάλα',
  'ς',
  'लूट',
  'दूध',
  'นม',
  '우유',
  'حليب',
  'חלב',
  '🥛',
  '👩‍👩‍👧',
  '🇩🇪',
  '①',
  'Ⅳ',
  '٣',
  '42',
  'x²',
  "'",
  "''",
  '"',
  '\\',
  "\\'",
  ':*',
  '&',
  '|',
  '!',
  '<->',
  '(',
  ')',
  '*',
  '_',
  '7_milk',
  '%',
  '$$',
  ';--',
  ':',
  'AND',
  'NEAR',
  'NOT',
  '^',
  '-',
  '\0',
  '\uD83D',
  '\uDC00',
  '\uFEFF',
  '\u200D',
  '\u0301',
  '\u00AD',
  '\u3000',
  ' ',
  ' ',
  ' ',
  '\n',
];
const LONG = [
  'a'.repeat(399),
  'a'.repeat(400),
  'a'.repeat(401),
  `${'a'.repeat(400)}b`,
  'b'.repeat(1024),
  '\u{20000}'.repeat(5),
  '\u{1E900}'.repeat(401),
];

const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 1, arbitrary: fc.constantFrom(...LONG) },
  { weight: 1, arbitrary: anything },
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const spaced = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' '));
const content = fc.oneof(text, spaced);
/** A query: as people write it, or any text. */
const query = fc.oneof(
  fc.constantFrom(...PIECES),
  content,
  fc
    .array(fc.tuple(spaced, fc.constantFrom('', '*', '"')), { maxLength: 3 })
    .map((terms) =>
      terms.map(([words, kind]) => (kind === '"' ? `"${words}"` : `${words}${kind}`)).join(' '),
    ),
);
/** Instants at the ends of weeks and between, also before 1970. */
const moment = fc
  .tuple(fc.integer({ min: -2, max: 3 }), fc.constantFrom(-1, 0, 1, 1000, WEEK_MS / 2))
  .map(([week, ms]) => new Date(week * WEEK_MS + ms).toISOString());

const made = fc.sample(
  fc.tuple(content, content, fc.array(content, { maxLength: 2 }), content, moment, fc.boolean()),
  { numRuns: 150, seed: SEED },
);

/** More distinct words than an index of PostgreSQL can hold. */
const CROWDED = Array.from({ length: 90_000 }, (_, i) => `word${i.toString(36)}x${i}`).join(' ');

describe('A search on either engine', { skip: onlyPostgres }, () => {
  let database = '';
  let stores: readonly Store[] = [];

  before(async () => {
    const file = join(newFolder(), 'memories.db');
    createDatabase(file);
    database = call('create');
    const ours = made.map(([title, quick_summary, key_takeaways, ...rest], i): Memory => {
      const [transcript, started_at, is_processing] = rest;
      // A memory in processing has no summary yet.
      const summary = is_processing
        ? { quick_summary: '', key_takeaways: [] }
        : { quick_summary, key_takeaways };
      return memory({ id: `m${i}`, name: title, summary, transcript, started_at, is_processing });
    });
    ours.push(memory({ id: 'crowded', name: 'crowded milk', transcript: CROWDED }));
    const writers = [openWriter(file), openDistantWriter(database)];
    for (const writer of writers) {
      writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
      writer.memories.putAll('ana', ours);
      for (const { id, memories } of readFixtures()) {
        writer.accounts.create({ id, name: id, created_by: 'command line' });
        writer.memories.putAll(id, [...memories]);
      }
      writer.close();
    }
    stores = [openStore(file), await openPostgres(readerAddress(database))];
  });

  after(async () => {
    for (const store of stores) await store.close();
    call('drop', database);
  });

  it('finds the same memories in the same order, for any query', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        query,
        fc.boolean(),
        fc.option(fc.boolean(), { nil: undefined }),
        async (q, isUp, is_processing) => {
          found +=
            (await findAlike('ana', q, { order: isUp ? 'asc' : 'desc', is_processing })) > 0
              ? 1
              : 0;
        },
      ),
      { numRuns: 1500, seed: SEED },
    );
    assert.ok(found > 300, `${found} of 1500 queries found something`);
  });

  it('finds the same for every word, phrase and prefix in the memories', async () => {
    for (const [title] of made.slice(0, 60))
      for (const q of [
        title,
        `"${title}"`,
        `${title}*`,
        title.slice(0, 3),
        `${title.slice(0, 2)}*`,
      ])
        await findAlike('ana', q);
  });

  it('finds the same in fixtures/', async () => {
    for (const { id, memories } of readFixtures())
      for (const each of memories) {
        const words = each.name.split(' ');
        for (const q of [
          each.name,
          `"${each.name}"`,
          words[0] ?? '',
          `${(words.at(-1) ?? '').slice(0, 3)}*`,
          `"${words.slice(0, 2).join(' ')}"`,
        ])
          await findAlike(id, q);
      }
  });

  it('finds memories with more words than an index can hold, and longer words', async () => {
    for (const q of [
      'crowded',
      'word0x0',
      'word0*',
      '"word0x0 word1x1"',
      '"word1x1 word0x0"',
      'word99',
    ])
      await findAlike('ana', q);
    assert.equal(await findAlike('ana', '"word0x0 word1x1"'), 1);
    for (const long of LONG)
      for (const q of [long, `${long}*`, `${long}c`, `"${long} milk"`]) await findAlike('ana', q);
  });

  /** Searches both engines page by page. Returns how many memories were found. */
  async function findAlike(
    account_id: string,
    q: string,
    {
      order = 'desc',
      is_processing,
    }: { order?: 'asc' | 'desc'; is_processing?: boolean | undefined } = {},
  ): Promise<number> {
    const range = { account_id, order, q, is_processing, projection: 'slim' } as const;
    const [file, server] = await Promise.all(stores.map((store) => findAll(store, range)));
    assert.deepEqual(server, file, JSON.stringify(q));
    return file?.length ?? 0;
  }
});

/** Reads all ids of a range, page by page. */
async function findAll(store: Store, range: ListRange): Promise<string[]> {
  const found: string[] = [];
  for (let place = range.after; ;) {
    const { items, rest } = await store.positions({ ...range, after: place });
    found.push(...items.map(({ id }) => id));
    if (rest === undefined) return found;
    place = rest;
  }
}

describe('The PostgreSQL query of a search', () => {
  it('has only words between its quotes, for any search', () => {
    const lexeme = String.raw`'_[\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{Regional_Indicator}]{1,400}'(?::\*)?`;
    const expected = new RegExp(`^${lexeme}(?: & ${lexeme})*$`, 'u');
    fc.assert(
      fc.property(fc.oneof(query, anything), (q) => {
        const sought = readSought(q);
        if (sought !== undefined) assert.match(sought.match, expected);
      }),
      { numRuns: 3000, seed: SEED },
    );
  });
});
