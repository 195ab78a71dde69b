// The Scriberr format: transcriptions from its API, with their words in them or in an answer of their own.

import * as v from 'valibot';

import { anyId, maybe, maybeText, maybeTime, orJsonText } from '../field-schemas.ts';
import type { ItemFormat, JoinRule, JsonObject } from '../format.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { bulletsIn } from '../markdown-input.ts';
import { missingOwner, missingTranscript } from '../missing-parts.ts';
import { toUtterances, WhisperResult } from '../recognisers/whisper.ts';
import { lastOffset } from '../time/offsets.ts';
import { toTranscript } from '../turns/turns.ts';

const Job = v.object({
  id: anyId,
  title: maybeText,
  status: maybeText,
  created_at: maybeTime,
  summary: maybeText,
});

const WholeJob = v.object({ ...Job.entries, transcript: maybe(orJsonText(WhisperResult)) });

/** The words of newer versions. */
const Transcript = v.object({ transcription_id: anyId, ...WhisperResult.entries });

const Joined = v.object({ job: v.optional(Job), transcript: v.optional(WhisperResult) });

/** The statuses of finished transcriptions. */
const DONE: ReadonlySet<string> = new Set(['completed', 'failed', 'stopped', 'canceled']);

const rule: JoinRule = {
  format: 'scriberr',
  join: (id, parts) => {
    const { job, transcript } = v.parse(Joined, parts);
    if (!job) return { reason: missingOwner('transcription', id) };
    return {
      ...toDraft(job, transcript),
      lacks: transcript ? undefined : missingTranscript('', id),
    };
  },
};

/** Scriberr. It knows only when a recording was uploaded, not when it was made. */
export const scriberr: ItemFormat = {
  name: 'scriberr',
  rule,
  product: 'Scriberr transcriptions',
  paths: ['jobs', 'items'],
  matches: (item) => isWholeJob(item) || isJob(item) || isTranscript(item),
  item: v.lazy((item) => {
    if (!isJsonObject(item) || isWholeJob(item)) return WholeJobDraft;
    return isJob(item) ? JobPart : TranscriptPart;
  }),
};

const NO_TRANSCRIPT =
  'it has no transcript; wait until Scriberr has made it, and save the job by itself';

const WholeJobDraft = v.pipe(
  WholeJob,
  v.transform(({ transcript, ...job }) => ({
    ...toDraft(job, transcript),
    lacks: transcript ? undefined : NO_TRANSCRIPT,
  })),
);

const JobPart = v.pipe(
  Job,
  v.transform((value) => ({ rule, parts: [{ id: value.id, role: 'job', value }] })),
);

const TranscriptPart = v.pipe(
  Transcript,
  v.transform(({ transcription_id: id, ...value }) => ({
    rule,
    parts: [{ id, role: 'transcript', value }],
  })),
);

/** Whether an item is a job of older versions, which has its words as a text. */
function isWholeJob(item: JsonObject): boolean {
  return (
    'audio_path' in item && 'created_at' in item && ('diarization' in item || 'parameters' in item)
  );
}

function isJob(item: JsonObject): boolean {
  return ['file_id', 'created_at', 'progress_stage'].every((name) => name in item);
}

function isTranscript(item: JsonObject): boolean {
  return 'transcription_id' in item && Array.isArray(item['segments']);
}

function toDraft(
  { id, title, status, created_at, summary }: v.InferOutput<typeof Job>,
  transcript: v.InferOutput<typeof WhisperResult> | null | undefined,
) {
  const spoken = transcript ? toUtterances(transcript) : [];
  return {
    id,
    name: title,
    started_at: created_at,
    duration_seconds: transcript?.duration ?? lastOffset(spoken),
    is_processing: !DONE.has(status ?? 'completed'),
    quick_summary: summary?.trim(),
    key_takeaways: bulletsIn(summary),
    transcript: toTranscript(spoken),
    details: { language: transcript?.language },
  };
}
