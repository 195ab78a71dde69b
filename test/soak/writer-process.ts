// The process that writes during the soak test, and its reports.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Keyring } from './keyring.ts';
import type { Told } from './writer.ts';

/** The writing process. */
export interface Beside {
  /** How many writes of each kind were made. */
  readonly done: () => Readonly<Record<string, number>>;
  readonly complaint: () => string | undefined;
  readonly stop: () => Promise<void>;
}

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url));

/** Starts writing into a database. The backups go to `folder`. */
export function writeBeside(database: string, folder: string, keyring: Keyring): Beside {
  const child = fork(WRITER, [database, folder], { execArgv: [] });
  const closed = once(child, 'close');
  const done: Record<string, number> = {};
  let complaint: string | undefined;
  let isOver = false;
  child.on('message', (told: Told) => {
    if ('did' in told) done[told.did] = (done[told.did] ?? 0) + told.count;
    else if ('key' in told) keyring.set(told.key, told.state);
    else complaint ??= told.wrong;
    child.send(isOver ? 'over' : 'on');
  });
  child.once('close', (code) => {
    if (code !== 0) complaint ??= `the writer ended with ${code}`;
  });
  return {
    done: () => ({ ...done }),
    complaint: () => complaint,
    async stop() {
      isOver = true;
      await closed;
    },
  };
}
