// Makes memories again from their originals: reads each, and writes what has changed.

import { setImmediate as turn } from 'node:timers/promises';

import type { ReadDetails } from '../../contract/schemas/details.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { unknownAccount } from '../accounts/accounts.ts';
import { prepareMemory, type PreparedMemory, type WriteResult } from '../import/memory-row.ts';
import { Refusal } from '../refusal.ts';
import { fitsIndex, searchedTexts } from '../search/index-terms.ts';
import * as queries from '../sql/corrections.ts';
import type { Connection } from '../sql/query.ts';
import { attempt } from './attempt.ts';
import type { MemoryWriter } from './correct.ts';
import { importedStates } from './imported-state.ts';
import { readOriginal } from './original.ts';

/** A memory as it was imported, and what it was made from. */
export interface MemoryWithOriginal {
  readonly memory: Memory;
  readonly read: ReadDetails;
  readonly original: {
    readonly media_type: string;
    readonly bytes: Uint8Array<ArrayBuffer>;
    /** How it was read, as JSON. */
    readonly reading: string;
  };
}

/** What an original says today: a memory with its details, or the reason why it says nothing. Undefined: it is not to be read. */
export type Reread =
  | Pick<MemoryWithOriginal, 'memory' | 'read'>
  | { readonly reason: string }
  | undefined;

/** What became of a memory. */
export interface RereadResult {
  readonly id: string;
  readonly before: MemoryWithOriginal | undefined;
  /** What its original says today. */
  readonly now: Exclude<Reread, undefined>;
  readonly result: WriteResult | 'failed';
}

/** What to make again. */
export interface RereadRequest {
  readonly account_id: string;
  /** Whether only to find out what would change. */
  readonly isDry: boolean;
  readonly read: (one: MemoryWithOriginal) => Promise<Reread>;
  /** Is called for each memory that was read, in the order of their ids. */
  readonly onResult: (result: RereadResult) => void;
}

/** How many memories are made again in one transaction, and how many bytes their originals have, one original more. */
const PAGE = { memories: 200, bytes: 4 * 1024 * 1024 };

/** Creates the functions that make memories again, on a connection. */
export function rereadWrites({ prepare, transaction }: Connection, memories: MemoryWriter) {
  const held = {
    lock: prepare(queries.lockAccount),
    page: prepare(queries.withOriginals),
    count: prepare(queries.countOriginals),
  };
  const stored = importedStates({ prepare });

  return {
    /** Resolves with the number of memories that have an original. */
    count: async (account_id: string): Promise<number> =>
      (await held.count.get({ account_id }))?.n ?? 0,

    /**
     * Makes all memories of an account again that have an original. Those that come out equal are not written. If it
     * is killed, it can be run again. Rejects with `Refusal` if there is no such account.
     */
    async run(request: RereadRequest): Promise<void> {
      const { account_id, isDry, onResult } = request;
      for (let after = ''; ;) {
        const page = await held.page.all({ account_id, after, limit: PAGE.memories });
        const ids = firstOf(page);
        const last = ids.at(-1);
        if (last === undefined) return;
        after = last;
        const results = await attempt(transaction, isDry, () => readSome(request, ids));
        results.forEach(onResult);
        await turn(); // SQLite is synchronous: without a turn, signals would wait
      }
    },
  };

  /** Makes some memories again, in a transaction that keeps other writers of the account out. */
  async function readSome({ account_id, read }: RereadRequest, ids: readonly string[]) {
    if ((await held.lock.run({ id: account_id })) === 0) throw unknownAccount(account_id);
    const results: (Omit<RereadResult, 'result'> & { readonly prepared?: PreparedMemory })[] = [];
    for (const id of ids) {
      const one = await readOne(account_id, id, read);
      if (one !== undefined) results.push({ id, ...one });
    }
    const written = await memories.putReady(results.flatMap(({ prepared }) => prepared ?? []));
    const rest = written.values();
    return results.map(({ prepared, ...each }): RereadResult => ({
      ...each,
      result: prepared ? (rest.next().value as WriteResult) : 'failed',
    }));
  }

  async function readOne(account_id: string, id: string, read: RereadRequest['read']) {
    try {
      const { memory, details } = await stored(account_id, id);
      const original = details?.original;
      if (details === undefined || original === undefined || original.bytes instanceof Uint8Array)
        return undefined;
      const { sha256, length, compressed } = original.bytes;
      const bytes = readOriginal({ sha256, bytes: length, compressed });
      if (bytes === undefined) return failed('its original is damaged; "verify" finds it');
      const { media_type, reading } = original;
      const before = { memory, read: details.read, original: { media_type, bytes, reading } };
      const now = await read(before);
      if (now === undefined) return undefined;
      if ('reason' in now) return { before, now };
      if (!fitsIndex(searchedTexts(now.memory)))
        return failed('its words are too long for the search index');
      const prepared = prepareMemory(account_id, now.memory, { ...details, read: now.read });
      return { before, now, prepared };
    } catch (error) {
      if (error instanceof Refusal) return failed(error.message.replace(/\.$/, ''));
      throw error;
    }
  }
}

function failed(reason: string) {
  return { before: undefined, now: { reason } };
}

/** Returns the first memories whose originals may be held at a time. */
function firstOf(
  page: readonly { readonly memory_id: string; readonly bytes: number }[],
): string[] {
  let bytes = 0;
  const count = page.findIndex((each) => (bytes += each.bytes) > PAGE.bytes) + 1;
  return page.slice(0, count === 0 ? page.length : count).map(({ memory_id }) => memory_id);
}
