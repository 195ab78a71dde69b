// Reconciles memories of an import with those that are stored: the id of a file's recording, and the transcript of a note.

import type { Memory } from '../../contract/schemas/memory.ts';
import { andThen, eachInTurn, type Awaitable } from '../../lib/async.ts';
import { timesFrom } from '../details/corrections.ts';
import { hashOfOriginal } from '../details/original.ts';
import type { ImportedMemory } from './rules.ts';
import {
  haveSameWords,
  isSameRecording,
  isUnmistakable,
  type FileIdentity,
} from './same-recording.ts';

type KnownMemory = Partial<Memory>;

/** The memories that an import is compared with. */
export interface KnownMemories {
  /** Whether this import has already read a memory with this id. */
  readonly isOfThisImport: (account_id: string, id: string) => Awaitable<boolean>;
  /** Returns the stored memory with this id, also if it is in the bin. */
  readonly stored: (account_id: string, id: string) => Awaitable<KnownMemory | undefined>;
  /** Returns the memories that were made from an original, also in the bin. */
  readonly madeFrom: (account_id: string, original_sha256: string) => Awaitable<Candidates>;
  /** Returns the memories whose files were renamed so that their names give this id, also in the bin. */
  readonly renamedTo: (account_id: string, id: string) => Awaitable<Candidates>;
}

type Candidates = readonly { readonly memory_id: string }[];

/**
 * Reconciles a batch with the stored memories, and with each other. A memory from a file without an id
 * gets the id of the same recording if there is any, otherwise the first that is free. So a file is one
 * memory, whichever folder an import starts from. If it is dated by its file, it keeps its time, because
 * copying a file changes its date. A file with the words of a file beside it is that memory, as it is
 * stored: Whisper writes a recording in five formats. A file with the bytes of another one is that one under
 * another name, and stays it when it changes under that name. A memory that lacks a transcript keeps the one that is stored, and
 * its times.
 */
export function reconcile(
  arrivals: readonly ImportedMemory[],
  { isOfThisImport, stored, madeFrom, renamedTo }: KnownMemories,
): Awaitable<ImportedMemory[]> {
  const batch = new Map<string, KnownMemory>();
  /** The ids of the batch by the hashes of their originals. */
  const ids = new Map<string, string>();
  const reconciled: ImportedMemory[] = [];
  const done = eachInTurn(arrivals, (arrival) =>
    andThen(reconcileOne(arrival), (found) => {
      batch.set(keyOf(found.account_id, found.memory.id), found.memory);
      reconciled.push(found);
    }),
  );
  return andThen(done, () => reconciled);

  function reconcileOne(arrival: ImportedMemory): Awaitable<ImportedMemory> {
    const { file } = arrival;
    const identified = file === undefined ? arrival : identify(arrival, file);
    return arrival.lacksTranscript === true ? andThen(identified, keepTranscript) : identified;
  }

  /** Keeps the transcript that is stored with its times, because its lines are counted from the start. */
  function keepTranscript(arrival: ImportedMemory): Awaitable<ImportedMemory> {
    const { account_id, memory } = arrival;
    return andThen(find(account_id, memory.id), (found) => {
      const { transcript = '', ...old } = found?.memory ?? {};
      if (transcript === '') return arrival;
      const { started_at, ended_at, duration_seconds } = { ...memory, ...old };
      return {
        ...arrival,
        memory: { ...memory, transcript, started_at, ended_at, duration_seconds },
      };
    });
  }

  function identify(arrival: ImportedMemory, file: FileIdentity): Awaitable<ImportedMemory> {
    const { account_id, memory } = arrival;
    let free: string | undefined;
    let same: Same | undefined;
    const look = (id: string) =>
      andThen(find(account_id, id), (found) => {
        if (found === undefined) free ??= id;
        else if (isSame(found, arrival, file)) same = { ...found, id };
      });
    const walked = eachInTurn([memory.id, ...file.otherIds], (id) =>
      same === undefined ? look(id) : undefined,
    );
    return andThen(walked, () => {
      if (same !== undefined) return asSame(arrival, file, same);
      return andThen(findSibling(arrival), (sibling) => {
        if (sibling !== undefined) return { account_id, memory: sibling, file };
        const own = { ...arrival, memory: { ...memory, id: free ?? memory.id } };
        return andThen(findRenamed(own, file), (renamed) =>
          andThen(renamed ?? findChanged(arrival, file), (found) =>
            found === undefined ? own : asRenamed(arrival, file, found),
          ),
        );
      });
    });
  }

  /** Returns the memory that was made from the same bytes, under another name of their file. */
  function findRenamed(arrival: ImportedMemory, file: FileIdentity): Awaitable<Same | undefined> {
    const { account_id, memory, details } = arrival;
    if (details?.original === undefined) return undefined;
    const sha256 = hashOfOriginal(details.original);
    const key = keyOf(account_id, sha256);
    const first = ids.get(key);
    const candidates = first === undefined ? madeFrom(account_id, sha256) : [{ memory_id: first }];
    const isRenamed = (found: Found) => {
      if (!isSame(found, arrival, file)) return false;
      // A file keeps the time of its last change when it is renamed.
      const isMoved =
        file.isDated && !found.isOfThisImport && found.memory.started_at === memory.started_at;
      return isMoved || isUnmistakable(memory, details.read);
    };
    return andThen(findFirst(account_id, candidates, isRenamed), (same) => {
      ids.set(key, same?.id ?? memory.id);
      return same;
    });
  }

  /** Returns the memory of a file that has changed since it was imported under its new name. */
  function findChanged(arrival: ImportedMemory, file: FileIdentity): Awaitable<Same | undefined> {
    const { account_id, memory } = arrival;
    const candidates = renamedTo(account_id, memory.id);
    return findFirst(account_id, candidates, (found) => isSame(found, arrival, file));
  }

  /** Returns the first memory by id that is wanted. */
  function findFirst(
    account_id: string,
    candidates: Awaitable<Candidates>,
    isWanted: (found: Found) => boolean,
  ): Awaitable<Same | undefined> {
    let same: Same | undefined;
    const look = (id: string) =>
      andThen(find(account_id, id), (found) => {
        if (found && isWanted(found)) same = { ...found, id };
      });
    const looked = andThen(candidates, (all) =>
      eachInTurn(all.map(({ memory_id }) => memory_id).toSorted(), (id) =>
        same === undefined ? look(id) : undefined,
      ),
    );
    return andThen(looked, () => same);
  }

  /** Returns the memory of a file beside this one, if it has the same words. */
  function findSibling({
    account_id,
    memory,
    file,
  }: ImportedMemory): Awaitable<Memory | undefined> {
    let sibling: Memory | undefined;
    const walked = eachInTurn(file?.siblingIds ?? [], (id) => {
      if (sibling !== undefined) return;
      return andThen(known(account_id, id), (other) => {
        if (haveSameWords(other?.transcript ?? '', memory.transcript))
          sibling = { ...memory, ...other };
      });
    });
    return andThen(walked, () => sibling);
  }

  /** Returns the memory with this id as it is in the batch, otherwise as it is stored. */
  function known(account_id: string, id: string): Awaitable<KnownMemory | undefined> {
    return batch.get(keyOf(account_id, id)) ?? stored(account_id, id);
  }

  function find(account_id: string, id: string): Awaitable<Found | undefined> {
    const memory = batch.get(keyOf(account_id, id));
    if (memory !== undefined) return { memory, isOfThisImport: true };
    return andThen(isOfThisImport(account_id, id), (isRead) =>
      andThen(stored(account_id, id), (old) =>
        // A dry run stores nothing, so what it has read is known by its id only.
        old === undefined && !isRead ? undefined : { memory: old ?? {}, isOfThisImport: isRead },
      ),
    );
  }
}

interface Found {
  readonly memory: KnownMemory;
  readonly isOfThisImport: boolean;
}

/** The memory that a file is. */
interface Same extends Found {
  readonly id: string;
}

function keyOf(account_id: string, id: string): string {
  return `${account_id} ${id}`;
}

/** Two files of one import are one recording only if they have the same words, and no other start in their names. */
function isSame(
  { memory: old, isOfThisImport }: Found,
  { memory }: ImportedMemory,
  file: FileIdentity,
): boolean {
  if (!isOfThisImport) return isSameRecording(old, memory, file);
  return (
    old.transcript === memory.transcript && (file.isDated || old.started_at === memory.started_at)
  );
}

/** Returns what a file makes of its memory. Of several files of one import, the first counts. */
function asSame(arrival: ImportedMemory, file: FileIdentity, same: Same): ImportedMemory {
  const { memory } = arrival;
  const { memory: old, id, isOfThisImport } = same;
  const times =
    file.isDated && old.started_at !== undefined ? timesFrom(old.started_at, memory) : {};
  return {
    ...arrival,
    memory: { ...memory, id, ...times },
    isCopy: isOfThisImport,
  };
}

/** Returns what a renamed file makes of its memory, which is found by the new name if the file changes. */
function asRenamed(arrival: ImportedMemory, file: FileIdentity, same: Same): ImportedMemory {
  const { details, ...found } = asSame(arrival, file, same);
  return { ...found, details: details && { ...details, renamed_to: arrival.memory.id } };
}
