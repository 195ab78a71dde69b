// A feed through a window: changes of memories that start in it, taken from a stretch of the whole feed.

/** How many changes of the whole feed are looked at in one read. */
export const STRETCH = 1000;

/** A change of the whole feed. Null: its memory is outside the window, or deleted. */
interface Seen {
  readonly is_inside: number | null;
}

/** What a window shows of a stretch. */
export interface ShownChanges<Row> {
  readonly changes: readonly Row[];
  /** The last change that was looked at, where the next read continues. Undefined if there was none. */
  readonly last: Row | undefined;
  /** Whether the feed may have more changes behind it. */
  readonly hasMore: boolean;
}

/** Takes up to `limit` changes from a stretch that was read with the limit `STRETCH`. */
export function throughWindow<Row extends Seen>(
  stretch: readonly Row[],
  limit: number,
): ShownChanges<Row> {
  const changes = stretch.filter(({ is_inside }) => is_inside !== null).slice(0, limit);
  if (changes.length < limit)
    return { changes, last: stretch.at(-1), hasMore: stretch.length === STRETCH };
  const last = changes.at(-1);
  return { changes, last, hasMore: last !== stretch.at(-1) || stretch.length === STRETCH };
}
