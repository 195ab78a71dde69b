// Postings on PostgreSQL: which memories have which terms, by the schema's search function, and the words of an account.

import type { QueryTerm } from '../../../text/search-query.ts';
import { isBefore, type ListPosition, type RevisionResult } from '../../positions.ts';
import { byWeek } from '../../search/postings.ts';
import type { PlacedMemory, Sought as Wanted } from '../../search/postings.ts';
import { TEXT_BYTES, textsOf, toVocabulary, withoutDamage } from '../../search/vocabulary.ts';
import { facetValues, perCount } from '../../sql/facets.ts';
import { boundsOf, boundValues } from '../../sql/lists.ts';
import { query, type Slot } from '../../sql/query.ts';
import { facetCount } from '../../sql/reads.ts';
import { type ListRange } from '../../store.ts';
import { placesOf, walkPlaces, type PageValues } from '../list-queries.ts';
import { ACCOUNT, within, type ServerRead } from '../reads.ts';
import type { ConnectionPool } from '../servers/connection.ts';
import { postgresQuery as build, prepare } from '../statements.ts';
import { lexemesOf, NOTHING, soughtOf, type SoughtLexemes } from './search.ts';

/** How many memories one look-up returns. */
const MAX_MEMORIES = 10_000;

const BY_WORDS = { order: 'desc', bySearch: true, projection: undefined } as const;

const DESCENDING = { order: 'desc', projection: 'slim' } as const;

/** The look-ups by words, and the ends of ranges, with a number of facets: each for all states, and for one. */
const statementsOf = perCount((count) => ({
  byWords: [false, true].map((byState) => prepare(placesOf({ ...BY_WORDS, byState }, count))),
  ends: [false, true].map((byState) => prepare(endsOf(count, byState))),
}));

/** Counts memories in a range up to a limit, and finds the position behind these. */
function endsOf(count: number, byState: boolean) {
  return query((slot: Slot<PageValues>) => {
    const all = walkPlaces({ ...BY_WORDS, byState, bySearch: false }, { slot, count });
    const counted = build
      .selectFrom(all.as('some'))
      .select((eb) => eb.fn.countAll<number>().as('n'));
    const after = all
      .clearLimit()
      .offset(slot('limit') as number)
      .limit((eb) => eb.lit(1));
    return within(slot)
      .innerJoinLateral(counted.as('counted'), (join) => join.onTrue())
      .leftJoinLateral(after.as('after'), (join) => join.onTrue())
      .select(['accounts.revision', 'counted.n', 'after.started_at', 'after.id']);
  });
}

const places = prepare(
  query((slot: Slot<{ account_id: string; ids: readonly string[] }>) => {
    const found = build
      .selectFrom('memories')
      .select((eb) => ['started_at', 'id', eb.fn<number>('octet_length', ['body']).as('size')])
      .whereRef('memories.account_id', '=', ACCOUNT)
      .where((eb) => eb('id', '=', eb.fn<string>('any', [eb.val(slot('ids'))])));
    return within(slot)
      .innerJoinLateral(found.as('found'), (join) => join.onTrue())
      .select(['accounts.revision', 'found.started_at', 'found.id', 'found.size']);
  }),
);

/** The reads of a ranked search on one server. */
export interface SearchReads extends ServerRead<'memoryCount' | 'postings' | 'vocabulary'> {
  places(
    account_id: string,
    ids: readonly string[],
  ): Promise<RevisionResult & { readonly found: PlacedMemory[] }>;
}

/** Creates the reads of a ranked search on a server. */
export function searchReadsOf(
  run: ConnectionPool['query'],
  { items }: ServerRead<'items'>,
): SearchReads {
  return {
    async memoryCount(filters, most) {
      const range: ListRange = { ...filters, ...DESCENDING, after: filters.before };
      const { ends } = statementsOf(facetCount(range));
      const rows = await run(ends[stateIndex(range)]!(), {
        ...valuesOf(range, NOTHING),
        limit: most,
      });
      const { revision, n = 0, started_at, id } = rows[0] ?? {};
      const isLast = started_at == null || id == null;
      return { revision, memories: n, rest: isLast ? undefined : { started_at, id: `${id} ` } };
    },
    async postings({ sought, before, ...filters }) {
      const range: ListRange = { ...filters, ...DESCENDING, after: before };
      const revisions = new Set<string | undefined>();
      let rest: ListPosition | undefined;
      const found = new Map<string, ListPosition>();
      const { byWords } = statementsOf(facetCount(range));
      for (const each of lookUps(sought)) {
        const rows = await run(byWords[stateIndex(range)]!(), valuesOf(range, each));
        revisions.add(rows[0]?.revision);
        const some = rows.flatMap(({ started_at, id, has_facets = true }) =>
          id === null || started_at === null ? [] : [{ started_at, id, has_facets }],
        );
        for (const { started_at, id, has_facets } of some)
          if (has_facets) found.set(id, { started_at, id });
        if (some.length < MAX_MEMORIES) continue;
        const last = some.reduce((a, b) => (isBefore(a, b) ? a : b));
        // Nothing before the end of any look-up counts yet, so that each memory is returned once.
        if (rest === undefined || isBefore(rest, last)) rest = last;
      }
      const kept = [...found.values()].filter(
        (place) => rest === undefined || !isBefore(place, rest),
      );
      // If two states were read, no revision is returned.
      const [revision] = revisions.size === 1 ? revisions : [];
      return { revision, weeks: byWeek(kept), rest };
    },
    async places(account_id, ids) {
      const rows = await run(places(), { account_id, ids });
      const found = rows.map(({ started_at, id, size }) => ({ key: id, id, started_at, size }));
      return { revision: rows[0]?.revision, found };
    },
    // A reading user may not read the index. So the words come from the texts of the newest memories, with
    // any beginning.
    async vocabulary(range) {
      const texts = textsOf(range);
      return toVocabulary(range, texts && (await items(texts, TEXT_BYTES).catch(withoutDamage)));
    },
  };
}

function stateIndex({ is_processing }: ListRange): number {
  return Number(is_processing !== undefined);
}

function valuesOf(range: ListRange, sought: SoughtLexemes): PageValues {
  const { account_id, is_processing } = range;
  return {
    account_id,
    is_processing: Number(is_processing ?? false),
    ...boundValues(boundsOf(range)),
    ...(range.facets && facetValues(range.facets)),
    ...sought,
    limit: MAX_MEMORIES,
    maxBytes: 0,
  };
}

function termOf(words: readonly string[]): QueryTerm {
  return { words, isPrefix: false };
}

/** The look-ups of a term: one for all its single words, and one for each of its sequences. */
function lookUps(wanted: Wanted): SoughtLexemes[] {
  if ('all' in wanted) return [soughtOf(wanted.all)];
  const singles = wanted.any.filter(({ length }) => length === 1);
  const [exact] = singles;
  const sequences = wanted.any
    .filter(({ length }) => length > 1)
    .map((words) => soughtOf([termOf(words)]));
  if (exact === undefined) return sequences;
  // A memory that is too large for the index is searched for the exact word alone.
  const match = singles.flatMap((words) => lexemesOf(termOf(words))).join(' | ');
  return [{ ...soughtOf([termOf(exact)]), match, unsure: [] }, ...sequences];
}
