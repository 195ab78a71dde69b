// The checks of rows that both engines make, before those of memories and after them.

import { appChecks } from './app-rows.ts';
import { feedChecks, orphanChecks } from './links.ts';
import { sourceChecks } from './source-rows.ts';
import { accountChecks, changeFaults, changeRows, epochChecks, type RowCheck } from './tables.ts';

/** Checks that end together if damage stops one of them, and what a sentence calls them then. */
export type CheckPart = readonly [what: string, checks: readonly RowCheck[]];

/** The checks of accounts and keys. */
export const accountParts: readonly CheckPart[] = [
  ['The table of accounts', orphanChecks],
  ['The table of accounts or of keys', accountChecks],
];

/** Creates the checks of everything else, for one run. */
export function createFeedParts(): readonly CheckPart[] {
  return [
    ['The feed of changes', feedChecks],
    ['The table of the feed', [{ rows: changeRows, faults: changeFaults() }, ...epochChecks]],
    ['The tables of sources', sourceChecks],
    ['The tables of the app', appChecks],
  ];
}
