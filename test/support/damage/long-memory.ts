// The longest memory that can be imported, taken through every command that reads it whole, with a small heap.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TestContext } from 'node:test';

import { engine, engines, type Engine } from '../engines/engine.ts';
import { newFolder } from '../world/artifacts.ts';
import { runProcess } from '../world/program.ts';
import { isShort, sized } from '../world/thorough.ts';
import { memory } from '../world/world.ts';

/** The heap, and the memory that it is enough for. */
export const HEAP_MB = sized(256, 128);
export const LONG_MB = sized(60, 20);

/** Short words are the worst case: 30 million of them in 60 MB. */
const WORDS = 'a b c d e f g h i j k l m n o p q r s t u v w x y z ';

/** Runs a command with a small heap, and asserts its exit code. */
async function runSmall(args: readonly string[], code = 0): Promise<string> {
  const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
  const ran = await runProcess(args, { env });
  assert.equal(ran.code, code, `${args.join(' ')}: ${ran.stderr.slice(-500)}`);
  return ran.stdout + ran.stderr;
}

async function hashOf(path: string): Promise<string> {
  const sum = createHash('sha256');
  await pipeline(createReadStream(path), sum);
  return sum.digest('hex');
}

/** Imports, verifies, backs up, restores, exports and copies a long memory. */
export async function takeLongMemoryThrough(t: TestContext): Promise<void> {
  const folder = newFolder();
  const database = engine.create(t, folder);
  const writer = engine.write(t, database);
  writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
  const transcript = WORDS.repeat((LONG_MB * 1e6) / WORDS.length).trim();
  const file = join(folder, 'long.jsonl');
  writeFileSync(file, `${JSON.stringify(memory({ id: 'long', user_id: 'ana', transcript }))}\n`);

  const on = ['--database', database];
  await runSmall(['import', file, '--account', 'ana', ...on]);
  await runSmall(['verify', ...on]);
  if (engine === engines.sqlite) {
    const backup = join(folder, 'backup.db');
    await runSmall(['backup', backup, ...on]);
    await runSmall(['restore', backup, '--discard', ...on]);
  }
  const exported = join(folder, 'exported.jsonl');
  await runSmall(['export', '--output', exported, ...on]);
  assert.equal(await hashOf(exported), await hashOf(file));
  const targets = new Set<Engine>(isShort ? [engine] : [engines.sqlite, engine]);
  for (const to of targets) {
    const copy = to === engines.sqlite ? join(folder, 'copy.db') : to.create(t, folder);
    await runSmall(['copy', '--from', database, '--to', copy]);
    await runSmall(['verify', '--database', copy]);
  }
}

/** Imports 16 MB of U+FDFA, whose words take eleven times as much, beside a memory that is imported. */
export async function rejectWordyMemory(t: TestContext): Promise<void> {
  const folder = newFolder();
  const database = engine.create(t, folder);
  const writer = engine.write(t, database);
  writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
  const file = join(folder, 'wordy.jsonl');
  const wordy = memory({ id: 'wordy', transcript: '\uFDFA'.repeat((16 * 1024 * 1024) / 3) });
  const plain = memory({ id: 'plain' });
  writeFileSync(file, [wordy, plain].map((each) => `${JSON.stringify(each)}\n`).join(''));
  const said = await runSmall(['import', file, '--account', 'ana', '--database', database], 1);
  assert.match(
    said,
    /wordy\.jsonl:1, id wordy: its words are too long for the search index: more than 128 MiB/,
  );
  assert.match(said, /1 memory added, 0 updated, 0 unchanged, 1 rejected/);
}
