// The app's endpoints that delete memories and bring them back, as data.

import * as v from 'valibot';

import type { Contract } from '../contract/route.ts';
import { MemoryId, Timestamp } from '../contract/schemas/memory.ts';
import { MemoriesToChange, OneMemoryInput } from './app-inputs.ts';
import { appTargets } from './app-targets.ts';
import { Done, ofAccount } from './route-parts.ts';

/** A memory in the bin. */
export const DeletedMemory = v.object({
  id: MemoryId,
  name: v.string(),
  started_at: Timestamp,
  deleted_at: Timestamp,
  /** When it is erased. Until then it can be brought back. */
  erased_at: Timestamp,
});

const ofMemories = { auth: 'session', failures: [401, 404, 409, 422] } as const;

/** The endpoints of deletions. If the app is read-only, all of them are 403. */
export const deletionRoutes = {
  deletions: {
    create: {
      ...appTargets.deletions.create,
      ...ofMemories,
      summary: 'Delete memories, all or none, and get those that are in the bin now',
      input: MemoriesToChange,
      output: v.array(DeletedMemory),
    },
    list: {
      ...appTargets.deletions.list,
      ...ofAccount,
      summary: 'List the memories in the bin, the latest 1,000 deletions, latest first',
      output: v.array(DeletedMemory),
    },
    undo: {
      ...appTargets.deletions.undo,
      ...ofMemories,
      summary: 'Bring a memory back from the bin',
      input: OneMemoryInput,
      output: Done,
    },
    undoAll: {
      ...appTargets.deletions.undoAll,
      ...ofMemories,
      summary: 'Bring memories back from the bin, all or none',
      input: MemoriesToChange,
      output: Done,
    },
    empty: {
      ...appTargets.deletions.empty,
      ...ofAccount,
      summary: 'Erase all memories in the bin',
      output: Done,
    },
  },
} as const satisfies Contract;
