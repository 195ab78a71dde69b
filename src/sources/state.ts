// The state of a source: the JSON in the database that says where its next run continues.

import * as v from 'valibot';

import { DAY_MS } from '../lib/time.ts';
import type { Source } from './source.ts';

const Time = v.pipe(v.number(), v.safeInteger());

/** What an interrupted run has not read of a list, newest first. Times are milliseconds since 1970. */
const Tail = v.object({
  /** Its first time, if it does not go back to the first item. */
  from: v.optional(Time),
  /** The oldest time that was read. The tail is older. */
  reached: Time,
  /** The newest time that was read. It becomes `since` when the tail is read. */
  high: Time,
});

/** The state of a source. Times are milliseconds since 1970. */
export const SourceState = v.object({
  /** The time of the newest item of a complete list. */
  since: v.optional(Time),
  tail: v.optional(Tail),
  /** The cursor at which a feed continues. */
  cursor: v.optional(v.string()),
  /** The items of a feed that the product could not give. Each run requests them again, because the feed lists none twice. */
  missed: v.optional(v.array(v.record(v.string(), v.unknown()))),
  /** Whether the feed has to be read again from its beginning, because it has lost the cursor. */
  isResync: v.optional(v.boolean()),
  /** The versions of the items of the last days. */
  seen: v.optional(v.record(v.string(), v.string())),
});

/** What an interrupted run has left. */
export type Tail = v.InferOutput<typeof Tail>;

/** The state of a source. */
export type SourceState = v.InferOutput<typeof SourceState>;

/** Reads a stored state. If it is damaged, or of another version, the source starts again from its beginning. */
export function readState(text: string | undefined): SourceState {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), SourceState), text);
  return parsed.success ? parsed.output : {};
}

const LOOK_BACK_DAYS = 7;

/** Returns how far each run looks back for changed items, in milliseconds. */
export function lookBackMs({ lookBackDays = LOOK_BACK_DAYS }: Source): number {
  return lookBackDays * DAY_MS;
}
