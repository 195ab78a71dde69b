// Dates and times as short as they are clear: without the year if it is this one.

import { yearOf } from '../dates.ts';
import { formats, today } from '../time-formats.ts';

/** Returns the date of an instant, such as "Fri 20 Nov", or "20 Nov 2025" in another year. Plain dates have formats of their own. */
export function shortDate(iso: string, { date, short, dayOf } = formats.value): string {
  return (yearOf(dayOf(iso)) === yearOf(today()) ? short : date)(iso);
}

/** Returns the date and the time of an instant, such as "Fri 20 Nov, 10:30". */
export function shortMoment(iso: string): string {
  return `${shortDate(iso)}, ${formats.value.time(iso)}`;
}
