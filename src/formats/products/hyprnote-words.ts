// The words of a Hyprnote recording, and who speaks them.

import * as v from 'valibot';

import { isPresent, maybe, maybeLabel, maybeText, orJsonText } from '../field-schemas.ts';
import { inSeconds, maybeOffset } from '../time/offsets.ts';
import { speakerLabel, type Segment } from '../turns/turns.ts';

/** A list, or the JSON text of a list, as older versions write it. A missing one is empty. */
function listOrText<T extends v.GenericSchema>(item: T) {
  return v.nullish(orJsonText(v.array(item)), []);
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

const Index = v.object({ speaker_index: maybe(v.number()), human_id: maybeText });

/** What is known of the speakers of words: their numbers, and the ids of people whose names stand elsewhere. */
export const SpeakerHints = listOrText(
  v.object({
    word_id: maybeText,
    value: v.fallback(maybe(orJsonText(Index)), null),
  }),
);
/** The numbers of speakers and the ids of people, by word. */
export type SpeakerHints = v.InferOutput<typeof SpeakerHints>;

const MICROPHONE = 0;
const COMPUTER = 1;

interface Turn {
  readonly speaker: string;
  text: string;
  readonly start: number | undefined;
  end: number | undefined;
}

/**
 * Returns the words by speaker. The microphone hears the user, and the computer plays everyone else. `people` has
 * the names of people by their ids: who is named for one word of a speaker says the others as well.
 */
export function speechOf(
  words: Words,
  hints: SpeakerHints,
  people: ReadonlyMap<string, string> = new Map(),
): Segment[] {
  const numbers = new Map<string, number>();
  const persons = new Map<string, string>();
  for (const { word_id, value } of hints) {
    if (!word_id) continue;
    if (isPresent(value?.speaker_index)) numbers.set(word_id, value.speaker_index);
    const person = people.get(value?.human_id ?? '');
    if (person) persons.set(word_id, person);
  }
  const named = new Map(
    words.flatMap(({ id, channel }) => {
      const person = persons.get(id ?? '');
      return person ? [[nameOf(channel, numbers.get(id ?? '')), person] as const] : [];
    }),
  );
  // Newer versions write the space between words at the start of a word.
  const space = words.some(({ text }) => text?.startsWith(' ')) ? '' : ' ';
  const turns: Turn[] = [];
  for (const { id, text, channel, speaker, start_ms, end_ms } of words) {
    const label = nameOf(channel, numbers.get(id ?? ''));
    const name = speakerLabel(speaker) || named.get(label) || label;
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
