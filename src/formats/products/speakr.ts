// The Speakr format: complete recordings from its API.

import * as v from 'valibot';

import {
  anyId,
  detail,
  detailList,
  detailText,
  maybeSeconds,
  maybeText,
  maybeTime,
  textOr,
} from '../field-schemas.ts';
import type { ItemFormat } from '../format.ts';
import { bulletsIn, firstText } from '../markdown-input.ts';
import { lineSegments, toTranscript, type Segment } from '../turns/turns.ts';

const Sentences = v.array(
  v.object({
    speaker: maybeText,
    sentence: maybeText,
    start_time: detail(v.number()),
    end_time: detail(v.number()),
  }),
);
const SentencesAsText = v.pipe(v.string(), v.parseJson(), Sentences);

const Recording = v.object({
  id: anyId,
  title: maybeText,
  status: maybeText,
  meeting_date: maybeTime,
  audio_duration: maybeSeconds,
  transcription: v.optional(v.nullable(textOr(Sentences))),
  summary: maybeText,
  notes: maybeText,
  participants: detailText,
  folder: detail(v.object({ name: detailText })),
  tags: detailList(v.object({ name: detailText })),
  is_highlighted: detail(v.boolean()),
});

/** The statuses of finished recordings. */
const DONE = new Set(['COMPLETED', 'FAILED']);

const NO_TRANSCRIPT =
  'it has no transcription; export each recording by itself, which gives it whole: a list leaves that out';

/** Speakr. `meeting_date` is the time of the recording. Its other times belong to the processing. */
export const speakr: ItemFormat = {
  name: 'speakr',
  product: 'Speakr recordings',
  paths: ['recordings'],
  matches: (item) =>
    'meeting_date' in item && ('transcription' in item || 'audio_duration' in item),
  item: v.pipe(
    Recording,
    v.transform(({ id, title, status, transcription, summary, notes, ...recording }) => ({
      id,
      name: title,
      started_at: recording.meeting_date,
      duration_seconds: recording.audio_duration,
      is_processing: !DONE.has(status ?? 'COMPLETED'),
      quick_summary: firstText(summary, notes),
      key_takeaways: bulletsIn(firstText(summary, notes)),
      transcript: toTranscript(saidIn(transcription ?? '')),
      lacks: transcription === undefined ? NO_TRANSCRIPT : undefined,
      details: {
        people: recording.participants?.split(',').map((name) => ({ name })),
        folders: [recording.folder?.name],
        tags: recording.tags.map(({ name }) => name),
        isStarred: recording.is_highlighted,
      },
    })),
  ),
};

/** Reads sentences: an array, the same array as JSON text, or text in the user's own template. */
function saidIn(transcription: string | v.InferOutput<typeof Sentences>): Segment[] {
  if (typeof transcription !== 'string') return transcription.map(toSegment);
  const { success, output } = v.safeParse(SentencesAsText, transcription);
  return success ? output.map(toSegment) : lineSegments(transcription);
}

function toSegment({ speaker, sentence, start_time, end_time }: Sentence): Segment {
  return { speaker, text: sentence, start: start_time, end: end_time };
}

type Sentence = v.InferOutput<typeof Sentences>[number];
