// The Fireflies format: transcripts from its GraphQL API.

import * as v from 'valibot';

import {
  anyId,
  isPresent,
  maybe,
  maybeLabel,
  maybeList,
  maybeSeconds,
  maybeText,
  maybeTime,
} from '../field-schemas.ts';
import type { ItemFormat, JsonObject } from '../format.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { firstText, listItems } from '../markdown-input.ts';
import { speakerLabel, toTranscript } from '../turns/turns.ts';

const List = maybe(v.union([v.string(), v.array(v.nullable(v.string()))]));
type List = v.InferOutput<typeof List>;

const Sentence = v.object({
  speaker_name: maybeText,
  speaker_id: maybeLabel,
  text: maybeText,
  end_time: maybeSeconds,
});

const Transcript = v.object({
  id: anyId,
  title: maybeText,
  date: maybeTime,
  dateString: maybeTime,
  duration: maybe(v.number()),
  is_live: maybe(v.boolean()),
  meeting_info: maybe(v.object({ silent_meeting: maybe(v.boolean()), summary_status: maybeText })),
  speakers: maybeList(v.object({ id: maybeLabel, name: maybeText })),
  sentences: maybe(v.array(Sentence)),
  summary: maybe(
    v.object({
      short_summary: maybeText,
      overview: maybeText,
      action_items: List,
      bullet_gist: List,
    }),
  ),
});
type Transcript = v.InferOutput<typeof Transcript>;

const NO_TRANSCRIPT =
  'it has no sentences; ask for them in the query, or wait until they are there';

/** Fireflies. A GraphQL query chooses its fields, so any field can be missing. */
export const fireflies: ItemFormat = {
  name: 'fireflies',
  product: 'Fireflies transcripts',
  paths: ['data.transcripts', 'data.transcript', 'transcripts', 'transcript'],
  matches: (item) =>
    // A turn in a transcript of Gong has sentences, too.
    ('sentences' in item && !('speakerId' in item)) ||
    'dateString' in item ||
    ('date' in item && ('transcript_url' in item || hasSummary(item))),
  item: v.pipe(
    Transcript,
    v.transform((transcript) => {
      const { id, title, date, dateString, duration, is_live, meeting_info, summary } = transcript;
      const sentences = transcript.sentences ?? [];
      const items = takeawaysOf(summary?.action_items);
      return {
        id,
        name: title,
        started_at: date ?? dateString,
        // A meeting's duration is in minutes, the times of sentences are in seconds.
        duration_seconds: isPresent(duration)
          ? duration * 60
          : sentences.reduce((last, { end_time }) => Math.max(last, end_time ?? 0), 0),
        is_processing: is_live === true || meeting_info?.summary_status === 'processing',
        quick_summary: firstText(summary?.short_summary, summary?.overview),
        key_takeaways: items.length > 0 ? items : takeawaysOf(summary?.bullet_gist),
        transcript: toTranscript(spoken(transcript.speakers, sentences)),
        lacks:
          isPresent(transcript.sentences) || meeting_info?.silent_meeting === true
            ? undefined
            : NO_TRANSCRIPT,
      };
    }),
  ),
};

/** Whether an item has a summary as Fireflies writes it. A query may have left everything else out. */
function hasSummary({ summary }: JsonObject): boolean {
  return isJsonObject(summary) && ['short_summary', 'bullet_gist'].some((name) => name in summary);
}

function* spoken(speakers: Transcript['speakers'], sentences: v.InferOutput<typeof Sentence>[]) {
  const names = new Map(speakers.map(({ id, name }) => [speakerLabel(id), name]));
  for (const { speaker_name, speaker_id, text } of sentences) {
    const label = speakerLabel(speaker_id);
    yield { speaker: firstText(speaker_name, names.get(label), label), text };
  }
}

/** Reads action items. A line such as `**Ana**` names the owner of the items below it. */
function takeawaysOf(list: List): string[] {
  let owner = '';
  return (typeof list === 'string' ? list.split('\n') : (list ?? [])).flatMap((line) => {
    const heading = /^\s*\*\*([^*]+)\*\*:?\s*$/.exec(line ?? '')?.[1];
    if (heading !== undefined) owner = `${heading.trim()}: `;
    return heading === undefined ? listItems(line).map((item) => owner + item) : [];
  });
}
