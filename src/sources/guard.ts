// Ends a list or a feed whose pages would never end.

import { SourceFailure } from './failure.ts';
import type { ProductTarget } from './product-request.ts';

/** Far more than any product needs, such as one with a page for each day. */
const MOST_IDLE_PAGES = 1000;

/**
 * Creates the guard of a list or a feed. It is called after each page, with the next position and with how many
 * items the pages had so far. It throws `SourceFailure` if the pages would never end.
 */
export function createGuard({ source }: ProductTarget): (next: string, known: number) => void {
  const positions = new Set<string>();
  let before = 0;
  let idle = 0;
  return (next, known) => {
    idle = known === before ? idle + 1 : 0;
    before = known;
    const problem = positions.has(next)
      ? 'gives the same page again and again'
      : idle >= MOST_IDLE_PAGES && 'gives page after page without anything new';
    if (problem !== false)
      throw new SourceFailure('response', `${source.name} ${problem}; run it again later.`);
    positions.add(next);
  };
}
