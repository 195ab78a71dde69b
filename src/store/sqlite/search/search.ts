// The search index: one shard for each account and week, whose number is a prefix of its terms.

import type { Database } from 'better-sqlite3';

import type { Memory } from '../../../contract/schemas/memory.ts';
import type { QueryTerm } from '../../../text/search-query.ts';
import { indexTerms, prefixTerms, searchedTexts } from '../../search/index-terms.ts';
import { weekOf } from '../../search/weeks.ts';
import { build, query, type Slot } from '../../sql/query.ts';
import { prepareOn } from '../statements.ts';

/** Returns the terms of a memory for the index. A bare prefix separates its texts, so that no phrase spans two of them. */
export function indexTermsOf(label: number, memory: Memory): Buffer<ArrayBuffer> {
  return indexTerms(`${label}_`, searchedTexts(memory));
}

/** How many words of a term, and how many terms, are tried before the whole query is. */
const FEW = 8;

/**
 * Returns the steps by which a shard is searched, until one finds nothing: each term alone,
 * probably rare ones first, then a few terms together, then all. A whole hostile query takes about 10 ms
 * in a shard, and few shards get that far.
 */
export function searchSteps(terms: readonly QueryTerm[]): readonly (readonly QueryTerm[])[] {
  const alone = terms
    .toSorted((a, b) => Number(a.isPrefix) - Number(b.isPrefix) || lengthOf(b) - lengthOf(a))
    .map(({ words, isPrefix }) => ({
      words: words.slice(0, FEW),
      isPrefix: isPrefix && words.length <= FEW,
    }));
  const isPlain = terms.length === 1 && alone[0]?.words.length === terms[0]?.words.length;
  return isPlain ? [terms] : [...alone.map((term) => [term]), alone.slice(0, FEW), terms];
}

function lengthOf({ words }: QueryTerm): number {
  return words.join('').length;
}

/** Returns the FTS5 expression for terms that must all match. Words contain no quotes. */
export function matchExpression(label: number, terms: readonly QueryTerm[]): string {
  return terms
    .map(({ words, isPrefix }) => `"${prefixTerms(`${label}_`, words)}"${isPrefix ? '*' : ''}`)
    .join(' AND ');
}

interface Week {
  readonly account_id: string;
  readonly week: number;
}

/** Finds the nearest shard of an account, from a week on. */
export const nearestWeek = { desc: nearestWeekQuery('desc'), asc: nearestWeekQuery('asc') };

function nearestWeekQuery(order: 'desc' | 'asc') {
  return query((slot: Slot<Week>) =>
    build
      .selectFrom('search_weeks')
      .select(['label', 'week'])
      .where('account_id', '=', slot('account_id'))
      .where('week', order === 'desc' ? '<=' : '>=', slot('week'))
      .orderBy('week', order)
      .limit(1),
  );
}

/** Finds whether any memory matches an expression, without reading memories. */
export const anyMatch = query((slot: Slot<{ match: string }>) =>
  build.selectFrom('search').select('rowid').where('search', 'match', slot('match')).limit(1),
);

const addWeek = query((slot: Slot<Week>) =>
  build
    .insertInto('search_weeks')
    .values({ account_id: slot('account_id'), week: slot('week') })
    .onConflict((conflict) => conflict.columns(['account_id', 'week']).doNothing()),
);

interface Row {
  readonly pk: number;
}

/** The words of the memory that is being written: `searchWrites` defines this function. */
const WORDS = 'words_to_index';

const add = query((slot: Slot<Row>) =>
  build.insertInto('search').values((eb) => ({
    rowid: slot('pk'),
    words: eb.cast<string>(eb.fn(WORDS, []), 'text'),
  })),
);

// The index stores no texts, so it must be given the words of a memory again to remove them.
const remove = query((slot: Slot<Row>) =>
  build.insertInto('search').values((eb) => ({
    search: 'delete' as const,
    rowid: slot('pk'),
    words: eb.cast<string>(eb.fn(WORDS, []), 'text'),
  })),
);

/** Creates the writes of the index on a connection. Call them in the transaction that writes the memory. */
export function searchWrites(db: Database) {
  let terms: Buffer | undefined;
  // SQLite copies a bound value once more to end it with a NUL. The words of 33 MB of text have 43 MB.
  db.function(WORDS, () => {
    if (terms === undefined) throw new Error('another writer of this connection has replaced it');
    return terms;
  });
  const held = {
    week: prepareOn(db, nearestWeek.asc),
    addWeek: prepareOn(db, addWeek),
    add: prepareOn(db, add),
    remove: prepareOn(db, remove),
  };

  function labelOf(account_id: string, memory: Memory): number {
    const shard = { account_id, week: weekOf(Date.parse(memory.started_at)) };
    const found = held.week.get(shard);
    if (found?.week === shard.week) return found.label;
    held.addWeek.run(shard);
    return (held.week.get(shard) as { label: number }).label;
  }

  function run(statement: typeof held.add, { account_id, pk, memory }: IndexedMemory): void {
    terms = indexTermsOf(labelOf(account_id, memory), memory);
    statement.run({ pk });
    terms = undefined;
  }

  return {
    /** Adds the words of a memory. */
    add: (memory: IndexedMemory): void => run(held.add, memory),
    /** Removes the words of a memory, given with the text that was added. */
    remove: (memory: IndexedMemory): void => run(held.remove, memory),
  };
}

/** A memory with the number of its row. */
interface IndexedMemory {
  readonly account_id: string;
  readonly pk: number;
  readonly memory: Memory;
}
