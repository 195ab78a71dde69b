// The fuzz test's database: all texts of an account contain its name, and everything is deterministic.

import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import Database from 'better-sqlite3';

import type { NewMemory } from '../../src/store/import/memory-row.ts';
import {
  createDatabase,
  withFileWriterSync,
  type FileWriter,
} from '../../src/store/sqlite/writer.ts';
import { createDice, type Dice } from './random.ts';

/** An account and what the checks need to know about it. */
export interface Owner {
  readonly id: string;
  /**
   * Occurs in every text of the account's memories and in almost all of their ids, and nowhere
   * else.
   */
  readonly canary: string;
  /** Active and inactive keys. A disabled account has no active key. */
  readonly active: readonly string[];
  readonly dead: readonly string[];
  readonly memories: readonly string[];
}

const START = Date.UTC(2026, 0, 1);
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * An id that every account uses for a memory of its own. The cases of test/http/wire use it too.
 */
export const SHARED = 'one';
/** The id of a deleted memory. */
export const DELETED = 'deleted-long-since';

interface Plan {
  readonly name: string;
  readonly memories: number;
  /** Characters of each transcript. */
  readonly size: number;
  readonly isClosed?: boolean;
}

// One account has enough memories for a streamed list, one has none, and one is disabled.
const PLANS: readonly Plan[] = [
  { name: 'ana', memories: 40, size: 60 },
  { name: 'bo', memories: 40, size: 60 },
  { name: 'cleo', memories: 48, size: 12_000 },
  { name: 'dan', memories: 0, size: 0 },
  { name: 'eve', memories: 10, size: 60, isClosed: true },
];

/** Creates the database, always the same, and returns its owners. */
export function makeScene(path: string): readonly Owner[] {
  createDatabase(path);
  const dice = createDice('scene', 0);
  const owners = withFileWriterSync(path, (writer) =>
    PLANS.map((plan) => addOwner(writer, plan, dice)),
  );
  settle(path, owners);
  return owners;
}

function addOwner(writer: FileWriter, { name, memories, size, isClosed }: Plan, dice: Dice): Owner {
  const canary = `canary-of-${name}`;
  writer.accounts.create({ id: canary, name: canary, created_by: 'command line' });
  const ids = Array.from({ length: memories }, (_, i) => (i === 0 ? SHARED : `${canary}-${i}`));
  if (memories > 0) ids.push(DELETED);
  for (const [i, id] of ids.entries()) writer.memories.put(canary, memory({ id, canary, i, size }));
  if (memories > 0) writer.erase({ account_id: canary, ids: [DELETED] });
  for (const [state, expires_at] of Object.entries(LIVES)) {
    const { id } = writer.keys.create({ account_id: canary, label: state, expires_at });
    if (state === 'revoked') writer.keys.revoke(id);
  }
  if (isClosed) writer.accounts.setDisabled(canary, true);
  const [first = '', second = '', ...dead] = Object.keys(LIVES).map(() => createKey(dice));
  return {
    id: canary,
    canary,
    active: isClosed ? [] : [first, second],
    dead: isClosed ? [first, second, ...dead] : dead,
    memories: ids.slice(0, -1),
  };
}

/** The keys of an account by label, with their expiry. */
const LIVES = { first: null, second: Date.UTC(9999, 0, 1), revoked: null, expired: START };

interface Told {
  readonly id: string;
  readonly canary: string;
  readonly i: number;
  readonly size: number;
}

function memory({ id, canary, i, size }: Told): NewMemory {
  const is_processing = i % 7 === 6;
  const started_at = new Date(START + Math.floor(i / 3) * 43_200_000).toISOString(); // three at a time
  return {
    id,
    name: `${canary}: milk, café and 日本語 ${i} \u{1F95B}</script>\u2028`,
    started_at,
    ended_at: started_at,
    is_processing,
    user_id: '',
    duration_seconds: 60 * i,
    summary: is_processing
      ? { quick_summary: '', key_takeaways: [] }
      : { quick_summary: `${canary} "says"`, key_takeaways: [canary, 'One.'] },
    transcript: `${canary}: What was said. `.padEnd(size, `Said in ${canary}. `),
  };
}

/** The form of a key (README, "Keys"), written again instead of using the code under test. */
export function createKey(dice: Dice): string {
  const random = Array.from({ length: 43 }, () => BASE62[dice(62)]).join('');
  return withChecksum(`mem_${random}`);
}

/** Appends the checksum of a key. */
export function withChecksum(text: string): string {
  let [rest, sum] = [crc32(text), ''];
  for (let i = 0; i < 6; i++) [sum, rest] = [BASE62[rest % 62] + sum, Math.floor(rest / 62)];
  return text + sum;
}

/** Replaces random values and timestamps by fixed ones. */
function settle(path: string, owners: readonly Owner[]): void {
  const db = new Database(path);
  const setKey = db.prepare(
    'UPDATE api_keys SET key_sha256 = ?, last_four = ? WHERE account_id = ? AND label = ?',
  );
  for (const { id, active, dead } of owners) {
    const keys = [...active, ...dead];
    for (const [i, label] of Object.keys(LIVES).entries())
      setKey.run(hash('sha256', keys[i] ?? ''), keys[i]?.slice(-4), id, label);
    const digits = hash('sha256', id);
    db.prepare('UPDATE accounts SET revision = ? WHERE id = ?').run(digits.slice(0, 32), id);
    db.prepare('UPDATE change_epochs SET epoch = ? WHERE account_id = ?').run(
      digits.slice(0, 16),
      id,
    );
  }
  db.prepare('UPDATE changes SET changed_at = ? + seq').run(START);
  db.close();
}
