// Completeness: a list has all memories between its places, or else a page of its index is damaged.

import type { Database } from 'better-sqlite3';

import { boundsOf, valuesOf } from '../bounds.ts';
import { tally } from '../lists.ts';
import type { Batch, Position, Range } from '../store.ts';
import { hold } from './held.ts';

/**
 * Makes the function that tells whether a batch has all that another index has of its range; the two
 * must be read in one state of the file. A page that says it has no entries is none to SQLite: a
 * list would end there, or be empty. Measured: 6 µs, and 0.1 for each memory.
 */
export function completeness(db: Database) {
  const held = hold(db, tally);
  return (range: Range, { items, rest }: Batch<Position>): boolean => {
    const { account_id, order, is_processing, q } = range;
    // No second index has these; to walk one of all states for those of one may take any time.
    if (q !== undefined || is_processing !== undefined) return true;
    const { low, high } = boundsOf(range);
    const bounds = order === 'desc' ? { low: rest ?? low, high } : { low, high: rest ?? high };
    const values = { ...valuesOf(bounds), limit: -1, is_processing: 0, match: '' };
    const between = items.length - (rest === undefined ? 0 : 1);
    return held.get({ account_id, ...values })?.n === between;
  };
}
