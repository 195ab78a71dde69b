// Puts memories right: stores corrections, and makes the memories again that they concern.

import { v7 as uuid } from 'uuid';

import type { Awaitable } from '../../lib/async.ts';
import { unknownAccount } from '../accounts/accounts.ts';
import { addEvent, COMMAND_LINE } from '../app/log.ts';
import { prepareMemory, type PreparedMemory, type WriteResult } from '../import/memory-row.ts';
import { Refusal } from '../refusal.ts';
import * as queries from '../sql/corrections.ts';
import type { Connection } from '../sql/query.ts';
import { attempt } from './attempt.ts';
import { applyCorrections, type Correction } from './corrections.ts';
import { NOTHING_READ } from './details-row.ts';
import { facetKey } from './facets.ts';
import { importedStates, type ImportedState } from './imported-state.ts';
import {
  checkCorrections,
  isEqual,
  isTakenBack,
  replaces,
  type NewCorrection,
} from './new-correction.ts';

/** What is to be put right, and where. */
export interface CorrectionRequest {
  readonly account_id: string;
  /** Default: all memories of the account, also those of later imports. Then only speakers can be put right. */
  readonly memory_id?: string | undefined;
  /** Each replaces an earlier one of the same field, for speakers also of the same name. */
  readonly corrections: readonly NewCorrection[];
  /** The ids of corrections to remove first, or `own` for all that were made for this memory alone. */
  readonly removed?: readonly string[] | 'own' | undefined;
  /** Who does it, for the log of the account. Default: the command line. */
  readonly agent?: string | undefined;
  /** Whether only to find out what would change. */
  readonly isDry?: boolean | undefined;
  /** Called with the number of memories looked at, between transactions. */
  readonly onProgress?: ((memories: number) => Awaitable<void>) | undefined;
}

/** A correction that is stored. */
export interface StoredCorrection extends Correction {
  /** Whether it has no effect on its memory, because there is no such speaker. Null: it is for all memories, or the memory is damaged. */
  readonly isIdle: boolean | null;
}

/** What corrections have changed. */
export interface CorrectionResult {
  /** The ids of the memories that have changed. */
  readonly changed: readonly string[];
  /** The new corrections without effect in the memory, because it has no such speaker or has the value already. */
  readonly idle: readonly NewCorrection[];
  /** How many corrections were removed. */
  readonly removed: number;
}

/** The writer of memories. */
export interface MemoryWriter {
  putReady(all: readonly PreparedMemory[]): Awaitable<WriteResult[]>;
}

/** What a request does to the corrections that are stored. */
interface Stored {
  /** Those that it replaces or removes. */
  readonly gone: readonly Correction[];
  /** How many it adds. */
  readonly fresh: number;
}

/** How many memories are made again in one transaction. Their originals are read with them. */
const PAGE = 100;

/** The functions that put memories right. */
export type CorrectionWrites = ReturnType<typeof correctionWrites>;

/** Creates the functions that put memories right, on a connection. */
export function correctionWrites(connection: Connection, memories: MemoryWriter) {
  const { prepare, transaction, now } = connection;
  const held = {
    lock: prepare(queries.lockAccount),
    ofAccount: prepare(queries.ofAccount),
    insert: prepare(queries.insert),
    remove: prepare(queries.remove),
    concerned: prepare(queries.concerned),
    allUncorrected: prepare(queries.uncorrectedIds),
  };

  const importedOf = importedStates({ prepare });
  const corrections = (account_id: string): Awaitable<readonly Correction[]> =>
    held.ofAccount.all({ account_id });

  return { list, correct };

  /** Reads the corrections of an account, in the order in which they were made. */
  async function list(account_id: string): Promise<readonly StoredCorrection[]> {
    const all = await corrections(account_id);
    const idle = new Map<string | null, readonly Correction[] | null>([[null, null]]);
    const found: StoredCorrection[] = [];
    for (const each of all) {
      const { memory_id } = each;
      if (memory_id !== null && !idle.has(memory_id))
        idle.set(memory_id, await idleOf(account_id, memory_id, all));
      found.push({ ...each, isIdle: idle.get(memory_id)?.includes(each) ?? null });
    }
    return found;
  }

  async function idleOf(account_id: string, id: string, all: readonly Correction[]) {
    try {
      return correctedOf(await importedOf(account_id, id), all).idle;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  /**
   * Stores corrections and makes the memories again that they concern, so many in one transaction. If it is
   * killed, the same request again does the rest: corrections to remove are there until all is done. Rejects with
   * `ValiError` if one is invalid, and with `Refusal` if there is no such account or memory.
   */
  async function correct(request: CorrectionRequest): Promise<CorrectionResult> {
    const { account_id, memory_id, isDry = false, onProgress } = request;
    checkCorrections(request.corrections);
    const changed = new Set<string>();
    let idle: readonly NewCorrection[] = [];
    let stored: Stored = { gone: [], fresh: 0 };
    let seen = 0;
    /** Looks at all memories concerned, page by page. Between pages, corrections to remove are there again, if `isKept`. */
    const walk = async (isKept: boolean): Promise<void> => {
      for (let after: string | undefined = ''; after !== undefined;) {
        after = await attempt(transaction, isDry, async () => {
          if ((await held.lock.run({ id: account_id })) === 0) throw unknownAccount(account_id);
          if (isKept && (isDry || after === '')) stored = await store(request);
          const { gone } = stored;
          for (const { id } of gone) await held.remove.run({ account_id, id });
          const ids: readonly string[] =
            memory_id === undefined
              ? await concerned(request, { after: after ?? '', isAny: gone.length > 0 })
              : [memory_id];
          const { results, isIdle } = await remake(account_id, ids);
          if (memory_id !== undefined) idle = request.corrections.filter(isIdle);
          for (const [i, result] of results.entries())
            if (result !== 'unchanged') changed.add(ids[i] as string);
          seen += ids.length;
          const next = memory_id === undefined && ids.length === PAGE ? ids.at(-1) : undefined;
          if (isKept && next !== undefined) for (const each of gone) await held.insert.run(each);
          else if (isKept && stored.fresh === 0) await log(request, 'edits-undone', gone.length);
          return next;
        });
        await onProgress?.(seen);
      }
    };
    await walk(true);
    // What was imported between two pages may have corrections that are gone by now.
    if (!isDry && seen >= PAGE && stored.gone.length > 0) await walk(false);
    return { changed: [...changed], idle, removed: stored.gone.length };
  }

  /** Stores the corrections of a request. Those that are to go are still there. */
  async function store(request: CorrectionRequest): Promise<Stored> {
    const { account_id, memory_id = null, removed: unwanted = [] } = request;
    const all = await corrections(account_id);
    if (unwanted !== 'own') requireAll(unwanted, all);
    // Each request has a time of its own, because the corrections of one do not see each other.
    const made_at = Math.max(now(), (all.at(-1)?.made_at ?? 0) + 1);
    const kept = new Set(
      request.corrections.flatMap((each) => all.filter((old) => isEqual(old, each, memory_id))),
    );
    const gone = all.filter(
      (old) =>
        !kept.has(old) &&
        ((unwanted === 'own' ? old.memory_id === memory_id : unwanted.includes(old.id)) ||
          request.corrections.some((each) => replaces(each, old, memory_id))),
    );
    const fresh = request.corrections.filter(
      (each) => !all.some((old) => isEqual(old, each, memory_id) && !isTakenBack(old, all)),
    );
    for (const each of fresh)
      await held.insert.run({ ...each, account_id, memory_id, id: uuid(), made_at });
    await log(request, 'memories-edited', fresh.length);
    return { gone, fresh: fresh.length };
  }

  /** Notes in the log of the account how many edits were made, or taken back. Names may be private, so none stands there. */
  async function log(
    { account_id, agent = COMMAND_LINE }: CorrectionRequest,
    kind: 'memories-edited' | 'edits-undone',
    count: number,
  ): Promise<void> {
    if (count === 0) return;
    await addEvent(connection, { account_id, kind, subject: String(count), agent });
  }

  /** Returns the ids of the next memories that a request may concern: all that are corrected, if `isAny`. */
  async function concerned(
    { account_id, corrections: wanted }: CorrectionRequest,
    { after, isAny }: { readonly after: string; readonly isAny: boolean },
  ): Promise<string[]> {
    const ids = new Set<string>();
    const page = { account_id, after, limit: PAGE };
    for (const { old } of wanted)
      for (const { memory_id } of await held.concerned.all({
        ...page,
        folded: facetKey(old ?? ''),
      }))
        ids.add(memory_id);
    if (isAny) for (const { memory_id } of await held.allUncorrected.all(page)) ids.add(memory_id);
    // Ids are ASCII, so both engines sort them as JavaScript does.
    return [...ids].toSorted().slice(0, PAGE);
  }

  /** Makes memories again. */
  async function remake(account_id: string, ids: readonly string[]) {
    const all = await corrections(account_id);
    const prepared: PreparedMemory[] = [];
    let idle: readonly Correction[] = [];
    for (const id of ids) {
      const found = await importedOf(account_id, id);
      idle = correctedOf(found, all).idle;
      prepared.push(prepareMemory(account_id, found.memory, found.details));
    }
    const isIdle = (each: NewCorrection): boolean =>
      idle.some(
        ({ field, old, new: value }) =>
          field === each.field && old === each.old && value === each.new,
      );
    return { results: await memories.putReady(prepared), isIdle };
  }
}

function correctedOf({ memory, details }: ImportedState, all: readonly Correction[]) {
  const own = all.filter(({ memory_id }) => memory_id === null || memory_id === memory.id);
  return applyCorrections({ memory, read: details?.read ?? NOTHING_READ }, own);
}

function requireAll(ids: readonly string[], all: readonly Correction[]): void {
  const missing = ids.find((id) => !all.some((each) => each.id === id));
  if (missing !== undefined)
    throw new Refusal(`There is no edit ${missing}; "edits list" shows the edits.`);
}
