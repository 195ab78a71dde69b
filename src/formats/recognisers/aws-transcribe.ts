// The JSON of Amazon Transcribe: the result of a transcription job.

import * as v from 'valibot';

import { detailText, maybeList, maybeText } from '../field-schemas.ts';
import type { ItemFormat } from '../format.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { firstText } from '../markdown-input.ts';
import { lastOffset, maybeOffset, sortByStart, type Utterance } from '../time/offsets.ts';
import { toFileDraft } from './recording.ts';

const Labels = { speaker_label: maybeText, channel_label: maybeText };

const Timed = { start_time: maybeOffset, end_time: maybeOffset };

const Item = v.object({
  ...Timed,
  ...Labels,
  type: maybeText,
  alternatives: maybeList(v.object({ content: maybeText })),
});

const Results = v.object({
  language_code: detailText,
  transcripts: maybeList(v.object({ transcript: maybeText })),
  items: maybeList(Item),
  channel_labels: v.nullish(
    v.object({
      channels: maybeList(v.object({ channel_label: maybeText, items: maybeList(Item) })),
    }),
  ),
  audio_segments: maybeList(v.object({ ...Timed, ...Labels, transcript: maybeText })),
  speaker_labels: v.nullish(
    v.object({
      segments: maybeList(
        v.object({
          items: maybeList(v.object({ start_time: maybeOffset, speaker_label: maybeText })),
        }),
      ),
    }),
  ),
});
type Results = v.InferOutput<typeof Results>;

/** Amazon Transcribe. The name of a job is chosen by the caller and can be used again. */
export const awsTranscribe: ItemFormat = {
  name: 'aws-transcribe',
  product: 'Amazon Transcribe results',
  paths: [],
  matches: ({ jobName, results }) =>
    isJsonObject(results) &&
    Array.isArray(results['items']) &&
    // What somebody has kept of a result can have no job.
    (typeof jobName === 'string' || Array.isArray(results['transcripts'])),
  item: v.pipe(
    v.object({ jobName: detailText, results: Results }),
    v.transform(({ jobName, results }) => {
      const words = toWords(results);
      return toFileDraft(utterancesOf(results, words), {
        duration: lastOffset(words),
        details: { id: jobName, language: results.language_code },
      });
    }),
  ),
};

function utterancesOf(
  { transcripts, audio_segments }: Results,
  words: readonly Utterance[],
): readonly Utterance[] {
  const hasSpeakers = words.some(({ speaker }) => speaker);
  // Segments have the text with the spaces of its language.
  const segments = audio_segments.map((each) => ({
    start: each.start_time,
    end: each.end_time,
    text: each.transcript,
    speaker: firstText(each.speaker_label, each.channel_label),
  }));
  if (segments.length > 0 && (!hasSpeakers || segments.every(({ speaker }) => speaker)))
    return sortByStart(segments);
  return hasSpeakers
    ? sortByStart(words)
    : transcripts.map(({ transcript }) => ({ text: transcript }));
}

/** Returns the words with their speakers. Punctuation is put after the word before it. */
function toWords({ items, speaker_labels, channel_labels }: Results): Utterance[] {
  const speakers = new Map(
    (speaker_labels?.segments ?? []).flatMap((segment) =>
      segment.items.map(({ start_time, speaker_label }) => [start_time, speaker_label] as const),
    ),
  );
  const channels = channel_labels?.channels ?? [];
  // The items of several channels have marks without a time, which do not say what they follow.
  const labelled = items.some((item) => item.channel_label || item.speaker_label)
    ? []
    : channels.flatMap(({ channel_label, items: own }) =>
        own.map((item) => ({ ...item, channel_label })),
      );
  const words: (Utterance & { text: string })[] = [];
  for (const { type, start_time, end_time, alternatives, ...label } of labelled.length > 0
    ? labelled
    : items) {
    const text = firstText(alternatives[0]?.content);
    const before = words.at(-1);
    if (type === 'punctuation' && before) before.text += text;
    else
      words.push({
        start: start_time,
        end: end_time,
        text,
        speaker: firstText(label.speaker_label, speakers.get(start_time), label.channel_label),
      });
  }
  return words;
}
