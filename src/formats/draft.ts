// Drafts become memories: times read, the rest derived, all of it checked by the contract.

import * as v from 'valibot';

import { Memory } from '../contract/memory.ts';
import type { Draft } from './format.ts';
import { toMemoryId } from './id.ts';
import { readTime, type MaybeTime, type ReadLocal } from './time.ts';

/** A memory that holds the contract, or why there is none. */
export type Made = { readonly memory: Memory } | { readonly reason: string };

/** Makes a memory of a draft; its `user_id` is the draft's account, or `''`. */
export function toMemory(draft: Draft, local: ReadLocal): Made {
  const id = toMemoryId(draft.id);
  if (id === undefined) return { reason: 'its id is empty' };
  const times = readTimes(draft, local);
  if (typeof times === 'string') return { reason: times };
  const is_processing = draft.is_processing ?? false;
  const parsed = v.safeParse(Memory, {
    ...draft.further,
    id,
    name: draft.name ?? '',
    ...times,
    is_processing,
    user_id: draft.account_id ?? '',
    // What a product has of a summary while it still works on it is not the summary.
    summary: {
      quick_summary: (!is_processing && draft.quick_summary) || '',
      key_takeaways: is_processing ? [] : [...(draft.key_takeaways ?? [])],
    },
    transcript: draft.transcript,
  });
  return parsed.success ? { memory: parsed.output } : { reason: reasonOf(parsed.issues[0]) };
}

/** The most that a reason says: what it quotes may be a whole transcript. */
const LONGEST = 160;

/** Says what is wrong with an item, and where in it. */
export function reasonOf(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  const reason = path === null ? issue.message : `${path}: ${issue.message}`;
  return reason.length <= LONGEST ? reason : `${reason.slice(0, LONGEST)}…`;
}

function readTimes(draft: Draft, local: ReadLocal) {
  const start = find('start time', draft.started_at, local);
  if (typeof start === 'string') return start;
  if (start === undefined) return 'it has no start time';
  const given = find('end time', draft.ended_at, local);
  if (typeof given === 'string') return given;
  const seconds = draft.duration_seconds ?? undefined;
  if (seconds !== undefined && !(seconds >= 0 && seconds < 1e9))
    return `its duration is ${seconds} seconds`;
  // Where nothing tells the end, it is not made up: as much as is known is that it began.
  const end = given ?? start + Math.round((seconds ?? 0) * 1000);
  if (end < start) return 'it ends before it starts';
  return {
    started_at: new Date(start).toISOString(),
    ended_at: new Date(end).toISOString(),
    duration_seconds: Math.round(seconds ?? (end - start) / 1000),
  };
}

/** A time in milliseconds; undefined when there is none, or what is wrong with it. */
function find(what: string, time: MaybeTime, local: ReadLocal): number | string | undefined {
  if (time === undefined || time === null || time === '') return undefined;
  return (
    readTime(time, local) ?? `its ${what} cannot be read: ${JSON.stringify(time).slice(0, 40)}`
  );
}
