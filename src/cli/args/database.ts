// Opens the database of --database for one piece of work.

import type { Awaitable } from '../../lib/async.ts';
import type { AppStore } from '../../store/app/app-store.ts';
import type { Writer } from '../../store/engine.ts';
import { engineOf } from '../../store/engines.ts';
import type { Args } from './args.ts';

/** Opens the database for writing, runs `work` and closes it again. Rejects with `Refusal`. */
export function withWriter<T>(args: Args, work: (writer: Writer) => Awaitable<T>): Promise<T> {
  return engineOf(args.need('database')).withWriter(work);
}

/** Opens the store of the app, runs `work` and closes it again. Rejects with `Refusal`. */
export async function withAppStore<T>(
  args: Args,
  work: (store: AppStore) => Awaitable<T>,
): Promise<T> {
  const store = await engineOf(args.need('database')).openApp();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
