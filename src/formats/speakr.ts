// Speakr: recordings of its API, with all their fields.

import * as v from 'valibot';

import type { ItemFormat } from './format.ts';
import { bulletsOf, firstOf } from './prose.ts';
import { anyId, maybeSeconds, maybeText, maybeTime, textOr } from './shapes.ts';
import { segmentsOf, toTranscript, type Segment } from './turns.ts';

const Sentences = v.array(v.object({ speaker: maybeText, sentence: maybeText }));
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
});

/** Until then the transcript or the summary is still in the making. */
const DONE = new Set(['COMPLETED', 'FAILED']);

const NO_TRANSCRIPT =
  'it has no transcription; export each recording by itself, which gives it whole: a list leaves that out';

/** Speakr. What it was told of the time is the meeting's date; it was created and completed afterwards. */
export const speakr: ItemFormat = {
  name: 'speakr',
  product: 'Speakr recordings',
  inside: ['recordings'],
  fits: (item) => 'meeting_date' in item && ('transcription' in item || 'audio_duration' in item),
  item: v.pipe(
    Recording,
    v.check(({ transcription }) => transcription !== undefined, NO_TRANSCRIPT),
    v.transform(({ id, title, status, transcription, summary, notes, ...recording }) => ({
      id,
      name: title,
      started_at: recording.meeting_date,
      duration_seconds: recording.audio_duration,
      is_processing: !DONE.has(status ?? 'COMPLETED'),
      quick_summary: firstOf(summary, notes),
      key_takeaways: bulletsOf(firstOf(summary, notes)),
      transcript: toTranscript(saidIn(transcription ?? '')),
    })),
  ),
};

/** Reads sentences, which may have been kept as a text of JSON, or a text by the user's own template. */
function saidIn(transcription: string | v.InferOutput<typeof Sentences>): Segment[] {
  if (typeof transcription !== 'string') return transcription.map(toSegment);
  const { success, output } = v.safeParse(SentencesAsText, transcription);
  return success ? output.map(toSegment) : segmentsOf(transcription);
}

function toSegment({ speaker, sentence }: v.InferOutput<typeof Sentences>[number]): Segment {
  return { speaker, text: sentence };
}
