// People and tags: their totals, in pages and in order.

import * as v from 'valibot';

import { toJson, type Json } from '../../../contract/json.ts';
import type { PersonTotals, TagTotals } from '../../../contract/schemas/facets.ts';
import { Limit } from '../../../contract/schemas/parameters.ts';
import { andThen, type Awaitable } from '../../../lib/async.ts';
import { compareText } from '../../../lib/order.ts';
import type { FacetTotal } from '../../../store/details/reads.ts';
import type { Store } from '../../../store/store.ts';
import type { Caller } from '../../request/auth.ts';
import { bounds, readCursor, Whole, writeCursor } from '../cursor.ts';
import { cutPage, type DetailsPage } from './detail-page.ts';

const PeopleCursor = v.strictObject({
  of: v.literal('people'),
  limit: v.optional(Limit),
  // As it is compared, which is short enough for a URL.
  q: v.optional(v.string()),
  ...bounds,
  after: v.optional(v.strictTuple([Whole, v.string()])),
});

/** Which people to list. */
export type PeopleQuery = Omit<v.InferOutput<typeof PeopleCursor>, 'of'>;

/** Writes the cursor of a list of people. */
export function peopleCursor(query: PeopleQuery): string {
  return writeCursor({ of: 'people', ...query });
}

/** Reads the cursor of a list of people. Returns undefined if `peopleCursor` did not write it. */
export function readPeopleCursor(text: string): PeopleQuery | undefined {
  return readCursor(PeopleCursor, text);
}

/** Reads people, those with the most memories first. */
export function readPeople(
  store: Store,
  { account_id, revision }: Caller,
  { q = '', limit = Infinity, after, ...window }: PeopleQuery,
): Awaitable<DetailsPage<PersonTotals, PeopleQuery['after']>> {
  const range = { account_id, revision, kind: 'person', ...window } as const;
  return andThen(store.facets(range), ({ found, revision: read }) => {
    const all = found
      .filter((each) => each.folded.includes(q) && (!after || isAfter(each, after)))
      .toSorted(byMemories);
    const { page, end } = cutPage(all, limit);
    return {
      body: toJson(page.map(toPerson)),
      last: end && ([end.memories, end.folded] as [number, string]),
      revision: read,
    };
  });
}

function byMemories(a: FacetTotal, b: FacetTotal): number {
  return b.memories - a.memories || compareText(a.folded, b.folded);
}

function isAfter({ memories, folded }: FacetTotal, [most, name]: [number, string]): boolean {
  return memories < most || (memories === most && folded > name);
}

function toPerson({ name, memories, lines, words, speaking_ms, ...times }: FacetTotal) {
  return { name, memories, lines, words, speaking_ms, ...toTimes(times) };
}

function toTimes({ first_at, last_at }: Pick<FacetTotal, 'first_at' | 'last_at'>) {
  return {
    first_at: new Date(first_at).toISOString(),
    last_at: new Date(last_at).toISOString(),
  };
}

/** Which tags to list. */
export interface TagsQuery {
  readonly started_after: number | undefined;
  readonly started_before: number | undefined;
}

/** Reads tags and sources, those with the most memories first. */
export function readTags(
  store: Store,
  { account_id, revision }: Caller,
  window: TagsQuery,
): Awaitable<{ readonly body: Json<TagTotals[]>; readonly revision: string | undefined }> {
  const range = { account_id, revision, ...window };
  return andThen(store.facets({ ...range, kind: 'tag' }), (tags) =>
    andThen(store.facets({ ...range, kind: 'source' }), (sources) => {
      const kinds = tags.found.flatMap((each) =>
        each.labels.split(',').map((kind) => ({ ...each, kind: kind as TagTotals['kind'] })),
      );
      const all = [
        ...joinKinds(kinds),
        ...sources.found.map((each) => ({ ...each, kind: 'source' as const })),
      ];
      const body = all
        .toSorted(byMemories)
        .map(({ name, kind, memories, ...times }) => ({ name, kind, memories, ...toTimes(times) }));
      const isConsistent = tags.revision === sources.revision;
      return { body: toJson(body), revision: isConsistent ? tags.revision : undefined };
    }),
  );
}

type Labelled = FacetTotal & Pick<TagTotals, 'kind'>;

/** Joins what is a folder in some memories, and a folder and a tag in others. */
function joinKinds(all: readonly Labelled[]): Labelled[] {
  const joined = new Map<string, Labelled>();
  for (const each of all) {
    const key = `${each.kind} ${each.folded}`;
    const other = joined.get(key);
    if (other === undefined) joined.set(key, each);
    else
      joined.set(key, {
        ...(other.last_at > each.last_at ? other : each),
        memories: other.memories + each.memories,
        first_at: Math.min(other.first_at, each.first_at),
        last_at: Math.max(other.last_at, each.last_at),
      });
  }
  return [...joined.values()];
}
