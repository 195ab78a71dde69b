// What kind of change each is, and runs of changes of one kind, such as those of an import.

import type { Change } from '../../../../contract/schemas/memory.ts';

/** Which memory the owner has edited, or all, and when. */
export interface OwnEdit {
  readonly memory_id: string | null;
  readonly made_at: string;
}

/** How long the memories of an edit may take to be made again. */
const EDIT_MS = 600_000;

/** What has happened to a memory. The gateway records that a memory was written, and not whether it was new. */
export type Kind = 'Imported' | 'Changed by you' | 'Deleted';

/** Returns what a change is. One that follows an edit of the memory, or of all, is the owner's. */
export function kindOf({ memory_id, change, changed_at }: Change, edits: readonly OwnEdit[]): Kind {
  if (change === 'delete') return 'Deleted';
  const isEdited = edits.some((edit) => {
    // First, because times take longer to read, and there may be thousands of changes.
    if ((edit.memory_id ?? memory_id) !== memory_id) return false;
    const after = Date.parse(changed_at) - Date.parse(edit.made_at);
    return after > -1000 && after < EDIT_MS;
  });
  return isEdited ? 'Changed by you' : 'Imported';
}

/** Changes of one kind that follow each other. A long run is one row until it is opened. */
export interface Run {
  readonly kind: Kind;
  readonly changes: readonly Change[];
}

/** A longer pause begins another run. */
const RUN_PAUSE_MS = 60_000;

/** Returns the runs of changes, which an import makes without a pause. */
export function runsOf(changes: readonly Change[], edits: readonly OwnEdit[]): Run[] {
  const runs: { kind: Kind; changes: Change[] }[] = [];
  let last = 0;
  for (const change of changes) {
    const [kind, at] = [kindOf(change, edits), Date.parse(change.changed_at)];
    const run = runs.at(-1);
    if (run?.kind === kind && last - at < RUN_PAUSE_MS) run.changes.push(change);
    else runs.push({ kind, changes: [change] });
    last = at;
  }
  return runs;
}
