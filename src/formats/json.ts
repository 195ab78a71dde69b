// JSON in its layouts: one value, lines, or a stream of items in an array or a page, however long.

import { gen, none } from 'stream-chain/core';
import { pick } from 'stream-json/core/filters/pick.js';
import { parser } from 'stream-json/core/parser.js';
import { streamValues } from 'stream-json/core/streamers/stream-values.js';

import { decode, ITEM_BYTES, linesOf, NOT_UTF8, peek, TOO_LARGE, type Bytes } from './bytes.ts';
import type { ItemFormat } from './format.ts';
import { isItem, isPage, itemsIn, pathsOf } from './unwrap.ts';

/** Where in a file something stands, counted from 1. */
export interface Place {
  readonly line?: number;
  readonly item?: number;
}

/** What stands at a place: a value, or why it cannot be read. */
export type Found = Place & ({ readonly value: unknown } | { readonly reason: string });

/** Where to look for items, and what the file is called. */
export interface Looking {
  readonly name: string;
  readonly formats: readonly ItemFormat[];
}

const HEAD_BYTES = 1024 * 1024;
const NOT_JSON = 'it is not JSON, or breaks off';

/** Reads the items of a JSON file, at constant memory; what cannot be read is found, too. */
export async function* readItems(bytes: Bytes, looking: Looking): AsyncGenerator<Found> {
  const { head, isAll, whole } = await peek(bytes, HEAD_BYTES);
  const value = isAll ? parse(decode(head) ?? '') : undefined;
  if (value !== undefined) yield* itemsAt({}, value, looking);
  else if (isLines(head, looking.name)) yield* readLines(whole, looking);
  else yield* readStream(whole, looking);
}

function* itemsAt(place: Place, value: unknown, { formats }: Looking): Generator<Found> {
  const items = itemsIn(value, formats);
  const isAlone = items.length === 1 && items[0] === value;
  for (const [i, each] of items.entries())
    yield { ...place, ...(isAlone ? {} : { item: i + 1 }), value: each };
}

async function* readLines(bytes: Bytes, looking: Looking): AsyncGenerator<Found> {
  let line = 0;
  for await (const each of linesOf(bytes)) {
    line++;
    const text = each && decode(each);
    if (each === undefined) yield { line, reason: TOO_LARGE };
    else if (text === undefined) yield { line, reason: NOT_UTF8 };
    else if (text.trim() !== '') {
      const value = parse(text);
      if (value === undefined) yield { line, reason: NOT_JSON };
      else yield* itemsAt({ line }, value, looking);
    }
  }
}

/** Tells lines of JSON by the name, or by the first of them: one may be broken. */
function isLines(head: Uint8Array, name: string): boolean {
  if (/\.(jsonl|ndjson)$/i.test(name)) return true;
  const text = new TextDecoder().decode(head).trimStart();
  const first = text.split('\n', 10).filter((line) => line.trim() !== '');
  // In an array that is spread over lines, the last item is a value by itself, too.
  return first.slice(0, text.startsWith('{') ? 3 : 1).some((line) => isItem(parse(line)));
}

async function* readStream(bytes: Bytes, looking: Looking): AsyncGenerator<Found> {
  const { head, whole } = await peek(bytes, HEAD_BYTES);
  let item = 0;
  try {
    for await (const value of streamOf(whole, await pathIn(head, looking)))
      for (const each of itemsIn(value, looking.formats)) yield { item: ++item, value: each };
  } catch (error) {
    yield { item: item + 1, reason: `${problem(error)}; nothing is read from here to its end` };
  }
}

/** Finds where a long value has its items: those of an array, of a page, or the value itself. */
async function pathIn(head: Uint8Array, { formats }: Looking): Promise<RegExp | undefined> {
  if (new TextDecoder().decode(head.subarray(0, 1000)).trimStart().startsWith('[')) return /^\d+$/;
  for (const path of pathsOf(formats)) {
    const items = new RegExp(`^${path.replaceAll('.', String.raw`\.`)}\\.\\d+$`);
    try {
      for await (const value of streamOf([head], items))
        if (isPage(path, value, formats)) return items;
    } catch {
      // It goes on behind the head.
    }
  }
  return undefined;
}

/** Reads values as they become whole. Throws where the bytes are not UTF-8, or the text is not JSON. */
async function* streamOf(
  bytes: Bytes | Iterable<Uint8Array>,
  path: RegExp | undefined,
): AsyncGenerator {
  const parts = [parser({ jsonStreaming: true, streamValues: false }), streamValues()] as const;
  const read = path ? gen(parts[0], pick({ filter: path }), parts[1]) : gen(...parts);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let since = 0;
  for await (const part of bytes) {
    since += part.length;
    for await (const { value } of read(decoder.decode(part, { stream: true }))) {
      since = 0;
      yield value;
    }
    if (since > ITEM_BYTES) throw new RangeError(TOO_LARGE);
  }
  for await (const { value } of read(decoder.decode())) yield value;
  for await (const { value } of read(none as never)) yield value;
}

function problem(error: unknown): string {
  if (error instanceof RangeError) return error.message;
  return error instanceof TypeError ? NOT_UTF8 : NOT_JSON;
}

/** Parses JSON; undefined where it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
