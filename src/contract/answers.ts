// Answers: where each endpoint is, and what comes back; all that a client carries of the contract.

import * as v from 'valibot';

import { Change } from './change.ts';
import { cutMemory, Memory } from './memory.ts';

/** What a caller knows of an endpoint; names in braces in `path` are taken from the path, the rest from the query. */
export interface Answering {
  readonly path: `/${string}`;
  readonly output: v.GenericSchema;
  /** What is left of the output where `fields` are asked for, or a cursor brings some that are not known here. */
  readonly cut?: (fields?: readonly string[]) => v.GenericSchema;
  /** The parameter that takes the cursor of the next page: `cursor` where pages end, `since` where they go on for ever. */
  readonly next?: 'cursor' | 'since';
}

/** The endpoints as their callers see them, group by group. */
export const answers = {
  memories: {
    list: {
      path: '/v1/memories',
      output: v.array(Memory),
      cut: (fields) => v.array(cutMemory(fields)),
      next: 'cursor',
    },
    get: { path: '/v1/memories/{memory_id}', output: Memory, cut: cutMemory },
  },
  changes: {
    list: { path: '/v1/changes', output: v.array(Change), next: 'since' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Answering>>>>;
