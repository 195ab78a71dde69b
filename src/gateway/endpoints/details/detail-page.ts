// What the lists of people and action items share: their pages.

import type { Json } from '../../../contract/json.ts';

/** A page, and the position after which the next one starts. */
export interface DetailsPage<T, Position> {
  readonly body: Json<T[]>;
  readonly last: Position | undefined;
  readonly revision: string | undefined;
}

/** Returns the first of what follows, and the last of them if there are more. */
export function cutPage<T>(all: readonly T[], limit: number) {
  const page = all.slice(0, limit);
  return { page, end: all.length > page.length ? page.at(-1) : undefined };
}
