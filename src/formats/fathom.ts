// Fathom: meetings, as its API and its webhooks give them.

import * as v from 'valibot';

import type { ItemFormat } from './format.ts';
import { firstOf, listOf } from './prose.ts';
import { anyId, isThere, maybe, maybeList, maybeText, maybeTime } from './shapes.ts';
import { toTranscript } from './turns.ts';

const Meeting = v.object({
  recording_id: maybe(anyId),
  url: maybeText,
  title: maybeText,
  meeting_title: maybeText,
  scheduled_start_time: maybeTime,
  scheduled_end_time: maybeTime,
  recording_start_time: maybeTime,
  recording_end_time: maybeTime,
  transcript: maybe(
    v.array(v.object({ speaker: maybe(v.object({ display_name: maybeText })), text: maybeText })),
  ),
  default_summary: maybe(v.object({ markdown_formatted: maybeText })),
  action_items: maybeList(v.object({ description: maybeText })),
});

/** Fathom. Its lines say when they begin, and not when they end: the recording says both. */
export const fathom: ItemFormat = {
  name: 'fathom',
  product: 'Fathom meetings',
  inside: ['items'],
  fits: (item) => 'recording_start_time' in item || 'default_summary' in item,
  item: v.pipe(
    Meeting,
    v.check(
      ({ transcript }) => isThere(transcript),
      'it has no transcript; export it with include_transcript=true',
    ),
    v.transform((meeting) => ({
      // Some of what it gives lacks the id of the recording; the address of its page is as constant.
      id: meeting.recording_id ?? meeting.url ?? '',
      name: firstOf(meeting.title, meeting.meeting_title),
      ...timesOf(meeting),
      quick_summary: meeting.default_summary?.markdown_formatted?.trim(),
      key_takeaways: listOf(meeting.action_items.map(({ description }) => description)),
      transcript: toTranscript(
        (meeting.transcript ?? []).map(({ speaker, text }) => ({
          speaker: speaker?.display_name,
          text,
        })),
      ),
    })),
  ),
};

/** A meeting that was recorded late did not last as long as was planned: the two do not mix. */
function timesOf(meeting: v.InferOutput<typeof Meeting>) {
  return meeting.recording_start_time
    ? { started_at: meeting.recording_start_time, ended_at: meeting.recording_end_time }
    : { started_at: meeting.scheduled_start_time, ended_at: meeting.scheduled_end_time };
}
