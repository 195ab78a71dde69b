// Kills a long command at a chosen instant or at a chosen step.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { ROOT, startProcess, waitFor } from '../world/program.ts';

/**
 * When to kill a command: this many milliseconds after its first page (`Infinity` for never),
 * `amid` its first pages, or `before` or `after` it renames its first file.
 */
export type Instant = number | 'amid' | 'before' | 'after';

/** The environment variables that stop a program where it renames its first file. */
export function holding(when: 'before' | 'after'): Record<string, string> {
  const module = pathToFileURL(`${ROOT}test/support/processes/stop-at-rename.ts`).href;
  return { NODE_OPTIONS: `--import=${module}`, HOLD: when };
}

/**
 * Kills a command of `long-command-program.ts`. Returns how long it ran after its first page, or
 * `Infinity` if it was killed before its end.
 */
export async function killWork(args: readonly string[], when: Instant): Promise<number> {
  const held = when === 'amid' ? ['--held'] : [];
  const env = when === 'before' || when === 'after' ? holding(when) : {};
  const child = startProcess([...args, ...held], {
    script: 'test/support/processes/long-command-program.ts',
    env,
  });
  let [said, failed] = ['', ''];
  child.stdout.on('data', (part: Buffer) => (said += part.toString()));
  child.stderr.on('data', (part: Buffer) => (failed += part.toString()));
  const closed = once(child, 'close');
  await waitFor(child, 'stdout', typeof when === 'number' ? /pages/ : /^held$/m);
  const since = performance.now();
  if (when !== Infinity) {
    if (typeof when === 'number') await sleep(when);
    child.kill('SIGKILL');
  }
  await closed;
  if (failed !== '') throw new Error(failed);
  return /^done$/m.test(said) ? performance.now() - since : Infinity;
}
