// Runs an import: reads file after file, and writes batch after batch, each in one transaction.

import type { ByteStream } from '../../formats/bytes.ts';
import { createJoiner, type Joiner } from '../../formats/join.ts';
import { UNKNOWN } from '../../formats/json/groups.ts';
import type { ReadOptions } from '../../formats/outcome.ts';
import { isLimitlessExtra } from '../../formats/products/limitless-export.ts';
import { readMemories, type ReadOutcome } from '../../formats/read.ts';
import type { Import } from '../../store/engine.ts';
import type { ImportedMemory } from '../../store/import/rules.ts';
import { Refusal } from '../../store/refusal.ts';
import { MAX_WORD_BYTES } from '../../store/search/index-terms.ts';
import type { Progress } from '../output/progress.ts';
import { countNotKept, countPartly } from './findings.ts';
import { unpackGzip } from './gzip.ts';
import { identify, type Identified } from './identity.ts';
import type { ChooseAccount } from './owner.ts';
import { createPartFile } from './part-file.ts';
import type { SourceEntry, SourceFile } from './sources.ts';
import {
  countMemory,
  countSkipped,
  countRejected,
  listed,
  REPORTED,
  type RejectedItem,
  type Tally,
} from './tally.ts';

/** An import in progress. */
export interface ImportRun {
  readonly into: Import;
  readonly tally: Tally;
  readonly reading: ReadOptions;
  readonly progress: Progress;
  readonly ownerOf: ChooseAccount;
  /** Called for each rejected item. A part of a memory can have others in files that are not in this import. */
  readonly onReject: (reject: RejectedItem, isPart?: boolean) => void;
  /** Called for each skipped item of a file. */
  readonly onSkip?: (at: ItemPlace, reason: string) => void;
}

/** Where an item was found. */
type ItemPlace = Omit<RejectedItem, 'reason'>;

/** A memory that waits to be written, and where it was found. */
interface PendingMemory extends ImportedMemory {
  readonly at: ItemPlace;
  readonly format: string;
}

/** The size of a transaction. Other writers wait for its end, a fraction of a second. */
const BATCH_LIMITS = { memories: 500, characters: 4_000_000 };

/** Imports all sources. Items that cannot be imported are rejected and counted; all others are written at the end. */
export async function runImport(
  found: AsyncIterable<SourceEntry>,
  importing: ImportRun,
): Promise<void> {
  const { tally, progress } = importing;
  let batch: PendingMemory[] = [];
  let characters = 0;
  let bytes = 0;
  const flush = async () => {
    await putBatch(batch, importing);
    batch = [];
    characters = 0;
  };
  const began = performance.now();
  const onRead = (more: number) => {
    bytes += more;
    const written = tally.added + tally.updated;
    const rate = Math.round(((written + tally.unchanged) / (performance.now() - began)) * 1000);
    progress.to(bytes, `${written} written, ${tally.unchanged} unchanged, ${rate} a second`);
  };
  const add = async (waiting: PendingMemory) => {
    batch.push(waiting);
    characters += countCharacters(waiting);
    if (batch.length >= BATCH_LIMITS.memories || characters >= BATCH_LIMITS.characters)
      await flush();
  };
  const partFile = createPartFile();
  const joiner = createJoiner<ItemPlace>(partFile);
  try {
    for await (const file of found) {
      if (!('open' in file)) {
        if ('skipped' in file) countSkipped(tally, file.skipped, file.place);
        else exclude({ file: file.place }, file, importing);
        continue;
      }
      tally.files++;
      for await (const waiting of arrivals(file, { onRead, joiner, importing })) await add(waiting);
    }
    for await (const waiting of joined(joiner, importing)) await add(waiting);
    await flush();
  } finally {
    await partFile.close();
  }
}

/** Counts the characters of a memory and the bytes of its original, because a batch is held in memory. */
function countCharacters({ memory, details }: ImportedMemory): number {
  const { name, summary, transcript } = memory;
  const original = details?.original?.bytes.length ?? 0;
  const texts = [name, summary.quick_summary, ...summary.key_takeaways, transcript];
  return texts.reduce((sum, { length }) => sum + length, original);
}

interface Arriving {
  readonly onRead: (bytes: number) => void;
  readonly joiner: Joiner<ItemPlace>;
  readonly importing: ImportRun;
}

/** Reads the memories in a file, excludes its other items, and lets parts of memories wait. */
async function* arrivals(
  file: SourceFile,
  { onRead, joiner, importing }: Arriving,
): AsyncGenerator<PendingMemory> {
  let [read, unread] = [0, 0];
  const excludeUnread = (at: ItemPlace, reason: string) => {
    unread++;
    exclude(at, { reason }, importing);
  };
  try {
    const source = { ...file, bytes: unpackGzip(counted(file, onRead)) };
    for await (const outcome of readMemories(source, importing.reading)) {
      const at = { file: file.place, ...outcome.place };
      const { notKept } = outcome;
      if (notKept) countNotKept(importing.tally.found, notKept.format, notKept.names);
      if ('memory' in outcome) {
        read++;
        yield* ownedBy(identify(outcome, file, importing.reading), at, importing);
      } else if ('parts' in outcome) {
        const reason = await joiner.add(outcome, at);
        if (reason !== undefined) excludeUnread(at, reason);
      } else if (isOther(file, outcome)) countOther(importing.tally, file);
      else if (isExtra(file, outcome)) countSkipped(importing.tally, EXTRA, undefined);
      else if ('reason' in outcome) excludeUnread(at, outcome.reason);
      else exclude(at, outcome, importing);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    excludeUnread({ file: file.place }, error.message);
  }
  countPartly(importing.tally.partly_read, { file: file.place, read, unread });
}

/** Joins the parts that have waited. A rejected memory is reported for each of its parts. */
async function* joined(
  joiner: Joiner<ItemPlace>,
  importing: ImportRun,
): AsyncGenerator<PendingMemory> {
  for await (const { at: places, ...outcome } of joiner.join(importing.reading)) {
    const [first] = places;
    if ('memory' in outcome && first)
      yield* ownedBy(identify(outcome, undefined, importing.reading), first, importing);
    else if ('reason' in outcome)
      for (const at of places) exclude(at, { ...outcome, isPart: true }, importing);
    else if ('skipped' in outcome) countSkipped(importing.tally, outcome.skipped, undefined);
  }
}

/** Yields a memory with its account, or excludes it. */
function* ownedBy(read: Identified, at: ItemPlace, importing: ImportRun): Generator<PendingMemory> {
  const owner = importing.ownerOf(read.memory);
  if (typeof owner === 'string') yield { ...read, at, account_id: owner };
  else exclude(at, owner, importing);
}

const EXTRA = 'a part of a Limitless export that is no recording';

/** Whether an item that no format knows is from a file that lies beside recordings in an export. */
function isExtra({ name }: SourceFile, outcome: ReadOutcome): boolean {
  return 'reason' in outcome && outcome.reason === UNKNOWN && isLimitlessExtra(name);
}

/** Whether a file was only looked at, because it could have been a transcript. */
function isOther({ skippedAs }: SourceFile, outcome: ReadOutcome): boolean {
  return 'skipped' in outcome && outcome.skipped === skippedAs;
}

/** Counts a file that was only looked at as skipped, not as read. */
function countOther(tally: Tally, { place, skippedAs = '' }: SourceFile): void {
  tally.files--;
  countSkipped(tally, skippedAs, place);
}

/** Counts the bytes of a file while they are read. */
async function* counted(file: SourceFile, onRead: (bytes: number) => void): ByteStream {
  for await (const part of file.open()) {
    yield part;
    onRead(part.length);
  }
}

/** Why an item is not imported: rejected with a reason, or skipped. */
type Exclusion =
  | { readonly reason: string; readonly id?: string; readonly isPart?: boolean }
  | { readonly skipped: string };

function exclude(at: ItemPlace, exclusion: Exclusion, importing: ImportRun): void {
  const { tally, onReject, onSkip } = importing;
  if ('skipped' in exclusion) {
    onSkip?.(at, exclusion.skipped);
    return countSkipped(tally, exclusion.skipped, undefined);
  }
  const { reason, id, isPart } = exclusion;
  const reject = { ...at, reason, ...(id !== undefined && { id }) };
  countRejected(tally, reject);
  return onReject(reject, isPart);
}

async function putBatch(batch: readonly PendingMemory[], importing: ImportRun): Promise<void> {
  const reconciled = await importing.into.reconcile(batch);
  const puts = await importing.into.put(reconciled);
  for (const [i, { memory, account_id, file }] of reconciled.entries()) {
    const { at, format, details } = batch[i] as PendingMemory;
    const put = puts[i] ?? 'clash';
    const leaveOut = (reason: string) => exclude(at, { reason, id: memory.id }, importing);
    if (put === 'taken') leaveOut(taken(file !== undefined));
    else if (put === 'binned') {
      const { in_bin: inBin } = importing.tally;
      if (inBin.length < REPORTED.memories) inBin.push(listed(memory));
      exclude(at, { skipped: BINNED }, importing);
    } else if (put === 'wordy') leaveOut(WORDY);
    else if (put === 'clash') leaveOut(CLASH);
    else {
      const owned = { ...memory, user_id: account_id };
      const isDated = file?.isDated === true;
      countMemory(importing.tally, { memory: owned, format, details: details?.read, isDated }, put);
    }
  }
}

const BINNED = 'a recording that you have deleted, and that is still in the bin';

const WORDY = `its words are too long for the search index: more than ${MAX_WORD_BYTES / 1024 / 1024} MiB with ligatures written out; split it`;

const CLASH =
  'another one in this import has the same id, and counts; if you want this one instead, import it by itself afterwards';

function taken(isFile: boolean): string {
  const other = 'the stored memory with this id has another start and another text, so it may';
  return isFile
    ? `${other} be another recording; rename the file, or give the stored start with --started-at if it is the same recording`
    : `${other} come from another product that numbers its items; delete the stored one first, or import into another account`;
}
