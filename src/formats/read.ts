// Reads a file of any format: its items become memories, one after the other, or reasons why not.

import * as v from 'valibot';

import type { Memory } from '../contract/memory.ts';
import {
  decode,
  isUtf16,
  ITEM_BYTES,
  NOT_UTF8,
  peek,
  TOO_LARGE,
  UTF16,
  type Bytes,
} from './bytes.ts';
import { reasonOf, toMemory } from './draft.ts';
import type { Draft, Item, ItemFormat, PassedOver, TextFormat } from './format.ts';
import { recognise } from './groups.ts';
import { LINES, readItems, type Place } from './json.ts';
import type { MaybeTime, ReadLocal } from './time.ts';

/** A file to be read. */
export interface Source {
  /** Its name, with the folders below the one that was named. */
  readonly name: string;
  readonly bytes: Bytes;
  /** When it was recorded, for formats that do not say so; in milliseconds, or as it was told. */
  readonly started_at?: MaybeTime;
}

/** How files are read. */
export interface Reading {
  readonly items: readonly ItemFormat[];
  readonly texts: readonly TextFormat[];
  readonly local: ReadLocal;
}

/** What became of an item: a memory, a reason why it is none, or that it was none by its nature. */
export type Outcome = { readonly place: Place } & (
  | { readonly memory: Memory; readonly format: string }
  | { readonly reason: string }
  | PassedOver
);

const HEAD_BYTES = 4096;

/** Reads the memories of a file, at constant memory; the file is let go of whatever comes. */
export async function* readMemories(source: Source, reading: Reading): AsyncGenerator<Outcome> {
  const { head, whole } = await peek(source.bytes, HEAD_BYTES);
  try {
    yield* readFrom(head, { ...source, bytes: whole }, reading);
  } finally {
    await whole.return?.();
  }
}

async function* readFrom(
  head: Uint8Array,
  source: Source,
  reading: Reading,
): AsyncGenerator<Outcome> {
  const start = new TextDecoder().decode(head).trimStart();
  const format = reading.texts.find(({ begins }) => begins(start));
  if (start === '' && head.length < HEAD_BYTES) yield { place: {}, reason: 'it is empty' };
  else if (isUtf16(head)) yield { place: {}, reason: UTF16 };
  else if (format) yield { place: {}, ...(await readText(source, format, reading)) };
  else if (!isJson(start, source, reading)) yield { place: {}, reason: isNone(reading) };
  else yield* readAll(source, reading);
}

/** Lines of JSON may be read after a broken one, whatever it begins with; all else is a list or an object. */
function isJson(start: string, { name }: Source, { items }: Reading): boolean {
  return items.length > 0 && (LINES.test(name) || /^(?:[[{]|null\b|$)/.test(start));
}

function isNone({ items, texts }: Reading): string {
  const [only, ...more] = [...items, ...texts];
  return only && more.length === 0 ? `it is not ${only.name}` : 'it is neither JSON nor captions';
}

async function* readAll(source: Source, { items, local }: Reading): AsyncGenerator<Outcome> {
  const found = readItems(source.bytes, { name: source.name, formats: items });
  for await (const { place, ...each } of recognise(found, items)) {
    if ('format' in each)
      yield { place, ...toOutcome(each.format, read(each.format, each.value), local) };
    else yield { place, ...each };
  }
}

function read({ item }: ItemFormat, value: Item | readonly Item[]) {
  try {
    const { issues, output } = v.safeParse(item, value, { abortEarly: true });
    return issues ? { reason: reasonOf(issues[0]) } : output;
  } catch (error) {
    // What is nested a hundred thousand deep.
    if (error instanceof RangeError) return { reason: 'it is nested too deeply' };
    throw error;
  }
}

async function readText(source: Source, format: TextFormat, { local }: Reading) {
  const { head, isAll } = await peek(source.bytes, ITEM_BYTES + 1);
  if (!isAll) return { reason: TOO_LARGE };
  const text = decode(head);
  if (text === undefined) return { reason: NOT_UTF8 };
  const { name, started_at } = source;
  return toOutcome(format, format.read(text, { name, started_at }), local);
}

type Got = Draft | PassedOver | { readonly reason: string };

function toOutcome({ name }: { readonly name: string }, got: Got, local: ReadLocal) {
  if ('reason' in got || 'passed_over' in got) return got;
  return { format: name, ...toMemory(got, local) };
}
