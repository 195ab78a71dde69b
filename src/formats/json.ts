// JSON in its layouts: one value, lines, or a stream of items in an array or a page, however long.

import { decode, linesOf, NOT_UTF8, peek, TOO_LARGE, type Bytes } from './bytes.ts';
import type { ItemFormat } from './format.ts';
import { NOT_JSON, streamOf, type Filter } from './stream.ts';
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
  for await (const { values, reason } of streamOf(whole, await pathIn(head, looking))) {
    for (const value of values)
      for (const each of itemsIn(value, looking.formats)) yield { item: ++item, value: each };
    if (reason !== undefined)
      yield { item: item + 1, reason: `${reason}; nothing is read from here to its end` };
  }
}

/** Finds where a long value has its items: those of an array, of a page, or the value itself. */
async function pathIn(head: Uint8Array, { formats }: Looking): Promise<RegExp | undefined> {
  if (new TextDecoder().decode(head.subarray(0, 1000)).trimStart().startsWith('[')) return /^\d+$/;
  const paths = new Set(pathsOf(formats));
  const begun: string[] = [];
  const isInList: Filter = (stack, { name }) => {
    const path = stack.slice(0, -1).join('.');
    const is = name === 'startObject' && typeof stack.at(-1) === 'number' && paths.has(path);
    if (is) begun.push(path);
    return is;
  };
  const others = new Set<string>();
  // It may go on behind the head, so that it breaks off here is no wonder.
  for await (const { values } of streamOf([head], isInList)) {
    for (const value of values) {
      const path = begun.shift() ?? '';
      if (isPage(path, value, formats)) return below(path);
      others.add(path);
    }
  }
  // What has begun and is longer than the head is an item, unless it stands among what is none.
  const last = begun.at(-1);
  return last === undefined || others.has(last) ? undefined : below(last);
}

function below(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', String.raw`\.`)}\\.\\d+$`);
}

/** Parses JSON; undefined where it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
