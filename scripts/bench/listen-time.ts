// Time from the start of a process to the line that says that it listens, for the package and the executable.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { Refusal } from '../../src/store/refusal.ts';
import { OURS } from './contestants.ts';
import { inTurn, type Work } from './measurement.ts';
import type { Sample } from './stats.ts';

/** A program to start. If it prints nothing, its end is measured. */
interface Started {
  readonly name: string;
  readonly command: readonly string[];
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const EXECUTABLE = path('../../out/memory-gateway');
const BARE = `require('node:http').createServer().listen(0, '127.0.0.1', () => console.log('listening'))`;

/** The measurement. Its baseline does not listen: it is the least that Node does. */
export const listening: Work = {
  name: 'listen',
  title: 'start to the listening line',
  targets: [{ count: 'listeningMs', least: 0.63 }],
  lack: () =>
    existsSync(EXECUTABLE) ? undefined : 'there is no executable; npm run binary builds it',
  measure: ({ pace, files: [{ path: database }] }) => {
    const serve = ['serve', '--database', database, '--port', '0'];
    const all = [
      { name: 'node -e 0', command: [process.execPath, '-e', '0'] },
      { name: 'bare node:http', command: [process.execPath, '-e', BARE] },
      { name: OURS, command: [EXECUTABLE, ...serve] },
      {
        name: `${OURS}, the package`,
        command: [process.execPath, path('../../dist/cli/main.cjs'), ...serve],
      },
    ];
    return inTurn(all, pace.starts * 2, startOnce);
  },
};

async function startOnce({ name, command: [program = '', ...args] }: Started): Promise<Sample> {
  const { PATH = '', HOME = '' } = process.env;
  const startedAt = performance.now();
  const child = spawn(program, args, { env: { PATH, HOME }, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const line = once(child.stdout, 'data').then(() => 0);
  const code = await Promise.race([line, ended.then(([found]) => found)]);
  const listeningMs = performance.now() - startedAt;
  child.kill('SIGKILL');
  await ended;
  if (code === 0) return { listeningMs };
  throw new Refusal(`${name} ended with ${code} before it listened.`);
}
