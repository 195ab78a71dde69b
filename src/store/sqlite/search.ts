// Search: the words of memories in the index, each behind the label of its account's week.

import type { Database } from 'better-sqlite3';

import type { Memory } from '../../contract/memory.ts';
import { behind, labelled } from '../labels.ts';
import { build, query, type Slot } from '../query.ts';
import type { Term } from '../words.ts';
import { hold } from './held.ts';

// A look-up reads what one account has of one week, so that neither its size nor another account's
// holds the event loop for long: recorded life comes at its own pace, a few hundred memories a week.
const WEEK_MS = 7 * 24 * 3600 * 1000;

/** The week that a time in milliseconds is in. */
export function weekOf(ms: number): number {
  return Math.floor(ms / WEEK_MS);
}

/** When a week begins, in milliseconds. */
export function startOfWeek(week: number): number {
  return week * WEEK_MS;
}

/** The words of a memory as the index takes them; the label alone stands between its texts, so that no phrase crosses. */
export function indexedWords(label: number, { name, summary, transcript }: Memory): string {
  return [name, summary.quick_summary, ...summary.key_takeaways, transcript]
    .map((text) => labelled(`${label}_`, text))
    .join(` ${label}_ `);
}

/** How many words of a term, and how many terms, are looked up before all of them are. */
const FEW = 8;

/**
 * What is looked up of a week, until something is not there: each term alone, the rarest first, as
 * far as one can tell, then a few together, then all. All the words of a hostile query take some
 * 10 ms a week, and hardly a week has even these.
 */
export function lookUps(terms: readonly Term[]): readonly (readonly Term[])[] {
  const alone = terms
    .toSorted((a, b) => Number(a.isPrefix) - Number(b.isPrefix) || lengthOf(b) - lengthOf(a))
    .map(({ words, isPrefix }) => ({
      words: words.slice(0, FEW),
      isPrefix: isPrefix && words.length <= FEW,
    }));
  const isPlain = terms.length === 1 && alone[0]?.words.length === terms[0]?.words.length;
  return isPlain ? [terms] : [...alone.map((term) => [term]), alone.slice(0, FEW), terms];
}

function lengthOf({ words }: Term): number {
  return words.join('').length;
}

/** The index's expression for terms that must all be found; words have no quotes in them. */
export function matchTerms(label: number, terms: readonly Term[]): string {
  return terms
    .map(({ words, isPrefix }) => `"${behind(`${label}_`, words)}"${isPrefix ? '*' : ''}`)
    .join(' AND ');
}

interface Week {
  readonly account_id: string;
  readonly week: number;
}

/** Finds the nearest week of an account that has had memories, from a week on. */
export const week = { desc: nearestWeek('desc'), asc: nearestWeek('asc') };

function nearestWeek(order: 'desc' | 'asc') {
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

/** Tells whether a week has what is asked for, without looking at its memories. */
export const matches = query((slot: Slot<{ match: string }>) =>
  build.selectFrom('search').select('rowid').where('search', 'match', slot('match')).limit(1),
);

const addWeek = query((slot: Slot<Week>) =>
  build
    .insertInto('search_weeks')
    .values({ account_id: slot('account_id'), week: slot('week') })
    .onConflict((conflict) => conflict.columns(['account_id', 'week']).doNothing()),
);

interface Words {
  readonly pk: number;
  readonly words: string;
}

const add = query((slot: Slot<Words>) =>
  build.insertInto('search').values({ rowid: slot('pk'), words: slot('words') }),
);

// The index keeps words, not texts: it forgets a memory by being told its words once more.
const remove = query((slot: Slot<Words>) =>
  build.insertInto('search').values({ search: 'delete', rowid: slot('pk'), words: slot('words') }),
);

/** The writes of the index on a connection; they belong into the transaction of their memory. */
export function searchWrites(db: Database) {
  const held = {
    week: hold(db, week.asc),
    addWeek: hold(db, addWeek),
    add: hold(db, add),
    remove: hold(db, remove),
  };

  function labelOf(account_id: string, memory: Memory): number {
    const place = { account_id, week: weekOf(Date.parse(memory.started_at)) };
    held.addWeek.run(place);
    return (held.week.get(place) as { label: number }).label;
  }

  return {
    /** Takes the words of a memory in. */
    add(account_id: string, pk: number, memory: Memory): void {
      held.add.run({ pk, words: indexedWords(labelOf(account_id, memory), memory) });
    },
    /** Forgets the words of a memory, given as it was when they were taken in. */
    remove(account_id: string, pk: number, memory: Memory): void {
      held.remove.run({ pk, words: indexedWords(labelOf(account_id, memory), memory) });
    },
  };
}
