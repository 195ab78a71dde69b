// The schema of a new correction, and how it compares with earlier ones.

import * as v from 'valibot';

import { Label } from '../../contract/schemas/label.ts';
import { Timestamp } from '../../contract/schemas/memory.ts';
import { canBeStored } from '../../contract/schemas/parameters.ts';
import { speakerOf } from '../../text/speaker.ts';
import { Refusal } from '../refusal.ts';
import type { Correction } from './corrections.ts';
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
    '1 to 60 characters that begin with a letter or a digit, and up to 140 more in brackets at the end, without any of : ! ? ; and line breaks',
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

/** Returns whether a stored correction is the same as one to make of a memory, or of all if it is null. */
export function isEqual(old: Correction, each: NewCorrection, memory_id: string | null): boolean {
  return replaces(each, old, memory_id) && old.old === each.old && old.new === each.new;
}

/** Returns whether a correction takes the place of a stored one. */
export function replaces(each: NewCorrection, old: Correction, memory_id: string | null): boolean {
  return (
    old.memory_id === memory_id &&
    old.field === each.field &&
    facetKey(old.old ?? '') === facetKey(each.old ?? '')
  );
}

/** Returns whether a later correction gives a speaker the name again that this one has replaced. */
export function isTakenBack(one: Correction, all: readonly Correction[]): boolean {
  return all.some(
    (each) =>
      each.field === 'speaker' &&
      each.made_at > one.made_at &&
      (each.memory_id ?? one.memory_id) === (one.memory_id ?? each.memory_id) &&
      facetKey(each.new) === facetKey(one.old ?? ''),
  );
}
