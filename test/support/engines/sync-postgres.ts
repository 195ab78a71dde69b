// Synchronous writes to PostgreSQL, as to a file: a worker thread runs them while this thread blocks.

import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

import * as v from 'valibot';

import { Refusal } from '../../../src/store/refusal.ts';
import type { FileWriter } from '../../../src/store/sqlite/writer.ts';
import type { Does, Fault, Told } from './sync-postgres-thread.ts';

/** Fails a test whose thread has ended or whose server hangs, so that the run goes on. */
const PATIENCE_MS = 60_000;

type Ask = (name: string, args: readonly unknown[]) => Told;
let ask: Ask | undefined;

/** Calls a function of the thread and waits until it is done. Throws the error of the function. */
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
  const worker = new Worker(new URL('sync-postgres-thread.ts', import.meta.url), {
    workerData: { port: port2, bell },
    transferList: [port2],
  });
  worker.unref(); // the thread and its connections end with this process
  let count = 0;
  return (name, args) => {
    const number = ++count;
    port1.postMessage({ number, name, args });
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const heard = Atomics.load(bell, 0);
      const told = receiveMessageOnPort(port1)?.message as Told | undefined;
      // A late result of an earlier call that timed out is dropped.
      if (told?.number === number) return told;
      if (told !== undefined) continue;
      const left = until - performance.now();
      if (left <= 0 || Atomics.wait(bell, 0, heard, left) === 'timed-out')
        throw new Error(`${name} was not done within ${PATIENCE_MS} ms`);
    }
  };
}

/**
 * Rebuilds an error of the thread with its class, because tests distinguish refusals and invalid
 * memories from other errors.
 */
function errorOf({ name, message, code, issues }: Fault): Error {
  if (name === 'Refusal') return new Refusal(message, code === undefined ? {} : { code });
  if (name === 'ValiError')
    return new v.ValiError(issues as ConstructorParameters<typeof v.ValiError>[0]);
  return Object.assign(new Error(message), { name });
}

/** Opens a PostgreSQL database for synchronous writes on its own connection. */
export function openDistantWriter(database: string): FileWriter {
  const writer = call('open', database);
  const on =
    (path: string) =>
    (...args: unknown[]): unknown =>
      call('write', { writer, path, args });
  /** Calls are forwarded to the thread. */
  const group = (name: string) =>
    new Proxy({}, { get: (_, method: string) => on(`${name}.${method}`) });
  let isIn = false;
  const transaction = (work: () => unknown): unknown => {
    if (isIn) return work(); // a savepoint of the surrounding transaction
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
    sources: group('sources'),
    sourceMemories: group('sourceMemories'),
    watchedFiles: group('watchedFiles'),
    vectors: group('vectors'),
    bin: group('bin'),
    corrections: group('corrections'),
    rereads: group('rereads'),
    emptyBin: on('emptyBin'),
    erase: on('erase'),
    eraseAccount: on('eraseAccount'),
    transaction,
    close: () => call('close', writer),
  } as unknown as FileWriter;
}
