// JSON in its layouts: one value, lines, or a stream of items in an array or a page, however long.

import { decode, linesOf, NOT_UTF8, peek, TOO_LARGE, type Bytes } from './bytes.ts';
import type { ItemFormat } from './format.ts';
import { NOT_JSON, streamOf } from './stream.ts';
import { isItem, itemsIn } from './unwrap.ts';

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

/** How files of lines are called. */
export const LINES = /\.(jsonl|ndjson)$/i;

const HEAD_BYTES = 1024 * 1024;

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

/** Tells lines of JSON by the name, or by the first of them: some may be broken, but not most. */
function isLines(head: Uint8Array, name: string): boolean {
  if (LINES.test(name)) return true;
  const first = new TextDecoder().decode(head).split('\n', 10);
  const lines = first.map((line) => line.trim()).filter(Boolean);
  const whole = lines.filter((line) => line.startsWith('{') && isItem(parse(line)));
  return whole.length * 2 > lines.length;
}

async function* readStream(bytes: Bytes, { formats }: Looking): AsyncGenerator<Found> {
  let item = 0;
  for await (const streamed of streamOf(bytes, formats)) {
    if ('reason' in streamed)
      yield { item: item + 1, reason: `${streamed.reason}; nothing is read from here to its end` };
    // What an array has may be a page, or an array.
    else for (const value of itemsIn(streamed.value, formats)) yield { item: ++item, value };
  }
}

/** Parses JSON; undefined where it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
