// The JSON of Whisper: of OpenAI's program and API, faster-whisper, WhisperX and LocalAI.

import * as v from 'valibot';

import { detailText, isPresent, maybeLabel, maybeList, maybeText } from '../field-schemas.ts';
import type { ItemFormat, JsonObject } from '../format.ts';
import { isJsonObject } from '../json/unwrap.ts';
import {
  lastOffset,
  maybeOffset,
  maybeTimestamp,
  toSecondsByWords,
  type Utterance,
} from '../time/offsets.ts';
import { joinPieces, joinWords } from '../turns/pieces.ts';
import { speakerLabel } from '../turns/turns.ts';
import { toFileDraft } from './recording.ts';

const Word = v.object({
  word: maybeText,
  text: maybeText,
  start: maybeTimestamp,
  end: maybeTimestamp,
  speaker: maybeLabel,
});

const Segment = v.object({
  start: maybeTimestamp,
  end: maybeTimestamp,
  text: maybeText,
  speaker: maybeLabel,
  // Mistral's Voxtral.
  speaker_id: maybeLabel,
  words: v.fallback(maybeList(Word), []),
});

/** A result of Whisper. */
export const WhisperResult = v.object({
  text: maybeText,
  duration: maybeOffset,
  language: detailText,
  segments: maybeList(Segment),
  // OpenAI's `verbose_json` has them beside the segments, or instead.
  words: v.fallback(maybeList(Word), []),
});

/** Whisper. Only WhisperX and OpenAI's diarizing model tell speakers, and not for each segment. */
export const whisper: ItemFormat = {
  name: 'whisper',
  product: 'Whisper JSON of OpenAI, faster-whisper, WhisperX and LocalAI',
  paths: [],
  matches: (item) => isSegments(item) || isVerbose(item),
  item: v.pipe(
    WhisperResult,
    v.transform(({ duration, language, ...result }) => {
      const spoken = toUtterances(result);
      return toFileDraft(spoken, {
        duration: inUnitOf(spoken, duration),
        details: { language },
      });
    }),
  ),
};

/** Converts a duration to seconds. Superwhisper has it in milliseconds, and its segments in seconds. */
function inUnitOf(spoken: readonly Utterance[], duration: number | null | undefined) {
  const last = lastOffset(spoken);
  const isSmall = isPresent(duration) && last > 0 && duration >= last * 1000;
  return isSmall ? duration / 1000 : duration;
}

/** Properties of results that other products put around the segments. */
const OTHERS = ['started_at', 'native_meeting_id', 'transcription_id'];

function isSegments({ segments, data, ...item }: JsonObject): boolean {
  if (!Array.isArray(segments) || OTHERS.some((name) => name in item)) return false;
  const first: unknown = segments[0];
  if (first === undefined) return typeof item['text'] === 'string';
  // A processed view of Vexa has the same segments.
  const isVexa = isJsonObject(data) && 'processed' in data;
  return (
    isJsonObject(first) &&
    ['start', 'end', 'text'].every((name) => name in first) &&
    !['absolute_start_time', 'segment_id'].some((name) => name in first) &&
    !isVexa
  );
}

/** Whether an item is OpenAI's `verbose_json` without segments: the query can choose words instead. */
function isVerbose(item: JsonObject): boolean {
  return typeof item['text'] === 'string' && 'task' in item && 'duration' in item;
}

/** Returns the segments of a result, otherwise its text, with the times of its words if it has them. */
export function toUtterances({
  text: whole,
  segments,
  words: all,
}: Pick<v.InferOutput<typeof WhisperResult>, 'text' | 'segments' | 'words'>): Utterance[] {
  if (segments.length === 0) return [...joinWords(piecesOf(whole ?? '', all))];
  const spoken = segments.flatMap(
    ({ words, speaker_id, speaker = speaker_id, ...said }): Utterance[] => {
      // WhisperX can know the speakers of words, and not that of their segment.
      if (!isPresent(speaker) && words.some((each) => isPresent(each.speaker)))
        return [...wordsOf(words), { end: said.end }];
      return [{ ...said, speaker: speakerLabel(speaker) }];
    },
  );
  return [...joinPieces(toSecondsByWords(spoken))];
}

/** Splits a text at its words. Words have times but no marks, and some are written differently in the text. */
function* piecesOf(
  text: string,
  words: readonly v.InferOutput<typeof Word>[],
): Generator<Utterance> {
  let at = 0;
  for (const { word, start, end } of words) {
    const spoken = word?.trim() ?? '';
    const found = text.slice(at, at + MOST_BETWEEN + spoken.length).indexOf(spoken);
    if (spoken === '' || found < 0) continue;
    const after = at + found + spoken.length;
    const next = after + (/^[\p{P}\p{S}]*/u.exec(text.slice(after))?.[0].length ?? 0);
    yield { text: text.slice(at, next), start, end };
    at = next;
  }
  yield { text: text.slice(at) };
}

/** How many characters of a text can have no words with times. */
const MOST_BETWEEN = 100;

/** Joins words. One without a speaker, such as a number, belongs to the word before it. */
function wordsOf(words: readonly v.InferOutput<typeof Word>[]): Utterance[] {
  let last = '';
  const spoken = words.map(({ word, text, speaker, ...times }) => {
    last = speakerLabel(speaker) || last;
    return { ...times, text: word ?? text, speaker: last };
  });
  return [...joinWords(spoken)];
}
