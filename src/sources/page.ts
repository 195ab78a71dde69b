// A page of a source, as it is requested and as it is handed on to be written.

import { serverTime } from '../lib/retry.ts';
import { checked, type LoadedItems } from './items.ts';
import { sendToProduct, type ProductTarget } from './product-request.ts';
import type { ProductPage, SourcePosition } from './source.ts';
import type { SourceState } from './state.ts';

/** The part of a source to read. Times are milliseconds since 1970. */
export interface PullOptions {
  readonly state: SourceState;
  /** Items of this time or later. Default: new and changed items. */
  readonly since?: number | undefined;
  /** Items before this time only. The position stays where it was. */
  readonly until?: number | undefined;
  /** Whether to read everything again, and to find out what was deleted. */
  readonly isFull: boolean;
}

/** A page that was read whole. */
export interface PulledPage extends LoadedItems {
  /** The ids of items that were deleted at the source. */
  readonly deleted: readonly string[];
  /** The versions of recent items. Remove the versions of rejected items before you store the state. */
  readonly seen: Map<string, string>;
  /** The state to store when the page is written, without `seen`. */
  readonly state: SourceState;
  /** How far back a list is read, newest first, in milliseconds since 1970. */
  readonly backTo?: number | undefined;
  /** With the last page of a complete list or feed: the ids of all items that exist. */
  readonly complete?: ReadonlySet<string>;
}

/** Requests a page. `time` is the time of the response. Throws `SourceFailure`. */
export async function readPage(
  target: ProductTarget,
  position: Partial<SourcePosition>,
): Promise<{ page: ProductPage; time: number }> {
  const at: SourcePosition = { cursor: undefined, since: undefined, until: undefined, ...position };
  const reply = await sendToProduct(target, target.source.list(at));
  return {
    page: checked(target, () => target.source.readPage(reply, at)),
    // A clock that is behind repeats some items, but one that is ahead would hide some.
    time: Math.min(serverTime(reply.headers) ?? Infinity, Date.now()),
  };
}
