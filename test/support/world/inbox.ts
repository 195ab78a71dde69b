// A watched folder for tests: files in it, and the program that watches it.

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

import { newFolder } from './artifacts.ts';
import { run, startProcess, type RunOptions } from './program.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

/** What `watch --json` prints. */
export interface Watched {
  readonly files: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly moved: number;
  readonly waiting: number;
  readonly rejects: readonly { readonly file: string; readonly reason: string }[];
}

export interface Inbox {
  readonly world: World;
  readonly folder: string;
  /** The names of all files in the folder, sorted. */
  files(): string[];
  /** Writes a file, as one write. */
  write(name: string, text?: string): void;
  rename(from: string, to: string): void;
  /** Looks once; the files need not settle. */
  once(
    ...words: string[]
  ): Promise<Watched & { readonly code: number | null; readonly log: string }>;
  /** Starts a watcher that looks every second. It is killed at the end of the test. */
  watch(words?: readonly string[], options?: RunOptions): ChildProcessWithoutNullStreams;
  /** The ids of the memories of the account. */
  ids(): Promise<string[]>;
}

/** Captions of one sentence. */
export function captions(text: string): string {
  return `WEBVTT\n\n00:00:01.000 --> 00:00:03.000\nInes: ${text}\n`;
}

/** Creates an empty folder and a database with the account `mira`. */
export async function createInbox(t: TestContext, options: WorldOptions = {}): Promise<Inbox> {
  const world = await createWorld(t, options);
  const key = world.addAccount('mira');
  const folder = join(newFolder(), 'inbox');
  mkdirSync(folder);
  const words = ['watch', folder, '--database', world.database, '--account', 'mira'];
  return {
    world,
    folder,
    files: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .toSorted(),
    write(name, text = captions('The garlic goes in by Friday.')) {
      const path = join(folder, name);
      if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    rename: (from, to) => renameSync(join(folder, from), join(folder, to)),
    async once(...more) {
      const said = await run([...words, '--once', '--json', '--settle', '0s', ...more]);
      if (said.stdout === '') throw new Error(said.stderr);
      return { ...JSON.parse(said.stdout), code: said.code, log: said.stderr };
    },
    watch(more = [], given = {}) {
      const settle = more.includes('--settle') ? [] : ['--settle', '1s'];
      const child = startProcess([...words, '--interval', '1s', ...settle, ...more], given);
      t.after(() => child.kill('SIGKILL'));
      return child;
    },
    async ids() {
      const response = await fetch(`${world.url}/v1/memories?fields=id`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const list = (await response.json()) as { id: string }[];
      return list.map(({ id }) => id).toSorted();
    },
  };
}

/** Writes files with a date and a text of their own. Returns the ids of their memories. */
export function writeMany(inbox: Inbox, count: number, folder = ''): string[] {
  const names = Array.from({ length: count }, (_, i) => `2026-11-18 09.00 m${folder}-${i}.vtt`);
  for (const [i, name] of names.entries())
    inbox.write(
      join(folder && `f${folder}`, name),
      captions(`Bed ${i} of garden ${folder} is ready.`),
    );
  return names.map((name) => name.replaceAll(' ', '~20')).toSorted();
}
