// Positions: a place in a list, and the state of an account that a read is of. All reads share them.

/** A position in a list: `started_at` in milliseconds, then `id` in code units. */
export interface ListPosition {
  readonly started_at: number;
  readonly id: string;
}

/** Returns whether position `a` is earlier than `b`. */
export function isBefore(a: ListPosition, b: ListPosition): boolean {
  return a.started_at < b.started_at || (a.started_at === b.started_at && a.id < b.id);
}

/** Which state of an account to read. */
export interface RevisionQuery {
  /** Read the state with this `revision` or a later one. Default: the latest state. */
  readonly revision?: string | undefined;
}

/** Which state of an account was read. */
export interface RevisionResult {
  /** The `revision` of exactly the state that was read. Absent if the store has `readTransaction`. */
  readonly revision?: string | undefined;
}

/** Returns whether a second index has all of a range, by which its positions are checked. None has what passes other filters. */
export function isChecked({ q, is_processing, facets }: Filtered): boolean {
  return q === undefined && is_processing === undefined && facets === undefined;
}

interface Filtered {
  readonly q?: string | undefined;
  readonly is_processing?: boolean | undefined;
  readonly facets?: object | undefined;
}
