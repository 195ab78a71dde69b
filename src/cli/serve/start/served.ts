// The note in a folder of `start` that says where it is served, so that a second `start` finds the first.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kill, pid as ownPid } from 'node:process';

import * as v from 'valibot';

import { readStatus } from '../../commands/healthcheck.ts';

const FILE = 'served.json';
const Note = v.object({ pid: v.number(), url: v.string() });

/** Notes that this process serves a folder at a URL. */
export function noteServed(folder: string, url: string): void {
  writeFileSync(join(folder, FILE), JSON.stringify({ pid: ownPid, url }), { mode: 0o600 });
}

/** Removes the note. */
export function forgetServed(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/** Returns the URL at which a folder is served. A note of a process that was killed does not count. */
export async function servedAt(folder: string): Promise<string | undefined> {
  try {
    const { pid, url } = v.parse(Note, JSON.parse(readFileSync(join(folder, FILE), 'utf8')));
    kill(pid, 0); // throws if there is no such process
    const { hostname: host, port } = new URL(url);
    await readStatus({ host, port: Number(port) }, url);
    return url;
  } catch {
    return undefined;
  }
}
