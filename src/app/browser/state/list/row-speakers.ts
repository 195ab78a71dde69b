// Who speaks in the memories of rows, and how much: read for the rows that are shown, many at a time. Rows without names get their first words, and rows of a person the longest line of that person.

import { effect, signal } from '@preact/signals';

import { news } from '../changes/change-list.ts';
import { api, app } from '../session.ts';

/** Somebody who speaks in a memory. */
export type Speaker = Awaited<ReturnType<typeof app.speakers.list>>[number];

const known = signal<ReadonlyMap<string, readonly Speaker[]>>(new Map());

/** The memories that were asked for, and those of them that the next request asks for. */
const asked = new Set<string>();
let waiting: string[] = [];

/** How many memories a request asks for at most, and how many are kept, about. */
const [MOST, MOST_KEPT] = [100, 2000];
/** Rows of a window that are drawn one after another are asked for together. */
const PAUSE_MS = 50;

// What has changed is asked for again when it is drawn again. Until then the old speakers stay.
effect(() => {
  if (news.value.length > 0) asked.clear();
});

/** Returns the speakers of a memory, the most words first, as soon as they are read. */
export function rowSpeakers(id: string): readonly Speaker[] {
  if (!asked.has(id)) {
    asked.add(id);
    if (waiting.push(id) === 1) setTimeout(read, PAUSE_MS);
  }
  return known.value.get(id) ?? [];
}

async function read(): Promise<void> {
  const ids = waiting.splice(0, MOST);
  if (waiting.length > 0) setTimeout(read);
  try {
    const found = Map.groupBy(await app.speakers.list({ ids }), ({ memory_id }) => memory_id);
    const old = known.peek();
    const isFull = old.size > MOST_KEPT;
    if (isFull) {
      asked.clear(); // rows that are drawn ask again
      words.value = new Map();
    }
    const all = ids.map((id) => [id, found.get(id) ?? []] as const);
    known.value = new Map([...(isFull ? [] : old), ...all]);
  } catch {
    // Without them a row only lacks its score. Rows that are drawn again, as when the connection is back, ask again.
    asked.clear();
  }
}

/** Words of a transcript, and their line if they are somebody's. */
interface Words {
  readonly text: string;
  readonly line?: number;
}

const words = signal<ReadonlyMap<string, Words>>(new Map());

/** About 60 words, which are more than a row has room for. */
const FIRST = { first: 1, last: 1, max_tokens: 100 };

/** Returns how the transcript of a memory begins, or the longest line of somebody, as soon as that is read. Empty: nothing. */
export function wordsOf(id: string, name = ''): Words | undefined {
  // Only of memories whose speakers are known, because their names are shown instead.
  const request = `${id} ${name}`;
  if (known.value.has(id) && !asked.has(request)) {
    asked.add(request);
    // Rows that are drawn again ask again.
    readWords(id, name).catch(() => asked.delete(request));
  }
  return words.value.get(request);
}

async function readWords(memory_id: string, name: string): Promise<void> {
  const found = await (name
    ? app.speakers.said({ memory_id, name })
    : api.memories.lines({ memory_id, ...FIRST }));
  words.value = new Map([...words.peek(), [`${memory_id} ${name}`, found]]);
}
