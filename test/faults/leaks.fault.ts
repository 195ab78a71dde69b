// Leaks: gateways that are opened and closed, and servers that are started and stopped, leave nothing behind.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';

import type { Left } from '../support/cycling.ts';
import { sized, tell } from '../support/faults.ts';
import { megabytes, noGauges } from '../support/gauge.ts';
import { newFolder } from '../support/left.ts';
import { run, stop } from '../support/program.ts';
import { serveAlone } from '../support/served.ts';
import { send } from '../support/wire.ts';
import { createWorld, memories } from '../support/world.ts';

const CYCLES = sized(50, 10);

/** A file that happens to be open for a moment. */
const MOST_FILES = 2;

/** So much may be kept for good, however many cycles there were: code that was compiled later. */
const KEPT = 3e6;

/** The processes that a process has started, and theirs. */
function descendantsOf(pid: number): number[] {
  const said = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = said.split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

describe(
  'A gateway that is opened, served with and closed again and again',
  { skip: noGauges },
  () => {
    it('leaves no file, no handle and no memory behind', async (t) => {
      const world = await createWorld(t);
      const key = world.addAccount('ana', memories(200, 2000));
      const env = { NODE_OPTIONS: '--expose-gc' };
      const script = 'test/support/cycling.ts';
      const args = [world.database, key, String(CYCLES)];
      const { code, stdout, stderr } = await run(args, { script, env });
      assert.deepEqual([code, stderr], [0, '']);
      const { before, after } = JSON.parse(stdout) as { before: Left; after: Left };
      tell(t, {
        cycles: CYCLES,
        files: `${before.fds} → ${after.fds}`,
        handles: `${before.handles.length} → ${after.handles.length}`,
        heap: `${megabytes(before.heap)} → ${megabytes(after.heap)}`,
      });
      assert.ok(after.fds <= before.fds + MOST_FILES, 'files are open');
      assert.deepEqual(after.handles, before.handles);
      assert.ok(after.heap < before.heap + KEPT, 'memory is kept');
    });
  },
);

describe('serve that is started, asked and stopped again and again', { skip: noGauges }, () => {
  it('leaves no process, no -wal and no -shm behind', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(50, 1000));
    const copy = await copyOf(world.database);
    const expected = await send(world.port, { key });
    let processes = 0;
    for (let i = 0; i < CYCLES; i++) {
      const workers = i % 5 === 4 ? ['--workers', '2'] : [];
      const { child, port } = await serveAlone(t, copy, workers);
      const { status, text } = await send(port, { key });
      assert.deepEqual([status, text], [200, expected.text]);
      const pids = [child.pid ?? 0, ...descendantsOf(child.pid ?? 0)];
      assert.equal(await stop(child), 0);
      const living = pids.filter((pid) => existsSync(`/proc/${pid}`));
      assert.deepEqual(living, [], 'processes live on');
      assert.deepEqual(readdirSync(dirname(copy)), ['copy.db']);
      processes += pids.length;
    }
    tell(t, { cycles: CYCLES, processes, 'left behind': 0 });
  });
});

/** A database that nobody else has open. */
async function copyOf(database: string): Promise<string> {
  const copy = `${newFolder()}/copy.db`;
  const { code } = await run(['backup', copy, '--database', database]);
  assert.equal(code, 0);
  return copy;
}
