// The words of a Hyprnote recording, and who speaks them.

import * as v from 'valibot';

import { isPresent, maybe, maybeLabel, maybeText } from '../field-schemas.ts';
import { inSeconds, maybeOffset } from '../time/offsets.ts';
import { speakerLabel, type Segment } from '../turns/turns.ts';

/** A list, or the JSON text of a list, as older versions write it. A missing one is empty. */
function listOrText<T extends v.GenericSchema>(item: T) {
  const List = v.array(item);
  return v.nullish(
    v.lazy((input) => (typeof input === 'string' ? v.pipe(v.string(), v.parseJson(), List) : List)),
    [],
  );
}

/** The words of a recording. Offsets are milliseconds from its start. */
export const Words = listOrText(
  v.object({
    id: maybeText,
    text: maybeText,
    start_ms: maybeOffset,
    end_ms: maybeOffset,
    channel: maybe(v.number()),
    speaker: maybeLabel,
  }),
);
/** The words of a recording, with their channels and offsets in milliseconds. */
export type Words = v.InferOutput<typeof Words>;

const Index = v.object({ speaker_index: v.number() });

/** What is known of the speakers of words. Only numbers are read: names of people are in other files. */
export const SpeakerHints = listOrText(
  v.object({
    word_id: maybeText,
    value: v.fallback(
      maybe(
        v.lazy((input) =>
          typeof input === 'string' ? v.pipe(v.string(), v.parseJson(), Index) : Index,
        ),
      ),
      null,
    ),
  }),
);
/** The numbers of speakers, by word. */
export type SpeakerHints = v.InferOutput<typeof SpeakerHints>;

const MICROPHONE = 0;
const COMPUTER = 1;

interface Turn {
  readonly speaker: string;
  text: string;
  readonly start: number | undefined;
  end: number | undefined;
}

/** Returns the words by speaker. The microphone hears the user, and the computer plays everyone else. */
export function speechOf(words: Words, hints: SpeakerHints): Segment[] {
  const numbers = new Map(
    hints.flatMap(({ word_id, value }) =>
      word_id && isPresent(value) ? [[word_id, value.speaker_index] as const] : [],
    ),
  );
  // Newer versions write the space between words at the start of a word.
  const space = words.some(({ text }) => text?.startsWith(' ')) ? '' : ' ';
  const turns: Turn[] = [];
  for (const { id, text, channel, speaker, start_ms, end_ms } of words) {
    const name = speakerLabel(speaker) || nameOf(channel, numbers.get(id ?? ''));
    const last = turns.at(-1);
    const end = inSeconds(end_ms);
    if (last?.speaker === name) {
      last.text += space + (text ?? '');
      last.end = end;
    } else turns.push({ speaker: name, text: text ?? '', start: inSeconds(start_ms), end });
  }
  return turns;
}

function nameOf(channel: number | null | undefined, number: number | undefined): string {
  if (channel === MICROPHONE) return 'User';
  if (number !== undefined) return speakerLabel(number);
  return channel === COMPUTER ? 'Speaker' : '';
}
