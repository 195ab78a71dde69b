// The longest memories, with a small heap, on both engines: what can be imported can be verified, and the rest is rejected.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describe, it } from 'node:test';

import { engine, engines, onlyFiles, type Engine } from '../support/engines/engine.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { runProcess } from '../support/world/program.ts';
import { isShort, sized } from '../support/world/thorough.ts';
import { memory } from '../support/world/world.ts';

/** The heap, and the memory that it is enough for. */
const HEAP_MB = sized(256, 128);
const LONG_MB = sized(60, 20);

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

const LONG = { timeout: 600_000 };

describe(`With a heap of ${HEAP_MB} MB, a memory of ${LONG_MB} MB`, () => {
  it(
    'that was imported can be verified, backed up, restored, exported and copied',
    LONG,
    async (t) => {
      const folder = newFolder();
      const database = engine.create(t, folder);
      const writer = engine.write(t, database);
      writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
      const transcript = WORDS.repeat((LONG_MB * 1e6) / WORDS.length).trim();
      const file = join(folder, 'long.jsonl');
      writeFileSync(
        file,
        `${JSON.stringify(memory({ id: 'long', user_id: 'ana', transcript }))}\n`,
      );

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
    },
  );
});

/** It is rejected before an engine sees it, so files are enough for a short run. */
const WORDY = { ...LONG, skip: isShort && onlyFiles };

describe(`With a heap of ${HEAP_MB} MB, a memory of 16 MB whose words take more than 128 MiB`, () => {
  it('is rejected by its file and line, and the next memory is imported', WORDY, async (t) => {
    const folder = newFolder();
    const database = engine.create(t, folder);
    const writer = engine.write(t, database);
    writer.accounts.create({ id: 'ana', name: 'Ana', created_by: 'command line' });
    const file = join(folder, 'wordy.jsonl');
    // U+FDFA, whose words take eleven times as much.
    const wordy = memory({ id: 'wordy', transcript: '\uFDFA'.repeat((16 * 1024 * 1024) / 3) });
    const plain = memory({ id: 'plain' });
    writeFileSync(file, [wordy, plain].map((each) => `${JSON.stringify(each)}\n`).join(''));
    const said = await runSmall(['import', file, '--account', 'ana', '--database', database], 1);
    assert.match(
      said,
      /wordy\.jsonl:1, id wordy: its words are too long for the search index: more than 128 MiB/,
    );
    assert.match(said, /1 memory added, 0 updated, 0 unchanged, 1 rejected/);
  });
});
