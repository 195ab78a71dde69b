// A program that starts a command as a server does, prints its number among the processes, and waits for its end.

import { spawnSync } from 'node:child_process';

import { spawnCommand } from '../../../src/cli/serve/command-process.ts';
import { PROGRAM_WORDS } from '../world/program.ts';

const [, , database = '', ...args] = process.argv;
const context = { env: process.env, program: PROGRAM_WORDS };
const { ended } = spawnCommand({
  context,
  database,
  args,
  isInBackground: false, // on a busy machine it would start late
});
const { stdout } = spawnSync('pgrep', ['-P', String(process.pid)], { encoding: 'utf8' });
const [command = ''] = stdout.split('\n');
process.stdout.write(`${command}\n`);
await ended;
