// A first pull that is interrupted again and again, and what each run leaves for the next one.

import type { JsonObject } from '../../../src/formats/format.ts';
import { SourceFailure } from '../../../src/sources/failure.ts';
import type { PulledItem } from '../../../src/sources/items.ts';
import { idIn } from '../../../src/sources/page-fields.ts';
import type { PulledPage } from '../../../src/sources/page.ts';
import { pullPages } from '../../../src/sources/pages.ts';
import type { ProductTarget } from '../../../src/sources/product-request.ts';
import type { Source } from '../../../src/sources/source.ts';
import { readState, type SourceState } from '../../../src/sources/state.ts';
import type { Answer, FakeProduct } from './fake-product.ts';

/** The answer that a product gives for an hour. */
export const WAIT_AN_HOUR: Answer = { status: 429, headers: { 'retry-after': '3600' } };

/** Runs of a source, each of which goes on where the one before was interrupted. */
export interface InterruptedRuns {
  readonly target: ProductTarget;
  readonly product: FakeProduct;
  /** After how many requests a run gets no more answers. Its number counts from 0. */
  readonly requests: (run: number) => number;
  /** More runs than it should take. */
  readonly most: number;
}

/** Pulls until a run is not interrupted. Returns the ids that the pages had, and how many runs it took. */
export async function pullInterrupted({ target, product, requests, most }: InterruptedRuns) {
  const ids: string[] = [];
  let state: SourceState = {};
  for (let run = 0; run < most; run++) {
    const last = product.requests.length + requests(run);
    for (let each = last + 1; each <= last + 10; each++) product.faults.set(each, WAIT_AN_HOUR);
    try {
      for await (const page of pullPages(target, { state, isFull: false })) {
        ids.push(...page.items.flatMap((item) => recordingsIn(target.source, item)));
        state = stored(page);
      }
      return { ids, runs: run + 1, state };
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
    }
    product.faults.clear();
  }
  throw new Error(`Not done after ${most} runs, with ${new Set(ids).size} items`);
}

/** The ids of the recordings in an item, which can be a file of several. */
function recordingsIn(
  { isGrouped = false, idOf = idIn }: Source,
  { id, text }: PulledItem,
): string[] {
  if (!isGrouped) return [id];
  const pieces = JSON.parse(text) as JsonObject[];
  return pieces.map((piece) => idOf(piece).replace(/^.*-/, ''));
}

/** The state after a page, as the next run reads it. */
export function stored({ state, seen }: PulledPage): SourceState {
  return readState(JSON.stringify({ ...state, seen: Object.fromEntries(seen) }));
}
