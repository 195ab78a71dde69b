// Cuts: what is to be put, in parts that one statement takes.

import type { Ready } from '../ready.ts';

/** So many rows are written by one statement, which may have 65,535 values. */
const ROWS = 500;

/** Cuts what is to be put so that no statement has one memory twice, nor too many. */
export function* runs(all: readonly Ready[]): Generator<readonly Ready[]> {
  let some = new Map<string, Ready>();
  for (const each of all) {
    if (some.size === ROWS || some.has(nameOf(each))) {
      yield [...some.values()];
      some = new Map();
    }
    some.set(nameOf(each), each);
  }
  if (some.size > 0) yield [...some.values()];
}

/** Cuts where new memories and others take turns: of one statement the feed has all others first, and it is to have them in order. */
export function* turns(
  all: readonly Ready[],
  isThere: (each: Ready) => boolean,
): Generator<readonly Ready[]> {
  let from = 0;
  for (const [i, each] of all.entries()) {
    const next = all[i + 1];
    if (next !== undefined && isThere(next) === isThere(each)) continue;
    yield all.slice(from, i + 1);
    from = i + 1;
  }
}

/** What tells a memory from all others: no id has a space. */
export function nameOf({ row: { account_id, id } }: Ready): string {
  return `${account_id} ${id}`;
}
