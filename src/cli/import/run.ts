// Runs an import: file after file, batch after batch, each batch one transaction.

import type { Bytes } from '../../formats/bytes.ts';
import { textFormats } from '../../formats/formats.ts';
import { readMemories, type Reading } from '../../formats/read.ts';
import type { Arrival } from '../../store/arrivals.ts';
import type { Import } from '../../store/imports.ts';
import { Refusal } from '../../store/refusal.ts';
import type { Progress } from '../progress.ts';
import type { Owner } from './owner.ts';
import type { Sourced, SourceFile } from './sources.ts';
import { countMemory, countOne, countReject, type Reject, type Tally } from './tally.ts';

/** What an import needs. */
export interface Importing {
  readonly into: Import;
  readonly tally: Tally;
  readonly reading: Reading;
  readonly progress: Progress;
  readonly ownerOf: Owner;
  /** Hears of each reject as it comes. */
  readonly onReject: (reject: Reject) => void;
}

/** A memory on its way in, and where it was found. */
interface Waiting extends Arrival {
  readonly at: Omit<Reject, 'reason'>;
  readonly format: string;
}

/** So much is put in one transaction: who waits for its end waits for a fraction of a second. */
const BATCH = { memories: 500, characters: 4_000_000 };

/** Imports all that is found. What cannot be is rejected and counted; the rest is in when it ends. */
export async function runImport(
  found: AsyncIterable<Sourced>,
  importing: Importing,
): Promise<void> {
  const { tally, progress } = importing;
  let batch: Waiting[] = [];
  let characters = 0;
  let bytes = 0;
  const flush = async () => {
    await putBatch(batch, importing);
    batch = [];
    characters = 0;
  };
  const began = performance.now();
  const read = (more: number) => {
    bytes += more;
    const written = tally.added + tally.updated;
    const rate = Math.round((written / (performance.now() - began)) * 1000);
    progress.to(bytes, `${written} written, ${rate} a second`);
  };
  for await (const file of found) {
    if (!('open' in file)) {
      turnAway({ file: file.place }, file, importing);
      continue;
    }
    tally.files++;
    for await (const waiting of arrivals(file, read, importing)) {
      batch.push(waiting);
      characters += weigh(waiting.memory);
      if (batch.length >= BATCH.memories || characters >= BATCH.characters) await flush();
    }
  }
  await flush();
}

/** How many characters a memory has: a batch is held whole. */
function weigh({ name, summary, transcript }: Arrival['memory']): number {
  const texts = [name, summary.quick_summary, ...summary.key_takeaways, transcript];
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Reads a file to the memories in it; what else is in it is turned away. */
async function* arrivals(
  file: SourceFile,
  read: (bytes: number) => void,
  importing: Importing,
): AsyncGenerator<Waiting> {
  try {
    const source = { ...file, bytes: counted(file, read) };
    for await (const outcome of readMemories(source, importing.reading)) {
      const at = { file: file.place, ...outcome.place };
      if (!('memory' in outcome)) {
        turnAway(at, outcome, importing);
        continue;
      }
      const { memory, format } = outcome;
      const owner = importing.ownerOf(memory);
      if (typeof owner === 'string')
        yield { at, format, memory, account_id: owner, idIs: idIs(format, memory.id) };
      else turnAway(at, owner, importing);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    turnAway({ file: file.place }, { reason: error.message }, importing);
  }
}

/** Counts the bytes of a file as they are read. */
async function* counted(file: SourceFile, read: (bytes: number) => void): Bytes {
  for await (const part of file.open()) {
    yield part;
    read(part.length);
  }
}

/** Why something is no memory. */
type Away = { readonly reason: string } | { readonly passed_over: string };

function turnAway(at: Omit<Reject, 'reason'>, away: Away, { tally, onReject }: Importing): void {
  if ('passed_over' in away) return countOne(tally.passed_over, away.passed_over);
  const reject = { ...at, reason: away.reason };
  countReject(tally, reject);
  return onReject(reject);
}

async function putBatch(batch: readonly Waiting[], importing: Importing): Promise<void> {
  const puts = await importing.into.put(batch);
  for (const [i, { at, format, memory, account_id, ...arrival }] of batch.entries()) {
    const put = puts[i];
    if (put === 'taken')
      turnAway(at, { reason: TAKEN[arrival.idIs ?? 'a number'](memory.id) }, importing);
    else if (put === undefined || put === 'clash')
      turnAway(at, { reason: clash(memory.id) }, importing);
    else countMemory(importing.tally, { memory: { ...memory, user_id: account_id }, format }, put);
  }
}

function clash(id: string): string {
  return `another memory with its id, ${id}, came before it in this import, and that one is kept`;
}

const TAKEN: Readonly<Record<NonNullable<Arrival['idIs']>, (id: string) => string>> = {
  'a number': (id) =>
    `the memory ${id} that is there began at another time and has other words, so it may be of another product that counts, too; delete that one first, or name another account`,
  'a file name': (id) =>
    `the memory ${id} that is there began at another time and has other words, so it may be another recording; rename the file, or give the start that is there by --started-at if it is the same one`,
};

/** Tells an id that another recording may have, too. Those of our own are taken at their word. */
function idIs(format: string, id: string): Arrival['idIs'] {
  if (textFormats.some(({ name }) => name === format)) return 'a file name';
  return format !== 'memory' && /^\d+$/.test(id) ? 'a number' : undefined;
}
