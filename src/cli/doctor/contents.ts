// The rules of contents: the accounts, keys and memories that are there, and that are not.

import { commandOn } from '../../store/shell.ts';
import { showTime } from '../command.ts';
import type { Known, Rule } from './advice.ts';

const SHOWN_KEYS = 10;

/** What is not well with what a database holds. */
export const contentRules: readonly Rule[] = [
  ['key-expires', 'hint', sayExpiring],
  [
    'no-account',
    'hint',
    (known) =>
      isNone(known.accounts) &&
      `There is no account yet; create one with: ${commandOn(known.path, 'accounts create NAME')}`,
  ],
  [
    'no-key',
    'hint',
    (known) =>
      known.accounts !== null &&
      known.accounts.active > 0 &&
      known.keys?.active === 0 &&
      `No key is active, so nobody gets in; create one with: ${commandOn(known.path, 'keys create --account ID')}`,
  ],
  [
    'no-memory',
    'hint',
    ({ memories, accounts, path }) =>
      memories === 0 &&
      !isNone(accounts) &&
      `There is no memory yet; take some in with: ${commandOn(path, 'import FILE')}`,
  ],
];

function sayExpiring(known: Known): string[] {
  const keys = known.keys_expiring ?? [];
  const more = keys.length - SHOWN_KEYS;
  const sentences = keys
    .slice(0, SHOWN_KEYS)
    .map(
      ({ id, label, account_id, expires_at }) =>
        `Key ${id} ("${label}") of account ${account_id} expires at ${showTime(expires_at)}; replace it with: ${commandOn(known.path, `keys rotate ${id}`)}`,
    );
  if (more <= 0) return sentences;
  const all = commandOn(known.path, 'keys list');
  return [...sentences, `${more} more keys expire soon; see all with: ${all}`];
}

function isNone(accounts: Known['accounts']): boolean {
  return accounts !== null && accounts.active + accounts.disabled === 0;
}
