// Compares the search index with the words of all memories, by checksums and in constant memory.

import type { Database } from 'better-sqlite3';

import type { Memory } from '../../../contract/schemas/memory.ts';
import { memoryName, REBUILD } from '../../check/findings.ts';
import { memoryOf } from '../../check/memories.ts';
import { weekOf } from '../../search/weeks.ts';
import { readSql } from '../../sql/migrations.ts';
import { selectRows } from '../../sql/row-queries.ts';
import { indexTermsOf, nearestWeek } from '../search/search.ts';
import { prepareOn } from '../statements.ts';
import { scanMemories, type StoredRow } from './scan.ts';

const terms = selectRows('search_terms', { columns: ['term', 'docs', 'offsets'] });

const instances = selectRows('search_words', { columns: ['term', 'doc', 'offset'] });

/** How many memories are compared at a time if the index is wrong. Each time reads the whole index. */
const MANY = 500_000;

/** Returns functions that compare the index with the memories given to `add`. The connection must be in a transaction. */
export function compareSearchIndex(db: Database) {
  const weeks = prepareOn(db, nearestWeek.asc);
  let sum = 0;

  /** Returns the checksum of the terms that a memory has in the index; 0 if its shard does not exist. */
  function sumOf({ account_id, pk }: StoredRow, memory: Memory): number {
    const shard = { account_id, week: weekOf(Date.parse(memory.started_at)) };
    const found = weeks.get(shard);
    return found?.week === shard.week ? weighAll(indexTermsOf(found.label, memory), pk) : 0;
  }

  return {
    /** Adds a memory whose words the index must have. */
    add(row: StoredRow, memory: Memory): void {
      sum = (sum + sumOf(row, memory)) | 0;
    },

    /** Finds what the index lacks, and what it should not have. */
    *faults(): Generator<string> {
      db.exec(readSql('sqlite', 'temporary/search-terms.sql'));
      let there = 0;
      for (const { term, docs, offsets } of prepareOn(db, terms).iterate({}))
        there = (there + weigh(hashOf(term), docs, offsets)) | 0;
      if (there === sum) return;
      let isExplained = false;
      for (const fault of byMemory()) {
        isExplained = true;
        if (fault !== undefined) yield fault;
      }
      if (!isExplained) yield `The search index is not that of the memories; ${REBUILD}.`;
    },
  };

  /** Compares memory by memory, many at a time. Yields undefined for memories that were reported before. */
  function* byMemory(): Generator<string | undefined> {
    let low = -Infinity;
    let rows: [number, string | undefined, number][] = [];
    for (const row of scanMemories(db)) {
      const memory = 'lost' in row ? undefined : memoryOf(row);
      const isKnown = memory !== undefined && !('lost' in row);
      rows.push([row.pk, isKnown ? memoryName(row) : undefined, isKnown ? sumOf(row, memory) : 0]);
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
    for (const { term, doc, offset } of prepareOn(db, instances).iterate({})) {
      if (doc > low && doc <= high && (left.size < 2 * MANY || left.has(doc)))
        left.set(doc, ((left.get(doc) ?? 0) + weigh(hashOf(term), doc, offset)) | 0);
    }
    for (const [pk, name, must] of rows) {
      const has = left.get(pk) ?? 0;
      left.delete(pk);
      if (name !== undefined && has !== must)
        yield `${name} has other words in the search index than in its text; ${REBUILD}.`;
    }
    for (const pk of left.keys())
      yield `The search index has words of number ${pk}, which no memory has; ${REBUILD}.`;
  }
}

const SPACE = 0x20;

/** Returns the checksum of all terms of a memory. They are read from their bytes, because there may be millions. */
function weighAll(bytes: Buffer, doc: number): number {
  let sum = 0;
  let offset = 0;
  for (let start = 0; start < bytes.length;) {
    let end = start;
    let hash = HASH_START;
    let isAscii = true;
    for (let byte; end < bytes.length && (byte = bytes[end] as number) !== SPACE; end++) {
      hash = hashNext(hash, byte);
      isAscii &&= byte < 0x80;
    }
    if (!isAscii) hash = hashOf(bytes.toString('utf8', start, end));
    if (end > start) sum = (sum + weigh(hash, doc, offset++)) | 0;
    start = end + 1;
  }
  return sum;
}

const HASH_START = 0x811c9dc5;

function hashOf(word: string): number {
  let hash = HASH_START;
  for (let i = 0; i < word.length; i++) hash = hashNext(hash, word.charCodeAt(i));
  return hash;
}

function hashNext(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/**
 * Returns the checksum of a word, given by its hash, at a position. The checksums of a word at many
 * positions add up to that of the word at the sum of the positions. So the index can be read term by
 * term: six times faster.
 */
function weigh(hash: number, doc: number, offset: number): number {
  // Odd factors lose no bits. All arithmetic is on 32-bit integers.
  const place = (Math.imul(doc, 0x9e3779b1) + Math.imul(offset, 0x85ebca6b)) | 0;
  return Math.imul(hash | 1, place);
}
