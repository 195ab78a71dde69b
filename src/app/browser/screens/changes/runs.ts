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
  /** How many memories there were, as far as it is certain. Those that have changed again are not among the acts. */
  readonly count: number;
}

/**
 * Returns what a run is. The feed lists a memory that was edited, deleted or restored since at its last change, which is
 * above the run.
 */
export function textOf({ kind, acts, count }: Run): string {
  const text = `${countedMemories(count)} ${kind.toLowerCase()}`;
  const gone = count - acts.length;
  return gone > 0 ? `${text}, ${gone.toLocaleString('en')} listed above` : text;
}

/** A longer pause begins another run. */
const RUN_PAUSE_MS = 60_000;

/** Returns the entries of the log after a change. That of an import is written a little later than its last change. */
export function eventsAfter(events: readonly OwnEvent[], change: string): OwnEvent[] {
  const from = change === '' ? 0 : Date.parse(change) + LOG_MS;
  return events.filter(({ at }) => Date.parse(at) > from);
}

/**
 * Returns the runs of changes, which an import makes without a pause. The feed has the last change of each memory, so
 * the log says how many memories an import had, also if none of them is left in it. What was deleted or restored is
 * counted in the feed alone: the log counts a memory each time.
 */
export function runsOf(acts: readonly Act[], events: readonly OwnEvent[] = []): Run[] {
  const runs: { kind: Kind; at: string; acts: Act[]; counts: number[]; last: number }[] = [];
  for (const act of acts) {
    const { changed_at } = act.change;
    const at = Date.parse(changed_at);
    const run = runs.at(-1);
    if (run?.kind === act.kind && run.last - at < RUN_PAUSE_MS) {
      run.acts.push(act);
      run.last = at;
    } else runs.push({ kind: act.kind, at: changed_at, acts: [act], counts: [], last: at });
  }
  for (const { kind: name, subject, at: text } of events) {
    const kind = 'Imported';
    const [at, count] = [Date.parse(text), Number(subject)];
    if (name !== 'memories-imported' || !(count > 0)) continue;
    const run = runs.find(
      (each) =>
        each.kind === kind && each.last - at < RUN_PAUSE_MS && at - Date.parse(each.at) < LOG_MS,
    );
    if (run) run.counts.push(count);
    else runs.push({ kind, at: text, acts: [], counts: [count], last: at });
  }
  return (
    runs
      // Several imports may be of the same memories.
      .map((run) => ({
        ...run,
        count: Math.max(run.acts.length, ...(run.acts[0] && run.counts[1] ? [] : run.counts)),
      }))
      .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  );
}
