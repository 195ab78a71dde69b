// The strip of months above what a search has found.

import { Strip } from '../../parts/lists/strip.tsx';
import { useDays } from '../../state/day-totals.ts';
import { daysOfFilter, readFilter } from '../../state/list/filter.ts';
import { zone } from '../../state/reading.ts';
import { useResource } from '../../state/resource.ts';
import { go } from '../../state/router.ts';
import { ANY } from '../../state/search/search-input.ts';
import { searchPath } from '../../state/search/search-path.ts';
import type { FoundPassages } from '../../state/search/search.ts';
import { app } from '../../state/session.ts';
import { datesOfMonth } from '../calendar/days.ts';
import { isMonth } from './limits.tsx';

/**
 * When the memories with the words were recorded, on all pages, among all that pass the other limits. A month limits the
 * search. Other months stay, so that it can be left.
 */
export function Hits({ found: { q, input, query } }: { readonly found: FoundPassages }) {
  const chosen = readFilter(query);
  const filter = daysOfFilter({ ...chosen, from: '', to: '' }, zone.value);
  const { data } = useDays(filter);
  const search = { ...input, q, started_after: undefined, started_before: undefined };
  // Those of the search before stay until these are counted, so that nothing flickers while somebody types.
  const months = useResource(
    JSON.stringify(search),
    async () => {
      const found = await app.searches.months(search);
      const years: Record<string, number> = {};
      for (const [month, hits] of Object.entries(found))
        years[month.slice(0, 4)] = (years[month.slice(0, 4)] ?? 0) + hits;
      // Days have no states. A search without words counts what is in one.
      const inState = search.is_processing !== undefined && { ...search, q: ANY };
      const all = inState ? await app.searches.months(inState) : undefined;
      return { found: { ...found, ...years }, all };
    },
    true,
  );
  // Its place, so that nothing moves when it comes.
  if (!data || !months.data) return <div class="timeline across" />;
  const { found, all } = months.data;
  const days = all
    ? Object.entries(all).map(([month, memories]) => ({ date: `${month}-01`, memories }))
    : data;
  return (
    <Strip
      days={days.toSorted((a, b) => (a.date < b.date ? 1 : -1))}
      found={found}
      current={isMonth(chosen.from, chosen.to) ? chosen.from : ''}
      onPick={(month) => {
        const [from, to] = datesOfMonth(month);
        go(searchPath(query, { from, to }), 'replace');
      }}
    />
  );
}
