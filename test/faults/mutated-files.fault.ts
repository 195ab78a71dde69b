// Mutated database files: each command ends with 0 or 1 and a sentence, and nothing wrong is served, exported or backed up.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import type { Memory } from '../../src/contract/schemas/memory.ts';
import { createDatabase } from '../../src/store/sqlite/writer.ts';
import { MUTATIONS } from '../support/damage/mutate-file.ts';
import { pagesOf } from '../support/damage/overwrite-pages.ts';
import { tell } from '../support/damage/trial.ts';
import { hear, portOf } from '../support/processes/serve-process.ts';
import { send, type WireAnswer } from '../support/wire/wire.ts';
import { issued, newFolder } from '../support/world/artifacts.ts';
import { runProcess, startProcess, stop } from '../support/world/program.ts';
import { randomBy } from '../support/world/random.ts';
import { sized } from '../support/world/thorough.ts';
import { memory } from '../support/world/world.ts';

/** Files of a trial: some with each mutation. */
const FILES = sized(60, 10);

const ACCOUNTS = ['ana', 'bo'] as const;

/** A valid file with two accounts, and what is in it. */
function createOriginal() {
  const database = join(newFolder(), 'original.db');
  const truth = new Map<string, readonly Memory[]>();
  const keys = new Map<string, string>();
  createDatabase(database, (writer) => {
    for (const account_id of ACCOUNTS) {
      writer.accounts.create({ id: account_id, name: account_id, created_by: 'seed' });
      const list = Array.from({ length: 20 }, (_, i) =>
        memory({
          id: `${account_id}-${String(i).padStart(2, '0')}`,
          started_at: new Date(Date.UTC(2026, 0, 1 + 3 * i)).toISOString(),
          transcript: `${account_id} said word${i} `.repeat([1, 30, 150, 600][i % 4] ?? 1),
          user_id: account_id,
        }),
      );
      writer.memories.putAll(account_id, list);
      writer.memories.put(account_id, memory({ id: 'gone' }));
      writer.memories.delete(account_id, 'gone');
      const { key } = writer.keys.create({ account_id, label: 'test', expires_at: null });
      keys.set(account_id, issued(key));
      truth.set(account_id, list);
    }
  });
  const { pageSize } = pagesOf(database);
  return { bytes: readFileSync(database), pageSize, keys, truth };
}

type Original = ReturnType<typeof createOriginal>;

/** Asserts that a command ended by itself, with 0 or with 1 and a sentence. Returns the code. */
async function end(args: readonly string[]): Promise<{ code: number; stdout: string }> {
  const { code, stdout, stderr } = await runProcess(args);
  const what = `${args[0]}: ${code} ${stdout.slice(0, 300)} ${stderr}`;
  assert.ok(code === 0 || code === 1, what);
  assert.doesNotMatch(stderr, /^ {4}at /m, 'a sentence, not a stack');
  if (code === 1) assert.match(`${stdout}${stderr}`, /[a-z] [a-z].*[.:]/, what);
  return { code, stdout };
}

/** Asks everything of a gateway on a file. Returns how many responses were right and how many failed. */
async function serve(database: string, { keys, truth }: Original) {
  const outcome = { right: 0, failed: 0, isRefused: false };
  const child = startProcess(['serve', '--database', database, '--port', '0']);
  const said = hear(child.stdout, child.stderr);
  const closed = once(child, 'close');
  const port = await Promise.race([
    portOf(child).catch(() => undefined),
    closed.then(() => undefined),
  ]);
  if (port === undefined) {
    const [code, signal] = await closed;
    assert.deepEqual([code, signal], [1, null], said());
    assert.match(said(), /^memory-gateway: [^\n]+\n$/m);
    return { ...outcome, isRefused: true };
  }
  for (const account of ACCOUNTS) {
    const key = keys.get(account);
    const list = truth.get(account) ?? [];
    const asked: [path: string, right: unknown][] = [
      ['/v1/memories?order=asc', list],
      ['/v1/memories', list.toReversed()],
      ...list.map((each): [string, unknown] => [`/v1/memories/${each.id}`, each]),
    ];
    for (const [path, right] of asked) {
      const answer: WireAnswer | undefined = await send(port, { path, key }).catch(() => undefined);
      if (answer?.status === 200) {
        assert.deepEqual(JSON.parse(answer.text), right, path);
        outcome.right++;
      } else {
        assert.ok([undefined, 401, 500].includes(answer?.status), `${path}: ${answer?.status}`);
        outcome.failed++;
      }
    }
  }
  assert.deepEqual([child.exitCode, child.signalCode], [null, null], said());
  assert.equal(await stop(child), 0, said());
  return outcome;
}

/** Exports an account. Returns whether it succeeded, and then it was right. */
async function exportAll(database: string, { truth }: Original): Promise<boolean> {
  let isWhole = true;
  for (const account of ACCOUNTS) {
    const { code, stdout } = await end(['export', '--account', account, '--database', database]);
    if (code === 1) isWhole = false;
    else
      assert.deepEqual(
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Memory),
        truth.get(account),
        `the export of ${account}`,
      );
  }
  return isWhole;
}

/** Tries a mutated file with every command. Returns the codes of the commands. */
async function tryFile(original: Original, name: string, seed: number) {
  const folder = newFolder();
  const database = join(folder, 'memories.db');
  const mutate = MUTATIONS[name] ?? assert.fail(name);
  const bytes = mutate(Buffer.from(original.bytes), original.pageSize, randomBy(seed));
  const fresh = () => {
    for (const ending of ['-wal', '-shm']) rmSync(database + ending, { force: true });
    writeFileSync(database, bytes);
  };
  fresh();
  const backup = join(folder, 'backup.db');
  const verified = await end(['verify', '--database', database]);
  const backedUp = await end(['backup', backup, '--database', database]);
  assert.equal(
    existsSync(backup),
    backedUp.code === 0,
    'a backup has its name only if it is healthy',
  );
  assert.ok(!readdirSync(folder).some((other) => other.endsWith('.new')), 'nothing is left behind');
  const exported = await exportAll(database, original);
  fresh();
  const served = await serve(database, original);
  if (verified.code === 0) {
    assert.ok(exported && served.failed === 0 && !served.isRefused, 'healthy, so all is right');
    assert.equal(backedUp.code, 0);
  }
  if (backedUp.code === 0) {
    const copy = await serve(backup, original);
    assert.deepEqual(copy, { ...copy, failed: 0, isRefused: false }, 'the backup is right');
  }
  rmSync(folder, { recursive: true });
  return {
    'found healthy': Number(verified.code === 0),
    'backed up': Number(backedUp.code === 0),
    exported: Number(exported),
    'refused by serve': Number(served.isRefused),
    'right responses': served.right,
    'failed responses': served.failed,
  };
}

describe('A mutated database file', () => {
  it('crashes no command, and nothing wrong is served, exported or backed up', async (t) => {
    const original = createOriginal();
    const { SEED } = process.env;
    const first = Number(SEED ?? Date.now() % 2 ** 31);
    t.diagnostic(`first seed ${first}`);
    const names = Object.keys(MUTATIONS);
    const sum: Record<string, number> = {};
    for (let i = 0; i < (SEED === undefined ? FILES : 1); i++) {
      const seed = first + i;
      const name = names[seed % names.length] ?? '';
      try {
        for (const [what, count] of Object.entries(await tryFile(original, name, seed)))
          sum[what] = (sum[what] ?? 0) + count;
      } catch (error) {
        t.diagnostic(`${name} of seed ${seed} failed; SEED=${seed} tries it again`);
        throw error;
      }
    }
    tell(t, { files: FILES, ...sum });
  });
});
