// The days that have memories, in the reader's time zone.

import type { Day } from '../../../contract/schemas/day-totals.ts';
import { useNews } from './changes/change-list.ts';
import { zone } from './reading.ts';
import { useResource, type Resource } from './resource.ts';
import { api } from './session.ts';

/** Loads the totals of all days, oldest first, and again after changes. */
export function useDays(): Resource<readonly Day[]> {
  const resource = useResource(`days ${zone.value}`, loadDays, true);
  useNews(resource.reload);
  return resource;
}

async function loadDays(): Promise<readonly Day[]> {
  const days = await api.days.list({ timezone: zone.value });
  // Screens have years of four digits. Others have a sign and six.
  return days.filter(({ date }) => date.length === 10);
}
