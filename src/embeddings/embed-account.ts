// Makes the vectors that an account lacks, some memories at a time. What was made stays if the rest fails.

import { setTimeout as sleep } from 'node:timers/promises';

import { waitBefore } from '../lib/retry.ts';
import { MINUTE_MS } from '../lib/time.ts';
import type { Writer } from '../store/engine.ts';
import { Refusal } from '../store/refusal.ts';
import type { PendingMemory } from '../store/vectors/writes.ts';
import { CUT, stretchesOf } from '../text/passages/stretches.ts';
import { MAX_SEARCHED_BYTES, unitsOf } from '../text/passages/units.ts';
import { NoVectors, type Endpoint } from './endpoint.ts';
import { haveLength, toStored } from './numbers.ts';

/** What is embedded, and how. */
export interface Embedding {
  readonly writer: Pick<Writer, 'vectors'>;
  readonly endpoint: Endpoint;
  readonly account_id: string;
  /** Called with the number of memories that have got their vectors since the last call. */
  readonly onProgress?: (memories: number) => void;
  /** Called with each memory of which the endpoint makes no vectors, although it makes those of other texts. */
  readonly onRefused?: (memory_id: string) => void;
  /** Asked after some memories have got their vectors: whether the rest is left for another time. */
  readonly isOver?: () => boolean;
  /** How often the same texts are sent if the endpoint fails. Default: 3. */
  readonly attempts?: number;
  /** How long to wait before the first repetition, in milliseconds. Default: 1,000. */
  readonly firstDelayMs?: number;
  /** How long a response may take, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
}

/** How many memories are looked up, and how many texts are sent at a time, at most. */
const PAGE = 100;
const TEXTS = 16;
/** A small processor takes seconds for one text, and longer if the model must be loaded first. */
const TIMEOUT_MS = MINUTE_MS;
const ATTEMPTS = 3;
const FIRST_DELAY_MS = 1000;
/** The longest time that an endpoint may ask to wait. */
const LONGEST_WAIT_MS = MINUTE_MS;
/** A text of which every model makes a vector, if the endpoint works. */
const HARMLESS = 'Hello.';

/** How many texts are sent at a time. It begins with one, and follows the time that the endpoint takes. */
interface Pace {
  texts: number;
}

/** An embedding that is under way. */
interface Running extends Embedding {
  readonly pace: Pace;
}

/** A memory with the texts that its vectors are made of. */
interface Waiting extends PendingMemory {
  readonly texts: readonly string[];
}

/** Makes the vectors that are missing. Resolves with the number of memories that got some. Rejects with `Refusal`. */
export async function embedAccount(given: Embedding): Promise<number> {
  const { writer, endpoint, account_id, onProgress, isOver } = given;
  const embedding = { ...given, pace: { texts: 1 } };
  const kind = { account_id, model: endpoint.model, cut: CUT };
  let known = await writer.vectors.sample(kind);
  let made = 0;
  let waiting: Waiting[] = [];
  const flush = async () => {
    for (const each of await embedAll(embedding, waiting)) {
      const [{ length } = []] = each.vectors;
      if (known !== undefined && length !== undefined && !haveLength(known, length))
        throw otherLength(endpoint, length);
      const { id: memory_id, body_sha256 } = each;
      const stored = toStored(each.vectors);
      if (length !== undefined) known ??= stored;
      if (await writer.vectors.put({ ...kind, memory_id, body_sha256, ...stored })) made++;
    }
    onProgress?.(waiting.length);
    waiting = [];
  };
  for (let after = ''; ;) {
    const page = await writer.vectors.pending({ ...kind, after, limit: PAGE });
    for (const memory of page) {
      const texts = await textsOf(embedding, memory);
      if (texts === undefined) continue; // changed or deleted meanwhile
      waiting.push({ ...memory, texts });
      if (waiting.reduce((sum, each) => sum + each.texts.length, 0) < TEXTS) continue;
      await flush();
      if (isOver?.() === true) return made;
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  if (waiting.length > 0) await flush();
  return made;
}

async function textsOf(
  { writer, account_id }: Embedding,
  { id, body_sha256, size }: PendingMemory,
): Promise<string[] | undefined> {
  const memory = await writer.vectors.memory({ account_id, id, body_sha256 });
  if (memory === undefined) return undefined;
  // A search does not read such a transcript either.
  const transcript = size > MAX_SEARCHED_BYTES ? '' : memory.transcript;
  return Array.from(stretchesOf([...unitsOf({ ...memory, transcript })]), ({ text }) => text);
}

/** A memory with the vectors of its texts. */
interface Embedded extends Waiting {
  readonly vectors: readonly number[][];
}

/** Returns memories with their vectors. If the endpoint refuses some texts and no others, their memories are left out. */
async function embedAll(embedding: Running, some: readonly Waiting[]): Promise<Embedded[]> {
  try {
    const vectors = await vectorsOf(
      embedding,
      some.flatMap(({ texts }) => texts),
    );
    let start = 0;
    return some.map((each) => ({
      ...each,
      vectors: vectors.slice(start, (start += each.texts.length)),
    }));
  } catch (error) {
    if (!(error instanceof NoVectors) || saysNothingOfTexts(error)) throw error;
    const [first, ...others] = some;
    if (first !== undefined && others.length === 0) {
      // An endpoint that does not work says nothing about this memory.
      await embedding.endpoint.embed([HARMLESS], embedding.timeoutMs ?? TIMEOUT_MS).catch(() => {
        throw error;
      });
      embedding.onRefused?.(first.id);
      return [];
    }
    const found: Embedded[] = [];
    for (const each of some) found.push(...(await embedAll({ ...embedding, attempts: 1 }, [each])));
    return found;
  }
}

function saysNothingOfTexts({ reason }: NoVectors): boolean {
  return reason === 'late' || reason === 'busy';
}

function otherLength({ origin, model }: Endpoint, length: number): Refusal {
  return new Refusal(
    `The embeddings endpoint at ${origin} sends vectors of ${length} numbers, but those of ${model} in the database have another length; remove them with memory-gateway embed --off, or give the new model another name.`,
  );
}

async function vectorsOf(running: Running, texts: readonly string[]): Promise<number[][]> {
  const vectors: number[][] = [];
  while (vectors.length < texts.length) {
    const next = texts.slice(vectors.length, vectors.length + running.pace.texts);
    vectors.push(...(await attempt(running, next)));
  }
  return vectors;
}

async function attempt(
  {
    endpoint,
    pace,
    attempts = ATTEMPTS,
    firstDelayMs = FIRST_DELAY_MS,
    timeoutMs = TIMEOUT_MS,
  }: Running,
  texts: readonly string[],
): Promise<number[][]> {
  for (let n = 1; ; n++) {
    try {
      const began = performance.now();
      const vectors = await endpoint.embed(texts, timeoutMs);
      keepPace(pace, texts.length, (performance.now() - began) / timeoutMs);
      return vectors;
    } catch (error) {
      // An endpoint that never responds would be waited for three times, and a refused text is refused again.
      const isLasting = !(error instanceof NoVectors) || ['late', 'refused'].includes(error.reason);
      if (isLasting || n === attempts || error.retryAfterMs > LONGEST_WAIT_MS) throw error;
      await sleep(Math.max(error.retryAfterMs, waitBefore(n, firstDelayMs)));
    }
  }
}

/** Sends more texts at a time if the endpoint takes little of its time for some, and fewer long before it is late. */
function keepPace(pace: Pace, sent: number, share: number): void {
  if (share > 1 / 2) pace.texts = Math.max(1, sent >> 1);
  else if (share < 1 / 8 && sent === pace.texts) pace.texts = Math.min(TEXTS, 2 * sent);
}
