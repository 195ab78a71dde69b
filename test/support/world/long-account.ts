// An account with memories of eight years, and expensive queries to search it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import { createDatabase, openWriter } from '../../../src/store/sqlite/writer.ts';
import { counting, type Counting } from '../engines/counting-store.ts';
import { send } from '../wire/wire.ts';
import { issued, newFolder } from './artifacts.ts';
import { createServerOn } from './server-in-process.ts';
import { memory } from './world.ts';

const YEARS_MS = 8 * 365.25 * 24 * 3_600_000;
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz0123456789');
const PAIRS = LETTERS.flatMap((a) => LETTERS.map((b) => a + b));
const SYLLABLES = 'ba ko ri me tu sa no vi le da'.split(' ');

/** Returns one of a thousand words. */
export function word(i: number): string {
  return Array.from(String(i % 1000).padStart(3, '0'), (digit) => SYLLABLES[Number(digit)]).join(
    '',
  );
}

/** Returns the words of a memory of the long account. */
export function wordsOf(i: number): string[] {
  return Array.from({ length: 30 }, (_, j) => word(i * 31 + j * j * 7));
}

/** Queries as expensive as 1,024 characters can be, by their content. */
export const EXPENSIVE_QUERIES: Readonly<Record<string, string>> = {
  'prefixes of one letter and of two': [...LETTERS, ...PAIRS].map((each) => `${each}*`).join(' '),
  'prefixes that match every memory': SYLLABLES.flatMap((a) =>
    SYLLABLES.map((b) => `${a}${b}*`),
  ).join(' '),
  'a phrase of one word 512 times': `"${'a '.repeat(512)}"`,
  'a phrase of existing words': `"${Array.from({ length: 140 }, (_, i) => word(i)).join(' ')}"`,
  'phrases of a word': Array.from({ length: 60 }, (_, i) => `"${'a '.repeat(i + 1)}"`).join(' '),
  'existing words that never occur together': Array.from({ length: 140 }, (_, i) =>
    word(i * 7),
  ).join(' '),
  '340 unknown words': PAIRS.map((each) => each.replace(/[a-z]/, 'q'))
    .slice(0, 340)
    .join(' '),
  'quotes alone': '"'.repeat(1024),
  'quotes and a word': `${'"'.repeat(1023)}a`,
  'quoted words': '"a"'.repeat(341),
  stars: '*'.repeat(1024),
  brackets: '('.repeat(1023) + 'a',
  operators: 'a AND NOT NEAR OR '.repeat(56),
  'the longest word': 'z'.repeat(1024),
  'the longest prefix': `${'z'.repeat(1023)}*`,
  'characters of a script without spaces': '東'.repeat(800),
  'combining marks on a letter': `a${'\u0301'.repeat(1000)}`,
  emoji: '🎉'.repeat(600),
};

const made = new Map<number, { readonly database: string; readonly key: string }>();

/** Creates the database of a long and a small account, once per number of memories. */
function longAccount(count: number) {
  const known = made.get(count);
  if (known) return known;
  const database = join(newFolder(), 'memories.db');
  createDatabase(database);
  const writer = openWriter(database);
  const [key = ''] = ['ana', 'bo'].map((id) => {
    writer.accounts.create({ id, name: id, created_by: 'command line' });
    return issued(writer.keys.create({ account_id: id, label: 'test', expires_at: null }).key);
  });
  const step = YEARS_MS / count;
  const all = Array.from({ length: count }, (_, i) => {
    const started_at = new Date(Date.UTC(2018, 0, 1) + Math.floor(i * step)).toISOString();
    const transcript = `${i === 3 ? 'needle ' : ''}a a a a a a a a a a ${wordsOf(i).join(' ')}`;
    return memory({ id: `m${i}`, started_at, ended_at: '2026-12-31T00:00:00.000Z', transcript });
  });
  writer.memories.putAll('ana', all);
  writer.memories.put('bo', memory({ id: 'bos' }));
  writer.close();
  made.set(count, { database, key });
  return { database, key };
}

/** Serves a long account. */
export async function serveLongOn(t: TestContext, count: number, between: Pick<Counting, 'wrap'>) {
  const { database, key } = longAccount(count);
  return { ...(await createServerOn(t, database, between)), key };
}

/** Serves a long account. When a search has begun, another client sends a request. */
export async function serveLong(t: TestContext, count: number) {
  const asked = { answeredAt: Infinity, other: undefined as Promise<void> | undefined };
  const counted = counting((batch) => {
    if (batch === 1) asked.other = askOther();
  });
  const { port, key } = await serveLongOn(t, count, counted);
  async function askOther(): Promise<void> {
    assert.equal((await send(port, { path: '/healthz' })).status, 200);
    asked.answeredAt = counted.batches;
  }
  /** The number of batches, and the number before the other client had its response. */
  async function turns() {
    const { batches } = counted;
    await asked.other;
    return { batches, answeredAt: asked.answeredAt };
  }
  return { port, key, turns };
}
