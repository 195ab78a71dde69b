// The fields of a memory that tools read when they need no transcript.

import type { Memory } from '../../contract/schemas/memory.ts';

/** All fields but the transcript and the account. */
export const ABOUT_FIELDS = [
  'name',
  'started_at',
  'ended_at',
  'duration_seconds',
  'is_processing',
  'summary',
] as const;

/** A memory with these fields. */
export type MemoryFields = Pick<Memory, (typeof ABOUT_FIELDS)[number] | 'id'>;
