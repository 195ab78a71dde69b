// Who writes beside the server: a process, and what it says that it did.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Keyring } from './keyring.ts';
import type { Told } from './writer.ts';

/** What is written meanwhile. */
export interface Beside {
  /** How often each was done. */
  readonly done: () => Readonly<Record<string, number>>;
  readonly complaint: () => string | undefined;
  readonly stop: () => Promise<void>;
}

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url));

/** Starts to write into a database; `folder` takes its backups. */
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
