// The days that have memories, in the reader's time zone.

import { useEffect, useRef } from 'preact/hooks';

import type { Day } from '../../../contract/schemas/day-totals.ts';
import { news } from './changes/change-list.ts';
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

/** Runs a function whenever changes in the account were noticed. */
export function useNews(run: () => void): void {
  const seen = useRef(news.value);
  useEffect(() => {
    if (seen.current !== news.value) run();
    seen.current = news.value;
  }, [news.value]);
}
