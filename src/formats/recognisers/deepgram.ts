// The JSON of Deepgram: a response of its API for recorded sound.

import * as v from 'valibot';

import { detailText, maybe, maybeLabel, maybeList, maybeText } from '../field-schemas.ts';
import type { ItemFormat } from '../format.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { firstText } from '../markdown-input.ts';
import { maybeOffset, sortByStart, type Utterance } from '../time/offsets.ts';
import { speakerLabel } from '../turns/turns.ts';
import { toFileDraft } from './recording.ts';

const Spoken = v.object({
  start: maybeOffset,
  end: maybeOffset,
  speaker: maybeLabel,
  channel: maybe(v.number()),
  transcript: maybeText,
});

const Paragraph = v.object({
  speaker: maybeLabel,
  sentences: maybeList(v.object({ text: maybeText, start: maybeOffset, end: maybeOffset })),
});

const Word = v.object({
  word: maybeText,
  punctuated_word: maybeText,
  start: maybeOffset,
  end: maybeOffset,
  speaker: maybeLabel,
});

const Alternative = v.object({
  transcript: maybeText,
  paragraphs: maybe(v.object({ paragraphs: maybeList(Paragraph) })),
  words: maybeList(Word),
});
type Alternative = v.InferOutput<typeof Alternative>;

const Response = v.object({
  metadata: v.object({ duration: maybeOffset, request_id: detailText }),
  results: v.object({
    channels: maybeList(
      v.object({ detected_language: detailText, alternatives: maybeList(Alternative) }),
    ),
    utterances: maybeList(Spoken),
    summary: v.fallback(maybe(v.object({ short: maybeText })), null),
  }),
});

/** Deepgram. The field `metadata.created` is the time of the request, not of the recording. */
export const deepgram: ItemFormat = {
  name: 'deepgram',
  product: 'Deepgram transcripts',
  paths: [],
  matches: ({ metadata, results }) =>
    isJsonObject(metadata) &&
    isJsonObject(results) &&
    ['channels', 'utterances'].some((name) => Array.isArray(results[name])),
  item: v.pipe(
    Response,
    v.transform(({ metadata, results: { summary, ...results } }) =>
      toFileDraft(spokenIn(results), {
        duration: metadata.duration,
        quick_summary: firstText(summary?.short),
        details: {
          id: metadata.request_id,
          language: results.channels[0]?.detected_language,
        },
      }),
    ),
  ),
};

type Results = v.InferOutput<typeof Response>['results'];

/** Returns what was said. Several channels are put in time order; each counts its own speakers. */
function spokenIn({ channels, utterances }: Omit<Results, 'summary'>): Utterance[] {
  const spoken =
    utterances.length > 0
      ? utterances.map(({ transcript, speaker, ...said }) => ({
          ...said,
          text: transcript,
          speaker: speakerLabel(speaker),
        }))
      : channels.flatMap(({ alternatives }, channel) =>
          wordsOf(alternatives[0]).map((said) => ({ ...said, channel })),
        );
  if (channels.length < 2) return spoken;
  return sortByStart(
    spoken.map(({ channel, speaker, ...said }) => ({
      ...said,
      speaker: [`Channel ${channel ?? 0}`, speaker].filter(Boolean).join(', '),
    })),
  );
}

/** Returns the words in the most structured form that the request has asked for. */
function wordsOf(alternative: Alternative | undefined): Utterance[] {
  const { transcript, paragraphs, words = [] } = alternative ?? {};
  const found = paragraphs?.paragraphs ?? [];
  if (found.length > 0)
    return found.flatMap(({ speaker, sentences }) =>
      sentences.map((each) => ({ ...each, speaker: speakerLabel(speaker) })),
    );
  if (words.some(({ speaker }) => speaker !== undefined && speaker !== null))
    return words.map(({ word, punctuated_word, speaker, ...times }) => ({
      ...times,
      text: firstText(punctuated_word, word),
      speaker: speakerLabel(speaker),
    }));
  return [{ text: transcript, start: words[0]?.start, end: words.at(-1)?.end }];
}
