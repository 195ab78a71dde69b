// Granola: notes of meetings, as its API gives them.

import * as v from 'valibot';

import type { ItemFormat } from './format.ts';
import { bulletsOf, firstOf } from './prose.ts';
import { anyId, isThere, maybe, maybeText, maybeTime } from './shapes.ts';
import { spanOf } from './time.ts';
import { toTranscript } from './turns.ts';

const Spoken = v.object({
  speaker: maybe(v.object({ source: maybeText, diarization_label: maybeText })),
  text: maybeText,
  start_time: maybeTime,
  end_time: maybeTime,
});

const Note = v.object({
  id: anyId,
  title: maybeText,
  calendar_event: maybe(
    v.object({
      event_title: maybeText,
      scheduled_start_time: maybeTime,
      scheduled_end_time: maybeTime,
    }),
  ),
  summary_text: maybeText,
  summary_markdown: maybeText,
  transcript: maybe(v.array(Spoken)),
});

/** Granola. A note says when it was written; when the meeting was, its words or the calendar say. */
export const granola: ItemFormat = {
  name: 'granola',
  product: 'Granola notes',
  inside: ['notes', 'note'],
  fits: (item) => item['object'] === 'note' || 'summary_markdown' in item,
  item: v.pipe(
    Note,
    v.check(
      ({ transcript }) => isThere(transcript),
      'it has no transcript; export the note by itself, with include=transcript',
    ),
    v.transform(({ id, title, calendar_event, summary_text, summary_markdown, transcript }) => {
      const spoken = transcript ?? [];
      const said = spanOf(spoken.flatMap(({ start_time, end_time }) => [start_time, end_time]));
      const times = said.first === undefined ? scheduled(calendar_event) : said;
      return {
        id,
        name: firstOf(title, calendar_event?.event_title),
        started_at: times.first,
        ended_at: times.last,
        quick_summary: firstOf(summary_text, summary_markdown),
        key_takeaways: bulletsOf(summary_markdown),
        transcript: toTranscript(
          spoken.map(({ speaker, text }) => ({
            speaker: firstOf(speaker?.diarization_label, speaker?.source),
            text,
          })),
        ),
      };
    }),
  ),
};

function scheduled(event: v.InferOutput<typeof Note>['calendar_event']) {
  return { first: event?.scheduled_start_time, last: event?.scheduled_end_time };
}
