// The Otter format: speeches from its API.

import * as v from 'valibot';

import {
  anyId,
  detail,
  detailPerson,
  detailText,
  isPresent,
  maybe,
  maybeLabel,
  maybeList,
  maybeSeconds,
  maybeText,
  maybeTime,
} from '../field-schemas.ts';
import type { ItemFormat } from '../format.ts';
import { firstText, listItems } from '../markdown-input.ts';
import { lastOffset, maybeOffset, sortByStart, inSeconds } from '../time/offsets.ts';
import { speakerLabel, toTranscript } from '../turns/turns.ts';

const Spoken = v.object({
  transcript: maybeText,
  start_offset: maybeOffset,
  end_offset: maybeOffset,
  speaker_id: maybeLabel,
  speaker_name: maybeText,
  speaker_model_label: maybeLabel,
});

const Speech = v.object({
  otid: anyId,
  title: maybeText,
  start_time: maybeTime,
  created_at: maybeTime,
  duration: maybeSeconds,
  process_finished: maybe(v.boolean()),
  speakers: maybeList(v.object({ id: maybeLabel, speaker_name: maybeText })),
  transcripts: maybe(v.array(Spoken)),
  short_abstract_summary: v.fallback(maybeText, null),
  summary: v.fallback(maybeText, null),
  // Some tools save it as a text in the notation of Python.
  speech_outline: v.fallback(
    maybeList(v.object({ text: maybeText, title: maybeText, start_offset: detail(v.number()) })),
    [],
  ),
  public_share_url: detailText,
  audio_url: detailText,
  owner: detail(detailPerson),
  folder: detail(v.object({ folder_name: detailText })),
});

/** Offsets count samples of the sound, 16,000 for each second. */
const SAMPLES = 16_000;

const NO_TRANSCRIPT =
  'it has no transcripts; save each speech by itself, which gives it whole: a list leaves them out';

/** Otter. A speaker has a name if the user has given one, otherwise perhaps the label of a model. */
export const otterApi: ItemFormat = {
  name: 'otter-api',
  product: 'Otter speeches from its API',
  paths: ['speech', 'speeches', 'data.speech', 'data.speeches'],
  matches: (item) =>
    'otid' in item && ['title', 'transcripts', 'speakers'].some((name) => name in item),
  item: v.pipe(
    Speech,
    v.transform(({ otid, title, start_time, created_at, duration, ...speech }) => {
      const spoken = sortByStart(utterancesOf(speech));
      return {
        id: otid,
        name: title,
        started_at: start_time || created_at,
        duration_seconds: duration ?? lastOffset(spoken),
        is_processing: speech.process_finished === false,
        quick_summary: firstText(speech.short_abstract_summary, speech.summary),
        key_takeaways: listItems(
          speech.speech_outline.map(({ text, title: heading }) => firstText(text, heading)),
        ),
        transcript: toTranscript(spoken),
        lacks: isPresent(speech.transcripts) ? undefined : NO_TRANSCRIPT,
        details: {
          url: speech.public_share_url,
          audio: speech.audio_url,
          people: [speech.owner ?? {}],
          folders: [speech.folder?.folder_name],
          chapters: speech.speech_outline.map(({ text, title: heading, start_offset }) => ({
            title: firstText(text, heading),
            start: inSeconds(start_offset, SAMPLES),
          })),
        },
      };
    }),
  ),
};

function utterancesOf({
  speakers,
  transcripts,
}: Pick<v.InferOutput<typeof Speech>, 'speakers' | 'transcripts'>) {
  const names = new Map(
    speakers.flatMap(({ id, speaker_name }) =>
      isPresent(id) && speaker_name ? [[String(id), speaker_name]] : [],
    ),
  );
  return (transcripts ?? []).map(({ transcript, start_offset, end_offset, ...by }) => ({
    start: inSeconds(start_offset, SAMPLES),
    end: inSeconds(end_offset, SAMPLES),
    text: transcript,
    speaker: firstText(
      by.speaker_name,
      names.get(String(by.speaker_id)),
      speakerLabel(by.speaker_model_label),
    ),
  }));
}
