// Reads the passages of a search page by page, as far as a response needs them.

import { BYTES_PER_TOKEN } from '../../contract/schemas/parameters.ts';
import type { Passage, SearchResult } from '../../contract/schemas/passages.ts';
import type { CallContext } from '../tool.ts';

/** The parameters of a search, without those of its pages. */
export interface Search {
  readonly q: string;
  readonly memory_id?: string | undefined;
  readonly started_after?: string | undefined;
  readonly started_before?: string | undefined;
}

/** Which passages of a search are read. */
interface Wanted {
  /** How many of the wanted ones precede those to return. */
  readonly skip?: number;
  /** How many to return at most. */
  readonly most: number;
  /** The budget of the response. Passages of about this size are enough. */
  readonly max_tokens: number;
  /** Returns whether a passage counts. Default: all do. */
  readonly isWanted?: ((passage: Passage) => boolean) | undefined;
}

/** The passages that were read. */
interface Read {
  /** The first response, for its counts and hints. */
  readonly first: SearchResult;
  readonly passages: readonly Passage[];
  readonly hasMore: boolean;
  /** Whether all passages of the search were read. */
  readonly isWhole: boolean;
}

/** The most passages that the API returns at a time, and the largest budget that it takes. */
const PAGE = 100;
const MAX_API_TOKENS = 20_000;

/** How many pages are read, beyond those to skip, when few of their passages are wanted. */
const MAX_PAGES = 5;

/** Reads passages, best first. */
export async function readPassages(
  { api, signal }: CallContext,
  search: Search,
  { skip = 0, most, max_tokens, isWanted = () => true }: Wanted,
): Promise<Read> {
  // The API counts its JSON, which takes up to twice the bytes of its passages.
  const max = Math.min(2 * max_tokens, MAX_API_TOKENS);
  let page = await api.search.page({ ...search, limit: PAGE, max_tokens: max }, { signal });
  const first = page.items;
  const passages: Passage[] = [];
  let [skipped, bytes, pages] = [0, 0, 0];
  for (;;) {
    for (const passage of page.items.passages.filter(isWanted)) {
      if (skipped++ < skip) continue;
      passages.push(passage);
      bytes += Buffer.byteLength(passage.text);
    }
    if (skipped >= skip) pages++;
    const isEnough = passages.length > most || bytes > max_tokens * BYTES_PER_TOKEN;
    if (page.next === undefined || isEnough || pages === MAX_PAGES) break;
    page = await api.search.page({ cursor: page.next }, { signal });
  }
  const isWhole = page.next === undefined;
  const hasMore = passages.length > 0 && (!isWhole || passages.length > most);
  return { first, passages: passages.slice(0, most), hasMore, isWhole };
}
