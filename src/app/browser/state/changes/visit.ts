// The visits to the screen of changes: which changes were seen, now and at the visit before. Pure functions.

/** What the browser remembers of the visits. Times of changes are by the gateway's clock. */
export interface Visit {
  /** The time of the latest change that the visit before has seen. Absent on the first visit. */
  readonly before: string | undefined;
  /**
   * Times in order, by turns: up to the first one changes have been seen, up to the second they are new, up to the third
   * they are seen again because the reader has made them, and so on. Their number is odd.
   */
  readonly seen: readonly string[];
  /** When that was, by the browser's clock in milliseconds. */
  readonly at: number;
}

/** The end of a reader's own changes while they are made, whatever their times will be. */
const OPEN = '9999-1';

/** A screen that is opened again within this time belongs to the same visit, so a reload shows the same. */
const PAUSE_MS = 30 * 60_000;

/** Whether a change at a time is news. */
export function isNews(seen: Visit['seen'], time: string): boolean {
  return seen.filter((each) => each < time).length % 2 > 0;
}

/** Whether changes of the reader's own are being made. */
export function isOpen({ seen }: Visit): boolean {
  return seen.at(-1) === OPEN;
}

/** Returns the visit from which on changes are the reader's own, after the latest one that is known, or after earlier ones that are not ended. */
export function beginOwn(old: Visit, latest: string): Visit {
  if (isOpen(old)) return old;
  const isNew = isNews(old.seen, latest);
  return { ...old, seen: [...(isNew ? [...old.seen, latest] : old.seen.slice(0, -1)), OPEN] };
}

/** Returns the visit after the reader's own changes, the last of which is the latest one. */
export function endOwn(old: Visit, latest: string): Visit {
  return { ...old, seen: [...old.seen.slice(0, -1), latest] };
}

/** Returns the visit after the screen has been looked at, with all changes up to a time. */
export function nextVisit(old: Visit | undefined, time: string, at: number): Visit {
  const later = old?.seen.filter((each) => each > time) ?? [];
  const seen = later.length % 2 > 0 ? later : [time, ...later];
  const isNew = old && !isOpen(old) && Math.abs(at - old.at) > PAUSE_MS;
  return { before: isNew ? old.seen[0] : old?.before, seen, at };
}

/** Writes a visit as a text: times and nothing else. */
export function writeVisit({ before, seen, at }: Visit): string {
  return [before ?? '-', seen, at].join(' ');
}

/** Reads what `writeVisit` has written. Returns undefined for anything else. */
export function readVisit(text = ''): Visit | undefined {
  const [, before, seen, at] = /^(?:-|(\d{4}-\S+)) (\d{4}-\S+) (\d+)$/.exec(text) ?? [];
  return seen ? { before, seen: seen.split(','), at: Number(at) } : undefined;
}
