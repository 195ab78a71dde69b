// What a caller's scope means for an endpoint: the fields it gets, and the lines it does not get.

import { Failure } from '../../contract/failure.ts';
import { Memory, type MemoryField } from '../../contract/schemas/memory.ts';
import { failure } from '../../contract/statuses.ts';
import type { Scope } from '../../store/scope.ts';

/** All fields but the transcript. */
const WITHOUT_TRANSCRIPT = (Object.keys(Memory.entries) as MemoryField[]).filter(
  (name) => name !== 'transcript',
);

const NO_TRANSCRIPT_FIELD = new Failure(
  403,
  'The parameter "fields" names "transcript", but you may read names and summaries only; leave it out, or use a key that may read transcripts.',
);

/** Returns the fields that a caller gets: those it names, otherwise all that it may read. Throws a 403. */
export function readableFields(
  fields: readonly MemoryField[] | undefined,
  scope: Scope | undefined,
): readonly MemoryField[] | undefined {
  if (scope?.reads !== 'summaries') return fields;
  if (fields === undefined) return WITHOUT_TRANSCRIPT;
  if (fields.includes('transcript')) throw NO_TRANSCRIPT_FIELD;
  return fields;
}

/** Throws a 403 if a caller may not read transcripts. */
export function requireTranscripts(scope: Scope | undefined): void {
  if (scope?.reads === 'summaries') throw failure(403);
}
