// A program that writes into a served database until it is told to stop: memories, keys, imports, backups and restores. It reports each write to its parent and waits for the confirmation.

import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { openWriter, type FileWriter } from '../../src/store/sqlite/writer.ts';
import { runProcess } from '../support/world/program.ts';
import { MOVED, movingMemory, MOVING } from './accounts.ts';
import type { KeyState } from './keyring.ts';

/** A report to the parent. */
export type Told =
  | { readonly did: 'writes' | 'keys' | 'imports' | 'backups' | 'restores'; readonly count: number }
  | { readonly key: string; readonly state: KeyState }
  | { readonly wrong: string };

const [, , database = '', folder = ''] = process.argv;
const BACKUP = join(folder, 'backup.db');

let version = 0;
const parent = { isOver: false };

async function tell(told: Told): Promise<void> {
  process.send?.(told);
  const [answer] = (await once(process, 'message')) as ['on' | 'over'];
  parent.isOver ||= answer === 'over';
}

/** Adds, changes, moves and deletes memories, in one transaction or in many. */
async function writeSome(writer: FileWriter, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++, version++) {
    const put = (n: number) => writer.memories.put(MOVING, movingMemory(n % MOVED, version));
    const some = (): void => {
      put(version);
      writer.memories.delete(MOVING, movingMemory((version + 20) % MOVED, 0).id);
      put(version + 40);
    };
    if (version % 2 === 0) writer.transaction(some);
    else some();
    await sleep(20);
  }
  await tell({ did: 'writes', count: 3 * rounds });
}

/** Runs a key through its life, from creation to revocation. */
async function liveKey(writer: FileWriter): Promise<void> {
  const made = writer.keys.create({ account_id: MOVING, label: 'short', expires_at: null });
  await tell({ key: made.key, state: 'open' });
  await writeSome(writer, 10);
  await tell({ key: made.key, state: 'closing' });
  writer.keys.revoke(made.id);
  await tell({ key: made.key, state: 'closed' });
  await tell({ did: 'keys', count: 1 });
}

/** Runs a command of the program. */
async function command(args: readonly string[], input = ''): Promise<void> {
  const { code, stderr } = await runProcess([...args, '--database', database], { input });
  if (code !== 0) await tell({ wrong: `${args[0]} ended with ${code}: ${stderr}` });
}

async function importSome(): Promise<void> {
  version++;
  const all = Array.from({ length: 20 }, (_, n) => movingMemory(n, version));
  await command(['import', '-', '--account', MOVING], JSON.stringify(all));
  await tell({ did: 'imports', count: 1 });
}

/** Adds other memories between backup and restore. The restore removes them again. */
async function restoreOnce(): Promise<void> {
  await command(['backup', BACKUP, '--overwrite']);
  await tell({ did: 'backups', count: 1 });
  await withWriter((writer) => writeSome(writer, 5));
  await command(['restore', BACKUP, '--discard']);
  await tell({ did: 'restores', count: 1 });
}

/** A writer that closes empties the write-ahead log. */
async function withWriter(work: (writer: FileWriter) => Promise<void>): Promise<void> {
  const writer = openWriter(database);
  try {
    await work(writer);
  } finally {
    writer.close();
  }
}

for (let round = 0; !parent.isOver; round++) {
  await withWriter(liveKey);
  if (round % 10 === 0) await importSome();
  if (round % 10 === 5) await restoreOnce();
}
process.disconnect?.();
