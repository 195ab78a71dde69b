// The schema of what is to be put right.

import * as v from 'valibot';

import { Label } from '../../contract/schemas/label.ts';
import { Timestamp } from '../../contract/schemas/memory.ts';
import { canBeStored } from '../../contract/schemas/parameters.ts';
import { speakerOf } from '../../text/speaker.ts';
import { Refusal } from '../refusal.ts';
import { facetKey } from './facets.ts';

/** The name of a speaker that is put right. */
export const OldSpeaker = v.pipe(
  v.string(),
  v.check((name) => facetKey(name) !== '' && canBeStored(name)),
  v.description('the name of a speaker'),
);

/** The new name of a speaker: one that is read as such before a turn. */
export const SpeakerName = v.pipe(
  v.string(),
  v.check((name) => name.trim() === name && speakerOf(`${name}: `) === name && canBeStored(name)),
  v.description(
    '1 to 60 characters that begin with a letter or a digit, without any of : ! ? ; and line breaks',
  ),
);

/** Returns the first of some names that is there before, as names are compared. */
export function renamedTwice(names: readonly string[]): string | undefined {
  const keys = names.map(facetKey);
  return names.find((_, i) => keys.indexOf(keys[i] ?? '') < i);
}

/** The schema of what is to be put right. `old` is the name of a speaker that the new one replaces. */
export const NewCorrection = v.variant('field', [
  v.object({ field: v.literal('name'), old: v.null(), new: Label }),
  v.object({ field: v.literal('started_at'), old: v.null(), new: Timestamp }),
  v.object({
    field: v.literal('speaker'),
    old: OldSpeaker,
    new: SpeakerName,
  }),
]);
/** What is to be put right. */
export type NewCorrection = v.InferOutput<typeof NewCorrection>;

/** Throws `ValiError` if a correction is invalid, and `Refusal` if one speaker gets two names. */
export function checkCorrections(corrections: readonly NewCorrection[]): void {
  v.parse(v.array(NewCorrection), corrections);
  const twice = renamedTwice(corrections.flatMap(({ old }) => old ?? []));
  if (twice === undefined) return;
  throw new Refusal(`This renames the speaker "${twice}" twice; give each speaker one new name.`);
}
