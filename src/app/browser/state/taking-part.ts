// Who takes part in the memories of some days, in the order in which they are named.

import { isSpeakerLabel } from '../../../text/speaker.ts';
import { dayBounds } from '../dates.ts';
import { zone } from './reading.ts';
import { api } from './session.ts';

/** The most people that are counted: all that a response may have. */
const MOST = 1000;

/**
 * Reads the names of those who take part from one day to another: those in most memories first, then those who say most.
 * A label is nobody's name. Rejects with `Failure`.
 */
export async function readTakingPart(from: string, to: string): Promise<string[]> {
  const bounds = dayBounds(from, to);
  const { items } = await api.people.page({ timezone: zone.value, ...bounds, limit: MOST });
  return items
    .toSorted((a, b) => b.memories - a.memories || b.words - a.words)
    .flatMap(({ name }) => (isSpeakerLabel(name) ? [] : name));
}
