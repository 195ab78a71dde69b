// The soak test's database: accounts that never change, and one whose memories are added, changed and deleted.

import { hash } from 'node:crypto';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import { createDatabase, type FileWriter } from '../../src/store/sqlite/writer.ts';
import { memory } from '../support/world/world.ts';

/** An account and its memories that never change. */
export interface Owner {
  /** Occurs in every text of the account's memories and in all of their ids. */
  readonly canary: string;
  readonly key: string;
  /** Newest first, each exactly as its response must be. */
  readonly memories: readonly Memory[];
}

/** The accounts of the database. */
export interface Scene {
  readonly database: string;
  /** Accounts with only these memories, which never change. */
  readonly steady: readonly [small: Owner, large: Owner];
  /** The changing account. It has these memories, and others that come and go. */
  readonly moving: Owner;
  /** Invalid keys. */
  readonly dead: readonly string[];
}

/** The id prefix of the changing account. */
export const MOVING = 'canary-of-bo';
/** Number of memories that come and go. */
export const MOVED = 60;

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

/** Creates the database and returns its accounts. */
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
  throw new Error('the database has no account');
}

/**
 * Creates a memory that comes and goes. Every field names its version, so a mix of two versions is
 * noticed.
 */
export function movingMemory(n: number, version: number): Memory {
  const hours = (n * 7919 + version * 104_729) % 9000; // its place in the list changes, also between the memories that stay
  return memoryOf(
    { canary: MOVING, id: `w${n}`, hours: hours + 0.5, size: n % 4 === 0 ? 9000 : 60 },
    version,
  );
}

/** Returns whether all fields of a memory have the same version. A wrong byte can also take a field away. */
export function isWhole({ id, name, transcript }: Partial<Memory>): boolean {
  return id?.startsWith(`${MOVING}-w`) === true && transcript?.startsWith(`${name}. `) === true;
}

/** Compares like the lists do: newest first. */
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
