// Finds the account that a command works on: by its id or its name, or the only one.

import type { Snapshot } from '../../store/engine.ts';
import { engineOf } from '../../store/engines.ts';
import { Refusal } from '../../store/refusal.ts';
import { escapeLine } from '../output/terminal.ts';
import { formatName, MAX_NAME } from '../output/text.ts';
import type { Args } from './args.ts';
import { UsageError } from './parse.ts';

type Account = Snapshot['accounts'][number];

/** How many accounts an error message lists. */
const LISTED = 10;

/**
 * Finds the account that a command works on. Throws `UsageError` if it could be any of several accounts,
 * and `Refusal` if the account does not exist.
 */
export function chooseAccount({ accounts }: Pick<Snapshot, 'accounts'>, args: Args): Account {
  const given = args.text('account');
  if (given !== undefined) return matchAccount(accounts, given, args);
  return onlyOf(accounts, '--account ACCOUNT');
}

/** Resolves with the id of the only account. Rejects with `UsageError` if there are several, and `Refusal` if there is none. */
export function idOfOnly(args: Args): Promise<string> {
  return engineOf(args.need('database')).withSnapshot(
    ({ accounts }) => onlyOf(accounts, 'one ACCOUNT').id,
  );
}

function onlyOf(accounts: readonly Account[], missing: string): Account {
  const [only, ...others] = accounts;
  if (only === undefined) throw noAccount();
  if (others.length === 0) return only;
  throw new UsageError(`Give ${missing}, one of ${listOf(accounts)}.`);
}

/** Resolves with the id of the account that a command works on. Rejects as `chooseAccount` throws. */
export function idOfChosen(args: Args): Promise<string> {
  return engineOf(args.need('database')).withSnapshot(
    (snapshot) => chooseAccount(snapshot, args).id,
  );
}

/** Resolves with the id of the account of this id or name. Rejects with `Refusal` if there is none, or several. */
export function idOfAccount(args: Args, given: string): Promise<string> {
  return engineOf(args.need('database')).withSnapshot(
    ({ accounts }) => matchAccount(accounts, given, args).id,
  );
}

/** Resolves with the id of the account in `--account`, or undefined without one. Rejects likewise. */
export async function idOfNamed(args: Args): Promise<string | undefined> {
  const given = args.text('account');
  return given === undefined ? undefined : idOfAccount(args, given);
}

/** Resolves with the id of the account in `--account`, which the command needs. Rejects likewise. */
export async function needAccount(args: Args): Promise<string> {
  return idOfAccount(args, args.need('account'));
}

/** An id counts before a name, and a name as it is written before one in other letters. */
function matchAccount(
  accounts: readonly Account[],
  given: string,
  { isById }: Pick<Args, 'isById'>,
): Account {
  const named = isById ? [] : accounts;
  const found = [
    accounts.filter(({ id }) => id === given),
    named.filter(({ name }) => name === given),
    named.filter(({ name }) => folded(name) === folded(given)),
  ].find(({ length }) => length > 0);
  const [only, ...others] = found ?? [];
  if (only !== undefined && others.length === 0) return only;
  const typed = escapeLine(given, MAX_NAME); // an empty one is shown as it is
  if (found !== undefined)
    throw new Refusal(`Several accounts have the name "${typed}"; pass an id: ${listOf(found)}.`);
  if (accounts.length === 0) throw noAccount();
  throw new Refusal(
    `There is no account "${typed}"; pass the id or the name of an account: ${listOf(accounts)}.`,
  );
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function listOf(accounts: readonly Account[]): string {
  const shown = accounts
    .slice(0, LISTED)
    .map(({ id, name }) => (id === name ? id : `${id} (${formatName(name)})`));
  return `${shown.join(', ')}${accounts.length > LISTED ? ', …' : ''}`;
}

/** Creates the error for a database without accounts. */
export function noAccount(): Refusal {
  return new Refusal('There is no account yet; create one with "accounts create NAME".');
}
