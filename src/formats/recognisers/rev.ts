// The JSON of Rev: of its recogniser, and of the people who transcribe for it.

import * as v from 'valibot';

import { isPresent, maybeLabel, maybeList, maybeText } from '../field-schemas.ts';
import { maybeOffset, maybeTimestamp } from '../time/offsets.ts';
import { speakerLabel } from '../turns/turns.ts';

const Element = v.pipe(
  v.object({
    value: maybeText,
    name: maybeText,
    ts: maybeOffset,
    end_ts: maybeOffset,
    timestamp: maybeTimestamp,
    end_timestamp: maybeTimestamp,
  }),
  v.transform(({ value, name, ts, end_ts, timestamp, end_timestamp }) => ({
    text: value ?? (name ? ` [${name}] ` : ''),
    start: ts ?? timestamp,
    end: end_ts ?? end_timestamp,
  })),
);

/**
 * Rev: turns of elements, whose marks have their own spaces. What people transcribe has other names for times, and
 * sounds as tags.
 */
export const Rev = v.pipe(
  v.object({
    monologues: v.array(
      v.object({
        speaker: maybeLabel,
        speaker_name: maybeText,
        elements: maybeList(Element),
      }),
    ),
    speakers: maybeList(v.object({ id: maybeLabel, name: maybeText })),
  }),
  v.transform(({ monologues, speakers }) => {
    const names = new Map(speakers.map(({ id, name }) => [id, name]));
    return monologues.map(({ speaker, speaker_name, elements }) => ({
      text: elements.map(({ text }) => text).join(''),
      start: elements.find(({ start }) => isPresent(start))?.start,
      end: elements.findLast(({ end }) => isPresent(end))?.end,
      speaker: speaker_name ?? names.get(speaker) ?? speakerLabel(speaker),
    }));
  }),
);
