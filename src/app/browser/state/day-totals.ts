// The days that have memories, in the reader's time zone.

import { useNews } from './changes/change-list.ts';
import type { DayCount } from './list/layout.ts';
import { zone } from './reading.ts';
import { useResource, type Resource } from './resource.ts';
import { api, app } from './session.ts';

type DaysQuery = NonNullable<Parameters<typeof api.days.list>[0]>;

/** Loads the totals of all days, or of those of a filter, oldest first, and again after changes. */
export function useDays(
  query: DaysQuery = { timezone: zone.value },
): Resource<readonly DayCount[]> {
  const resource = useResource(`days ${JSON.stringify(query)}`, () => loadDays(query), true);
  useNews(resource.reload);
  return resource;
}

/** Loads these totals, and which of them lack memories of unknown length. */
async function loadDays(query: DaysQuery): Promise<readonly DayCount[]> {
  const { timezone = 'UTC' } = query;
  const [days, unknown] = await Promise.all([
    api.days.list(query),
    app.lengths.unknown({ timezone }),
  ]);
  const open = new Set(unknown);
  // Screens have years of four digits. Others have a sign and six.
  return days
    .filter(({ date }) => date.length === 10)
    .map((day) => ({ ...day, isOpen: open.has(day.date) }));
}
