// Positions in a list: by time, and within the same millisecond by id.

/** A place in the list: `started_at` in milliseconds, then `id`, in code units. */
export interface Position {
  readonly started_at: number;
  readonly id: string;
}

/** Tells whether a place is the earlier one. */
export function isBefore(a: Position, b: Position): boolean {
  return a.started_at < b.started_at || (a.started_at === b.started_at && a.id < b.id);
}
