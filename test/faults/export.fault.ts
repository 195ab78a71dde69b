// An export that is killed at any instant leaves a complete file under its name, or none.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { tell } from '../support/damage/trial.ts';
import { holding } from '../support/processes/kill.ts';
import { newFolder } from '../support/world/artifacts.ts';
import { runProcess, startProcess, stop, waitFor } from '../support/world/program.ts';
import { sized } from '../support/world/thorough.ts';
import { createWorld, memories } from '../support/world/world.ts';

const KILLS = sized(20, 4);

/** Returns the hash of a file, or of all files in a folder, or '' if there is none. */
function hashOf(path: string): string {
  if (!existsSync(path)) return '';
  if (statSync(path).isFile()) return hash('sha256', readFileSync(path));
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = names.filter((name) => statSync(join(path, name)).isFile());
  return hash(
    'sha256',
    JSON.stringify(files.map((name) => [name, readFileSync(join(path, name), 'utf8')])),
  );
}

describe('An export', () => {
  it(`never leaves a partial file under its name, killed ${KILLS} times`, async (t) => {
    const world = await createWorld(t);
    world.addAccount('ana', memories(300, 50_000));
    const folder = newFolder();
    const formats = ['jsonl', 'markdown'].map((format) => {
      const path = join(folder, format);
      const args = ['export', '--format', format, '--output', path, '--database', world.database];
      return { args, path };
    });
    const whole: string[] = [];
    const ms: number[] = [];
    for (const { args, path } of formats) {
      const began = performance.now();
      assert.equal((await runProcess(args)).code, 0);
      ms.push(performance.now() - began);
      whole.push(hashOf(path));
    }
    const drafts = () => readdirSync(folder).filter((name) => name.endsWith('.new'));

    let amid = 0;
    for (let i = 0; i < KILLS; i++) {
      const which = i % formats.length;
      const { args, path } = formats[which] as (typeof formats)[number];
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      const isHeld = i < formats.length; // the first two runs hit each case, on any machine
      const child = startProcess(args, { env: isHeld ? holding('before') : {} });
      if (isHeld) await waitFor(child, 'stdout', /^held$/m);
      while (child.exitCode === null && drafts().length === 0) await sleep(2);
      if (!isHeld) await sleep((Math.random() * (ms[which] ?? 0)) / 2);
      await stop(child, 'SIGKILL');
      if (isHeld) assert.deepEqual([hashOf(path), drafts().length], ['', 1]);
      assert.ok(
        ['', whole[which]].includes(hashOf(path)),
        'the file is complete or does not exist',
      );
      const left = readdirSync(folder).filter((name) => join(folder, name) !== path);
      assert.deepEqual(left, drafts());
      amid += left.length;
    }
    tell(t, { kills: KILLS, 'while it wrote': amid });

    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    for (const { args, path } of formats) {
      assert.equal((await runProcess(args)).code, 0);
      assert.equal(hashOf(path), whole.shift());
    }
  });
});
