// The scene: accounts whose memories stay as they are, and one whose memories come, change and go.

import { hash } from 'node:crypto';

import type { Memory } from '../../src/contract/memory.ts';
import { createDatabase, type FileWriter } from '../../src/store/sqlite/writer.ts';
import { memory } from '../support/world.ts';

/** An account, and what of it never changes. */
export interface Owner {
  /** Stands in every text of its memories, and in all of their ids. */
  readonly canary: string;
  readonly key: string;
  /** Newest first, each as its answer must be. */
  readonly memories: readonly Memory[];
}

/** Who is there. */
export interface Scene {
  readonly database: string;
  /** They have what stands here and nothing else, whenever they are asked. */
  readonly steady: readonly [small: Owner, large: Owner];
  /** It has what stands here, and others that are written meanwhile. */
  readonly moving: Owner;
  /** Keys that open nothing. */
  readonly dead: readonly string[];
}

/** The account that is written to. */
export const MOVING = 'canary-of-bo';
/** How many memories come and go there. */
export const MOVED = 60;

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

/** Makes the database and tells who is in it. */
export function makeScene(database: string): Scene {
  let scene: Scene | undefined;
  createDatabase(database, (writer) => {
    const small = addOwner(writer, { canary: 'canary-of-ana', count: 60, size: 300 });
    const large = addOwner(writer, { canary: 'canary-of-cleo', count: 120, size: 20_000 });
    const moving = addOwner(writer, { canary: MOVING, count: 20, size: 300 });
    const closed = addOwner(writer, { canary: 'canary-of-eve', count: 5, size: 300 });
    writer.accounts.setDisabled(closed.canary, true);
    const revoked = writer.keys.create({
      account_id: small.canary,
      label: 'soak',
      expires_at: null,
    });
    writer.keys.revoke(revoked.id);
    const past = writer.keys.create({ account_id: small.canary, label: 'soak', expires_at: START });
    const dead = [closed.key, revoked.key, past.key, 'unknown'];
    scene = { database, steady: [small, large], moving, dead };
  });
  if (scene) return scene;
  throw new Error('there is no scene');
}

/** Makes a memory that comes and goes: what is of one version says so in all its fields. */
export function movingMemory(n: number, version: number): Memory {
  const hours = (n * 7919 + version * 104_729) % 9000; // it moves, also between the steady ones
  return memoryOf(
    { canary: MOVING, id: `w${n}`, hours: hours + 0.5, size: n % 4 === 0 ? 9000 : 60 },
    version,
  );
}

/** Whether what is of one version is whole. */
export function isWhole({ id, name, transcript }: Memory): boolean {
  return id.startsWith(`${MOVING}-w`) && transcript.startsWith(`${name}. `);
}

/** Compares as lists do: newest first. */
export function newestFirst(a: Memory, b: Memory): number {
  return Date.parse(b.started_at) - Date.parse(a.started_at) || (a.id < b.id ? 1 : -1);
}

interface Plan {
  readonly canary: string;
  readonly count: number;
  /** Characters of each transcript. */
  readonly size: number;
}

function addOwner(writer: FileWriter, { canary, count, size }: Plan): Owner {
  writer.accounts.create({ id: canary, name: canary, created_by: 'command line' });
  const all = Array.from({ length: count }, (_, i) =>
    memoryOf({ canary, id: String(i), hours: 24 * i, size }, 0),
  );
  writer.memories.putAll(canary, all);
  const { key } = writer.keys.create({ account_id: canary, label: 'soak', expires_at: null });
  return { canary, key, memories: all.toSorted(newestFirst) };
}

interface Told {
  readonly canary: string;
  readonly id: string;
  readonly hours: number;
  readonly size: number;
}

function memoryOf({ canary, id, hours, size }: Told, version: number): Memory {
  const started_at = new Date(START + hours * HOUR).toISOString();
  const name = `${canary} ${id} version ${version} “café”`;
  const is_processing = (hours + version) % 5 === 0;
  const words = ` It is ${hash('sha256', name)}, said in ${canary}. `;
  return memory({
    id: `${canary}-${id}`,
    name,
    started_at,
    ended_at: started_at,
    is_processing,
    user_id: canary,
    duration_seconds: 60 * version,
    summary: is_processing
      ? { quick_summary: '', key_takeaways: [] }
      : { quick_summary: name, key_takeaways: [`garden${version % 3}`] },
    transcript: `${name}. `.padEnd(size, words),
  });
}
