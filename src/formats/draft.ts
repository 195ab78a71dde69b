// Converts a draft to a memory: parses its times, derives missing fields, and validates the result.

import * as v from 'valibot';

import { Memory } from '../contract/schemas/memory.ts';
import type { Draft } from './format.ts';
import { toMemoryId } from './id.ts';
import { issueText } from './issue-text.ts';
import { hasTime, readProductTime, type MaybeTime, type ReadLocal } from './time/product-time.ts';

/** A valid memory, or the reason why there is none. */
export type MemoryOrReason = { readonly memory: Memory } | { readonly reason: string };

/** Converts a draft to a memory. Its `user_id` is the draft's account, or `''`. */
export function toMemory(draft: Draft, local: ReadLocal): MemoryOrReason {
  const id = toMemoryId(draft.id);
  if (id === undefined) return { reason: 'its id is empty' };
  const times = readTimes(draft, local);
  if (typeof times === 'string') return { reason: times };
  const is_processing = draft.is_processing ?? false;
  const parsed = v.safeParse(Memory, {
    ...draft.extra,
    id,
    name: wellFormed(draft.name),
    ...times,
    is_processing,
    user_id: draft.account_id ?? '',
    // A product's unfinished summary is not imported.
    summary: {
      quick_summary: is_processing ? '' : wellFormed(draft.quick_summary),
      key_takeaways: is_processing ? [] : (draft.key_takeaways ?? []).map(wellFormed),
    },
    transcript: wellFormed(draft.transcript.text),
  });
  return parsed.success ? { memory: parsed.output } : { reason: issueText(parsed.issues[0]) };
}

/** Replaces halves of surrogate pairs: JSON can have them, and strict parsers of other programs reject the whole list. */
function wellFormed(text: string | null | undefined): string {
  return text?.toWellFormed() ?? '';
}

function readTimes(draft: Draft, local: ReadLocal) {
  const start = readTimeField('start time', draft.started_at, local);
  if (typeof start === 'string') return start;
  if (start === undefined) return 'it has no start time';
  const given = readTimeField('end time', draft.ended_at, local);
  if (typeof given === 'string') return given;
  const seconds = draft.duration_seconds ?? undefined;
  if (seconds !== undefined && !(seconds >= 0 && seconds < 1e9))
    return `its duration is ${seconds} seconds`;
  // If nothing says when it ended, it ends when it starts. No end is invented.
  const end = given ?? start + Math.round((seconds ?? 0) * 1000);
  if (end < start) return 'it ends before it starts';
  return {
    started_at: new Date(start).toISOString(),
    ended_at: new Date(end).toISOString(),
    duration_seconds: Math.round(seconds ?? (end - start) / 1000),
  };
}

/** Returns a time in milliseconds, `undefined` if it is missing, or a sentence about what is wrong with it. */
function readTimeField(
  what: string,
  time: MaybeTime,
  local: ReadLocal,
): number | string | undefined {
  if (!hasTime(time)) return undefined;
  return (
    readProductTime(time, local) ??
    `its ${what} cannot be read: ${JSON.stringify(time).slice(0, 40)}`
  );
}
