// The Plaud format: recordings and transcripts from its API, as tools save them.

import * as v from 'valibot';

import { anyId, isPresent, maybe, maybeLabel, maybeText, maybeTime } from '../field-schemas.ts';
import type { ItemFormat, JsonObject } from '../format.ts';
import { bulletsIn, firstText } from '../markdown-input.ts';
import { toFileDraft } from '../recognisers/recording.ts';
import {
  lastOffset,
  maybeOffset,
  sortByStart,
  inSeconds,
  type Utterance,
} from '../time/offsets.ts';
import { speakerLabel, toTranscript } from '../turns/turns.ts';

const Spoken = v.object({
  start_time: maybeOffset,
  end_time: maybeOffset,
  content: maybeText,
  speaker: maybeLabel,
  original_speaker: maybeLabel,
});

const Recording = v.object({
  file_id: maybe(anyId),
  id: maybe(anyId),
  file_name: maybeText,
  filename: maybeText,
  start_time: maybeTime,
  duration: maybeOffset,
  trans_result: maybe(v.array(Spoken)),
  ai_content: maybeText,
});

const NO_TRANSCRIPT =
  'it has no trans_result; the words are behind the data_link of its "transaction", so put them in as "trans_result"';

/** Plaud. Times are milliseconds. The answer about a recording has links to its words, which end soon. */
export const plaudApi: ItemFormat = {
  name: 'plaud-api',
  product: 'Plaud recordings from its API',
  paths: ['data', 'data_file_list'],
  matches: (item) => isRecording(item),
  item: v.pipe(
    Recording,
    v.transform(({ file_id, id, file_name, filename, start_time, duration, ...recording }) => {
      const spoken = toUtterances(recording.trans_result ?? []);
      return {
        id: file_id ?? id ?? '',
        name: firstText(file_name, filename),
        started_at: start_time,
        duration_seconds: inSeconds(duration) ?? lastOffset(spoken),
        quick_summary: recording.ai_content?.trim(),
        key_takeaways: bulletsIn(recording.ai_content),
        transcript: toTranscript(spoken),
        lacks: isPresent(recording.trans_result) ? undefined : NO_TRANSCRIPT,
      };
    }),
  ),
};

/** A transcript of Plaud by itself: an array without the recording, so its file gives the id and the start. */
export const plaudTranscript: ItemFormat = {
  name: 'plaud-transcript',
  product: 'Plaud transcripts without their recording',
  paths: ['trans_result'],
  matches: (item) =>
    ['content', 'start_time', 'end_time'].every((name) => name in item) &&
    ['speaker', 'original_speaker'].some((name) => name in item),
  continues: () => true,
  item: v.pipe(
    v.array(Spoken),
    v.transform((spoken) => toFileDraft(toUtterances(spoken), {})),
  ),
};

function isRecording(item: JsonObject): boolean {
  const isDetail = 'file_id' in item && 'file_name' in item;
  const isListed = 'filename' in item && ('is_trans' in item || 'trans_result' in item);
  return isDetail || isListed;
}

function toUtterances(spoken: readonly v.InferOutput<typeof Spoken>[]): Utterance[] {
  return sortByStart(
    spoken.map(({ start_time, end_time, content, speaker, original_speaker }) => ({
      start: inSeconds(start_time),
      end: inSeconds(end_time),
      text: content,
      speaker: firstText(speakerLabel(speaker), speakerLabel(original_speaker)),
    })),
  );
}
