// The days that have memories, in the reader's time zone.

import type { Day } from '../../../contract/schemas/day-totals.ts';
import { useNews } from './changes/change-list.ts';
import { zone } from './reading.ts';
import { useResource, type Resource } from './resource.ts';
import { api } from './session.ts';

type DaysQuery = NonNullable<Parameters<typeof api.days.list>[0]>;

/** Loads the totals of all days, or of those of a filter, oldest first, and again after changes. */
export function useDays(query: DaysQuery = { timezone: zone.value }): Resource<readonly Day[]> {
  const resource = useResource(`days ${JSON.stringify(query)}`, () => loadDays(query), true);
  useNews(resource.reload);
  return resource;
}

async function loadDays(query: DaysQuery): Promise<readonly Day[]> {
  const days = await api.days.list(query);
  // Screens have years of four digits. Others have a sign and six.
  return days.filter(({ date }) => date.length === 10);
}
