// What the search index holds, compared with the words of all memories by sums, in constant memory.

import type { Database } from 'better-sqlite3';

import type { Memory } from '../../contract/memory.ts';
import { named, REBUILD } from '../finding.ts';
import { memoryOf } from '../kept.ts';
import { readSql } from '../migrations.ts';
import { build, query, type Slot } from '../query.ts';
import { hold } from './held.ts';
import { eachRow, type KeptRow } from './kept.ts';
import { indexedWords, week, weekOf } from './search.ts';

const terms = query((_: Slot<object>) =>
  build.selectFrom('search_terms').select(['term', 'docs', 'offsets']),
);

const instances = query((_: Slot<object>) =>
  build.selectFrom('search_words').select(['term', 'doc', 'offset']),
);

/** So many memories are looked for at a time, when something is wrong: each time reads the whole index. */
const MANY = 500_000;

/** Compares the index of a connection, which must be in a transaction, with the memories it is told. */
export function openIndex(db: Database) {
  const weeks = hold(db, week.asc);
  let sum = 0;

  /** The words of a memory as the index takes them; none where its week has no label. */
  function wordsOf({ account_id }: KeptRow, memory: Memory): string[] {
    const place = { account_id, week: weekOf(Date.parse(memory.started_at)) };
    const found = weeks.get(place);
    if (found?.week !== place.week) return [];
    return indexedWords(found.label, memory).split(' ').filter(Boolean);
  }

  function sumOf(row: KeptRow, memory: Memory): number {
    let whole = 0;
    for (const [offset, word] of wordsOf(row, memory).entries())
      whole = (whole + weigh(word, row.pk, offset)) | 0;
    return whole;
  }

  return {
    /** Takes in that the index must have the words of this memory. */
    add(row: KeptRow, memory: Memory): void {
      sum = (sum + sumOf(row, memory)) | 0;
    },

    /** Finds what the index lacks, and what it has beside what was told. */
    *faults(): Generator<string> {
      db.exec(readSql('sqlite', 'temporary/search-terms.sql'));
      let there = 0;
      for (const { term, docs, offsets } of hold(db, terms).iterate({}))
        there = (there + weigh(term, docs, offsets)) | 0;
      if (there === sum) return;
      let isExplained = false;
      for (const fault of byMemory()) {
        isExplained = true;
        if (fault !== undefined) yield fault;
      }
      if (!isExplained) yield `The search index is not that of the memories; ${REBUILD}.`;
    },
  };

  /** Compares memory by memory, many at a time; undefined for one that was told of before. */
  function* byMemory(): Generator<string | undefined> {
    let low = -Infinity;
    let rows: [number, string | undefined, number][] = [];
    for (const row of eachRow(db)) {
      const memory = 'lost' in row ? undefined : memoryOf(row);
      const isKnown = memory !== undefined && !('lost' in row);
      rows.push([row.pk, isKnown ? named(row) : undefined, isKnown ? sumOf(row, memory) : 0]);
      if (!isKnown) yield undefined;
      if (rows.length < MANY) continue;
      yield* compare(rows, low, row.pk);
      low = row.pk;
      rows = [];
    }
    yield* compare(rows, low, Infinity);
  }

  function* compare(
    rows: readonly [number, string | undefined, number][],
    low: number,
    high: number,
  ): Generator<string> {
    const left = new Map<number, number>();
    for (const { term, doc, offset } of hold(db, instances).iterate({})) {
      if (doc > low && doc <= high && (left.size < 2 * MANY || left.has(doc)))
        left.set(doc, ((left.get(doc) ?? 0) + weigh(term, doc, offset)) | 0);
    }
    for (const [pk, name, must] of rows) {
      const has = left.get(pk) ?? 0;
      left.delete(pk);
      if (name !== undefined && has !== must)
        yield `${name} is in the search index by other words than its own; ${REBUILD}.`;
    }
    for (const pk of left.keys())
      yield `The search index has words of number ${pk}, which no memory has; ${REBUILD}.`;
  }
}

/**
 * Weighs a word at a place. The weights of one word at many places are together that of the word at
 * the sums of these places, so that the index need not be read place by place: six times faster.
 */
function weigh(word: string, doc: number, offset: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  // Odd factors lose no bit of what they multiply. As integers of 32 bits, whatever the sums are.
  const place = (Math.imul(doc, 0x9e3779b1) + Math.imul(offset, 0x85ebca6b)) | 0;
  return Math.imul(hash | 1, place);
}
