// The log of an account: what was done to it, by which browser, and when.

import * as v from 'valibot';

import { Timestamp } from '../../contract/schemas/memory.ts';

/** An entry of the account's log. */
export const AccountEvent = v.object({
  at: Timestamp,
  kind: v.picklist([
    'signed-in',
    'signed-out',
    'sessions-ended',
    'link-created',
    'key-created',
    'key-rotated',
    'key-revoked',
    'grant-allowed',
    'grant-revoked',
    'passkey-added',
    'passkey-removed',
    'password-set',
    'password-removed',
    'memories-imported',
    'memories-deleted',
    'memories-restored',
    'bin-emptied',
    'memories-edited',
    'edits-undone',
    'source-added',
    'source-changed',
    'source-removed',
    'share-created',
    'share-revoked',
  ]),
  /** What it was done to or with: the label of a key or passkey, or the way of a sign-in. May be empty. */
  subject: v.string(),
  /** The browser, or "command line". */
  agent: v.string(),
});
