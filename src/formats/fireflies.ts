// Fireflies: transcripts, as its GraphQL API gives them.

import * as v from 'valibot';

import type { ItemFormat } from './format.ts';
import { firstOf, listOf } from './prose.ts';
import {
  anyId,
  isThere,
  maybe,
  maybeLabel,
  maybeList,
  maybeSeconds,
  maybeText,
  maybeTime,
} from './shapes.ts';
import { labelOf, toTranscript } from './turns.ts';

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

/** Fireflies. A query names the fields that it wants, so that any may be missing. */
export const fireflies: ItemFormat = {
  name: 'fireflies',
  product: 'Fireflies transcripts',
  inside: ['data.transcripts', 'data.transcript', 'transcripts'],
  fits: (item) =>
    'sentences' in item || 'dateString' in item || ('date' in item && 'transcript_url' in item),
  item: v.pipe(
    Transcript,
    v.check(
      ({ sentences, meeting_info }) => isThere(sentences) || meeting_info?.silent_meeting === true,
      'it has no sentences; ask for them in the query, or wait until they are there',
    ),
    v.transform((transcript) => {
      const { id, title, date, dateString, duration, is_live, meeting_info, summary } = transcript;
      const sentences = transcript.sentences ?? [];
      const items = takeawaysOf(summary?.action_items);
      return {
        id,
        name: title,
        started_at: date ?? dateString,
        // The meeting counts minutes, its sentences seconds.
        duration_seconds: isThere(duration)
          ? duration * 60
          : sentences.reduce((last, { end_time }) => Math.max(last, end_time ?? 0), 0),
        is_processing: is_live === true || meeting_info?.summary_status === 'processing',
        quick_summary: firstOf(summary?.short_summary, summary?.overview),
        key_takeaways: items.length > 0 ? items : takeawaysOf(summary?.bullet_gist),
        transcript: toTranscript(spoken(transcript.speakers, sentences)),
      };
    }),
  ),
};

function* spoken(speakers: Transcript['speakers'], sentences: v.InferOutput<typeof Sentence>[]) {
  const names = new Map(speakers.map(({ id, name }) => [labelOf(id), name]));
  for (const { speaker_name, speaker_id, text } of sentences) {
    const label = labelOf(speaker_id);
    yield { speaker: firstOf(speaker_name, names.get(label), label), text };
  }
}

/** Who is to do something stands on a line above what there is to do: `**Ana**`. */
function takeawaysOf(list: List): string[] {
  let owner = '';
  return (typeof list === 'string' ? list.split('\n') : (list ?? [])).flatMap((line) => {
    const heading = /^\s*\*\*([^*]+)\*\*:?\s*$/.exec(line ?? '')?.[1];
    if (heading !== undefined) owner = `${heading.trim()}: `;
    return heading === undefined ? listOf(line).map((item) => owner + item) : [];
  });
}
