// Killing: work that takes its time, killed at an instant that is chosen or held for.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { ROOT, start, waitFor } from './program.ts';

/**
 * When work is killed: so many milliseconds after its first page, `Infinity` for never; or where it
 * is held: `amid` its first pages, or `before` or `after` its first file is given its name.
 */
export type Instant = number | 'amid' | 'before' | 'after';

/** What has a program held where it names its first file: variables of its environment. */
export function holding(when: 'before' | 'after'): Record<string, string> {
  const module = pathToFileURL(`${ROOT}test/support/holding.ts`).href;
  return { NODE_OPTIONS: `--import=${module}`, HOLD: when };
}

/** Kills work of `long-work.ts`. Returns how long it took from its first page on; `Infinity` where it was killed before its end. */
export async function killWork(args: readonly string[], when: Instant): Promise<number> {
  const held = when === 'amid' ? ['--held'] : [];
  const env = when === 'before' || when === 'after' ? holding(when) : {};
  const child = start([...args, ...held], { script: 'test/support/long-work.ts', env });
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
