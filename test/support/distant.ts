// Writes to PostgreSQL that are done when they return, as those to a file are: a thread does them, and this one waits.

import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

import * as v from 'valibot';

import { Refusal } from '../../src/store/refusal.ts';
import type { FileWriter } from '../../src/store/sqlite/writer.ts';
import type { Does, Fault, Told } from './distant-thread.ts';

/** A thread that ended, or a server that hangs, fails a test; it never holds up a run. */
const PATIENCE_MS = 60_000;

type Ask = (name: string, args: readonly unknown[]) => Told;
let ask: Ask | undefined;

/** Has the thread do something, and waits until it is done. Fails as that does. */
export function call<Name extends keyof Does>(
  name: Name,
  ...args: Parameters<Does[Name]>
): Awaited<ReturnType<Does[Name]>> {
  ask ??= startThread();
  const told = ask(name, args);
  if ('fault' in told) throw errorOf(told.fault);
  return told.value as Awaited<ReturnType<Does[Name]>>;
}

function startThread(): Ask {
  const { port1, port2 } = new MessageChannel();
  const bell = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('distant-thread.ts', import.meta.url), {
    workerData: { port: port2, bell },
    transferList: [port2],
  });
  worker.unref(); // ends with this process, and its connections with it
  let count = 0;
  return (name, args) => {
    const number = ++count;
    port1.postMessage({ number, name, args });
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const heard = Atomics.load(bell, 0);
      const told = receiveMessageOnPort(port1)?.message as Told | undefined;
      // What an earlier call was told when nobody waited any more is nobody's.
      if (told?.number === number) return told;
      if (told !== undefined) continue;
      const left = until - performance.now();
      if (left <= 0 || Atomics.wait(bell, 0, heard, left) === 'timed-out')
        throw new Error(`${name} was not done within ${PATIENCE_MS} ms`);
    }
  };
}

/** The error that was thrown there, of its kind: tests tell refusals and what breaks the contract from all else. */
function errorOf({ name, message, trouble, issues }: Fault): Error {
  if (name === 'Refusal') return new Refusal(message, trouble === undefined ? {} : { trouble });
  if (name === 'ValiError')
    return new v.ValiError(issues as ConstructorParameters<typeof v.ValiError>[0]);
  return Object.assign(new Error(message), { name });
}

/** Opens a database of PostgreSQL for writing, on a connection of its own; its writes are as those of a file. */
export function openDistantWriter(database: string): FileWriter {
  const writer = call('open', database);
  const on =
    (path: string) =>
    (...args: unknown[]): unknown =>
      call('write', { writer, path, args });
  /** What is called on it is called there. */
  const group = (name: string) =>
    new Proxy({}, { get: (_, method: string) => on(`${name}.${method}`) });
  let isIn = false;
  const transaction = (work: () => unknown): unknown => {
    if (isIn) return work(); // a part of the one around it
    call('begin', writer);
    isIn = true;
    try {
      const result = work();
      call('commit', writer);
      return result;
    } catch (error) {
      call('rollback', writer);
      throw error;
    } finally {
      isIn = false;
    }
  };
  return {
    accounts: group('accounts'),
    keys: group('keys'),
    memories: group('memories'),
    erase: on('erase'),
    transaction,
    close: () => call('close', writer),
  } as unknown as FileWriter;
}
