// The JSON of whisper.cpp, as its option --output-json writes it.

import * as v from 'valibot';

import { detail, detailText, maybe, maybeLabel, maybeText } from '../field-schemas.ts';
import type { ItemFormat } from '../format.ts';
import { isJsonObject } from '../json/unwrap.ts';
import { maybeOffset, inSeconds, type Utterance } from '../time/offsets.ts';
import { joinPieces } from '../turns/pieces.ts';
import { speakerLabel } from '../turns/turns.ts';
import { toFileDraft } from './recording.ts';

const Piece = v.object({
  offsets: maybe(v.object({ from: maybeOffset, to: maybeOffset })),
  text: maybeText,
  speaker: maybeLabel,
});

const Result = v.object({
  transcription: v.array(Piece),
  result: detail(v.object({ language: detailText })),
});

/** whisper.cpp. With stereo sound it tells the channel of a speaker, `?` if both are as loud. */
export const whisperCpp: ItemFormat = {
  name: 'whisper-cpp',
  product: 'whisper.cpp JSON',
  paths: [],
  matches: ({ transcription, ...item }) =>
    Array.isArray(transcription) &&
    (isJsonObject(transcription[0])
      ? 'offsets' in transcription[0] || 'timestamps' in transcription[0]
      : 'systeminfo' in item),
  item: v.pipe(
    Result,
    v.transform(({ transcription, result }) =>
      toFileDraft([...joinPieces(transcription.map(toUtterance))], {
        details: { language: result?.language },
      }),
    ),
  ),
};

function toUtterance({ offsets, text, speaker }: v.InferOutput<typeof Piece>): Utterance {
  return {
    start: inSeconds(offsets?.from),
    end: inSeconds(offsets?.to),
    text,
    speaker: speaker === '?' ? '' : speakerLabel(speaker),
  };
}
