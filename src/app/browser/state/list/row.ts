// A row of a list of memories: the fields that it shows, and what finds it again.

import type { Memory } from '../../../../contract/schemas/memory.ts';

/** The fields of a row. */
export const FIELDS = [
  'name',
  'started_at',
  'duration_seconds',
  'is_processing',
  'summary',
] as const satisfies readonly (keyof Memory)[];

/** How many rows are asked for together with the days. A window shows fewer. */
export const HEAD = 20;

/** A row of the list. */
export type Row = Pick<Memory, 'id' | (typeof FIELDS)[number]>;

/** A row of a list, and where it was in the window. */
export interface Anchor {
  readonly id: string;
  /** When the memory started. Its neighbours are found by it if the memory itself is gone. */
  readonly at: string;
  readonly row: number;
  /** How far it was below the upper edge of the window, in pixels. */
  readonly below: number;
}
