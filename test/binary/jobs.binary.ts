// The executable works on the jobs of a server in a process of its own, which ends with the server.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

import { newFolder } from '../support/world/artifacts.ts';
import { startProcess, stop, waitFor } from '../support/world/program.ts';
import { createWorld } from '../support/world/world.ts';

const MEMORY = '{"id":"milk","started_at":"2026-11-18T17:42:10Z","transcript":"Mira: Milk."}';

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  it(`imports what arrives in a folder, and ends with a server that ${signal} ends`, async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana');
    const folder = newFolder();
    writeFileSync(join(folder, 'a.jsonl'), MEMORY);
    const args = ['serve', '--database', world.database, '--port', '0', `--watch=${folder}`];
    const child = startProcess(args);
    t.after(() => stop(child, 'SIGKILL'));
    await waitFor(child, 'stdout', /"file":"a\.jsonl","added":1/);
    child.kill(signal);
    // Its process has the same output, which closes when both are gone.
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, signal === 'SIGTERM' ? 0 : null);
  });
