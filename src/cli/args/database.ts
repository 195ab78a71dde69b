// The database of --database: which one it is if none is named, and how it is opened for one piece of work.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Awaitable } from '../../lib/async.ts';
import { shellWord } from '../../lib/shell.ts';
import { commandOn } from '../../store/address.ts';
import type { AppStore } from '../../store/app/app-store.ts';
import type { Writer } from '../../store/engine.ts';
import { engineOf } from '../../store/engines.ts';
import { Refusal } from '../../store/refusal.ts';
import { dataFolder } from '../data-folder.ts';
import type { Args } from './args.ts';
import { options } from './options/options.ts';

/** The name of the file that is used if none is named: here, or in the folder of `start`. */
export const DEFAULT_FILE = options.database.default;

/**
 * Names the database of `start` if none is named and there is none here. It is not used without a word: which
 * database a command deletes from must not depend on what the current folder has. Rejects with `Refusal`.
 */
export async function requireDatabaseHere(
  args: Args,
  { name, rest }: { readonly name: string; readonly rest: readonly string[] },
): Promise<void> {
  const isNamed = args.all('database').length > 0 || args.source('database') !== undefined;
  if (isNamed || args.text('database') !== DEFAULT_FILE || existsSync(DEFAULT_FILE)) return;
  if (name === 'mcp' && args.all('url').length > 0) return; // another gateway has the database
  const folder = await dataFolder().catch(() => undefined);
  if (folder === undefined) return; // without a home folder, "start" has made none
  const started = join(folder, DEFAULT_FILE);
  if (!existsSync(started)) return;
  const command = (file: string) => [commandOn(file, name), ...rest.map(shellWord)].join(' ');
  const refusal = new Refusal(
    `There is no ${DEFAULT_FILE} in this folder, but "start" has made one in your data folder; to use it, run: ${command(started)}`,
    { code: 'missing' },
  );
  if (name !== 'migrate') throw refusal;
  throw Object.assign(refusal, {
    after: `To create another one here, run: ${command(DEFAULT_FILE)}`,
  });
}

/** Returns a command to paste. It names the database as this one does, unless it finds the same one without that. */
export function commandLike(args: Args, words: string): string {
  const source = args.all('database').length > 0 ? '--database' : args.source('database');
  const isFound = source === undefined || source === options.database.env[0];
  return isFound ? `memory-gateway ${words}` : commandOn(args.need('database'), words);
}

/** Opens the database for writing, runs `work` and closes it again. Rejects with `Refusal`. */
export function withWriter<T>(args: Args, work: (writer: Writer) => Awaitable<T>): Promise<T> {
  return engineOf(args.need('database')).withWriter(work);
}

/** Opens the store of the app of a database, runs `work` and closes it again. Rejects with `Refusal`. */
export async function withAppStore<T>(
  database: string,
  work: (store: AppStore) => Awaitable<T>,
): Promise<T> {
  const store = await engineOf(database).openApp();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
