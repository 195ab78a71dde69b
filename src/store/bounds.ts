// Bounds: the places a list lies between, and whether what comes lies there in order.

import { isBefore } from './position.ts';
import type { Position, Range } from './store.ts';

// Before and after any date JavaScript knows, so that "from the start" is a place like every other.
const END_OF_TIME = 9e15;

/** The places a list lies between, both left out. */
export interface Bounds {
  readonly low: Position;
  readonly high: Position;
}

/** The places that a range lies between. */
export function boundsOf({ order, after, started_after, started_before }: Range): Bounds {
  const low = { started_at: started_after ?? -END_OF_TIME, id: '' };
  const high = { started_at: started_before ?? END_OF_TIME, id: '' };
  if (after === undefined) return { low, high };
  return order === 'desc' ? { low, high: earlier(high, after) } : { low: later(low, after), high };
}

/** Bounds as a statement takes them. */
export function valuesOf({ low, high }: Bounds) {
  return { low_at: low.started_at, low_id: low.id, high_at: high.started_at, high_id: high.id };
}

/** Makes the function that tells whether a place lies between bounds, and behind those it was told before. */
export function inOrder({ low, high }: Bounds, order: Range['order']) {
  return (place: Position): boolean => {
    if (!isBefore(low, place) || !isBefore(place, high)) return false;
    if (order === 'desc') high = place;
    else low = place;
    return true;
  };
}

/** The earlier of two places. */
export function earlier(a: Position, b: Position): Position {
  return isBefore(a, b) ? a : b;
}

/** The later of two places. */
export function later(a: Position, b: Position): Position {
  return isBefore(a, b) ? b : a;
}
