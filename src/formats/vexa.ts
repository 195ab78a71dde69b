// Vexa: meetings with the segments of their transcript, as its API gives them.

import * as v from 'valibot';

import type { ItemFormat } from './format.ts';
import { bulletsOf, firstOf } from './prose.ts';
import { anyId, isThere, maybe, maybeText, maybeTime } from './shapes.ts';
import { inUtc } from './time.ts';
import { toTranscript } from './turns.ts';
import { isItem } from './unwrap.ts';

const Segment = v.object({
  segment_id: maybeText,
  speaker: maybeText,
  text: maybeText,
  completed: maybe(v.boolean()),
  absolute_start_time: maybeTime,
  absolute_end_time: maybeTime,
});
type Segment = v.InferOutput<typeof Segment>;

const Meeting = v.object({
  id: anyId,
  status: maybeText,
  title: maybeText,
  start_time: maybeTime,
  end_time: maybeTime,
  notes: maybeText,
  data: maybe(v.object({ title: maybeText, name: maybeText })),
  segments: maybe(v.array(Segment)),
});

/** Until then a bot is on its way to it, or in it. */
const DONE = new Set(['completed', 'failed']);

const NO_ID = 'it does not say which meeting it is of; export it with the fields of its meeting';
const NO_TRANSCRIPT = 'it has no segments; export the transcript of each meeting, not their list';

/**
 * Vexa. A meeting is known by its `id`: a link, which is what its platform and native id stand for, is
 * one for many meetings.
 */
export const vexa: ItemFormat = {
  name: 'vexa',
  product: 'Vexa transcripts',
  inside: ['meetings'],
  fits: (item) => 'native_meeting_id' in item || hasSegments(item['segments']),
  item: v.pipe(
    v.looseObject({}),
    v.check((item) => 'id' in item, NO_ID),
    Meeting,
    v.check(({ segments }) => isThere(segments), NO_TRANSCRIPT),
    v.transform(({ id, status, title, data, notes, ...meeting }) => {
      const segments = settle(meeting.segments ?? []);
      const first = segments.find(({ absolute_start_time }) => absolute_start_time);
      const last = segments.findLast(({ absolute_end_time }) => absolute_end_time);
      return {
        id,
        name: firstOf(title, data?.title, data?.name),
        started_at: inUtc(meeting.start_time || first?.absolute_start_time),
        ended_at: inUtc(meeting.end_time || last?.absolute_end_time),
        is_processing: !DONE.has(status ?? 'completed'),
        quick_summary: notes,
        key_takeaways: bulletsOf(notes),
        transcript: toTranscript(segments),
      };
    }),
  ),
};

function hasSegments(segments: unknown): boolean {
  const first: unknown = Array.isArray(segments) ? segments[0] : undefined;
  return isItem(first) && ('absolute_start_time' in first || 'segment_id' in first);
}

/** What was confirmed takes the place of its draft. */
function settle(segments: readonly Segment[]): Segment[] {
  const settled = new Map<unknown, Segment>();
  for (const segment of segments) {
    const key = segment.segment_id || segment;
    if (!settled.has(key) || segment.completed !== false) settled.set(key, segment);
  }
  return [...settled.values()];
}
