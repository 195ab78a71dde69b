// Rules about contents: missing accounts, keys and memories, and keys that expire soon or that nobody uses.

import { commandOn } from '../../store/address.ts';
import { UNUSED_DAYS } from '../../store/files/database-file.ts';
import { formatTime } from '../output/text.ts';
import type { Inspection, Rule } from './rule.ts';

const LISTED_KEYS = 10;

/** Rules about accounts, keys and memories. */
export const contentRules: readonly Rule[] = [
  ['key-expires', 'hint', describeExpiring],
  ['key-unused', 'hint', describeUnused],
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
      `No key is active, so no client can read; create one with: ${commandOn(known.path, 'keys create --account ACCOUNT')}`,
  ],
  [
    'no-memory',
    'hint',
    ({ memories, accounts, path }) =>
      memories === 0 &&
      !isNone(accounts) &&
      `There is no memory yet; import some with: ${commandOn(path, 'import FILE')}`,
  ],
];

function describeExpiring({ keys_expiring, path }: Inspection): string[] {
  const sentences = (keys_expiring ?? []).map(
    ({ id, label, account_id, expires_at }) =>
      `Key ${id} ("${label}") of account ${account_id} expires at ${formatTime(expires_at)}; replace it with: ${commandOn(path, `keys rotate ${id}`)}`,
  );
  return shorten(sentences, path, 'expire soon');
}

function describeUnused({ keys_unused, path }: Inspection): string[] {
  const sentences = (keys_unused ?? []).map(
    ({ id, label, account_id, last_used_at }) =>
      `Key ${id} ("${label}") of account ${account_id} was last used at ${formatTime(last_used_at)}; if nobody needs it, run: ${commandOn(path, `keys revoke ${id}`)}`,
  );
  return shorten(sentences, path, `were not used for ${UNUSED_DAYS} days`);
}

/** Returns the first sentences, and how many more keys there are. */
function shorten(sentences: readonly string[], path: string, what: string): string[] {
  const more = sentences.length - LISTED_KEYS;
  const first = sentences.slice(0, LISTED_KEYS);
  if (more <= 0) return first;
  return [...first, `${more} more keys ${what}; see all with: ${commandOn(path, 'keys list')}`];
}

function isNone(accounts: Inspection['accounts']): boolean {
  return accounts !== null && accounts.active + accounts.disabled === 0;
}
