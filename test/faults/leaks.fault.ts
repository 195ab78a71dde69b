// Leaks: gateways that are opened and closed, and servers that are started and stopped, leave nothing behind.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';

import { tell } from '../support/damage/trial.ts';
import type { Left } from '../support/processes/open-close-program.ts';
import { megabytes, noGauges } from '../support/processes/process-usage.ts';
import { serveAlone } from '../support/processes/serve-process.ts';
import { send } from '../support/wire/wire.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { runProcess, stop } from '../support/world/program.ts';
import { sized } from '../support/world/thorough.ts';
import { createWorld, memories } from '../support/world/world.ts';

const CYCLES = sized(50, 10);

/** Allows for a file that is open for a moment. */
const MOST_FILES = 2;

/** Memory that may stay, for any number of cycles: code that was compiled later. */
const KEPT = 3e6;

/** Returns the descendants of a process. */
function descendantsOf(pid: number): number[] {
  const said = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = said.split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

describe('A gateway that is opened, used and closed repeatedly', { skip: noGauges }, () => {
  it('leaves no file, no handle and no memory behind', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(200, 2000));
    const env = { NODE_OPTIONS: '--expose-gc' };
    const script = 'test/support/processes/open-close-program.ts';
    const args = [world.database, key, String(CYCLES)];
    const { code, stdout, stderr } = await runProcess(args, { script, env });
    assert.deepEqual([code, stderr], [0, '']);
    const { before, after } = JSON.parse(stdout) as { before: Left; after: Left };
    tell(t, {
      cycles: CYCLES,
      files: `${before.fds} → ${after.fds}`,
      handles: `${before.handles.length} → ${after.handles.length}`,
      heap: `${megabytes(before.heap)} → ${megabytes(after.heap)}`,
    });
    assert.ok(after.fds <= before.fds + MOST_FILES, 'no files stay open');
    assert.deepEqual(after.handles, before.handles);
    assert.ok(after.heap < before.heap + KEPT, 'no memory is kept');
  });
});

describe('serve that is started, used and stopped repeatedly', { skip: noGauges }, () => {
  it('leaves no process, no -wal and no -shm behind', async (t) => {
    const world = await createWorld(t);
    const key = world.addAccount('ana', memories(50, 1000));
    const copy = await copyOf(world.database);
    const expected = await send(world.port, { key });
    let processes = 0;
    for (let i = 0; i < CYCLES; i++) {
      const { child, port } = await serveAlone(t, copy);
      const { status, text } = await send(port, { key });
      assert.deepEqual([status, text], [200, expected.text]);
      const pids = [child.pid ?? 0, ...descendantsOf(child.pid ?? 0)];
      assert.equal(await stop(child), 0);
      const living = pids.filter((pid) => existsSync(`/proc/${pid}`));
      assert.deepEqual(living, [], 'no processes are left');
      assert.deepEqual(readdirSync(dirname(copy)), ['copy.db']);
      processes += pids.length;
    }
    tell(t, { cycles: CYCLES, processes, 'left behind': 0 });
  });
});

/** Creates a database that no other process has open. */
async function copyOf(database: string): Promise<string> {
  const copy = `${newFolder()}/copy.db`;
  const { code } = await runProcess(['backup', copy, '--database', database]);
  assert.equal(code, 0);
  return copy;
}
