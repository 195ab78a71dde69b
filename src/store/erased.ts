// Erased: memories that are to go for good, and the refusal where one is not there.

import { Refusal } from './refusal.ts';

/** Which memories of an account are to go. */
export interface Erased {
  readonly account_id: string;
  readonly ids: readonly string[];
}

const SHOWN = 10;

/** The refusal to delete memories some of which are not there. */
export function notThere(account_id: string, missing: readonly string[]): Refusal {
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : '';
  const names = `${missing.slice(0, SHOWN).join(', ')}${more}`;
  const what = missing.length === 1 ? 'is no memory' : 'are no memories';
  return new Refusal(`There ${what} ${names} in account ${account_id}; nothing was deleted.`);
}
