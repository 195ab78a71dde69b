// When a memory was recorded and how long, as a text for pages that leave the app.

import type { Memory } from '../../../../../contract/schemas/memory.ts';
import { lengthOf } from '../../../../../text/length.ts';
import { formats } from '../../../time-formats.ts';

/** Returns the day, the time and the length of a memory, as its reader reads them. */
export function whenOf({ started_at, duration_seconds }: Memory): string {
  const { longDay, time } = formats.value;
  const start = `${longDay(started_at)}, ${time(started_at)}`;
  return duration_seconds > 0 ? `${start} · ${lengthOf(duration_seconds)}` : start;
}
