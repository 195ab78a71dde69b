// The Granola format: meeting notes from its API.

import * as v from 'valibot';

import type { DraftDetails } from '../details.ts';
import {
  anyId,
  detailList,
  detailPerson,
  detailText,
  isPresent,
  maybe,
  maybeText,
  maybeTime,
} from '../field-schemas.ts';
import type { ItemFormat } from '../format.ts';
import { bulletsIn, firstText } from '../markdown-input.ts';
import { secondsBetween, timeSpan } from '../time/product-time.ts';
import { toTranscript } from '../turns/turns.ts';

const Spoken = v.object({
  speaker: maybe(v.object({ name: maybeText, source: maybeText, diarization_label: maybeText })),
  text: maybeText,
  start_time: maybeTime,
  end_time: maybeTime,
});

const Note = v.object({
  id: anyId,
  title: maybeText,
  owner: maybe(v.object({ name: maybeText, email: detailText })),
  created_at: maybeTime,
  calendar_event: maybe(
    v.object({
      event_title: maybeText,
      organiser: detailText,
      scheduled_start_time: maybeTime,
      scheduled_end_time: maybeTime,
    }),
  ),
  summary_text: maybeText,
  summary_markdown: maybeText,
  transcript: maybe(v.array(Spoken)),
  web_url: detailText,
  attendees: detailList(detailPerson),
  folder_membership: detailList(v.object({ name: detailText })),
});

const NO_TRANSCRIPT = 'it has no transcript; export the note by itself, with include=transcript';

/** Granola. A note's own time is when it was written. The meeting's time comes from the transcript or the calendar. */
export const granola: ItemFormat = {
  name: 'granola',
  product: 'Granola notes',
  paths: ['notes', 'note'],
  matches: (item) => item['object'] === 'note' || 'summary_markdown' in item,
  item: v.pipe(
    Note,
    v.transform(({ id, title, owner, calendar_event, transcript, ...note }) => {
      const { summary_text, summary_markdown } = note;
      const spoken = transcript ?? [];
      const said = timeSpan(spoken.flatMap(({ start_time, end_time }) => [start_time, end_time]));
      const times = said.first === undefined ? scheduled(calendar_event) : said;
      const started_at = times.first ?? (isPresent(transcript) ? undefined : note.created_at);
      return {
        id,
        name: firstText(title, calendar_event?.event_title),
        started_at,
        ended_at: times.last,
        quick_summary: firstText(summary_text, summary_markdown),
        key_takeaways: bulletsIn(summary_markdown),
        transcript: toTranscript(
          spoken.map(({ speaker, text, start_time, end_time }) => ({
            speaker: speakerName(speaker, owner?.name),
            text,
            start: secondsBetween(started_at, start_time),
            end: secondsBetween(started_at, end_time),
          })),
        ),
        lacks: isPresent(transcript) ? undefined : NO_TRANSCRIPT,
        details: {
          url: note.web_url,
          people: [
            ...note.attendees,
            owner ?? {},
            { email: calendar_event?.organiser, role: 'organiser' },
          ],
          folders: note.folder_membership.map(({ name }) => name),
        } satisfies DraftDetails,
      };
    }),
  ),
};

/** Returns the name of a speaker. The microphone hears the owner; the computer's speaker plays everyone else. */
function speakerName(
  speaker: v.InferOutput<typeof Spoken>['speaker'],
  owner: string | null | undefined,
): string {
  const { name, diarization_label, source } = speaker ?? {};
  const known = firstText(name, diarization_label);
  if (known !== '') return known;
  if (source === 'microphone') return firstText(owner, 'User');
  return source === 'speaker' ? 'Speaker' : firstText(source);
}

function scheduled(event: v.InferOutput<typeof Note>['calendar_event']) {
  return { first: event?.scheduled_start_time, last: event?.scheduled_end_time };
}
