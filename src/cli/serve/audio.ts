// Reads --audio: the folders with the recordings of accounts.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import type { AudioFolderOf } from '../../gateway/endpoints/details/audio.ts';
import { Refusal } from '../../store/refusal.ts';
import { idOfAccount, idOfChosen } from '../args/account.ts';
import type { Args } from '../args/args.ts';
import { UsageError } from '../args/parse.ts';

/** Reads the folders of serve. A folder without a name is that of the only account. Rejects with `UsageError` or `Refusal`. */
export async function readAudio(args: Args): Promise<AudioFolderOf | undefined> {
  const folders = new Map<string, string>();
  for (const part of args.text('audio')?.split(',') ?? []) {
    const [, name, folder = part] = /^([^=/\\]+)=(.+)$/.exec(part) ?? [];
    const path = requireFolder(folder);
    const id = await (name === undefined ? idOfChosen(args) : idOfAccount(args, name));
    if (folders.has(id)) throw new UsageError(`--audio names two folders of account ${id}.`);
    folders.set(id, path);
  }
  return folders.size === 0 ? undefined : (id) => folders.get(id);
}

/** Reads the folder of start, which has one owner. Throws `UsageError` or `Refusal`. */
export function readAudioFolder(args: Args): string | undefined {
  const folder = args.text('audio');
  return folder === undefined ? undefined : requireFolder(folder);
}

function requireFolder(folder: string): string {
  // An empty path would be the working directory.
  if (folder.trim() === '') throw new UsageError('--audio takes the path of a folder.');
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw new Refusal(`There is no folder ${path}; pass the folder with the recordings to --audio.`);
}
