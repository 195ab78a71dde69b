// The visits to the screen of changes: which change was seen last, now and at the visit before. Pure functions.

/** What the browser remembers of the visits. Times of changes are by the gateway's clock. */
export interface Visit {
  /** The time of the latest change that the visit before has seen. Absent on the first visit. */
  readonly before: string | undefined;
  /** The time of the latest change that has been seen. */
  readonly seen: string;
  /** When that was, by the browser's clock in milliseconds. */
  readonly at: number;
}

/** What was seen while the reader's own changes are made: all of them, whatever their times will be. */
export const ALL_SEEN = '9999-1';

/** A screen that is opened again within this time belongs to the same visit, so a reload shows the same. */
const PAUSE_MS = 30 * 60_000;

/** Returns the visit after the screen has been looked at. */
export function nextVisit(old: Visit | undefined, seen: string, at: number): Visit {
  if (old === undefined) return { before: undefined, seen, at };
  const isNew = old.seen !== ALL_SEEN && Math.abs(at - old.at) > PAUSE_MS;
  return { before: isNew ? old.seen : old.before, seen, at };
}

/** Writes a visit as a text: three times and nothing else. */
export function writeVisit({ before, seen, at }: Visit): string {
  return [before ?? '-', seen, at].join(' ');
}

/** Reads what `writeVisit` has written. Returns undefined for anything else. */
export function readVisit(text = ''): Visit | undefined {
  const [, before = '', seen = '', at] = /^(-|\d{4}-\S+) (\d{4}-\S+) (\d+)$/.exec(text) ?? [];
  return seen === ''
    ? undefined
    : { before: before === '-' ? undefined : before, seen, at: Number(at) };
}
