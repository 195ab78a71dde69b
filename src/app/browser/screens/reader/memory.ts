// Reads memories for the reader, and the memories before and after one in time.

import type { ComponentType } from 'preact';

import { Failure } from '../../../../contract/failure.ts';
import type { Details } from '../../../../contract/schemas/details.ts';
import type { Memory } from '../../../../contract/schemas/memory.ts';
import type { Passage } from '../../../../contract/schemas/passages.ts';
import type { TranscriptLine } from '../../../../text/turns.ts';
import { api } from '../../state/session.ts';
import type { ItemRowProps } from '../actions/item-row.tsx';
import { findText, hitsOf, isPlain, mergeHits, typedQuery } from './hits.ts';
import { readStart, type Span } from './lines.ts';

/** The memories read lately, for Back to show them at once. Together they are limited in number and size. */
const lately = new Map<string, Memory>();
const MOST_KEPT = 50;
const MOST_CHARACTERS = 10_000_000;

/** Returns a memory that was read lately. */
export function keptMemory(id: string): Memory | undefined {
  return lately.get(id);
}

/**
 * Reads a memory. A long one is passed to `onStart` with its first lines, so that they are on the screen
 * before the rest has arrived. Rejects with `Failure`.
 */
export async function readMemory(
  id: string,
  onStart: (start: Memory) => Promise<void>,
): Promise<Memory> {
  let memory;
  try {
    memory = await api.longMemory(id, async (text) => {
      const start = readStart(text);
      if (start === undefined) return;
      await onStart(start);
      await painted();
    });
  } catch (error) {
    if (error instanceof Failure && error.status === 404) lately.delete(id);
    throw error;
  }
  lately.delete(id);
  lately.set(id, memory);
  let size = 0;
  for (const [index, [each, { transcript }]] of [...lately].toReversed().entries()) {
    size += transcript.length;
    if (index >= MOST_KEPT || (index > 0 && size > MOST_CHARACTERS)) lately.delete(each);
  }
  return memory;
}

/** What of a memory's details the reader shows. */
export interface ShownDetails extends Pick<
  Details,
  'chapters' | 'action_items' | 'audio' | 'line_starts_ms'
> {
  /** What shows the action items, if there are any. It is loaded with them, so that nothing moves later. */
  readonly ItemRow: ComponentType<ItemRowProps> | undefined;
}

/** Reads the details of a memory. */
export async function readDetails(id: string): Promise<ShownDetails> {
  const details = await api.memories.details({ memory_id: id });
  const has = details.action_items.length > 0;
  return { ...details, ItemRow: has ? (await import('../search/part.ts')).ItemRow : undefined };
}

/** Resolves when the page has been painted, or soon if it is hidden. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 100);
  });
}

/** A memory beside another in time. */
export type Neighbour = Pick<Memory, 'id' | 'name' | 'started_at'>;

/** Reads the memory after another in time (`asc`), or the one before it (`desc`), if there is one. */
export async function readNeighbour(
  { id, started_at }: Pick<Memory, 'id' | 'started_at'>,
  order: 'asc' | 'desc',
): Promise<Neighbour | undefined> {
  // Memories that start at the same time are in the order of their ids.
  const after = new Date(Date.parse(started_at) + 1).toISOString();
  const from = order === 'asc' ? { started_after: started_at } : { started_before: after };
  const isBeyond = (each: Neighbour) => {
    const isLater = each.started_at === started_at ? each.id > id : each.started_at > started_at;
    return each.id !== id && isLater === (order === 'asc');
  };
  const fields = ['name', 'started_at'] as const;
  let page = await api.memories.page({ ...from, order, limit: 2, fields });
  for (;;) {
    const found = page.items.find(isBeyond);
    if (found !== undefined || page.next === undefined) return found;
    page = await api.memories.page({ cursor: page.next, limit: 100 });
  }
}

/** A memory whose transcript is searched. */
export interface Searched {
  readonly id: string;
  readonly lines: readonly TranscriptLine[];
}

/** The most passages of a response. */
const PAGE = 100;
/** The gateway does not search the text of memories of more than 2 MB. Characters have up to 4 bytes. */
const SEARCHED = 500_000;

/**
 * Finds what somebody types in the transcript of a memory: the words by the rules of the gateway, and the
 * text as it is written, also within words. Rejects with a `Failure` of the reason `abort`.
 */
export async function findTyped(memory: Searched, typed: string, signal: AbortSignal) {
  const hits = await findHits(memory, typedQuery(typed), signal);
  return isPlain(typed) ? mergeHits(hits, findText(memory.lines, typed)) : hits;
}

/** Finds the words of a query in the transcript of a memory. Without a space behind it, the last one may be half typed. Rejects with a `Failure` of the reason `abort`. */
export async function findHits(
  { id, lines }: Searched,
  q: string,
  signal: AbortSignal,
): Promise<Span[]> {
  const passages: Passage[] = [];
  const options = { signal };
  const open = q.replace(/(?<!\S)[\p{L}\p{N}]+$/u, '$&…');
  try {
    let page = await api.search.page({ q: open, memory_id: id, limit: PAGE }, options);
    passages.push(...page.items.passages);
    while (page.next !== undefined) {
      page = await api.search.page({ cursor: page.next, limit: PAGE }, options);
      passages.push(...page.items.passages);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return findText(lines, q); // offline, for example
  }
  const hits = hitsOf(passages, lines);
  const length = lines.reduce((sum, { text }) => sum + text.length, 0);
  return hits.length === 0 && length > SEARCHED ? findText(lines, q) : hits;
}
