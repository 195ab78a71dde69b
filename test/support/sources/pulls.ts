// Pulls from a source in tests: with the engine alone, and with the program and a database.

import assert from 'node:assert/strict';

import type { PulledPage, PullOptions } from '../../../src/sources/page.ts';
import { pullPages } from '../../../src/sources/pages.ts';
import type { ProductTarget } from '../../../src/sources/product-request.ts';
import type { Source } from '../../../src/sources/source.ts';
import { run, startProcess, type Run } from '../world/program.ts';
import type { World } from '../world/world.ts';

/** A credential that must appear nowhere but in requests. */
export const SECRET = 'sk-secret-of-the-test';

/** A source at an address. Waits are short. */
export function targetOf(source: Source, url: string): ProductTarget {
  const { signal } = new AbortController();
  return { source, url, secret: SECRET, userAgent: 'test', signal, firstDelayMs: 1 };
}

/** Reads all pages of a source without a database. */
export async function readPages(
  source: Source,
  url: string,
  {
    target = {},
    ...options
  }: Partial<PullOptions> & { readonly target?: Partial<ProductTarget> } = {},
): Promise<PulledPage[]> {
  const whole = { ...targetOf(source, url), ...target };
  const pages: PulledPage[] = [];
  for await (const page of pullPages(whole, { state: {}, isFull: false, ...options }))
    pages.push(page);
  return pages;
}

/** The ids of the items on pages, in order. */
export function idsOf(pages: readonly PulledPage[]): string[] {
  return pages.flatMap(({ items }) => items.map(({ id }) => id));
}

/** A source of the program in a test: its name, its address, and its credential. */
export interface PulledSource {
  readonly name: string;
  readonly url: string;
  readonly secret?: string;
}

/** The command line of a pull into account `ana`. */
export function pullArgs(world: World, { name, url }: PulledSource, ...args: string[]): string[] {
  return ['pull', name, '--account', 'ana', '--url', url, '--database', world.database, ...args];
}

// The credential comes by standard input, because another test looks for keys in environments.
const BY_STDIN = ['--credential-file', '-'];

/** Runs a pull into account `ana`. Neither output may have the credential. */
export async function pull(world: World, source: PulledSource, ...args: string[]): Promise<Run> {
  const { secret = SECRET } = source;
  const ended = await run(pullArgs(world, source, ...BY_STDIN, ...args), { input: secret });
  assert.ok(!(ended.stdout + ended.stderr).includes(secret), 'the credential is printed');
  return ended;
}

/** Starts a pull as a process, which a test ends. */
export function startPull(world: World, source: PulledSource, ...args: string[]) {
  const { secret = SECRET } = source;
  const child = startProcess(pullArgs(world, source, ...BY_STDIN, ...args));
  child.stdin.on('error', () => {}); // it may be killed before it reads
  child.stdin.end(secret);
  return child;
}

/** The memories of `ana`, as JSON by id. */
export async function memoriesOf(world: World): Promise<Map<string, string>> {
  const all = await world.gateway.as('ana').memories.list({ order: 'asc' });
  return new Map(all.map((memory) => [memory.id, JSON.stringify(memory)]));
}
