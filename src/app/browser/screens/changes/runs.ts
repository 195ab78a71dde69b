// What each change is, and runs of changes of one kind, such as those of an import.

import type { InferOutput } from 'valibot';

import type { Change } from '../../../../contract/schemas/memory.ts';
import type { AccountEvent } from '../../../contract/event-records.ts';
import { countedMemories } from '../../format.ts';
import type { AppClient } from '../../state/app-client.ts';

/** An edit of the owner. */
export type OwnEdit = Omit<Awaited<ReturnType<AppClient['edits']['list']>>[number], 'id'>;

/** An entry in the log of the account. */
export type OwnEvent = Pick<InferOutput<typeof AccountEvent>, 'kind' | 'subject' | 'at'>;

/** What has happened to a memory. The gateway records that a memory was written, and not whether it was new. `Changed`: the log is not known. */
export type Kind = 'Imported' | 'Changed by you' | 'Restored' | 'Deleted' | 'Changed';

/** What a change is, with the edits that the owner has made then. An edit that was taken back is not among them. */
export interface Act {
  readonly change: Change;
  readonly kind: Kind;
  readonly edits: readonly OwnEdit[];
}

/** How long the memories of an edit may take to be made again, and how far the log may be from what it tells. */
const EDIT_MS = 600_000;
const LOG_MS = 2000;

/**
 * Returns what changes are. A change that follows an edit of its memory, or of all memories, is the owner's. So are
 * changes at a time when the log says that edits were undone, or that a number of memories was restored.
 */
export function actsOf(
  changes: readonly Change[],
  edits: readonly OwnEdit[] = [],
  events: readonly OwnEvent[] = [],
): Act[] {
  // First, because times take long to read, and there may be thousands of changes.
  const timed = changes.map((change) => ({ change, at: Date.parse(change.changed_at) }));
  const made = edits.map((edit) => ({ edit, at: Date.parse(edit.made_at) }));
  const noted = new Map<Change, { readonly kind: Kind; readonly far: number }>();
  for (const { kind, subject, at: text } of events) {
    const isRestored = kind === 'memories-restored';
    if (!isRestored && kind !== 'edits-undone') continue;
    const at = Date.parse(text);
    const near = timed
      .filter(({ change, at: then }) => Math.abs(then - at) < LOG_MS && change.change === 'upsert')
      .map(({ change, at: then }) => ({ change, far: Math.abs(then - at), isAfter: then > at }))
      // The entry is written last, so what is after it is of somebody else, unless the clock was set.
      .toSorted((one, other) => Number(one.isAfter) - Number(other.isAfter) || one.far - other.far);
    const most = isRestored ? Number(subject) : near.length;
    for (const { change, far } of near.slice(0, most))
      if (far < (noted.get(change)?.far ?? LOG_MS))
        noted.set(change, { kind: isRestored ? 'Restored' : 'Changed by you', far });
  }
  return timed.map(({ change, at }) => {
    if (change.change === 'delete') return { change, kind: 'Deleted', edits: [] };
    const own = made.filter(
      ({ edit, at: then }) =>
        (edit.memory_id ?? change.memory_id) === change.memory_id &&
        at - then > -1000 &&
        at - then < EDIT_MS,
    );
    const log = noted.get(change);
    // A memory that was edited, deleted and restored was restored last.
    if (own.some((each) => log === undefined || Math.abs(each.at - at) <= log.far))
      return { change, kind: 'Changed by you', edits: own.map(({ edit }) => edit) };
    return { change, kind: log?.kind ?? 'Imported', edits: [] };
  });
}

/** Changes of one kind that follow each other. A long run is one row until it is opened. */
export interface Run {
  readonly kind: Kind;
  /** Its latest change, or the entry of the log if all of its memories have changed again. */
  readonly at: string;
  readonly acts: readonly Act[];
  /** How many memories there were. Those that have changed again are not among the acts. */
  readonly count: number;
}

/** Returns what a run is. The feed lists memories that have changed again at their last change, and not in it. */
export function textOf({ kind, acts, count }: Run): string {
  const text = `${countedMemories(count)} ${kind.toLowerCase()}`;
  const gone = count - acts.length;
  return gone > 0 ? `${text}, ${gone.toLocaleString('en')} changed since` : text;
}

/** A longer pause begins another run. */
const RUN_PAUSE_MS = 60_000;

/** What the log counts, by the names that it has there. */
const COUNTED: Partial<Record<OwnEvent['kind'], Kind>> = {
  'memories-imported': 'Imported',
  'memories-deleted': 'Deleted',
  'memories-restored': 'Restored',
};

/** Returns the entries of the log after a change. That of an import is written a little later than its last change. */
export function eventsAfter(events: readonly OwnEvent[], change: string): OwnEvent[] {
  const from = change === '' ? 0 : Date.parse(change) + LOG_MS;
  return events.filter(({ at }) => Date.parse(at) > from);
}

/**
 * Returns the runs of changes, which an import makes without a pause. The feed has the last change of each memory, so
 * the log says how many memories a run had, also if none of them is left in it.
 */
export function runsOf(acts: readonly Act[], events: readonly OwnEvent[] = []): Run[] {
  const runs: { kind: Kind; at: string; acts: Act[]; count: number; last: number }[] = [];
  for (const act of acts) {
    const { changed_at } = act.change;
    const at = Date.parse(changed_at);
    const run = runs.at(-1);
    if (run?.kind === act.kind && run.last - at < RUN_PAUSE_MS) {
      run.acts.push(act);
      run.last = at;
    } else runs.push({ kind: act.kind, at: changed_at, acts: [act], count: 0, last: at });
  }
  for (const { kind: name, subject, at: text } of events) {
    const kind = COUNTED[name];
    const [at, count] = [Date.parse(text), Number(subject)];
    if (kind === undefined || !(count > 0)) continue;
    const run = runs.find(
      (each) =>
        each.kind === kind && each.last - at < RUN_PAUSE_MS && at - Date.parse(each.at) < LOG_MS,
    );
    if (run) run.count += count;
    else runs.push({ kind, at: text, acts: [], count, last: at });
  }
  return (
    runs
      // Nothing names what was deleted and has come back, and its return is told.
      .filter(({ kind, acts: own }) => kind !== 'Deleted' || own.length > 0)
      .map((run) => ({ ...run, count: Math.max(run.count, run.acts.length) }))
      .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  );
}
